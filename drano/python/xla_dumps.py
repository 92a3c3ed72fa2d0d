"""What XLA has dumped of a JAX program, as PTX that drano reads: kernels with lines and launches.

Means: XLA's PTX knows nothing of Python. The module that it is of, dumped beside it, says where
in the source each fusion comes from and what it is given, and its thunks say how kernels are
launched. All of it is written into the PTX: a kernel is at one line of the source, that of the
operation that XLA names it by; a parameter has the name of an argument of the function, or of the
fusion that made it. Kernels of Pallas are at their functions, with the names of these.
Assumptions: the dumps are those of ``--xla_dump_to``, as XLA writes them since 2024.
Limits: parameters are named where their number is that of a fusion's operands and results; what
is not found in the module stays as XLA has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, field

from drano.support.regular_files import regular_or_empty

_MAX_BYTES: Final = 64 << 20
_OPTIMISED: Final = "gpu_after_optimizations.txt"
_ON_CPU: Final = "cpu_after_optimizations.txt"
_MODULE = re.compile(r"module_\d+\.[^.]*(?:\.\d+(?=\.\w+\.))?")
_ENTRY = re.compile(r"^\.visible \.entry ([\w$]+)\(([^)]*)\)[^{;]*\{$", re.MULTILINE)
_FIRST_ENTRY = re.compile(r"^\.visible \.entry ", re.MULTILINE)
_THUNK = re.compile(r"\] ([\w$.-]+) grid: \[(\d+), (\d+), (\d+)\] threads: \[(\d+), (\d+), (\d+)\]")
_INSTRUCTION = re.compile(
    r"^  (?:ROOT )?%?([\w.-]+) = (\(.*?\)|[^\s(]+) ([\w-]+)\(([^()]*)\)(.*)$", re.MULTILINE
)
_OPERAND = re.compile(r"%([\w.-]+)")
_COMPUTATION = re.compile(r"^(ENTRY )?%?[\w.-]+ \(.*\{$", re.MULTILINE)
_OWN_NAME = re.compile(r'op_name="([A-Za-z_]\w*)"', re.ASCII)
_OWN_PLACE = re.compile(r'source_file="([^"\\]+)" source_line=(\d+)')
_FRAME = re.compile(r"stack_frame_id=(\d+)")
_TABLE = re.compile(r"^(FileNames|FileLocations|StackFrames)\n((?:\d+ .*\n)+)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_RESULT = re.compile(r"[a-z]\w*\[")
_NUMBERED = re.compile(r"_\d+$")
_KINDS: Final = ("fusion", "custom-call")

T = TypeVar("T")
Place = tuple[str, int]
"""A file and a line of it."""


class Operation(Struct, frozen=True):
    """What a kernel computes. ``operands``: what it is given, by name; ``results``: how many."""

    place: Place | None
    operands: tuple[str, ...]
    results: int


class Module(Struct, frozen=True):
    """By the names of kernels, operations and, of the launches, block and grid."""

    operations: Mapping[str, Operation] = field(default_factory=dict)
    launches: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def kernels_in(folder: Path, pallas: Mapping[str, Operation]) -> list[str]:
    """The PTX of all dumps below ``folder``. ``pallas``: its kernels, by name."""
    modules: dict[tuple[Path, str], Module] = {}
    found: dict[str, None] = {}
    for path in sorted(folder.glob("**/*.ptx")):
        text = _text(path)
        if not _FIRST_ENTRY.search(text):
            continue
        stem = path.name[: match.end()] if (match := _MODULE.match(path.name)) else path.stem
        key = (path.parent, stem)
        if key not in modules:
            modules[key] = module_of(*_beside(path.parent, stem))
        found[with_source(text, modules[key], pallas)] = None
    return list(found)


def of_pallas(kernel: str, pallas: Mapping[str, T]) -> T | None:
    """What is known of a kernel by its symbol: a name, with a number if there are more."""
    return pallas.get(kernel) or pallas.get(_NUMBERED.sub("", kernel))


def only_on_cpu(folder: Path) -> bool:
    """Whether XLA has compiled for no GPU."""
    return any(folder.glob(f"**/*{_ON_CPU}")) and not compiled_for_gpu(folder)


def compiled_for_gpu(folder: Path) -> bool:
    """Whether XLA has compiled for a GPU."""
    return any(folder.glob(f"**/*{_OPTIMISED}"))


def _is_optimised(name: str) -> bool:
    return name.endswith(_OPTIMISED)


def _beside(folder: Path, stem: str) -> tuple[str, str]:
    """The optimised module and its thunks; a folder that is read is "", as what is missing."""
    names = sorted(path.name for path in folder.glob(f"{stem}.*.txt"))
    optimised = next(filter(_is_optimised, names), "")
    thunks = next((name for name in names if name.endswith("thunk_sequence.txt")), "")
    return _text(folder / optimised), _text(folder / thunks)


def _text(path: Path) -> str:
    return regular_or_empty(str(path), _MAX_BYTES).decode("utf-8", "replace")


# --- the module ------------------------------------------------------------------------------


def module_of(optimised: str, thunks: str) -> Module:
    """What the texts of a module and of its thunks say of its kernels."""
    frames = _frames(optimised)
    names = _argument_names(optimised)
    operations: dict[str, Operation] = {}
    for match in _INSTRUCTION.finditer(optimised):
        name, shape, kind, operands, rest = match.groups()
        if kind not in _KINDS:
            continue
        given = tuple(names.get(one, one) for one in _OPERAND.findall(operands))
        results = len(_RESULT.findall(shape))
        operations[_symbol(name)] = Operation(_place(rest, frames), given, results)
    shapes = {
        _symbol(m[1]): (f"{m[5]},{m[6]},{m[7]}", f"{m[2]},{m[3]},{m[4]}")
        for m in _THUNK.finditer(thunks)
    }
    return Module(operations, shapes)


def _symbol(name: str) -> str:
    """The kernel of an instruction."""
    return re.sub(r"[^\w$]", "_", name)


def _argument_names(optimised: str) -> dict[str, str]:
    """Of the module's parameters, what the function's author calls them."""
    start = next((m.end() for m in _COMPUTATION.finditer(optimised) if m[1]), len(optimised))
    return {
        match[1]: named[1]
        for match in _INSTRUCTION.finditer(optimised, start)
        if match[3] == "parameter" and (named := _OWN_NAME.search(match[5]))
    }


def _frames(optimised: str) -> dict[str, Place]:
    """The innermost place of each stack frame."""
    tables = {match[1]: dict(_rows(match[2])) for match in _TABLE.finditer(optimised)}
    files = {at: name.strip('"') for at, name in tables.get("FileNames", {}).items()}
    places: dict[str, Place] = {}
    for at, row in tables.get("FileLocations", {}).items():
        fields = dict(re.findall(r"(\w+)=(\d+)", row))
        if fields.get("file_name_id") in files and "line" in fields:
            places[at] = files[fields["file_name_id"]], int(fields["line"])
    found: dict[str, Place] = {}
    for at, row in tables.get("StackFrames", {}).items():
        fields = dict(re.findall(r"(\w+)=(\d+)", row))
        if fields.get("file_location_id") in places:
            found[at] = places[fields["file_location_id"]]
    return found


def _rows(table: str) -> Iterator[tuple[str, str]]:
    for line in table.splitlines():
        at, _, row = line.partition(" ")
        yield at, row


def _place(metadata: str, frames: Mapping[str, Place]) -> Place | None:
    own, frame = _OWN_PLACE.search(metadata), _FRAME.search(metadata)
    if own is not None:
        return own[1], int(own[2])
    return frames.get(frame[1]) if frame is not None else None


# --- the PTX ---------------------------------------------------------------------------------


def with_source(ptx: str, module: Module, pallas: Mapping[str, Operation]) -> str:
    """The PTX with lines of the source, and with comments of ``compiled.ptx_notes``."""
    files: dict[str, int] = {}
    kernels = [of_pallas(match[1], pallas) for match in _ENTRY.finditer(ptx)]
    notes = ["language pallas" if kernels and all(kernels) else "language xla"]

    def placed(match: re.Match[str]) -> str:
        kernel, parameters = match[1], match[2].count(".param")
        operation = of_pallas(kernel, pallas) or module.operations.get(kernel)
        launch = module.launches.get(kernel)
        if launch is not None:
            notes.append(f"launch {kernel} block={launch[0]} grid={launch[1]}")
        if operation is None:
            return match[0]
        if len(operation.operands) + operation.results == parameters:
            names = [*map(_word, operation.operands), *["*"] * operation.results]
            notes.append(f"parameters {kernel} {' '.join(names)}")
        if operation.place is None or '"' in operation.place[0]:
            return match[0]
        path, line = operation.place
        return f"{match[0]}\n\t.loc {files.setdefault(path, len(files) + 1)} {line} 0"

    told = _ENTRY.sub(placed, ptx) if "\t.loc" not in ptx else ptx
    head = "".join(f'.file {number} "{path}"\n' for path, number in files.items())
    told = _FIRST_ENTRY.sub(lambda match: head + match[0], told, count=1)
    return "\n".join([told.rstrip("\0\n"), *(f"// drano: {note}" for note in notes), ""])


def _word(name: str) -> str:
    """A name as notes have it: ``loop_add_fusion.1`` is of the author's making no more."""
    symbol = _symbol(name)
    return symbol if _NAME.fullmatch(symbol) else "*"
