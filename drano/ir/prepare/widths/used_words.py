"""Loads of which some 32-bit words are used, as narrow as the machine's instructions are.

Means: ptxas gives each word of a load a register of its own, and leaves out those that nothing
reads: ``(int)p[i]`` of 64-bit numbers loads four bytes, every other one, ``__ldg(q + i).x`` of a
``float4`` four of sixteen. Seen in the machine code for compute capability 9.0 of every choice
among two and four words, in global and in shared memory: one word, or a pair that is aligned,
becomes a load of its own; two others become two loads; three stay the load of 16 bytes, as do two
numbers of 64 bits. A sign that branches ask for, ``if (p[i] < 0)``, is compared as a whole or by
its word, depending on which way the branch goes on: the whole is taken. Of an address that is only
called, a virtual function's, say, the lower word chooses it in a table of constant memory.
Assumptions: the text is LLVM's own printing of an optimised module whose values all have names.
Limits: a word is used if it may be, by the instruction that takes the load's value: no further.
Bytes and halves of words stay parts of words. What loads fragments of matrices does so whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final

from msgspec import Struct

from drano.ir.llvm_text import function_spans

_WORD: Final = 32
_PART: Final = ".word"
TILE: Final = "drano.tile."
"""How names of values begin that are loaded for a fragment, whole in any case."""
_PAIR: Final = 2
_BITS: Final = {
    "half": 16,
    "bfloat": 16,
    "i16": 16,
    "float": 32,
    "i32": 32,
    "double": 64,
    "i64": 64,
    "ptr": 64,
}
_WIDE: Final = frozenset({64, 128})
_NAME: Final = r"%[-\w.$]+"
_LOAD: Final = re.compile(
    rf"  ((?!%{re.escape(TILE)}){_NAME}) = (load (?:volatile )?)"
    rf"(?:<(\d+) x )?({'|'.join(_BITS)})>?, "
    rf"ptr( addrspace\([13]\))? ({_NAME}), align (\d+)([^\n]*)"
)
_SIGN: Final = re.compile(rf"  ({_NAME}) = icmp ")
_TAKES_VALUE: Final = re.compile(
    rf"  {_NAME} = (?:select i1 ({_NAME}), (?!i1 )|[sz]ext i1 ({_NAME}) |[us]itofp i1 ({_NAME}) )"
)
_CALLED: Final = re.compile(
    rf"  (?:{_NAME} = )?(?:tail |musttail |notail )?call [^@%\n]*({_NAME})\("
)
_RANGE: Final = re.compile(r", !range !\d+")
_NO_WRAP: Final = re.compile(r"\b(?:nuw|nsw) ")
_NAMES: Final = re.compile(_NAME)
_USER: Final = re.compile(
    rf"  {_NAME} = (?:"
    rf"(trunc)[a-z ]* i64 ({_NAME}) to i(\d+)"
    rf"|(lshr|ashr|shl|and)[a-z ]* i64 ({_NAME}), (-?\d+)"
    rf"|(icmp) (?:slt i64 (?={_NAME}, 0(?!\w))|sgt i64 (?={_NAME}, -1(?!\w)))({_NAME}), "
    r"|[a-z ]*call [a-z ]*i32 @(?:llvm\.nvvm\.d2i\.|__nv_double2)(lo|hi)(?:int)?"
    rf"\(double[a-z ]* ({_NAME})\)"
    rf"|(extractelement) <\d+ x \w+> ({_NAME}), i\d+ (\d+)"
    r")"
)


class _Load(Struct, frozen=True):
    """``line``: its number; ``count`` elements of ``type``, 0: it is no vector."""

    line: int
    name: str
    opcode: str
    count: int
    type: str
    space: str
    pointer: str
    align: int
    attached: str

    @property
    def element(self) -> int:
        """Bits of an element, or of the whole."""
        return _BITS[self.type]

    @property
    def bits(self) -> int:
        """Bits of the whole."""
        return self.element * max(self.count, 1)


class _User(Struct, frozen=True):
    """An instruction that takes bits of a load's value: those in ``mask``."""

    line: int
    name: str
    mask: int
    element: int = -1


