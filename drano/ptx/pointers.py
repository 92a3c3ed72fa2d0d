"""Which registers hold addresses, and into which state space: PTX's own types do not tell.

Means: a register is a pointer if all that is ever put into it is one: the address of a variable,
what ``cvta`` gives, a pointer plus a number, and of parameters and loaded values those that an
access is made through. Of a sum of two candidates the one is the base of which more is known; where
that is undecided, neither is. What is no pointer here is a number, and an access through it goes to
an unknown object: nothing is lost but precision.

Values: a space's number in LLVM (0: generic), or ``NUMBER``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from drano.model.nvptx import AddressSpace
from drano.ptx.model import Address, Instruction, Name, Operand, Sum, Variable, Vector
from drano.ptx.operands import written
from drano.ptx.types import type_bits

NUMBER: Final = -1
SPACES: Final[Mapping[str, int]] = {
    "global": AddressSpace.GLOBAL, "shared": AddressSpace.SHARED, "const": AddressSpace.CONSTANT,
    "local": AddressSpace.GENERIC, "param": AddressSpace.GENERIC, "generic": AddressSpace.GENERIC,
}  # fmt: skip
_WIDE: Final = frozenset({"u64", "s64", "b64"})


class Known(Struct, frozen=True):
    """What a register holds; ``sure``: it is an address whatever it is used for."""

    space: int
    sure: bool


_NUMBER: Final = Known(NUMBER, True)


class Pointers(Struct):
    """The registers of one function, which has ``variables``; ``symbols``: spaces of those that
    have an address. ``parameters``: those that accesses are made through; ``given``: registers that
    hold addresses from the start, of a space.
    """

    variables: Mapping[str, Variable]
    symbols: Mapping[str, int]
    known: dict[str, Known] = field(default_factory=dict)
    demanded: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    pointing: frozenset[str] = frozenset()
    given: Mapping[str, int] = field(default_factory=dict)
    registers: dict[str, Variable] = field(default_factory=dict)

    def of(self, register: str) -> int:
        """The space that a register points into, or NUMBER."""
        known = self.known.get(register)
        return NUMBER if known is None else known.space

    def held(self, o: Operand) -> Known | None:
        """What an operand holds."""
        return self._held(o, 64)

    def find(self, body: Sequence[Instruction], check_time: Callable[[int], None]) -> None:
        """Set what is known of each register. ``check_time`` is told a line now and then."""
        self.registers = {n: v for n, v in self.variables.items() if v.space == "reg"}
        self.pointing = frozenset(
            name for name, v in self.variables.items() if v.space == "param" and v.pointer
        )
        start = {name: Known(space, True) for name, space in self.given.items()}
        self.known = dict(start)
        steps: list[tuple[str, Instruction]] = []
        for i in body:
            steps += [(name, i) for name in written(i) if name in self.registers]
        self._demand(steps, _accessed(body))
        self._settle(steps, check_time)
        # Once more, now that of most sums it is known which part is the address.
        chosen = dict(self.known)
        self.known = start
        self._demand(steps, _accessed(body), chosen)
        self._settle(steps, check_time)

    # --- what accesses need ------------------------------------------------------------------

    def _demand(
        self,
        steps: list[tuple[str, Instruction]],
        accessed: set[str],
        chosen: Mapping[str, Known] | None = None,
    ) -> None:
        self.demanded = set()
        self.parameters = set()
        by_name: dict[str, list[Instruction]] = {}
        for name, i in steps:
            by_name.setdefault(name, []).append(i)
        pending = list(accessed)
        while pending:
            name = pending.pop()
            if name in self.demanded or name not in self.registers:
                continue
            self.demanded.add(name)
            for i in by_name.get(name, ()):
                pending += self._sources(i, chosen)

    def _sources(self, i: Instruction, chosen: Mapping[str, Known] | None) -> list[str]:
        """Registers that may hold the address that the instruction gives."""
        ops = i.operands
        match i.opcode:
            case "mov" | "cvta" | "cvt":
                parts = ops[1:2]
            case "add":
                parts = self._bases(ops[1:3], chosen)
            case "sub":
                parts = ops[1:2]
            case "selp":
                parts = ops[1:3]
            case "mad":
                parts = ops[3:4]
            case _:
                parts = ()
        return [part.text for part in parts if isinstance(part, Name)]

    @staticmethod
    def _bases(
        parts: tuple[Operand, ...], chosen: Mapping[str, Known] | None
    ) -> tuple[Operand, ...]:
        if chosen is None:
            return parts
        known = [chosen.get(p.text, _NUMBER) if isinstance(p, Name) else _NUMBER for p in parts]
        pointing = [k.space != NUMBER for k in known]
        if all(pointing) and len({k.sure for k in known}) == 1:
            return ()
        sure = [p for p, k in zip(parts, known, strict=True) if k.space != NUMBER and k.sure]
        return tuple(sure) or tuple(p for p, yes in zip(parts, pointing, strict=True) if yes)

    # --- what registers hold -----------------------------------------------------------------

    def _settle(
        self, steps: list[tuple[str, Instruction]], check_time: Callable[[int], None]
    ) -> None:
        for _ in range(100):
            check_time(steps[-1][1].line if steps else 0)
            changed = False
            for name, i in steps:
                before = self.known.get(name)
                if before is _NUMBER:
                    continue
                after = _join(before, self._given(name, i))
                if after != before and after is not None:
                    self.known[name] = after
                    changed = True
            if not changed:
                return
        self.known = dict.fromkeys(self.known, _NUMBER)

    def _given(self, name: str, i: Instruction) -> Known | None:
        """What the instruction puts into the register; None: that is not known yet."""
        ops = i.operands
        bits = type_bits(self.registers[name].type)
        match i.opcode:
            case "cvta":
                spaces = [SPACES[m] for m in i.modifiers if m.split("::")[0] in SPACES]
                to = "to" in i.modifiers and bool(spaces)
                return Known(spaces[0] if to else 0, True)
            case "mov" if len(ops) == 2 and isinstance(ops[0], Name):
                return self._held(ops[1], bits)
            case "ld" if i.modifiers and i.modifiers[-1] in _WIDE:
                return self._loaded(name, i)
            case "add":
                return self._sum(self._held(ops[1], bits), self._held(ops[2], bits))
            case "sub":
                left, right = self._held(ops[1], bits), self._held(ops[2], bits)
                if right is None or left is None:
                    return left
                return left if right.space == NUMBER else _NUMBER
            case "mad" if len(ops) == 4 and "hi" not in i.modifiers:
                return self._held(ops[3], bits)
            case "selp" if len(ops) == 4:
                return _join(self._held(ops[1], bits), self._held(ops[2], bits))
            case "cvt" if i.modifiers in (("u64", "u32"), ("u32", "u64")):
                held = self._held(ops[1], bits)
                shared = held is None or held.space == AddressSpace.SHARED
                return held if shared else _NUMBER
            case _:
                return _NUMBER

    def _held(self, o: Operand, bits: int) -> Known | None:
        match o:
            case Name(text) | Sum(text):
                if text in self.registers:
                    return self.known.get(text)
                space = self.symbols.get(text)
                if space is None or (bits == 32 and space != AddressSpace.SHARED):
                    return _NUMBER
                return Known(space, True)
            case _:
                return _NUMBER

    def _loaded(self, name: str, i: Instruction) -> Known:
        several = isinstance(i.operands[0], Vector) and len(i.operands[0].parts) > 1
        if len(i.operands) < 2 or several:
            return Known(0, False) if name in self.demanded else _NUMBER
        source = i.operands[1]
        if "param" in (m.split("::")[0] for m in i.modifiers) and isinstance(source, Address):
            base = source.base
            if isinstance(base, Name) and base.text in self.pointing:
                return Known(0, True)
            if name in self.demanded and isinstance(base, Name):
                self.parameters.add(base.text)
        return Known(0, False) if name in self.demanded else _NUMBER

    @staticmethod
    def _sum(left: Known | None, right: Known | None) -> Known | None:
        if left is None or right is None:
            return right if left is None else left
        if NUMBER in {left.space, right.space}:
            return right if left.space == NUMBER else left
        if left.sure != right.sure:
            return left if left.sure else right
        return _NUMBER


def _join(a: Known | None, b: Known | None) -> Known | None:
    if a is None or b is None:
        return b if a is None else a
    if NUMBER in {a.space, b.space} or a.space != b.space:
        return _NUMBER
    return a if a.sure == b.sure else Known(a.space, False)


def _accessed(body: Iterable[Instruction]) -> set[str]:
    """Registers that accesses, and conversions of addresses, take for an address."""
    found = set()
    for i in body:
        for operand in i.operands:
            if isinstance(operand, Address) and isinstance(operand.base, Name):
                found.add(operand.base.text)
        if i.opcode == "cvta" and len(i.operands) > 1 and isinstance(i.operands[1], Name):
            found.add(i.operands[1].text)
    return found
