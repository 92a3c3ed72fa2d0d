"""A Triton kernel, compiled and checked without a GPU.

Means: Triton compiles for a GPU that is named, not one that is there; what it makes is analysed
like a file of its cache. Whoever calls this has the kernel's module imported, and Triton runs the
decorated function's own compiler: it is the user's code, called by the user.
Assumptions: pointers are aligned to 16 bytes, as tensors are, and integers to nothing, unless the
signature says otherwise: ``"*fp32:1"``, ``"i32:16"``, in the notation of Triton's own tools.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from drano.frontend.compiled.triton_cache import at_source, with_parameters
from drano.model.report import Report
from drano.model.settings import Config
from drano.python.compiled_source import check_code

_TYPE = re.compile(r"(\*?)([a-z]+\d*\w*)(?::(1|16))?", re.ASCII)
_ARCHITECTURE = re.compile(r"(?:sm_|compute_)?(\d+)[af]?")
_DIVISIBLE = 16


class CompiledKernel(Struct, frozen=True):
    """``llir``: Triton's, with what is known of parameters; ``source``: the kernel's own file."""

    name: str
    llir: str
    source: str


def check_triton(
    fn: Any,
    *,
    signature: Mapping[str, str],
    constexprs: Mapping[str, object] | None = None,
    num_warps: int = 4,
    num_stages: int = 3,
    arch: str | int = 90,
    config: Config | None = None,
    **options: object,
) -> Report:
    """The report of the kernel ``fn``, a function under ``@triton.jit``.

    ``signature``: the types of its parameters as Triton writes them, by name: ``"*fp16"``,
    ``"i32"``, with ``:16`` for a multiple of 16 and ``:1`` for a pointer that is not aligned;
    ``constexprs``: the values of the others. ``arch``: of the GPU, as ``90`` or ``"sm_90"``;
    ``options``: more of Triton's own (``num_ctas``, ``maxnreg``). Findings are at the lines of the
    kernel's source. Raises ValueError for a signature that does not fit, ImportError without
    Triton, and what Triton raises where the kernel does not compile.

    >>> check_triton(add, signature={"x": "*fp32", "n": "i32"}, constexprs={"BLOCK": 1024})
    ... # doctest: +SKIP
    """
    asked = dict(options, num_warps=num_warps, num_stages=num_stages)
    kernel = compiled(fn, signature, constexprs or {}, arch, asked)
    return check_code(kernel.llir, ".llir", kernel.source, config or Config())


def compiled(
    fn: Any,
    signature: Mapping[str, str],
    constexprs: Mapping[str, object],
    arch: str | int,
    options: Mapping[str, object],
) -> CompiledKernel:
    """What Triton makes of a kernel."""
    import triton  # noqa: PLC0415 - an extra
    from triton.backends.compiler import GPUTarget  # noqa: PLC0415 - an extra
    from triton.compiler import ASTSource  # noqa: PLC0415 - an extra

    function = jit_function(fn)
    names = tuple(function.arg_names)
    types, divisible = _types(names, signature, constexprs, function.fn.__name__)
    source = ASTSource(
        fn=function,
        signature=types,
        constexprs={(names.index(name),): value for name, value in constexprs.items()},
        attrs={(place,): [["tt.divisibility", _DIVISIBLE]] for place in divisible},
    )
    match = _ARCHITECTURE.fullmatch(str(arch))
    if match is None:
        raise ValueError(f"unknown GPU architecture '{arch}': expected e.g. 90 or sm_90")
    target = GPUTarget("cuda", int(match[1]), 32)
    made = triton.compile(source, target=target, options=dict(options))
    path = inspect.getsourcefile(function.fn) or ""
    given = [name for name in names if types[name] != "constexpr"]
    llir = with_parameters(made.asm["llir"], made.asm["ttgir"], given)
    return CompiledKernel(function.fn.__name__, at_source(llir, function.fn.__name__, path), path)


def jit_function(fn: Any) -> Any:
    """The function under ``@triton.jit``, without what tunes and chooses around it."""
    seen: list[Any] = []
    while not hasattr(fn, "arg_names") or not callable(getattr(fn, "fn", None)) or _wraps(fn):
        inner = getattr(fn, "fn", None)
        if inner is None or inner in seen:
            raise ValueError(f"{fn!r} is no Triton kernel")
        seen.append(fn)
        fn = inner
    return fn


def _wraps(fn: Any) -> bool:
    """Whether it holds another kernel (an autotuner does), not a plain function."""
    return hasattr(fn.fn, "arg_names")


def _types(
    names: Sequence[str],
    signature: Mapping[str, str],
    constexprs: Mapping[str, object],
    kernel: str,
) -> tuple[dict[str, str], list[int]]:
    """The types of all parameters, and the places of those that are multiples of 16."""
    unknown = [name for name in (*signature, *constexprs) if name not in names]
    missing = [name for name in names if name not in signature and name not in constexprs]
    twice = [name for name in signature if name in constexprs]
    for what, found in (
        ("has no parameter", unknown), ("needs a type or a value for", missing),
        ("is given both a type and a value for", twice),
    ):  # fmt: skip
        if found:
            raise ValueError(f"kernel {kernel} {what} {', '.join(found)}")
    types: dict[str, str] = {}
    divisible: list[int] = []
    for place, name in enumerate(names):
        if name in constexprs:
            types[name] = "constexpr"
            continue
        match = _TYPE.fullmatch(signature[name])
        if match is None:
            raise ValueError(f"kernel {kernel}: no type of Triton's: {name}={signature[name]!r}")
        types[name] = match[1] + match[2]
        if match[3] == "16" or (match[1] and match[3] is None):
            divisible.append(place)
    return types, divisible
