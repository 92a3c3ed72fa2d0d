"""What is known of one kernel while one block's warps execute it: values, masks, divergence.

There is one abstract value per SSA value (flow-insensitive, which SSA makes exact), one active mask
per block and per edge, and three monotone facts: which branches diverge, which loops the lanes
leave at different iterations, and how each loop-carried phi moves. Who computes the values, and in
which order, is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping

from drano.analysis.control_structure import Structure
from drano.analysis.thread_layout import Layout
from drano.analysis.warp.state.arrays import ArrayLoads, Arrays
from drano.analysis.warp.state.constants import Constants
from drano.analysis.warp.state.kernel_arguments import KernelArguments
from drano.analysis.warp.state.lane_runs import LaneRuns
from drano.analysis.warp.state.loop_exits import after_exit
from drano.analysis.warp.state.loop_splits import LoopSplits
from drano.analysis.warp.state.loop_values import Advance, Mode
from drano.analysis.warp.state.memo import Recall
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.scalars import MAX_AGGREGATE, scalar_bits
from drano.analysis.warp.state.staged import Staged
from drano.analysis.warp.state.trip_counts import TripCounts
from drano.ir.model import ArrayType as _ArrayType
from drano.ir.model import (
    Function,
    Instruction,
    IntType,
    Load,
    Local,
    Module,
    Operand,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from drano.lattice import (
    Aggregate,
    Atom,
    Cause,
    Congruence,
    Form,
    Predicate,
    Shape,
    Value,
    Warp,
    same_bound,
)
from drano.lattice.warp import operations as ops
from drano.lattice.warp.lanes import Array
from drano.model.settings import AnalysisOptions
from drano.model.translation_unit import Argument

LONG = 4  # terms of a form; below it, one unknown for several would not help


def _same_range(a: Value, b: Value | None) -> bool:
    """Whether equal values are the same in what equality leaves out, on which others may rest."""
    if isinstance(a, Predicate) and isinstance(b, Predicate):
        return same_bound(a, b)
    if not isinstance(a, Form) or not isinstance(b, Form):
        return True
    return a.lo == b.lo and a.hi == b.hi


class WarpState:
    """One function's; mutable, and its facts only weaken. A value that is None was not computed
    (yet): what has no value is never asked for one, and what is not known is an unknown.

    ``arguments``: of launches: known integers, pointers that were moved (None: unknown).
    ``unneeded``: values that are not followed (``needed_values``): each is an unknown.
    ``inside``: no lane is at a border (``transfer.borders``), which does not hold in all warps.
    """

    def __init__(
        self,
        module: Module,
        function: Function,
        structure: Structure,
        layout: Layout,
        options: AnalysisOptions,
        arguments: tuple[Argument, ...] = (),
        unneeded: frozenset[int] = frozenset(),
        *,
        inside: bool = False,
    ) -> None:
        self.module = module
        self.inside = inside
        self.meets_borders = False  # whether there are any
        self.unneeded = unneeded
        self.function = function
        self.structure = structure
        self.layout = layout
        self.options = options
        self.warp: Warp = layout.warp
        self.env: list[Value | None] = [None] * function.value_count
        self.masks: list[Predicate | None] = [None] * len(function.blocks)
        self.edges: dict[tuple[int, int], Predicate] = {}
        self.conditions: dict[int, Predicate] = {}
        self.block_of: dict[int, int] = {}
        self.divergent_joins: set[int] = set()
        self.divergent_branches: set[int] = set()
        self.joins_of_loops: set[int] = set()  # where lanes of different iterations meet
        self.divergent_heads: set[int] = set()  # of loops, reached by different back edges
        self.tangled_loops: set[int] = set()  # see ``Structure.goes_around``
        self.divergent_loops: dict[int, tuple[Shape, str]] = {}
        # Of those with lanes cut at the breaks of atoms, these, by the branch that leaves.
        self.loop_cuts: dict[int, dict[int, frozenset[int]]] = {}
        self.phi_modes: dict[int, Mode] = {}
        self.counters: dict[int, tuple[Advance, ...]] = {}
        self.arrays = Arrays(self)
        self.array_loads = ArrayLoads(self)
        self.staged = Staged(self)
        self.lane_runs = LaneRuns(self)
        self.trip_counts = TripCounts(self)
        self.loop_splits = LoopSplits(self)
        self._asked_ways: set[int] = set()  # blocks on whose ways the order of stores depends
        self.local_loads: set[int] = set()  # what they give depends on stores
        self.recall = Recall()
        # Of what an atomic gives lanes, by its atom: the counter, and what each adds to it.
        self.tickets: dict[int, tuple[Form, Form]] = {}
        # What verdicts ask for again and again, once nothing here changes any more.
        self.addresses: dict[int, Form] = {}  # by the site's ordinal
        self.joined_tickets: dict[int, bool] = {}  # whether nvcc joins the atomic
        self.unit_strides: dict[int, tuple[str, ...]] = {}  # those taken for 1, by the same
        self.last_strides: frozenset[str] | None = None  # names of those that are likely 1
        self.first_loads: dict[int, frozenset[tuple[int, int, Form]]] = {}  # by block
        self.loads_ahead: dict[int, dict[int, Load]] = {}  # of other effects, by block
        self.load_mates: dict[tuple[int, int], Mapping[int, tuple[Load, ...]]] = {}  # by blocks
        self.parting_calls: list[tuple[int, int, frozenset[int]]] | None = None
        self.bounds_taken: dict[int, tuple[Form, ...]] = {}  # by block
        self.constants = Constants(module, self.warp)
        # Values of constants by their identity; with the operand, so that no other takes its place.
        self._constants: dict[int, tuple[Operand, Value]] = {}
        # When each value was last computed and last changed, by the clock ``warp.version``, and
        # what it was computed from: an instruction whose inputs did not change is not run again.
        self.computed_at = [-1] * function.value_count
        self._changed_at = [0] * function.value_count
        self._atoms_of: list[tuple[Atom, ...]] = [()] * function.value_count
        self._inputs: list[tuple[int, ...]] = [()] * function.value_count
        self.operands: list[tuple[Operand, ...]] = [()] * function.value_count
        self._within: dict[int, tuple[int, int, int]] = {}  # see ``note_within``
        self.tangled_at = 0
        self.shortening = False  # see ``ops.shorten``
        self._masks_at = 0
        for block in function.blocks:
            for instruction in block.instructions:
                self.block_of[instruction.index] = block.index
                operands = structure.operands(instruction)
                self.operands[instruction.index] = operands
                self._inputs[instruction.index] = tuple(
                    o.index for o in operands if isinstance(o, Local)
                )
        self.arguments = KernelArguments(self)
        self.arguments.bind(arguments)

    def forget(self) -> None:
        """Let go of everything; the state is no good for anything then. It and its parts know each
        other, so that they would be kept until the next collection of garbage: while a unit is
        analysed there is none.
        """
        self.__dict__.clear()

    # --- what has changed -------------------------------------------------------------------

    def set_mask(self, block: int, mask: Predicate) -> None:
        """The lanes that are active in a block."""
        if mask != self.masks[block]:
            self.note_change()
            self._masks_at = self.warp.version
        self.masks[block] = mask

    def set_value(self, index: int, value: Value) -> None:
        """What value ``index`` is found to be."""
        old = self.env[index]
        if value == old and _same_range(value, old):
            return
        self.env[index] = value
        self.note_change()
        self._changed_at[index] = self.warp.version
        self._atoms_of[index] = self.atoms_in(value)

    def note_within(self, index: int, block: int | None, bounds: tuple[int, int]) -> None:
        """Value ``index`` keeps ``bounds`` wherever ``block`` dominates, or (None) nowhere."""
        new = None if block is None else (block, *bounds)
        if self._within.get(index) == new:
            return
        if new is None:
            del self._within[index]
        else:
            self._within[index] = new
        self.note_change()
        self._changed_at[index] = self.warp.version

    def note_change(self) -> None:
        """Something changed that blocks after this one, or around it, may depend on."""
        self.warp.version += 1

    def is_current(self, index: int) -> bool:
        """Whether nothing that instruction ``index`` reads changed since it was last run."""
        stamp = self.computed_at[index]
        if stamp < self.tangled_at:
            return False
        if index in self.local_loads and stamp < max(self.arrays.changed_at, self._masks_at):
            return False
        for source in self._inputs[index]:
            if self._changed_at[source] > stamp:
                return False
            for atom in self._atoms_of[source]:
                if atom.changed_at > stamp:
                    return False
        return True

    def keep_addresses(self, index: int, value: Value | None) -> None:
        """Have no address of a thread's own array get lost between what value ``index`` is made of
        and the value.
        """
        if self.arrays.any_known:
            values = (self.env[source] for source in self._inputs[index])
            self.arrays.follow([v for v in values if v is not None], value)

    def atoms_in(self, value: Value) -> tuple[Atom, ...]:
        """All atoms whose facts a value's meaning rests on."""
        if isinstance(value, Aggregate):
            return tuple(a for element in value.elements for a in self.atoms_in(element))
        if isinstance(value, Form):
            return tuple(self.warp.atoms[n] for m, _ in value.terms for n in m)
        return ()

    def going(self, source: int, target: int) -> Array | None:
        """The lanes that go from one block to another, 0 where they surely do not; None: none do.
        What is made of it is forgotten when it changes, see ``ways_changed``.
        """
        self._asked_ways.add(source)
        edge = self.edges.get((source, target))
        return None if edge is None else self.warp.space.array(edge.lanes)

    def settled(self, block: int) -> bool:
        """Whether it is known which lanes go where at the end of a block, if any come there."""
        self._asked_ways.add(block)
        condition = self.conditions.get(block)
        if condition is None or condition.shape is not Shape.EXACT:
            return False
        return not ops.has_lane(condition.lanes, 2)

    def ways_changed(self, block: int) -> None:
        """Lanes may go other ways from a block than they were known to."""
        if block in self._asked_ways:
            self._asked_ways.clear()
            self.staged.forget_order()
            self.arrays.forget_order()

    # --- values ------------------------------------------------------------------------------

    def loops_at(self, index: int) -> frozenset[int]:
        """Headers of the loops around a block."""
        return frozenset(self.structure.loops_of[index])

    def array_name(self, address: Form) -> str:
        """Name of the array that an address points into, "" when unknown."""
        base = self.arrays.base(address)
        return self.warp.atoms[base].name if base is not None else ""

    def name_of(self, index: int) -> str:
        """Source name of a value, where known."""
        return self.function.local_names.get(index, "")

    def unknown_of(
        self,
        type_: Type,
        key: object,
        name: str,
        cause: Cause,
        *,
        varying: bool,
        loops: frozenset[int] = frozenset(),
        data: bool = False,
        space: str = "",
        residue: Congruence | None = None,
        bounds: tuple[int, int] | None = None,
        likely: Congruence | None = None,
    ) -> Value:
        """An unknown of any type: one atom per scalar in it."""
        if isinstance(type_, VectorType | _ArrayType):
            count = min(type_.count, MAX_AGGREGATE)
            return Aggregate(
                tuple(
                    self.unknown_of(type_.element, (key, n), name, cause, varying=varying,
                                    loops=loops, data=data)
                    for n in range(count)
                )
            )  # fmt: skip
        if isinstance(type_, StructType):
            return Aggregate(
                tuple(
                    self.unknown_of(element, (key, n), name, cause, varying=varying, loops=loops,
                                    data=data)
                    for n, element in enumerate(type_.elements[:MAX_AGGREGATE])
                )
            )  # fmt: skip
        if isinstance(type_, IntType) and type_.bits == 1:
            shape = Shape.UNIFORM
            if varying:
                shape = Shape.DATA if data else Shape.OTHER
            known = name if cause is Cause.PARAMETER and not varying else ""
            return Predicate(2, shape, key, name, loops, name=known)
        if isinstance(type_, PointerType) and bounds is None:
            bounds = (0, 1 << 62)
        return self.warp.atom(
            key, scalar_bits(type_), name, cause, varying=varying, loops=loops, data=data,
            space=space, residue=residue, bounds=bounds, likely=likely,
        )  # fmt: skip

    def value(self, operand: Operand, block: int) -> Value:
        """Value of an operand as seen in ``block``.

        Raises ``NotReadyError`` while it was not computed yet, as ``form`` and ``predicate`` do.
        """
        value = self.value_so_far(operand, block)
        if value is None:
            raise NotReadyError
        return value

    def value_so_far(self, operand: Operand, block: int) -> Value | None:
        """Value of an operand as seen in ``block``; None while it was not computed yet."""
        if isinstance(operand, Local):
            value = self.env[operand.index]
            if value is None:
                return self._unfollowed(operand.index) if operand.index in self.unneeded else None
            if operand.index in self._within:
                value = self._narrowed(value, operand.index, block)
            if self.shortening and isinstance(value, Form) and len(value.terms) > LONG:
                value = ops.shorten(self.warp, value, ("short", operand.index))
            home = self.block_of.get(operand.index)
            if home is None or home == block or not self.divergent_loops:
                return value
            return after_exit(self, value, operand.index, home, block)
        constant = self._constants.get(id(operand))
        if constant is None:
            constant = self._constants[id(operand)] = (operand, self.constants.value(operand))
        return constant[1]

    def _unfollowed(self, index: int) -> Value:
        value = self.env[index] = self.unknown_of(
            self.definition(index).type, ("unneeded", index), "a value that no address depends on",
            Cause.MEMORY, varying=True, data=True,
        )  # fmt: skip
        return value

    def _narrowed(self, found: Value, index: int, block: int) -> Value:
        """A counter behind its loop's test."""
        behind, lo, hi = self._within[index]
        if not isinstance(found, Form) or not self.structure.dominates(behind, block):
            return found
        lo, hi = max(lo, found.lo), min(hi, found.hi)
        if lo > hi or (lo, hi) == (found.lo, found.hi):
            return found
        return Form(found.bits, found.terms, found.const, lo, hi)

    def definition(self, index: int) -> Instruction:
        """The instruction that computes a value (not an argument)."""
        block = self.function.blocks[self.block_of[index]]
        return block.instructions[index - block.instructions[0].index]

    def form(self, operand: Operand, block: int, bits: int) -> Form:
        """An operand as an integer form of ``bits`` bits."""
        value = self.value(operand, block)
        if isinstance(value, Predicate):
            return ops.choice(self.warp, value, bits)
        if isinstance(value, Aggregate):
            return ops.unknown(self.warp, ("packed", value, bits), bits, (value,), "packed vector")
        if value.bits != bits:
            if isinstance(operand, Local):
                return ops.truncate(self.warp, value, bits) if value.bits > bits else value
            return Form(bits, value.terms, value.const, value.lo, value.hi)
        return value

    def predicate(self, operand: Operand, block: int, key: int) -> Predicate:
        """An operand as a truth value."""
        value = self.value(operand, block)
        if isinstance(value, Predicate):
            return value
        if isinstance(value, Form):
            zero = self.warp.constant(0, value.bits)
            return ops.compare(self.warp, "ne", value, zero, ("truth", key))
        return ops.unknown_predicate(self.warp, (value,), ("truth", key))
