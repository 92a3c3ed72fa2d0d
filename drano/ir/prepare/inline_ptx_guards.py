"""Inline PTX of one access under a predicate, with what its results are where that does not hold.

Means: ``mov.u32 $0, 0; @$2 ld.global.b32 { $0 }, [ $1 + 0 ];`` as Triton writes its loads, stores
and atomics, becomes a call of a function with a branch, in which the access stands alone:
``inline_ptx.py`` says what it is. The function is expanded like any other, so that the analyses see
which lanes access. Such an access is one request, whatever is beside it: it is ``volatile`` for
LLVM. A register that is copied (``mov.b32 $0, $1``) is a value. So are those of CUDA source, whose
predicate is set in the ``asm``: ``.reg .pred p; setp.ne.b32 p, $0, 0; @p cp.async… ;``, as CUTLASS
writes its copies, loads and stores.
Assumptions: the module as LLVM prints it; pointers are passed with their address space, which
clang does not, but where the predicate is the ``asm``'s own.
Limits: one access in one ``asm``, behind ``mov`` alone; all else stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from drano.ir.llvm_text import unescape
from drano.ir.prepare.inline_ptx_operands import number

_PREFIX: Final = "drano.ptx.guarded."
_CALL = re.compile(
    r"^  (?:(%\S+) = )?(?:tail |notail )?call (void|i\d+|float|double|\{[^{}]*\}) asm sideeffect "
    r'"([^"]*)", "([^"]*)"\(((?:[^()]|\([^()]*\))*)\)(?: #\d+)?((?:, ![\w.]+ !\d+)*)$',
    re.MULTILINE,
)
_GUARDED = re.compile(r"(?:@(!?)\$(\d+)\s+)?((?:ld|st|atom|red|cp\.async)\.\S+)\s(.*)", re.DOTALL)
_COPY = re.compile(r"(cp\.async\.c[ag]\.\S+ )(\[[^\[\]]*\], \[[^\[\]]*\]), (\w+), \$(\d+)")
_ALL_OR_NOTHING = re.compile(r"  (%\S+) = select i1 (%\S+), i32 (\d+), i32 0(?:,|$)", re.MULTILINE)
_MOVE = re.compile(r"mov\.[busf](16|32|64)\s+\$(\d+)\s*,\s*(\S+)")
_OPERAND = re.compile(r"\$(\d+)")
_ARGUMENT = re.compile(r"((?:ptr addrspace\(\d+\)|\S+))(?: (?:noundef|nonnull|align \d+))* (\S+)")
_REGISTER = re.compile(r"\.reg\s+\.pred\s+(%?\w+)")
_SET = re.compile(r"setp\.(ne|eq)\.[bsu]32\s+(%?\w+)\s*,\s*\$(\d+)\s*,\s*0")
_SIZES: Final = {"i16": 16, "half": 16, "i32": 32, "float": 32, "i64": 64, "double": 64}


@dataclass(frozen=True, slots=True)
class _Asm:
    """``arguments``: type and value of each input."""

    result: str
    statements: tuple[str, ...]
    constraints: tuple[str, ...]
    arguments: tuple[tuple[str, str], ...]

    @property
    def outputs(self) -> int:
        return sum(constraint.startswith("=") for constraint in self.constraints)

    @property
    def types(self) -> list[str]:
        """Of the outputs."""
        if self.result == "void":
            return []
        if not self.result.startswith("{"):
            return [self.result]
        return [part.strip() for part in self.result.strip("{} ").split(",")]


def with_guards(text: str) -> str:
    """The module with such ``asm`` replaced; the same string where there is none."""
    if " asm sideeffect " not in text:
        return text
    made: dict[str, str] = {}

    def replaced(match: re.Match[str]) -> str:
        result, type_, template, constraints, given, behind = match.groups()
        asm = _read(type_, template, constraints, given)
        if asm is None:
            return match[0]
        place = match.start() - text.rfind("\ndefine ", 0, match.start())  # in its function
        asm, tested = _with_passed_predicate(asm, f"%drano.on.{place}")
        asm = _with_known_size(asm, text, match.start())
        copied = _copied(asm)
        if copied is not None and result is not None:
            return f"  {result} = {copied}{behind}"
        body = _body(asm, own=bool(tested))
        if body is None:
            return match[0]
        name = made.setdefault(body, f"{_PREFIX}{len(made)}")
        values = ", ".join(f"{kind} {value}" for kind, value in asm.arguments)
        head = f"{result} = " if result else ""
        return f"{tested}  {head}call {type_} @{name}({values}){behind}"

    changed = _CALL.sub(replaced, text)
    if not made:
        return changed
    functions = [body.replace(f"@{_PREFIX}", f"@{name}", 1) for body, name in made.items()]
    return "\n".join([changed, *functions, ""])


def _read(type_: str, template: str, constraints: str, given: str) -> _Asm | None:
    parts = tuple(part for part in constraints.split(",") if part and part[0] != "~")
    outputs = sum(part.startswith("=") for part in parts)
    arguments = []
    for argument in filter(None, (piece.strip() for piece in given.split(", "))):
        match = _ARGUMENT.fullmatch(argument)
        if match is None:
            return None
        arguments.append((match[1], match[2]))
    if len(arguments) != len(parts) - outputs or any(part.isdigit() for part in parts):
        return None
    whole = unescape(template).strip()
    inside = whole[1:-1] if whole[:1] == "{" and whole[-1:] == "}" else whole
    statements = tuple(filter(None, (s.strip() for s in inside.split(";"))))
    if '"' in template or "//" in template or not statements:
        return None
    asm = _Asm(type_, statements, parts, tuple(arguments))
    return asm if len(asm.types) == outputs else None


def _with_passed_predicate(asm: _Asm, name: str) -> tuple[_Asm, str]:
    """An ``asm`` that sets the predicate of its last statement, with the predicate as the operand
    instead, and the instruction that makes it; numbers stand in its text.
    """
    registers = [m for m in map(_REGISTER.fullmatch, asm.statements) if m]
    settings = [m for m in map(_SET.fullmatch, asm.statements) if m]
    if len(registers) != 1 or len(settings) != 1 or registers[0][1] != settings[0][2]:
        return asm, ""
    relation, register, operand = settings[0].groups()
    *before, last = asm.statements
    before = [s for s in before if s not in (registers[0].string, settings[0].string)]
    place = int(operand) - asm.outputs
    guarded = re.fullmatch(rf"@(!?){re.escape(register)}\s+(.*)", last, re.DOTALL)
    alone = re.compile(rf"(?<![\w%$]){re.escape(register)}(?![\w$])")
    if guarded is None or any(map(alone.search, (*before, guarded[2]))):
        return asm, ""
    if not 0 <= place < len(asm.arguments) or asm.arguments[place][0] != "i32":
        return asm, ""

    def literal(found: re.Match[str]) -> str:
        given = int(found[1]) - asm.outputs
        value = asm.arguments[given][1] if 0 <= given < len(asm.arguments) else ""
        return value if given != place and number(value) is not None else found[0]

    negated = "!" * ((relation == "eq") != bool(guarded[1]))
    access = f"@{negated}${operand} {_OPERAND.sub(literal, guarded[2])}"
    arguments, constraints = list(asm.arguments), list(asm.constraints)
    made = f"  {name} = icmp ne i32 {arguments[place][1]}, 0\n"
    arguments[place], constraints[asm.outputs + place] = ("i1", name), "b"
    return replace(
        asm, statements=(*before, access), arguments=tuple(arguments),
        constraints=tuple(constraints),
    ), made  # fmt: skip


def _with_known_size(asm: _Asm, text: str, at: int) -> _Asm:
    """A ``cp.async`` whose operand says that it reads all or nothing, as one under a predicate."""
    copy = _COPY.fullmatch(asm.statements[-1])
    if copy is None or len(asm.statements) != 1:
        return asm
    place = int(copy[4]) - asm.outputs
    if not 0 <= place < len(asm.arguments):
        return asm
    type_, value = asm.arguments[place]
    width = number(copy[3])
    plain = f"{copy[1]}{copy[2]}, {copy[3]}"
    unused = f"{asm.constraints[asm.outputs + place]}"
    if type_ == "i32" and number(value) == width:
        return replace(asm, statements=(plain,))
    line = text.rfind(f"\n  {value} = ", 0, at) if value.startswith("%") else -1
    chosen = _ALL_OR_NOTHING.match(text, line + 1) if line >= 0 else None
    if chosen is None or number(chosen[3]) != width or unused != "r":
        return asm
    arguments = list(asm.arguments)
    arguments[place] = ("i1", chosen[2])
    constraints = list(asm.constraints)
    constraints[asm.outputs + place] = "b"
    return replace(
        asm, statements=(f"@${copy[4]} {plain}",), arguments=tuple(arguments),
        constraints=tuple(constraints),
    )  # fmt: skip


def _copied(asm: _Asm) -> str | None:
    """The value of a register that is copied."""
    move = _MOVE.fullmatch(asm.statements[0])
    if len(asm.statements) != 1 or move is None or len(asm.arguments) != 1:
        return None
    (type_, value), bits = asm.arguments[0], int(move[1])
    if (move[2], move[3]) != ("0", "$1") or {_SIZES.get(asm.result), _SIZES.get(type_)} != {bits}:
        return None
    return f"bitcast {type_} {value} to {asm.result}"


def _body(asm: _Asm, *, own: bool) -> str | None:
    """The function that does what the ``asm`` does; None where that is not known. ``own``: its
    predicate was its own, so that its pointers may be of any kind.
    """
    found = _GUARDED.fullmatch(asm.statements[-1])
    defaults = _defaults(asm)
    pointers = any(type_.startswith("ptr addrspace(1)") for type_, _ in asm.arguments)
    if found is None or defaults is None or not (pointers or own):
        return None
    negated, guard, opcode, operands = found.groups()
    first = asm.outputs
    place = int(guard) - first if guard else -1
    if guard and not (0 <= place < len(asm.arguments) and asm.arguments[place][0] == "i1"):
        return None
    if guard and guard in _OPERAND.findall(operands):
        return None

    used = {int(operand) - first for operand in _OPERAND.findall(operands)}
    kept = [k for k in range(len(asm.arguments)) if k in used]
    if any(k >= len(asm.arguments) for k in used):
        return None

    def renumbered(match: re.Match[str]) -> str:
        given = int(match[1]) - first
        return match[0] if given < 0 else f"${first + kept.index(given)}"

    constraints = [*asm.constraints[:first], *(asm.constraints[first + k] for k in kept)]
    template = f"{_volatile(opcode)} {_OPERAND.sub(renumbered, operands)};"
    values = ", ".join(f"{asm.arguments[k][0]} %a{k}" for k in kept)
    access = f'call {asm.result} asm sideeffect "{_escaped(template)}", "{",".join(constraints)}"'
    access = f"{access}({values})"
    parameters = ", ".join(f"{type_} %a{k}" for k, (type_, _) in enumerate(asm.arguments))
    lines = [f"define internal {asm.result} @{_PREFIX}({parameters}) {{"]
    void = asm.result == "void"
    if not guard:
        lines += [f"  {access}", "  ret void"] if void else [f"  %on = {access}", _ret(asm, "on")]
        return "\n".join([*lines, "}"])
    built, total = _aggregate(asm, defaults)
    targets = ("off", "access") if negated else ("access", "off")
    lines += [*built, f"  br i1 %a{place}, label %{targets[0]}, label %{targets[1]}", "access:"]
    if void:
        lines += [f"  {access}", "  br label %off", "off:", "  ret void", "}"]
        return "\n".join(lines)
    lines += [
        f"  %on = {access}", "  br label %off", "off:",
        f"  %both = phi {asm.result} [ %on, %access ], [ {total}, %0 ]", _ret(asm, "both"), "}",
    ]  # fmt: skip
    return "\n".join(lines)


def _ret(asm: _Asm, name: str) -> str:
    return f"  ret {asm.result} %{name}"


def _volatile(opcode: str) -> str:
    """A load or store that LLVM leaves alone; atomics are so by themselves."""
    name, _, rest = opcode.partition(".")
    if name in ("atom", "red", "cp") or "volatile" in rest.split("."):
        return opcode
    return f"{name}.volatile.{rest}"


def _defaults(asm: _Asm) -> list[str] | None:
    """Of each output, what it is moved to before the access; None where more is done."""
    found = ["undef"] * asm.outputs
    for statement in asm.statements[:-1]:
        move = _MOVE.fullmatch(statement)
        if move is None or int(move[2]) >= asm.outputs:
            return None
        place, bits = int(move[2]), int(move[1])
        if _SIZES.get(asm.types[place]) != bits:
            return None
        literal = number(move[3])
        operand = _OPERAND.fullmatch(move[3])
        if literal is not None and asm.types[place].startswith("i"):
            found[place] = str(literal - (1 << bits) if literal >> (bits - 1) > 0 else literal)
        elif operand and 0 <= int(operand[1]) - asm.outputs < len(asm.arguments):
            given = int(operand[1]) - asm.outputs
            if asm.arguments[given][0] != asm.types[place]:
                return None
            found[place] = f"%a{given}"
        else:
            return None
    return found


def _aggregate(asm: _Asm, defaults: list[str]) -> tuple[list[str], str]:
    """Instructions that make one value of the defaults, and that value."""
    if not asm.result.startswith("{"):
        return [], defaults[0] if defaults else ""
    lines, total = [], "undef"
    for k, (type_, value) in enumerate(zip(asm.types, defaults, strict=True)):
        lines.append(f"  %d{k} = insertvalue {asm.result} {total}, {type_} {value}, {k}")
        total = f"%d{k}"
    return lines, total


def _escaped(template: str) -> str:
    """As LLVM prints a string."""
    return template.replace("\n", "\\0A").replace("\t", "\\09")
