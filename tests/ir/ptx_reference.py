"""A small evaluator of straight-line PTX, for one lane, and of the IR that stands in its place.

Lanes look at each other through ``exchange``: any function of the instruction's name and operands
will do, as long as both sides ask the same one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

WORD = (1 << 32) - 1
Exchange = Callable[[str, tuple[int, ...]], tuple[int, bool]]

_STATEMENT = re.compile(r"(?:@(!?)(\w+)\s+)?([\w.]+)\s+(.*)", re.DOTALL)
_LINE = re.compile(r"\s*(%\S+) = (.*)")
_CALL = re.compile(r"call .*? @llvm\.nvvm\.([\w.]+)\((.*)\)")
_BINARY = {
    "add.u32": lambda a, b: a + b, "sub.u32": lambda a, b: a - b, "xor.b32": lambda a, b: a ^ b,
    "and.b32": lambda a, b: a & b, "mul.lo.u32": lambda a, b: a * b,
}  # fmt: skip
_OPERATIONS: dict[str, Callable[..., int]] = {
    "add i32": lambda a, b: a + b, "sub i32": lambda a, b: a - b, "mul i32": lambda a, b: a * b,
    "xor i32": lambda a, b: a ^ b, "xor i1": lambda a, b: a ^ b,
    "icmp ne i32": lambda a, b: a != b, "icmp ult i32": lambda a, b: a < b,
    "select i1": lambda on, a, b: a if on else b, "freeze i32": lambda a: a,
}  # fmt: skip
_COMPARE = {"setp.ne.u32": lambda a, b: a != b, "setp.lt.u32": lambda a, b: a < b}


def exchanged(name: str, given: tuple[int, ...]) -> tuple[int, bool]:
    """What other lanes have: something that depends on all that was asked."""
    value = sum(ord(letter) * 31**k for k, letter in enumerate(name)) & WORD
    for number in given:
        value = (value * 0x9E3779B1 + number + 1) & WORD
    return value, bool(value & 8)


def run_ptx(statements: list[str], registers: dict[str, int], exchange: Exchange) -> None:
    """Execute the statements; ``registers`` (``$0`` …, own names, predicates 0 or 1) change."""

    def value(token: str) -> int:
        if token in registers:
            return registers[token]
        return int(token, 0) & WORD

    for statement in statements:
        if statement.startswith(".reg"):
            continue
        match = _STATEMENT.fullmatch(statement)
        assert match is not None, statement
        if match[2] and bool(registers[match[2]]) == bool(match[1]):
            continue
        opcode, tokens = match[3], [token.strip() for token in match[4].split(",")]
        to, *rest = tokens
        if opcode in _BINARY:
            registers[to] = _BINARY[opcode](value(rest[0]), value(rest[1])) & WORD
        elif opcode in _COMPARE:
            registers[to] = int(_COMPARE[opcode](value(rest[0]), value(rest[1])))
        elif opcode in ("mov.b32", "mov.u32"):
            registers[to] = value(rest[0])
        elif opcode in ("selp.b32", "selp.u32"):
            registers[to] = value(rest[0] if registers[rest[2]] else rest[1])
        elif opcode.startswith("shfl.sync."):
            a, lane, clamp, mask = (value(token) for token in rest)
            word, ok = exchange(f"shfl.{opcode.split('.')[2]}", (mask, a, lane, clamp))
            into, _, flag = (part.strip() for part in to.partition("|"))
            registers[into] = word
            if flag:
                registers[flag] = int(ok)
        elif opcode == "vote.sync.ballot.b32":
            registers[to] = exchange("ballot", (value(rest[1]), int(bool(value(rest[0])))))[0]
        else:
            raise AssertionError(statement)


def run_ir(lines: list[str], values: dict[str, int], exchange: Exchange) -> None:
    """Execute IR that stands for an ``asm``; ``values``: of names with their ``%``."""

    def value(text: str) -> int:
        name = text.rsplit(" ", maxsplit=1)[-1]
        if name in ("true", "false"):
            return int(name == "true")
        return values[name] if name in values else int(name) & WORD

    pairs: dict[str, tuple[int, bool]] = {}
    for line in lines:
        match = _LINE.fullmatch(line)
        assert match is not None, line
        name, text = match[1], match[2]
        call = _CALL.fullmatch(text)
        if call is not None and call[1].startswith("shfl"):
            given = tuple(value(part) for part in call[2].split(", "))
            pairs[name] = exchange(f"shfl.{call[1].split('.')[2]}", given)
            values[name] = pairs[name][0]
            continue
        if call is not None:
            assert call[1] == "vote.ballot.sync"
            mask, on = (value(part) for part in call[2].split(", "))
            values[name] = exchange("ballot", (mask, on))[0]
            continue
        operation, _, rest = text.partition(" ")
        if operation == "extractvalue":
            pair, place = rest.split("} ")[1].split(", ")
            values[name] = int(pairs[pair][int(place)])
            continue
        given = tuple(value(part) for part in rest.split(", "))
        kind = " ".join(rest.split()[: 1 + (operation == "icmp")])
        values[name] = _OPERATIONS[f"{operation} {kind}"](*given) & WORD
