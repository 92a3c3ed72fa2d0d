"""Host code that counts what a kernel accesses while the GPU runs the kernel uncounted.

Means: the CPU's back end lowers a kernel's slice (``slices``) with the counting calls of
``instrument``. Addresses are the device's own; nothing is accessed there. Arrays whose content
decides are read from copies. For each, the kernel gets three more parameters: where the array
begins on the device, its size in bytes, and where the copy is. An address outside the array reads
the copy's beginning; the run-time library (``runtime/gpu/replay.c``) notices and drops what was
counted. One more parameter leads to the addresses of variables, which the device's code has in a
table, ``drano_variables``.
Assumptions: ``instrumented`` is what ``instrument`` made of ``prepared`` and ``module``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.cpu.native import compile_object
from drano.dynamic.cpu.translated_text import expand_constants, quoted
from drano.dynamic.cpu.unit import lowered_text
from drano.dynamic.cpu.variables import mentioned, shared_names
from drano.dynamic.gpu.replay.address_roots import Root
from drano.dynamic.gpu.replay.device_math import DECLARED, MOST_QUESTIONS, answered, question_of
from drano.dynamic.gpu.replay.repeatable import Decided
from drano.dynamic.gpu.replay.slices import Slice, slice_of
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.printed_instructions import (
    GLOBAL_TOKEN,
    PrintedFunction,
    argument_tokens,
    printed_function,
    with_argument,
)
from drano.ir import model as m
from drano.ir.intrinsics import is_library
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.inlining import FunctionText, SplitText, split_module
from drano.ir.prepare.passes import PreparedModule, simplified
from drano.support.errors import IRError

TABLE, MOST_VARIABLES = "drano_variables", 64
_FLUSHES = '"denormal-fp-math-f32"="preserve-sign'
_CONVERSION = re.compile(r"\s*(%\S+) = fpto(si|ui) (half|float|double) (\S+) to i(32|64)\b")
_FLOATS = {"half": 16, "float": 32, "double": 64}
_INSERTED = re.compile(r"  (?:call void @__drano_access|%drano\.(?:address|length)\.)")
_LABEL = re.compile(r'(?:"[^"]*"|[-\w.$]+):')
_BRANCH = re.compile(r"\bbr i1 \S+,")
_SWITCH = re.compile(r"\bswitch (i\d+) \S+,")
_SPACE, _HIDDEN = re.compile(r" addrspace\((\d+)\)"), re.compile(r" addrspace<(\d+)>")
_POINTER = re.compile(r'\bptr(?: addrspace\(\d+\))? (%(?:"[^"]*"|[-\w.$]+)|@(?:"[^"]*"|[-\w.$]+))')


class Replays(Struct, frozen=True):
    """``object``: for the host, it registers itself; ``variables``: whose addresses it asks for;
    ``contents``: of each kernel that is in it, the arrays that are copied for it; ``questions``: to
    the GPU.
    """

    object: bytes
    variables: tuple[str, ...]
    contents: Mapping[str, frozenset[Root]]
    questions: tuple[str, ...]


def replays(
    prepared: PreparedModule,
    module: m.Module,
    instrumented: str,
    sites: tuple[DeviceSite, ...],
    identity: str,
    decided: Mapping[str, Decided],
) -> Replays | None:
    """Code for the kernels that have a slice; None where none has, or it cannot be lowered."""
    flushes = any(_FLUSHES in line for line in prepared.split.rest)
    slices = {
        kernel.name: found
        for kernel in module.kernels
        if kernel.name in decided
        and (found := slice_of(module, kernel, decided[kernel.name], flushes=flushes)) is not None
    }
    counted = split_module(instrumented)
    made = _replays(slices, prepared, module, counted, sites, identity)
    if made is None and len(slices) > 1:
        # One that the back end does not know shall not keep the others from it.
        slices = {
            name: found
            for name, found in slices.items()
            if _replays({name: found}, prepared, module, counted, sites, identity) is not None
        }
        made = _replays(slices, prepared, module, counted, sites, identity)
    return made


def _replays(
    slices: Mapping[str, Slice],
    prepared: PreparedModule,
    module: m.Module,
    counted: SplitText,
    sites: tuple[DeviceSite, ...],
    identity: str,
) -> Replays | None:
    variables = tuple(sorted(frozenset[str]().union(*(s.variables for s in slices.values()))))
    if not slices or len(variables) > MOST_VARIABLES:
        return None
    lines = [line for line in counted.rest if _stays(line, shared_names(module))]
    questions: dict[str, int] = {}
    for name, found in slices.items():
        printed = printed_function(
            prepared.split.functions[name], argument_tokens(prepared.split.functions[name])
        )
        kernel = module.functions[name]
        function = _sliced(counted.functions[name], printed, kernel, found, questions)
        function = _with_addresses(function, variables, module)
        lines += [function.header, *function.body, "}"]
    if len(questions) > MOST_QUESTIONS:
        return None
    lines += _library(counted.functions, lines)
    lines += _declarations(lines)
    try:
        text = simplified("\n".join(lines), prepared.path)
        made = lowered_text(text, identity, sites).replace(
            "@drano_register_unit", "@drano_register_replay"
        )
        binary = compile_object(made, prepared.path, 3, portable=True)
    except IRError:
        return None
    contents = {name: frozenset(found.contents) for name, found in slices.items()}
    return Replays(binary, variables, contents, tuple(questions))


def variables_table(variables: Sequence[str], module: m.Module) -> str:
    """IR, for the device, of the table of variables' addresses."""
    addresses = [
        f"ptr addrspacecast (ptr addrspace({space}) @{quoted(name)} to ptr)"
        if (space := module.globals[name].space)
        else f"ptr @{quoted(name)}"
        for name in variables
    ]
    addresses += ["ptr null"] * (MOST_VARIABLES - len(addresses))
    return f"@{TABLE} = addrspace(1) constant [{MOST_VARIABLES} x ptr] [{', '.join(addresses)}]"