def is_of_used_words(name: str) -> bool:
    """Whether a value is what such a load gives, by its name."""
    return _PART in name


def with_used_words(text: str, *, executed: bool = False) -> str:
    """The module with such loads; the very text where there are none. ``executed``: on this
    machine, whose functions have addresses of 64 bits: these stay as they are.
    """
    if not any(map(_is_wide, _LOAD.finditer(text))):
        return text
    lines = text.split("\n")
    changed = [
        _narrow(lines, start, end, executed=executed) for start, end in function_spans(lines)
    ]
    return "\n".join(lines) if any(changed) else text


def _is_wide(match: re.Match[str]) -> bool:
    return _BITS[match[4]] * int(match[3] or 1) in _WIDE


def _narrow(lines: list[str], start: int, end: int, *, executed: bool) -> bool:
    """Of the function in these lines, in place. Whether there was one."""
    loads = {
        load.name: load
        for load in _loads(lines, start, end)
        if not (executed and load.type == "ptr")
    }
    if not loads:
        return False
    users: dict[str, list[_User]] = {}
    named: Counter[str] = Counter()
    notes: dict[str, list[int]] = {}
    for number in range(start, end):
        line = lines[number]
        names = [name for name in _NAMES.findall(line) if name in loads]
        if not names:
            continue
        if line.lstrip().startswith("#dbg"):
            for name in names:
                notes.setdefault(name, []).append(number)
            continue
        named.update(names)
        if (user := _user(number, line, loads)) is not None:
            users.setdefault(user.name, []).append(user)
    signs = {
        match[1] for each in users.values() for u in each if (match := _SIGN.match(lines[u.line]))
    }
    asked = _asked_by_branches(lines[start:end], signs)
    changed = False
    for name, load in loads.items():
        known = users.get(name, [])
        if not known or named[name] != 1 + len(known):
            continue
        if any((sign := _SIGN.match(lines[user.line])) and sign[1] in asked for user in known):
            continue
        parts = _parts(load, known)
        if parts is None:
            continue
        changed = True
        if load.count:
            _rewrite_vector(lines, load, parts, known)
            for number in notes.get(name, ()):
                lines[number] = re.sub(rf"{re.escape(name)}(?![-\w.$])", "poison", lines[number])
        else:
            _rewrite_number(lines, load, parts[0])
            for user in known:  # what it promises of the whole number may not be so of the rest
                lines[user.line] = _NO_WRAP.sub("", lines[user.line])
    return changed


def _asked_by_branches(lines: Sequence[str], conditions: Set[str]) -> set[str]:
    """Those of the conditions that are not only made numbers of, or chosen by."""
    found: set[str] = set()
    for line in lines if conditions else ():
        names = [name for name in _NAMES.findall(line) if name in conditions]
        if not names or line.lstrip().startswith("#dbg") or _SIGN.match(line):
            continue
        chosen = _TAKES_VALUE.match(line)
        value_of = (chosen[1] or chosen[2] or chosen[3]) if chosen is not None else ""
        found.update(name for name in names if name != value_of)
    return found


def _loads(lines: Sequence[str], start: int, end: int) -> Iterator[_Load]:
    for number in range(start, end):
        match = _LOAD.fullmatch(lines[number]) if " = load " in lines[number] else None
        if match is not None and _is_wide(match):
            name, opcode, count, type_, space, pointer, align, attached = match.groups()
            yield _Load(
                number, name, opcode, int(count or 0), type_, space or "", pointer, int(align),
                _RANGE.sub("", attached),
            )  # fmt: skip


