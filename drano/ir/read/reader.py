"""From a prepared module to the frozen ``model``: functions, globals, struct names.

Means: llvmlite walks blocks and instructions and says their opcodes; the printed lines, taken in
step with it, give what its API lacks (operands of constant expressions, predicates, flags,
source types, alignment, metadata). A line that disagrees with llvmlite is an error, not a guess.
Assumptions: ``prepare.passes`` made the module: everything has a name, kernels have the calling
convention ``ptx_kernel`` (LLVM turns older annotations into it).
Limits: only ``prepared.roots`` are read; all other functions are declarations here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from drano.ir import model as m
from drano.ir.block_guards import BLOCK_SIZE, NOTHING, Told, told_threads
from drano.ir.cfg import reverse
from drano.ir.llvm_text import TextError, TypeTable, bare_name, tokenize
from drano.ir.prepare.inlining import FunctionText, SplitText
from drano.ir.prepare.passes import PreparedModule
from drano.ir.read.debug_info import DebugInfo, bare_function_name
from drano.ir.read.decode_control import successors
from drano.ir.read.decoding import Header
from drano.ir.read.global_variables import read_globals
from drano.ir.read.instructions import decode
from drano.ir.read.operands import OperandTokens
from drano.ir.read.source_marks import SourceMarks
from drano.ir.read.templates import CALL_PREFIXES, Part, filled, shape, template
from drano.ir.type_layout import alloc_size
from drano.ir.written_access import WrittenAccess
from drano.model.symbols import plain_symbol
from drano.support.errors import IRError

_LABEL = re.compile(r'((?:"[^"]*"|[-\w.$]+)):')
_STRING = re.compile(r'"[^"]*"')
_LOCATION = re.compile(r", !dbg (!\d+)")
_HEADER_LOCATION = re.compile(r" !dbg (!\d+)(?: ![\w.]+ !\d+)* \{$")
_DEFINITION = re.compile(r'  (%(?:"[^"]*"|[-\w.$]+)) = (.*)')
_GROUP = re.compile(r"^attributes (#\d+) = \{(.*)\}")
_PARAMETERS = re.compile(r'"drano\.parameters"="([^"]*)"')
_PARAMETER = re.compile(r"([A-Za-z_]\w*)(?::([1-9]\d{0,5}))?", re.ASCII)
_GROUP_USE = re.compile(r"\) .*?(#\d+)")
_SHAPE = re.compile(r'"(nvvm\.maxntid|nvvm\.reqntid|drano\.cluster)"="([\d, ]*)"')
_DECLARED = re.compile(r'declare .*?(@(?:"[^"]*"|[-\w.$]+))\(')
_INVARIANT = "!invariant.load"
MAX_THREADS = 1 << 16


def read_module(
    prepared: PreparedModule,
    path: str | None = None,
    *,
    thorough: bool = False,
    walked: bool = True,
) -> m.Module:
    """The frozen picture of a prepared module. ``path``: its name if other than the prepared one.
    ``thorough``: compare every opcode with llvmlite's, not only the ends of each block.
    ``walked``: compare at all, which takes a fifth of the time.

    IRError when the text and llvmlite disagree, or a construct is beyond the reader.
    """
    path = prepared.path if path is None else path
    at = ""
    try:
        names = frozenset(_all_functions(prepared))
        debug = DebugInfo(prepared.split.rest)
        shared = _Shared(
            types=TypeTable(prepared.split.rest),
            debug=debug,
            marks=SourceMarks(prepared.split.rest, debug),
            names=names,
            groups=dict(_groups(prepared)),
            told=_told_before(prepared.guarded),
        )
        variables = read_globals(prepared.split.rest, shared.types, shared.names, shared.debug)
        functions = {}
        for function in prepared.module.functions:
            at = function.name
            if at in prepared.roots:
                functions[at] = _FunctionReader(
                    shared, prepared.split.functions[at], thorough=thorough, walked=walked
                ).read(function)
    except TextError as error:
        raise IRError(path, f"in {at or 'the module'}: {error}") from None
    types = shared.types.all()
    # Of all types that the unit has, so that what is said does not depend on other functions.
    about = DebugInfo(prepared.described) if types and prepared.described else shared.debug
    return m.Module(path, _with_removed(functions, shared.marks), variables, about.structs(types))


def unread_function(text: FunctionText, debug: DebugInfo) -> m.Function:
    """A function by its header alone, without instructions."""
    match = _HEADER_LOCATION.search(text.header)
    display, location = debug.subprogram(match[1]) if match else ("", None)
    display = display or plain_symbol(text.name)
    return m.Function(
        text.name, display, bare_function_name(display), text.is_kernel, (), (), 0, location,
        None, None, {}, {},
    )  # fmt: skip


def _told_before(guarded: SplitText) -> dict[str, Told]:
    """What functions told of the sizes of their blocks before they were optimised."""
    if not guarded.functions:
        return {}
    debug = DebugInfo(())
    declared = (_DECLARED.match(line) for line in guarded.rest)
    names = frozenset(bare_name(match[1]) for match in declared if match) | set(guarded.functions)
    marks = SourceMarks((), debug)
    shared = _Shared(TypeTable(guarded.rest), debug, marks, names, {}, {})
    return {
        name: _FunctionReader(shared, text, thorough=False, walked=False).told_alone()
        for name, text in guarded.functions.items()
    }


def _with_removed(functions: dict[str, m.Function], marks: SourceMarks) -> dict[str, m.Function]:
    """The functions with those of their accesses that no function does the work of."""
    if not marks.written:
        return functions
    left = {a.number for f in functions.values() for found in f.origins.values() for a in found}
    gone: dict[str, list[WrittenAccess]] = {}
    for access in marks.written:
        if access.number not in left:
            gone.setdefault(access.symbol, []).append(access)
    return {
        name: replace(function, removed=tuple(gone[name])) if name in gone else function
        for name, function in functions.items()
    }


def _all_functions(prepared: PreparedModule) -> Iterator[str]:
    return (function.name for function in prepared.module.functions)


def _groups(prepared: PreparedModule) -> Iterator[tuple[str, str]]:
    for line in prepared.split.rest:
        match = _GROUP.match(line)
        if match:
            yield match[1], match[2]


class _Shared(Struct, frozen=True):
    """What the functions of a module have in common."""

    types: TypeTable
    debug: DebugInfo
    marks: SourceMarks
    names: frozenset[str]
    groups: Mapping[str, str]
    told: Mapping[str, Told]


class _BlockText(Struct, frozen=True):
    """A block as printed. ``parts``: the token of each instruction's name, and what follows it."""

    name: str
    lines: list[str]
    parts: list[tuple[str, str]]