def _declarations(lines: Sequence[str]) -> list[str]:
    """Of what conversions and answers call, as far as the lines have none of it."""
    wanted = (
        *(
            f"declare i{bits} @llvm.fpto{kind}.sat.i{bits}.f{width}({float_})"
            for kind in ("si", "ui")
            for bits in (32, 64)
            for float_, width in _FLOATS.items()
        ),
        *DECLARED,
    )
    known = {line.split("(")[0].split()[-1] for line in lines if line.startswith("declare ")}
    return [line for line in dict.fromkeys(wanted) if line.split("(")[0].split()[-1] not in known]


def _library(functions: Mapping[str, FunctionText], lines: Sequence[str]) -> list[str]:
    """Library functions that the lines call, and those that these do."""
    names = frozenset(name for name in functions if is_library(name))
    found: dict[str, list[str]] = {}
    pending = mentioned(lines, names)
    while pending:
        function = functions[pending.pop()]
        found[function.name] = [function.header, *function.body, "}"]
        pending |= mentioned(function.body, names) - found.keys()
    return [line for function in found.values() for line in function]


def _stays(line: str, shared: frozenset[str]) -> bool:
    """Whether a line outside of functions is needed: no variables but those in shared memory."""
    if not line.startswith("@"):
        return True
    name = GLOBAL_TOKEN.match(line)
    return name is not None and bare_name(name[0]) in shared


def _sliced(
    function: FunctionText,
    printed: PrintedFunction,
    kernel: m.Function,
    found: Slice,
    questions: dict[str, int],
) -> FunctionText:
    """The instrumented ``function`` without what is not needed. Takes what it asks the GPU, and the
    row of the answers.
    """
    by_row = {line.row: number for number, line in printed.instructions.items()}
    ends = {block.terminator.index for block in kernel.blocks}
    body: list[str] = []
    row, kept = -1, True
    for line in function.body:
        if _INSERTED.match(line):
            body.append(line)
            continue
        row += 1
        number = by_row.get(row)
        if number is None:  # labels, and what else belongs to the instruction before
            if _LABEL.match(line) or not line.strip():
                kept = True
            if kept and not line.lstrip().startswith("#dbg_"):
                body.append(line)
            continue
        kept = number in found.needed or number in ends
        if number in ends and number not in found.needed:
            body.append(_SWITCH.sub(r"switch \1 0,", _BRANCH.sub("br i1 false,", line)))
            continue
        array = found.reads.get(number, found.writes.get(number))
        if array is not None:
            body += _in_copy(line, number, array)
        elif number in found.asked:
            asked = questions.setdefault(question_of(line), len(questions))
            body += answered(line, number, asked, 8 * MOST_VARIABLES)
        elif kept:
            body += _saturating(line, number)
    header = replace(function, body=tuple(body))
    for number in range(len(found.contents)):
        for argument in (
            f"i64 %drano.base.{number}", f"i64 %drano.bytes.{number}", f"ptr %drano.copy.{number}"
        ):  # fmt: skip
            header = with_argument(header, argument)
    return header


