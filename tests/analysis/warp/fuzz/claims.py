"""What the analysis claims of each value, held against the values of a run.

Atoms are existential, but most stand for something that the run shows: an argument, a special
register, the value of the instruction that made the atom. Where all atoms of a form are known so,
the form must give exactly the run's bits. Elsewhere the known part is taken off and what remains
must look as its atoms allow: equal in all lanes when they are uniform, within range.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from drano.analysis.thread_layout import Layout, rows_of
from drano.analysis.warp import WarpState
from drano.ir.model import Block, Instruction, Local, Phi, UndefConst
from drano.lattice import Aggregate, Atom, Form, Predicate, Shape, Value, is_warp_uniform
from drano.lattice.warp.lanes import Coefficient
from drano.traffic.needs import AtLeast, Holds, Inside, Need
from tests.analysis.warp.fuzz.simt import Execution
from tests.analysis.warp.fuzz.words import Lanes, Truth, signed, unsigned
from tests.lattice.worlds import is_of_one_set

Known: TypeAlias = dict[int, Lanes]
_OWNING = ("value", "loop", "phi", "alloca")
_REGISTERS = ("thread", "block_dim", "block", "grid_dim")
_NAMES = ("tid", "ntid", "ctaid", "nctaid")


class UnsoundError(AssertionError):
    """A claim that a run refutes."""


class Claims:
    """Checks one execution against one interpretation. ``checked``: how many claims."""

    def __init__(self, run: WarpState, execution: Execution) -> None:
        self.run = run
        self.warp = run.warp
        self.execution = execution
        self.checked = 0
        self.exact = 0
        self._owner: dict[int, int] = {}
        self._choices: dict[int, object] = {}
        self._powers: dict[int, Form] = {}
        self._known: Known = {}
        self._names = {i.index: i.name for b in run.function.blocks for i in b.instructions}
        self._said: dict[Form, str] = {}
        self._used: set[int] = set()  # from other blocks, in this execution of this one
        self._unset: dict[int, Truth] = {}  # lanes whose value may be any, by instruction
        self._bind()

    def _bind(self) -> None:
        inputs = self.execution.inputs
        for key, atom in self.warp._by_key.items():
            match key:
                case ("argument", int(position)):
                    self._known[atom.number] = inputs.arguments[position]
                case ("global", str(name)):
                    self._known[atom.number] = np.full(
                        self.execution.shape, inputs.globals[name], dtype=np.int64
                    )
                case (str(kind), int(index)) if kind in _OWNING:
                    self._owner[atom.number] = index
                case ("loop", int(index), "varying") | ("phi", int(index), "any"):
                    self._owner[atom.number] = index
                case ("pow2", Form() as form):
                    self._powers[atom.number] = form
                case ("choice", ("value", int(index))):
                    self._choices[atom.number] = index
        self._bind_layout(self.run.layout)

    def _bind_layout(self, layout: Layout) -> None:
        registers = self.execution.inputs.registers
        for field, name in zip(_REGISTERS, _NAMES, strict=True):
            for axis, form in zip("xyz", getattr(layout, field), strict=True):
                if len(form.terms) == 1 and form.terms[0][1] == 1 and form.const == 0:
                    self._known[form.terms[0][0][0]] = registers[f"{name}.{axis}"]
        if layout.groups.terms:
            group, (register, count) = layout.groups.terms[0][0][0], ("tid.x", 32)
            if layout.launch.partly is not None and layout.launch.partly[0] is not None:
                axis_number, _, count = rows_of(layout.launch.partly)
                register = f"tid.{'xyz'[axis_number]}"
            self._known[group] = registers[register] // count

    # --- events ------------------------------------------------------------------------------

    def observe(self, instruction: Instruction, block: Block, mask: Truth) -> None:
        """An instruction was executed by the lanes of ``mask``."""
        mask = mask & self.execution.defined[:, None, None]
        if not mask.any():
            return
        if instruction is block.instructions[0]:
            self._used.clear()
            self._mask(block, mask)
        self._note_unset(instruction, mask)
        if not isinstance(instruction, Phi):
            for operand in self.run.operands[instruction.index]:
                if isinstance(operand, Local) and self.run.block_of.get(operand.index) not in {
                    None, block.index
                }:  # fmt: skip
                    if operand.index in self._used:
                        continue
                    self._used.add(operand.index)
                    value = self.run.value(operand, block.index)
                    self._value(value, operand.index, mask, f"use in {instruction.name}")
        value = self.run.env[instruction.index]
        if self.execution.values[instruction.index] is not None:
            if value is None:
                raise UnsoundError(f"%{instruction.name} executed but never evaluated")
            self._solve(instruction, value, mask)
            self._value(value, instruction.index, mask, "")

    def _note_unset(self, instruction: Instruction, mask: Truth) -> None:
        """Which lanes have a value that comes from ``poison`` or ``undef``: it may be any."""
        unset = np.zeros_like(mask)
        if isinstance(instruction, Phi):
            for operand, source in instruction.incoming:
                came = self.execution.came_from == source
                if isinstance(operand, UndefConst):
                    unset |= came
                elif isinstance(operand, Local) and operand.index in self._unset:
                    unset |= came & self._unset[operand.index]
        else:
            for operand in self.run.operands[instruction.index]:
                if isinstance(operand, Local) and operand.index in self._unset:
                    unset |= self._unset[operand.index]
        before = self._unset.get(instruction.index)
        if unset.any() or before is not None:
            old = np.zeros_like(mask) if before is None else before
            self._unset[instruction.index] = np.where(mask, unset, old)

    def _mask(self, block: Block, mask: Truth) -> None:
        claimed = self.run.masks[block.index]
        if claimed is None:
            raise UnsoundError(f"block {block.name} executed but unreachable")
        if not block.instructions:
            return
        rows = mask.any(axis=2, keepdims=True)
        self._truth(claimed, mask, rows & np.ones_like(mask), f"mask of {block.name}")

    # --- atoms -------------------------------------------------------------------------------

    def _solve(self, instruction: Instruction, value: Value, mask: Truth) -> None:
        """Learn the atom that this instruction made, from the instruction's value."""
        concrete = self.execution.values[instruction.index]
        if not isinstance(value, Form) or isinstance(concrete, list) or concrete is None:
            return
        own = [
            (m[0], c)
            for m, c in value.terms
            if len(m) == 1 and self._owner.get(m[0]) == instruction.index and c in {1, -1}
        ]
        if len(own) != 1:
            return
        number, coefficient = own[0]
        rest = [t for t in value.terms if t[0] != (number,)]
        if any(number in m for m, _ in rest):
            return
        total = self._sum(rest, value.const)
        if total is None:
            return
        found = (concrete - total) * (1 if coefficient == 1 else -1)
        bits = value.bits
        atom = self.warp.atoms[number]
        if max(abs(atom.lo), abs(atom.hi)) >= 1 << 62 and bits < 64:
            return  # wider than the numbers of this test
        width = 1 << bits
        if bits < 64 and atom.hi - atom.lo >= width > value.hi - value.lo:
            # of several in the atom's range the one with which the sum is in its own
            whole = value.lo + unsigned(concrete - value.lo, bits).view(np.int64)
            found = (whole - total) * (1 if coefficient == 1 else -1)
        elif bits < 64:  # the representative within the atom's range
            found = atom.lo + unsigned(found - atom.lo, bits).view(np.int64)
        old = self._known.get(number)
        self._known[number] = found if old is None else np.where(mask, found, old)
        self._facts(atom, found, mask, bits, instruction)

    def _facts(
        self, atom: Atom, found: Lanes, mask: Truth, bits: int, instruction: Instruction
    ) -> None:
        what = f"atom {atom.name} of %{instruction.name}"
        if bits < 64 and (found > atom.hi)[mask].any():
            raise UnsoundError(f"{what}: {found[mask & (found > atom.hi)][0]} out of range")
        if atom.modulus > 1 and ((1 << bits) % atom.modulus == 0 or atom.hi - atom.lo < 1 << bits):
            off = (found - atom.residue) % atom.modulus != 0
            if bits < 64 and off[mask].any():
                raise UnsoundError(f"{what}: {found[mask & off][0]} breaks its residue")
        if not atom.varying:
            self._agree(found, mask, bits, what)

    def meets(self, needs: tuple[Need, ...]) -> Truth:
        """In which warps the sizes are known to be what a verdict needs."""
        met = np.ones(self.execution.shape[:2], dtype=np.bool_)
        for need in needs:
            fine = self._is_met(need)
            if fine is None:
                return np.zeros_like(met)
            met &= fine[:, :, 0]
        return met

    def _is_met(self, need: Need) -> Truth | None:
        if isinstance(need, Inside):
            return self._is_inside(need)
        if isinstance(need, Holds):
            truth = self._sum([((need.number,), 1)], 0)
            return None if truth is None else (truth == 1) == need.value
        total = self._sum(list(need.form.terms), need.form.const)
        if total is None:
            return None
        value = signed(total, min(need.form.bits, 64))
        return abs(value) >= need.least if isinstance(need, AtLeast) else value % need.modulus == 0

    def _is_inside(self, need: Inside) -> Truth | None:
        parts = [self._sum([((number,), 1)], 0) for number in need.numbers]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        chosen = np.stack(known, axis=-1)
        same = [(chosen == way).all(axis=(2, 3)) for way in need.ways]
        return np.broadcast_to(np.any(same, axis=0)[..., None], self.execution.shape)

    def _atom(self, number: int) -> Lanes | None:
        known = self._known.get(number)
        if known is not None:
            return known
        power = self._powers.get(number)
        if power is not None:
            total = self._sum(list(power.terms), power.const)
            return None if total is None else np.int64(1) << (total & (power.bits - 1))
        index = self._choices.get(number)
        if not isinstance(index, int):
            return None
        value, claim = self.execution.values[index], self.run.env[index]
        if not isinstance(claim, Predicate) or value is None or isinstance(value, list):
            return None
        if claim.key == ("value", index):
            return value
        return 1 - value if claim.key == ("not", ("value", index)) else None

    def _sum(
        self, terms: list[tuple[tuple[int, ...], Coefficient]], const: Coefficient
    ) -> Lanes | None:
        total = np.zeros(self.execution.shape, dtype=np.int64) + self._array(const)
        for monomial, coefficient in terms:
            product = np.zeros(self.execution.shape, dtype=np.int64) + self._array(coefficient)
            for number in monomial:
                factor = self._atom(number)
                if factor is None:
                    return None
                product = product * factor
            total = total + product
        return total

    @staticmethod
    def _array(value: Coefficient) -> npt.NDArray[np.int64] | np.int64:
        if isinstance(value, int):
            return np.int64((value + (1 << 63)) % (1 << 64) - (1 << 63))
        return value.data

    # --- claims ------------------------------------------------------------------------------

    def _value(self, value: Value | None, index: int, mask: Truth, where: str) -> None:
        concrete = self.execution.values[index]
        name = f"%{self._name(index)} {where}"
        if value is None or concrete is None:
            return
        if index in self._unset:
            mask = mask & ~self._unset[index]
        if isinstance(value, Aggregate):
            if isinstance(concrete, list):
                for element, lanes in zip(value.elements, concrete, strict=True):
                    if isinstance(element, Form):
                        self._form(element, lanes, mask, name)
            return
        assert not isinstance(concrete, list)
        if isinstance(value, Predicate):
            self._truth(value, concrete != 0, mask, name)
        else:
            self._form(value, concrete, mask, name)

    def _name(self, index: int) -> str:
        return self._names.get(index, str(index))

    def _says(self, form: Form) -> str:
        found = self._said.get(form)
        if found is None:
            found = self._said[form] = self.warp.describe(form)
        return found

    def _form(self, form: Form, concrete: Lanes, mask: Truth, name: str) -> None:
        self.checked += 1
        known = [t for t in form.terms if all(self._atom(n) is not None for n in t[0])]
        other = [t for t in form.terms if t not in known]
        total = self._sum(known, form.const)
        assert total is not None
        rest = signed(concrete - total, form.bits)
        what = f"{name}: {self._says(form)}"
        if self.warp.is_uniform(form):
            self._agree(concrete, mask, form.bits, what)
        if not other:
            self.exact += 1
            if (rest != 0)[mask].any():
                at = tuple(np.argwhere(mask & (rest != 0))[0])
                raise UnsoundError(f"{what}: lane {at} has {concrete[at]}, claimed {total[at]}")
        elif all(is_warp_uniform(c) and not self.warp.varying_monomial(m) for m, c in other):
            self._agree(rest, mask, form.bits, what)
        if form.hi - form.lo < (1 << form.bits) - 1 and form.bits < 64:
            lowest = self._array(form.lo)
            above = unsigned(concrete - lowest, form.bits).view(np.int64)
            outside = mask & (above > form.hi - form.lo)
            if outside.any():
                raise UnsoundError(
                    f"{what} in [{form.lo}, {form.hi}]: a lane has {concrete[outside][0]}"
                )

    def _agree(self, values: Lanes, mask: Truth, bits: int, what: str) -> None:
        values = signed(values, bits)
        low = np.where(mask, values, np.iinfo(np.int64).max).min(axis=2)
        high = np.where(mask, values, np.iinfo(np.int64).min).max(axis=2)
        if (high > low).any():
            at = tuple(np.argwhere(high > low)[0])
            lanes = concrete_text(values[at], mask[at])
            raise UnsoundError(f"{what}: lanes of warp {at} differ: {lanes}")

    def _truth(self, claim: Predicate, truth: Truth, mask: Truth, name: str) -> None:
        self.checked += 1
        lanes = np.broadcast_to(self.warp.space.array(claim.lanes), self.execution.shape)
        wrong = mask & (((lanes == 1) & ~truth) | ((lanes == 0) & truth))
        if wrong.any():
            at = tuple(np.argwhere(wrong)[0])
            raise UnsoundError(f"{name}: {claim}: wrong in lane {at}")
        open_ = mask & (lanes == 2)
        yes = (open_ & truth).sum(axis=2)
        no = (open_ & ~truth).sum(axis=2)
        bad = {
            Shape.UNIFORM: (yes > 0) & (no > 0),
            Shape.ONE: yes > 1,
            Shape.ALL_BUT_ONE: no > 1,
            Shape.EXACT: yes + no > 0,
        }.get(claim.shape)
        for level, holds in zip(claim.levels, (truth, ~truth), strict=True):
            if level is not None and not is_of_one_set(self.warp, level, mask & holds, mask):
                raise UnsoundError(f"{name}: {claim}: lanes of other sets")
        if bad is not None and bad.any():
            raise UnsoundError(f"{name}: {claim}: shape broken in warp {np.argwhere(bad)[0]}")


def concrete_text(values: Lanes, mask: Truth) -> str:
    """Values of the active lanes of one warp."""
    return ", ".join(f"{lane}: {values[lane]}" for lane in np.flatnonzero(mask))[:300]