def _user(number: int, line: str, loads: Mapping[str, _Load]) -> _User | None:
    """What an instruction reads of a load's value; None where that may be all of it."""
    called = _CALLED.match(line)
    if called is not None and called[1] in loads:
        return _User(number, called[1], (1 << _WORD) - 1)
    match = _USER.match(line)
    if match is None:
        return None
    if match[1]:
        return _User(number, match[2], (1 << int(match[3])) - 1)
    if match[4]:
        return _User(number, match[5], _read_by(match[4], int(match[6])))
    if match[7]:
        return _User(number, match[8], 1 << 63)
    if match[9]:
        return _User(number, match[10], 1 if match[9] == "lo" else 1 << 63)
    load, at = loads.get(match[12]), int(match[13])
    if load is None or at >= load.count:
        return None
    return _User(number, load.name, ((1 << load.element) - 1) << (at * load.element), at)


def _read_by(opcode: str, number: int) -> int:
    """Bits of 64 that an instruction with a constant reads."""
    every = (1 << 64) - 1
    if opcode == "and":
        return number & every
    if not 0 <= number < 64:
        return every
    return every >> number if opcode == "shl" else every & (every << number)


def _parts(load: _Load, users: Sequence[_User]) -> list[tuple[int, int]] | None:
    """(first word, words) of each load that is made of one; None: it stays."""
    mask = 0
    for user in users:
        mask |= user.mask
    used = [w for w in range(load.bits // _WORD) if mask >> (w * _WORD) & ((1 << _WORD) - 1)]
    if not used or len(used) * _WORD == load.bits or len(used) > _PAIR:
        return None
    if len(used) == 1:
        return [(used[0], 1)]
    if used[0] % _PAIR == 0 and used[1] == used[0] + 1:
        return [(used[0], _PAIR)]
    return None if load.element > _WORD else [(word, 1) for word in used]


def _loaded(load: _Load, type_: str, name: str, word: int) -> str:
    """A load of some of its words."""
    offset = word * _WORD // 8
    space, place, align = load.space, load.pointer, load.align
    before = ""
    if offset:
        place, align = f"{name}.place", min(align, offset & -offset)
        before = f"  {place} = getelementptr i8, ptr{space} {load.pointer}, i64 {offset}\n"
    loaded = f"  {name} = {load.opcode}{type_}, ptr{space} {place}, align {align}{load.attached}"
    return before + loaded


def _rewrite_number(lines: list[str], load: _Load, part: tuple[int, int]) -> None:
    """Of one number: its other word is 0, as nobody reads it."""
    word = f"{load.name}{_PART}"
    text = [_loaded(load, "i32", word, part[0])]
    number = load.name if load.type == "i64" else f"{load.name}.number"
    wide = f"{load.name}.wide" if part[0] else number
    text.append(f"  {wide} = zext i32 {word} to i64")
    if part[0]:
        text.append(f"  {number} = shl i64 {wide}, {_WORD}")
    if load.type != "i64":
        cast = "inttoptr" if load.type == "ptr" else "bitcast"
        text.append(f"  {load.name} = {cast} i64 {number} to {load.type}")
    lines[load.line] = "\n".join(text)


def _rewrite_vector(
    lines: list[str], load: _Load, parts: Sequence[tuple[int, int]], users: Sequence[_User]
) -> None:
    """Of a vector: who took its elements takes those of its parts."""
    text = []
    for word, words in parts:
        name = f"{load.name}{_PART}{word}"
        first, count = word * _WORD // load.element, words * _WORD // load.element
        type_ = load.type if count == 1 else f"<{count} x {load.type}>"
        text.append(_loaded(load, type_, name, word))
        for user in users:
            if not first <= user.element < first + count:
                continue
            taken = lines[user.line].partition(" = ")[0]
            tail = lines[user.line].partition(", !")
            rest = f"{tail[1]}{tail[2]}"
            value = (
                f"bitcast {load.type} {name} to {load.type}"
                if count == 1
                else f"extractelement {type_} {name}, i64 {user.element - first}"
            )
            lines[user.line] = f"{taken} = {value}{rest}"
    lines[load.line] = "\n".join(text)