class _FunctionReader:
    """Reads one function; used once."""

    def __init__(
        self, shared: _Shared, text: FunctionText, *, thorough: bool, walked: bool
    ) -> None:
        self.shared = shared
        self.thorough = thorough
        self.walked = walked
        self.text = text
        self.locals: dict[str, m.Local] = {}
        self.labels: dict[str, int] = {}
        self.blocks: list[_BlockText] = []
        self.records: list[str] = []
        self.origins: dict[int, tuple[WrittenAccess, ...]] = {}
        self.count = 0
        self.cursor = self._tokens("")

    def read(self, function: Any) -> m.Function:
        """The function, walked in step with llvmlite's ``function``."""
        self._split_blocks()
        args = self._arguments()
        self._number()
        return self._function(args, self._read_blocks(function))

    def _function(self, args: tuple[m.Argument, ...], blocks: tuple[m.Block, ...]) -> m.Function:
        match = _HEADER_LOCATION.search(self.text.header)
        display, location = self.shared.debug.subprogram(match[1]) if match else ("", None)
        display = display or plain_symbol(self.text.name)
        shapes = self._shapes()
        required = shapes.get("nvvm.reqntid")
        bound = shapes.get("nvvm.maxntid", required)
        return m.Function(
            name=self.text.name,
            display=display,
            source_name=bare_function_name(display),
            is_kernel=self.text.is_kernel,
            args=args,
            blocks=blocks,
            value_count=self.count,
            location=location,
            max_threads=math.prod(bound) if bound else None,
            required_threads=required,
            local_names=self._local_names(),
            origins=self.origins,
            told_threads=self._told_threads(blocks),
            cluster=shapes.get("drano.cluster", (1, 1, 1)),
        )

    def _told_threads(self, blocks: tuple[m.Block, ...]) -> Told:
        """As the function says it now, or said before it was optimised."""
        told = told_threads(blocks) if self._asks_for_sizes() else NOTHING
        before = self.shared.told.get(self.text.name, NOTHING)
        x, y, z = (now or then for now, then in zip(told, before, strict=True))
        return x, y, z

    def told_alone(self) -> Told:
        """What is told of sizes by a text that llvmlite has no function for."""
        self._split_blocks()
        self._arguments()
        self._number()
        return told_threads(self._read_blocks(None))

    def _asks_for_sizes(self) -> bool:
        return any(BLOCK_SIZE in line for block in self.blocks for line in block.lines)

    def _tokens(self, line: str) -> OperandTokens:
        return OperandTokens(self.shared.types, self.shared.names, tokenize(line), self.locals)

    # --- the header --------------------------------------------------------------------------

    def _arguments(self) -> tuple[m.Argument, ...]:
        tokens = self._tokens(self.text.header)
        while tokens.peek()[:1] != "@":
            tokens.take()
        tokens.take()
        tokens.expect("(")
        args = []
        while not tokens.accept(")"):
            if tokens.accept("..."):
                continue
            args.append(self._argument(tokens))
        return self._described(tuple(args))

    def _described(self, args: tuple[m.Argument, ...]) -> tuple[m.Argument, ...]:
        """With what ``frontend/compiled/triton_cache.py`` has said of them."""
        found = _PARAMETERS.search(self._group())
        words = found[1].split() if found else []
        named = zip(args, words, strict=False)
        told = [replace(arg, name=w[1], multiple=int(w[2] or 1)) for arg, word in named
                if (w := _PARAMETER.fullmatch(word))]  # fmt: skip
        return (*told, *args[len(told) :]) if len(told) == len(words) else args

    def _group(self) -> str:
        """The function's attributes."""
        match = _GROUP_USE.search(self.text.header)
        return self.shared.groups.get(match[1], "") if match else ""

    def _argument(self, tokens: OperandTokens) -> m.Argument:
        type_ = tokens.type()
        byval: m.Type | None = None
        align = 0
        readonly = private = False
        while tokens.peek()[:1] != "%":
            word = tokens.take()
            readonly |= word in {"readonly", "readnone"}
            if word == "byval" and tokens.accept("("):
                byval = tokens.type()
                tokens.expect(")")
            elif word == "align":
                align = tokens.integer()
            elif word == "captures" and tokens.accept("("):
                private = tokens.accept("none") and tokens.accept(")")
                while not private and not tokens.accept(")"):
                    tokens.take()
            elif tokens.peek() == "(":
                tokens.skip_group()
        token = tokens.take()
        self.locals[token] = m.Local(self.count)
        self.count += 1
        constant = readonly and private
        size = 0 if byval is None else alloc_size(byval)
        return m.Argument(
            self.count - 1, bare_name(token), type_, size, align, constant=constant,
            byval_type=byval,
        )  # fmt: skip

    def _shapes(self) -> dict[str, tuple[int, int, int]]:
        """Shapes that the function's attributes name."""
        shapes: dict[str, tuple[int, int, int]] = {}
        for kind, text in _SHAPE.findall(self._group()):
            numbers = [int(part) for part in text.split(",") if part.strip().isdecimal()]
            if numbers and all(0 < number <= MAX_THREADS for number in numbers):
                x, y, z = (*numbers, 1, 1)[:3]
                shapes[kind] = (x, y, z)
        return shapes

    # --- the body ----------------------------------------------------------------------------

    def _split_blocks(self) -> None:
        """Sort the printed lines into blocks, each instruction joined to one line."""
        lines: list[str] = []
        for line in self.text.body:
            if line.startswith("  ") and line[2:3] not in (" ", "]", ""):
                if not self.blocks:
                    self.blocks.append(_BlockText("", [], []))
                    lines = self.blocks[-1].lines
                lines.append(line)
            elif line.startswith(" "):
                if line.lstrip().startswith("#dbg_"):
                    self.records.append(line)
                elif lines:
                    lines[-1] += line
            elif match := _LABEL.match(line):
                token = "%" + match[1]
                lines = []
                self.labels[token] = len(self.blocks)
                self.blocks.append(_BlockText(bare_name(token), lines, []))

    def _number(self) -> None:
        """Give every instruction its number, so that a phi may refer forward."""
        for block in self.blocks:
            for line in block.lines:
                match = _DEFINITION.match(line)
                if match:
                    self.locals[match[1]] = m.Local(self.count)
                    block.parts.append((match[1], match[2]))
                else:
                    block.parts.append(("", line[2:]))
                self.count += 1

    def _read_blocks(self, function: Any) -> tuple[m.Block, ...]:
        number = self.count - sum(len(block.parts) for block in self.blocks)
        bodies: list[tuple[m.Instruction, ...]] = []
        following: list[tuple[int, ...]] = []
        if self.walked:
            self._compare(function)
        for place, text in enumerate(self.blocks):
            body: list[m.Instruction] = []
            for token, line in text.parts:
                body.append(self._instruction(function, place, len(body), number, token, line))
                number += 1
            bodies.append(tuple(body))
            following.append(self._targets(body[-1], text.parts[-1][1]))
        preceding = reverse(following)
        return tuple(
            m.Block(k, text.name, bodies[k], tuple(preceding[k]), following[k])
            for k, text in enumerate(self.blocks)
        )

    def _compare(self, function: Any) -> None:
        """What was printed with what llvmlite has; TextError where they differ."""
        walked = list(function.blocks)
        if len(walked) != len(self.blocks):
            raise TextError(f"{len(self.blocks)} blocks printed, {len(walked)} walked")
        for block, text in zip(walked, self.blocks, strict=True):
            instructions = list(block.instructions)
            if len(instructions) != len(text.parts):
                raise TextError(f"block {text.name}: printed lines and instructions differ")
            # With equal counts, equal ends mean equal pairs; asking for every opcode would cost as
            # much as decoding does.
            for place in range(len(instructions)) if self.thorough else {0, len(instructions) - 1}:
                opcode, printed = instructions[place].opcode, _opcode(text.parts[place][1])
                if printed != opcode:
                    raise TextError(f"{opcode} printed as {printed[:40]!r}")

    def _instruction(
        self, function: Any, block: int, place: int, number: int, token: str, line: str
    ) -> m.Instruction:
        """The instruction at a ``place`` in a ``block``, which has the given ``number``."""
        cut = line.find(", !")
        if cut >= 0 and '"' in line:
            cut = _STRING.sub(lambda text: " " * len(text[0]), line).find(", !")
        attached = ""
        if cut >= 0:
            line, attached = line[:cut], line[cut:]
        where = _LOCATION.search(attached)
        location = self.shared.debug.location(where[1]) if where else None
        invariant = _INVARIANT in attached
        if self.shared.marks.written and (origins := self.shared.marks.of(attached)):
            self.origins[number] = origins
        name = bare_name(token) if token else ""
        texts, names = shape(line)
        known = template(texts, invariant)
        if known is not None:
            parts = self._parts(names, known.blocks)
            if parts is not None:
                return filled(known, number, name, location, parts)
        tokens = self.cursor
        tokens.restart(tokenize(line))
        opcode = tokens.take()
        if opcode in CALL_PREFIXES:
            opcode = tokens.take()
        header = Header(
            index=number,
            name=name,
            location=location,
            blocks=self.labels,
            invariant=invariant,
            result=lambda: self.shared.types.parse(_type_at(function, block, place)),
        )
        return decode(tokens, opcode, header)

    def _parts(self, names: Sequence[str], blocks: Sequence[bool]) -> list[Part] | None:
        """What the names in a line mean; None where one means nothing."""
        parts: list[Part] = []
        for name, is_block in zip(names, blocks, strict=True):
            part = self.labels.get(name) if is_block else self.locals.get(name)
            if part is None:
                return None
            parts.append(part)
        return parts

    def _targets(self, last: m.Instruction, line: str) -> tuple[int, ...]:
        labels = [word for word in tokenize(line) if word in self.labels]
        unknown = isinstance(last, m.Opaque)
        return successors(last, tuple(dict.fromkeys(self.labels[w] for w in labels if unknown)))

    def _local_names(self) -> dict[int, str]:
        """Source names of values; the least inlined, then the first record of a value counts."""
        best: dict[int, tuple[int, str]] = {}
        for line in self.records:
            record = self.shared.debug.record(line)
            if record is None or record[0] not in self.locals:
                continue
            token, name, depth = record
            index = self.locals[token].index
            if index not in best or depth < best[index][0]:
                best[index] = (depth, name)
        return {index: name for index, (_, name) in best.items()}


def _opcode(line: str) -> str:
    words = line.split(None, 2)
    return words[1] if words[0] in CALL_PREFIXES else words[0].rstrip(",")


def _type_at(function: Any, block: int, place: int) -> str:
    """The type of an instruction, as LLVM tells it; void, where it has not got the function."""
    if function is None:
        return "void"
    found = next(islice(function.blocks, block, None))
    return str(next(islice(found.instructions, place, None)).type)
