"""Calls that give CUDA source to a library: CuPy's, PyTorch's, PyCUDA's, cuda.core's.

Means: which argument is the source, what the compiler is told besides, and what the library itself
adds. Told by the function's own name, whichever module it is reached through; where two libraries
have one name, by the import.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from drano.embedded.constants import Evaluator, NotConstantError
from drano.embedded.elementwise import (
    Elementwise,
    NotElementwiseError,
    cupy_elementwise,
    pycuda_elementwise,
)
from drano.embedded.scopes import Module, Scope
from drano.embedded.traced import Traced, joined
from drano.embedded.units import EmbeddedUnit
from drano.frontend.template_instances import is_template_id

_DEFINE = re.compile(r"-D\s*(\w+(?:=[\w.+-]*)?)", re.ASCII)
_STD = re.compile(r"--?std=((?:c|gnu)\+\+\w\w)")


class _Source(Struct, frozen=True):
    """Of a call: its source's place among the arguments and name, those of the options; ``names``:
    of a keyword with instances of templates; ``includes``: headers that the library puts in front.
    """

    place: int | None
    keyword: str
    options: tuple[int | None, str] = (None, "options")
    names: str = ""
    includes: tuple[str, ...] = ()


_CALLS: Mapping[str, _Source] = {
    "RawKernel": _Source(0, "code", (2, "options")),
    "RawModule": _Source(None, "code", names="name_expressions"),
    "SourceModule": _Source(0, "source", (2, "options")),
    "load_inline": _Source(
        2, "cuda_sources", (6, "extra_cuda_cflags"), includes=("torch/types.h",)
    ),
    "_compile_kernel": _Source(0, "kernel_source", (4, "nvcc_options")),
    "Program": _Source(0, "code"),
}
ELEMENTWISE = "ElementwiseKernel"


class Caller(Struct, frozen=True):
    """One call of those functions. ``name``: the function's own."""

    name: str
    library: str
    node: ast.Call
    scope: Scope


def imported_names(module: Module) -> dict[str, str]:
    """What imports of a source call by which name: ``{"RK": "cupy.RawKernel"}``."""
    names: dict[str, str] = {}
    for node, _ in module.nodes:
        match node:
            case ast.Import(names=found):
                for alias in found:
                    if alias.asname:
                        names[alias.asname] = alias.name
                    else:
                        top = alias.name.partition(".")[0]
                        names[top] = top
            case ast.ImportFrom(module=str(source), names=found):
                for alias in found:
                    names[alias.asname or alias.name] = f"{source}.{alias.name}"
    return names


def caller(node: ast.Call, scope: Scope, imported: Mapping[str, str]) -> Caller | None:
    """The call, if it gives CUDA source to a library."""
    dotted = _dotted(node.func)
    if not dotted:
        return None
    first, _, rest = dotted.partition(".")
    whole = ".".join(filter(None, (imported.get(first, first), rest)))
    name = whole.rpartition(".")[2]
    if name != ELEMENTWISE and name not in _CALLS:
        return None
    library = whole.partition(".")[0]
    if name == "Program" and not _is_cpp(node, library):
        return None
    if name == "RawModule" and _argument(node, None, "code") is None:
        return None  # a file's path, or nothing at all
    return Caller(name, library, node, scope)


def _dotted(node: ast.expr) -> str:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        names.append(node.id)
    elif not names:
        return ""
    return ".".join(reversed(names))


def _is_cpp(node: ast.Call, library: str) -> bool:
    """Whether a ``Program`` is cuda.core's, of C++ (it takes PTX as well)."""
    kind = _argument(node, 1, "code_type")
    return library == "cuda" and isinstance(kind, ast.Constant) and kind.value == "c++"


def _argument(node: ast.Call, place: int | None, keyword: str) -> ast.expr | None:
    found = next((k.value for k in node.keywords if k.arg == keyword), None)
    if found is not None or place is None or place >= len(node.args):
        return found
    return node.args[place]


def unit_of(call: Caller, evaluator: Evaluator) -> EmbeddedUnit | None:
    """What is compiled; None for nothing. Raises NotConstantError."""
    line, column = call.node.lineno, call.node.col_offset + 1
    if call.name == ELEMENTWISE:
        return _elementwise(call, evaluator)
    source = _CALLS[call.name]
    given = _argument(call.node, source.place, source.keyword)
    if given is None or (isinstance(given, ast.Constant) and given.value is None):
        return None
    unit = EmbeddedUnit(call.name, _texts(given, call.scope, evaluator), line, column)
    if not unit.text.text.strip():
        return None
    instances = _instances(call, source.names, evaluator)
    unit = replace(unit, instances=instances, includes=source.includes)
    return _told(unit, _options(call, *source.options, evaluator))


def _texts(node: ast.expr, scope: Scope, evaluator: Evaluator) -> Traced:
    """A string, or several that are joined by line ends."""
    try:
        items = evaluator.items(node, scope)
    except NotConstantError:
        return evaluator.text(node, scope)
    found = [evaluator.text(*item) for item in items]
    end = [Traced.at("\n", text.origins[-1]) if text.origins else Traced() for text in found]
    return joined(part for pair in zip(found, end, strict=True) for part in pair)


def _strings(node: ast.expr | None, scope: Scope, evaluator: Evaluator) -> tuple[str, ...]:
    """The constant strings of a tuple or list; those that are not known are left out."""
    found: list[str] = []
    try:
        items = [] if node is None else evaluator.items(node, scope)
    except NotConstantError:
        return ()
    for item in items:
        try:
            found.append(evaluator.text(*item).text)
        except NotConstantError:
            continue
    return tuple(found)


def _options(
    call: Caller, place: int | None, keyword: str, evaluator: Evaluator
) -> tuple[str, ...]:
    return _strings(_argument(call.node, place, keyword), call.scope, evaluator)


def _instances(call: Caller, keyword: str, evaluator: Evaluator) -> tuple[str, ...]:
    if not keyword:
        return ()
    names = _strings(_argument(call.node, None, keyword), call.scope, evaluator)
    return tuple(name for name in names if is_template_id(name))


def _told(unit: EmbeddedUnit, options: tuple[str, ...]) -> EmbeddedUnit:
    """With those options that only say what the source means."""
    defines = [match[1] for text in options if (match := _DEFINE.fullmatch(text.strip()))]
    stds = [match[1] for text in options if (match := _STD.fullmatch(text.strip()))]
    return replace(unit, defines=tuple(defines), std=stds[-1] if stds else None)


def _elementwise(call: Caller, evaluator: Evaluator) -> EmbeddedUnit:
    """The kernel that the library would make."""

    def text(place: int | None, keyword: str) -> Traced:
        node = _argument(call.node, place, keyword)
        return Traced() if node is None else evaluator.text(node, call.scope)

    try:
        if call.library == "pycuda":
            made: Elementwise = pycuda_elementwise(
                text(0, "arguments"), text(1, "operation"), text(2, "name"), text(None, "preamble")
            )
        else:
            made = cupy_elementwise(
                text(0, "in_params"), text(1, "out_params"), text(2, "operation"), text(3, "name"),
                text(None, "preamble"), text(None, "loop_prep"), text(None, "after_loop"),
            )  # fmt: skip
    except NotElementwiseError as error:
        raise NotConstantError(str(error)) from None
    fixed = None if made.block is None else (made.name, made.block)
    unit = EmbeddedUnit(
        ELEMENTWISE, made.text, call.node.lineno, call.node.col_offset + 1, fixed=fixed,
        note=made.note,
    )  # fmt: skip
    return _told(unit, _options(call, None, "options", evaluator))