def _with_addresses(
    function: FunctionText, variables: Sequence[str], module: m.Module
) -> FunctionText:
    """Variables are where the device has them; constants made of that are computed at the start."""
    numbers = {name: k for k, name in enumerate(variables)}
    used: set[str] = set()
    start: list[str] = []
    fresh = itertools.count()

    def token(match: re.Match[str]) -> str:
        name = bare_name(match[0])
        if name not in numbers:
            return match[0]
        used.add(name)
        return f"%sh.drano.{numbers[name]}"

    body: list[str] = []
    for line in function.body:
        # Constants are looked for by their brackets, of which a space's number must have none.
        more, rest = expand_constants(
            _SPACE.sub(r" addrspace<\1>", GLOBAL_TOKEN.sub(token, line)),
            lambda: f"%ce.drano.{next(fresh)}",
        )
        start += ["  " + _HIDDEN.sub(r" addrspace(\1)", text) for text in more]
        body.append(_HIDDEN.sub(r" addrspace(\1)", rest))
    first = []
    for name in sorted(used):
        place, space = f"%drano.at.{numbers[name]}", module.globals[name].space
        first += [
            f"  {place}.p = getelementptr i64, ptr %drano.variables, i64 {numbers[name]}",
            f"  {place} = load i64, ptr {place}.p",
            f"  %sh.drano.{numbers[name]} = inttoptr i64 {place} to ptr"
            + (f" addrspace({space})" if space else ""),
        ]
    at = 1 if _LABEL.match(body[0]) else 0
    made = replace(function, body=(*body[:at], *first, *start, *body[at:]))
    return with_argument(made, "ptr %drano.variables")


def _saturating(line: str, number: int) -> list[str]:
    """A conversion to integers as GPUs do it (PTX ISA, cvt): to the nearest there is; of no number
    to 0, and where one of the two is 64 bits wide, to the highest bit.
    """
    found = _CONVERSION.match(line)
    if found is None:
        return [line]
    name, kind, float_, value, bits = found.groups()
    nearest = f"%drano.n{number}"
    none = 1 << int(bits) - 1 if "64" in (bits, str(_FLOATS[float_])) else 0
    function = f"@llvm.fpto{kind}.sat.i{bits}.f{_FLOATS[float_]}"
    return [
        f"  {nearest} = call i{bits} {function}({float_} {value})",
        f"  {nearest}.no = fcmp uno {float_} {value}, {value}",
        f"  {name} = select i1 {nearest}.no, i{bits} {none}, i{bits} {nearest}",
    ]


def _in_copy(line: str, number: int, array: int) -> list[str]:
    """A load or store, in the copy of its array."""
    found = list(_POINTER.finditer(line))[-1]  # before it what is stored, which may be one, too
    name = f"%drano.c{number}"
    place = f"{name}.in"
    return [
        f"  {name}.at = ptrtoint {found[0]} to i64",
        f"  {name}.off = sub i64 {name}.at, %drano.base.{array}",
        f"  {name}.ok = icmp ult i64 {name}.off, %drano.bytes.{array}",
        f"  {name}.is = select i1 {name}.ok, i64 {name}.off, i64 0",
        f"  {place} = getelementptr i8, ptr %drano.copy.{array}, i64 {name}.is",
        line[: found.start()] + f"ptr {place}" + line[found.end() :],
    ]
