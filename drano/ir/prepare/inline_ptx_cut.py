"""Inline PTX of several instructions, cut where lanes look at each other.

Means: a ``shfl.sync`` or ``vote.sync.ballot`` within an ``asm`` becomes the intrinsic; what stands
before it is computed by an ``asm`` of its own that gives the operand, and the ``asm`` that remains
has the result as one more input: CUB's scans are written that way.
Limits: what stands before it may only compute; operands of the shuffle beside the value are the
asm's own or numbers. An ``asm`` with jumps, labels, inner blocks or a second write to its inputs
stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_CROSS = re.compile(
    r"(?:shfl\.sync\.(?P<mode>idx|up|down|bfly)\.b32\s+(?P<to>[\w%$]+)(?:\s*\|\s*(?P<ok>[\w%$]+))?"
    r"\s*,\s*(?P<value>[\w%$]+)\s*,\s*(?P<lane>\S+)\s*,\s*(?P<clamp>\S+)\s*,\s*(?P<mask>\S+)"
    r"|vote\.(?:sync\.ballot|ballot\.sync)\.b32\s+(?P<word>[\w%$]+)\s*,\s*(?P<on>[\w%$]+)"
    r"\s*,\s*(?P<all>\S+))"
)
_IMPURE = re.compile(r"\b(?:ld|st|atom|red|bar|barrier|shfl|vote|match|redux|membar|fence|tex)\b")
_JUMP = re.compile(r"\b(?:bra|brx|call|ret|exit|trap)\b|^\s*[\w$%]+\s*:(?!:)")
_WRITTEN = re.compile(r"(?:@!?[\w%$]+\s+)?[a-z][\w.:]*\s+\{?\s*\$(\d+)\b")
_OPERAND = re.compile(r"\$(\d+)")
_MOST_CUTS = 8


@dataclass(frozen=True, slots=True)
class Assembly:
    """``statements`` of the template; ``inputs``: constraint, type and value of each."""

    statements: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str, str], ...]
    clobbers: tuple[str, ...]

    def text(self, result: str) -> str:
        """The call, as LLVM prints it."""
        template = "{ " + "; ".join(self.statements) + "; }"
        parts = [constraint for constraint, _ in self.outputs]
        parts += [constraint for constraint, _, _ in self.inputs] + list(self.clobbers)
        given = ", ".join(f"{type_} {value}" for _, type_, value in self.inputs)
        effect = "sideeffect " if any(_IMPURE.search(s) for s in self.statements) else ""
        return f'call {result} asm {effect}"{template}", "{",".join(parts)}"({given})'


def is_cut(template: str) -> bool:
    """Whether there is something to cut."""
    return _CROSS.search(template) is not None


def cut(
    asm: Assembly,
    operand: Callable[[str], str],
    let: Callable[[str], str],
    call: Callable[[str, str, tuple[str, ...]], str],
) -> Assembly | None:
    """The ``asm`` that remains; None when it cannot be cut. ``operand``: an operand or a number as
    an ``i32``, KeyError for others; ``let``: add an instruction; ``call``: add one of an intrinsic,
    by its name, result type and arguments.
    """
    if any(_stays(asm, statement) for statement in asm.statements):
        return None
    for _ in range(_MOST_CUTS):
        place = next((k for k, s in enumerate(asm.statements) if _CROSS.fullmatch(s)), None)
        if place is None:
            return asm if not any(_CROSS.search(s) for s in asm.statements) else None
        before = asm.statements[:place]
        if any(_IMPURE.search(statement) for statement in before):
            return None
        found = _CROSS.fullmatch(asm.statements[place])
        assert found is not None
        number = len(asm.outputs) + len(asm.inputs)
        try:
            if found["mode"]:
                value = _operand(asm, before, found["value"], "mov.b32", operand, let)
                rest = [operand(found[name]) for name in ("mask", "lane", "clamp")]
                pair = call(
                    f"shfl.sync.{found['mode']}.i32p", "{ i32, i1 }",
                    (f"i32 {rest[0]}", f"i32 {value}", f"i32 {rest[1]}", f"i32 {rest[2]}"),
                )  # fmt: skip
                new = [let(f"extractvalue {{ i32, i1 }} {pair}, 0")]
                after = [f"mov.b32 {found['to']}, ${number}"] if found["to"] != "_" else []
                if found["ok"]:
                    flag = let(f"extractvalue {{ i32, i1 }} {pair}, 1")
                    new.append(let(f"zext i1 {flag} to i32"))
                    after.append(f"setp.ne.u32 {found['ok']}, ${number + 1}, 0")
            else:
                value = _operand(asm, before, found["on"], "selp.u32", operand, let)
                on = let(f"icmp ne i32 {value}, 0")
                given = f"i32 {operand(found['all'])}", f"i1 {on}"
                new = [call("vote.ballot.sync", "i32", given)]
                after = [f"mov.b32 {found['word']}, ${number}"]
        except KeyError:
            return None
        asm = Assembly(
            (*before, *after, *asm.statements[place + 1 :]), asm.outputs,
            (*asm.inputs, *(("r", "i32", name) for name in new)), asm.clobbers,
        )  # fmt: skip
    return None


def _stays(asm: Assembly, statement: str) -> bool:
    """Whether a statement may not be moved: it is part of an inner block, where control comes from
    or goes to, or changes what was given.
    """
    if statement.count("{") != statement.count("}") or _JUMP.search(statement):
        return True
    written = _WRITTEN.match(statement)
    return written is not None and int(written[1]) >= len(asm.outputs)


def _operand(
    asm: Assembly,
    before: tuple[str, ...],
    token: str,
    move: str,
    operand: Callable[[str], str],
    let: Callable[[str], str],
) -> str:
    """The value of a register behind the statements ``before``."""
    outputs = len(asm.outputs)
    match = _OPERAND.fullmatch(token)
    if match is not None and int(match[1]) >= outputs and move == "mov.b32":
        return operand(token)

    def renamed(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"${number - outputs + 1}" if number >= outputs else f"drano_o{number}"

    wide = {"i64": "b64", "double": "b64", "ptr": "b64", "i16": "b16", "half": "b16"}
    declared = [
        f".reg .{wide.get(type_, 'b32')} drano_o{k}" for k, (_, type_) in enumerate(asm.outputs)
    ]
    statements = [_OPERAND.sub(renamed, statement) for statement in before]
    given = _OPERAND.sub(renamed, token)
    final = f"{move} $0, {given}" if move == "mov.b32" else f"{move} $0, 1, 0, {given}"
    prefix = Assembly((*declared, *statements, final), (("=r", "i32"),), asm.inputs, ())
    if any(constraint.isdigit() for constraint, _, _ in asm.inputs):
        raise KeyError(token)
    return let(prefix.text("i32"))
