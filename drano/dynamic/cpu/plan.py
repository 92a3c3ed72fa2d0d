"""How a function is divided: nodes that the scheduler runs, steps in a node, arrays for values.

Means: a *node* is a block, or the part of one up to a barrier: code that runs without regard to the
progress of other lanes. A node is a list of *steps*, each one loop over the lanes. Lanes stay in
lock step because a store, an atomic or any other effect has a step of its own: all lanes finish the
loads of earlier steps first. Values that a later step needs live in arrays, one element a lane.
Address arithmetic moves to the earliest step possible, so that independent loads share a step.
Assumptions: numbers of a loop's nodes are contiguous, and others are in topological order, so that
running the lowest node with lanes makes lanes meet where their paths join.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from drano.dynamic.cpu.device_function import FunctionSource, memory_align, memory_size
from drano.dynamic.cpu.lane_memory import aligned, lane_memory
from drano.dynamic.cpu.recipes import Recipe, Role, recipe_of
from drano.dynamic.instrument.counting_calls import ACCESS, ACCESS_RANGE
from drano.ir import model as m
from drano.ir.loops import Component, Order, weak_topological_order
from drano.ir.read.decode_control import successors
from drano.ir.uses import operands_of
from drano.model.hardware import WARP_SIZE

SLOT_ALIGN = 64
STACK_BYTES = 8192
"""Local memory for the functions that a kernel calls, for each lane."""
_MARK_ARRAYS = {ACCESS: (1,), ACCESS_RANGE: (1, 2)}


class Mark(Struct, frozen=True):
    """A counting call: ``pointer`` its operand; ``text`` the same as printed; ``range``: length
    operand text and chunk size for copies of memory.
    """

    site: int
    pointer: m.Operand
    instruction: int


class Step(Struct):
    """``before``: counting calls and accesses of memory (by instruction), each done for all lanes;
    then one loop over the lanes with ``instructions`` in program order. ``ends``: the block's
    terminator belongs to it; ``conditional``: the loop may only touch active lanes.
    """

    before: list[Mark | int] = field(default_factory=list)
    instructions: list[int] = field(default_factory=list)
    ends: bool = False
    conditional: bool = False

    def accesses(self) -> list[int]:
        """The accesses of memory among ``before``."""
        return [item for item in self.before if isinstance(item, int)]


class _Floors(Struct):
    """The lowest level for what keeps its order; ``place`` moves them."""

    current: int = 0
    memory: int = 0

    def place(self, role: Role, needed: int, top: int) -> int:
        """The level of an instruction of ``role`` that its operands allow from ``needed`` on."""
        match role:
            case Role.MEMORY:
                needed = max(needed, self.memory)
                self.memory = needed
            case Role.EFFECT:
                needed = max(needed, self.current, self.memory)
                self.memory = needed + 1
            case Role.END:
                return max(needed, self.current, top)
            case Role.PRIVATE:
                needed = max(needed, self.current)
                self.memory = max(self.memory, needed + 1)
            case _:
                needed = max(needed, self.current)
        self.current = max(self.current, needed)
        return needed


class Node(Struct, frozen=True):
    """``together``: text of the mask of lanes that must meet before it runs, None for most;
    ``barrier``: the instruction that ends it, None when the block's terminator does.
    """

    number: int
    block: int
    steps: tuple[Step, ...]
    together: int | None
    barrier: int | None


class Slot(Struct, frozen=True):
    """Where a value's array lies in the frame: ``offset`` in bytes, ``size`` of one element."""

    offset: int
    size: int
    align: int


class Plan(Struct, frozen=True):
    """``first_node``: of each block, by its index; ``slots`` by value; ``frame_bytes``: behind the
    scheduler's own state, which has ``state_bytes``; ``predicates``: offset of the predicate
    arrays; ``allocas``: offset of each within a lane's local memory; ``lasting``: values that other
    nodes than their own use.
    """

    nodes: tuple[Node, ...]
    first_node: Mapping[int, int]
    recipes: Mapping[int, Recipe]
    slots: Mapping[int, Slot]
    predicates: int
    splat: int
    frame_bytes: int
    allocas: Mapping[int, int]
    local_bytes: int
    repeated: frozenset[int]
    lasting: frozenset[int]


def state_layout(nodes: int) -> tuple[int, int, int, int, int]:
    """Offsets of the sets of runnable nodes, of those behind a barrier and of those whose lanes
    wait for others, of the lanes pending at each node, and the end of the scheduler's state.
    """
    words = -(-nodes // 64) * 8
    runnable = 32
    pending = runnable + 3 * words
    end = aligned(pending + 4 * nodes, SLOT_ALIGN)
    return runnable, runnable + words, runnable + 2 * words, pending, end


def make_plan(source: FunctionSource) -> Plan:
    """Cut ``source``; IRError for what it holds that cannot be lowered."""
    recipes = {
        i.index: recipe_of(source, i)
        for block in source.function.blocks
        for i in block.instructions
    }
    order = _flat(weak_topological_order([b.successors for b in source.function.blocks]))
    planner = _Planner(source, recipes, order)
    return planner.plan()


def _flat(order: Order) -> list[int]:
    result: list[int] = []
    stack: list[int | Component] = list(reversed(order))
    while stack:
        item = stack.pop()
        if isinstance(item, Component):
            result.append(item.head)
            stack.extend(reversed(item.body))
        else:
            result.append(item)
    return result


class _Planner:
    """Makes one plan; used once."""

    def __init__(
        self, source: FunctionSource, recipes: dict[int, Recipe], order: list[int]
    ) -> None:
        self.source = source
        self.recipes = recipes
        self.order = order
        self.arrays = {
            i: self._array_operands(i)
            for i, recipe in recipes.items()
            if recipe.arrays or recipe.mask is not None or recipe.role in (Role.MARK, Role.MEMORY)
        }
        needed = {v for values in self.arrays.values() for v in values}
        self.repeated = frozenset(
            i for i, r in recipes.items() if r.role is Role.REPEATED and i not in needed
        )

    def _array_operands(self, index: int) -> tuple[int, ...]:
        instruction = self.source.definitions[index]
        recipe = self.recipes[index]
        if recipe.role is Role.MEMORY:
            return tuple(o.index for o in operands_of(instruction) if isinstance(o, m.Local))
        assert isinstance(instruction, m.Call)
        numbers = _MARK_ARRAYS.get(instruction.callee or "", recipe.arrays)
        operands = [instruction.args[n] for n in numbers]
        if recipe.mask is not None:
            operands.append(instruction.args[recipe.mask])
        return tuple(o.index for o in operands if isinstance(o, m.Local))

    def _is_argument(self, value: int) -> bool:
        return value < len(self.source.function.args)

    def plan(self) -> Plan:
        nodes: list[Node] = []
        first: dict[int, int] = {}
        for block_index in self.order:
            first[block_index] = len(nodes)
            for part, together, barrier in self._parts(block_index):
                steps = self._steps(part)
                nodes.append(Node(len(nodes), block_index, steps, together, barrier))
        return self._lay_out(tuple(nodes), first)

    # --- nodes -------------------------------------------------------------------------------

    def _parts(self, block_index: int) -> Iterable[tuple[list[int], int | None, int | None]]:
        """The instructions of a block up to each barrier; ``together`` where lanes must meet."""
        part: list[int] = []
        together: int | None = None
        met: set[str] = set()
        for instruction in self.source.function.blocks[block_index].instructions:
            index = instruction.index
            recipe = self.recipes[index]
            if recipe.role in (Role.PHI, Role.DROPPED) or index in self.repeated:
                continue
            if recipe.mask is not None:
                assert isinstance(instruction, m.Call)
                mask = repr(instruction.args[recipe.mask])
                if mask not in met:
                    met.add(mask)
                    yield part, together, None
                    part, together = [], index
            part.append(index)
            if recipe.role in (Role.BARRIER, Role.STOP):
                yield part[:-1], together, index
                part, together = [], None
                met.clear()
        yield part, together, None

    # --- steps -------------------------------------------------------------------------------

    def _steps(self, part: list[int]) -> tuple[Step, ...]:
        level: dict[int, int] = {}
        steps: list[Step] = [Step()]
        early = self._address_slice(part)
        floor = _Floors()
        marks: list[Mark] = []
        for index in part:
            role = self.recipes[index].role
            if role is Role.MARK:
                marks.append(self._mark(index))
                continue
            needed = max((level[v] for v in self.source.locals_of(index) if v in level), default=0)
            arrays = self.arrays.get(index, ())
            needed = max([needed, *(self._after(v, level) for v in arrays if v in level)])
            if role in (Role.MEMORY, Role.EFFECT):
                needed = max([needed, *(self._after(v, level) for v in self._marked(marks, level))])
            if role is Role.END:
                needed = max([needed, *self._exchanged(index, level)])
            if index not in early:
                needed = floor.place(role, needed, len(steps) - 1)
            level[index] = needed
            while len(steps) <= needed:
                steps.append(Step())
            step = steps[needed]
            if role in (Role.MEMORY, Role.EFFECT):
                step.before += marks
                marks = []
            if role is Role.MEMORY:
                step.before.append(index)
            elif role is Role.END:
                step.ends = True
            else:
                step.instructions.append(index)
                step.conditional |= role in (Role.EFFECT, Role.PRIVATE)
        if marks:
            # Their access was optimised away, or moved behind the join: it counts all the same.
            after = max((self._after(v, level) for v in self._marked(marks, level)), default=0)
            while len(steps) <= after:
                steps[-1].ends, ends = False, steps[-1].ends
                steps.append(Step(ends=ends))
            steps[after].before += marks
        return tuple(steps)

    def _exchanged(self, end: int, level: Mapping[int, int]) -> Iterable[int]:
        """Levels after those at which lanes read each other's phi that the block's end sets."""
        for block in successors(self.source.definitions[end]):
            for instruction in self.source.function.blocks[block].instructions:
                if not isinstance(instruction, m.Phi):
                    break
                for index, at in level.items():
                    crosses = self.recipes[index].role is Role.CROSS
                    if crosses and instruction.index in self.arrays.get(index, ()):
                        yield at + 1

    def _after(self, value: int, level: Mapping[int, int]) -> int:
        """The first level at which the array of ``value`` is complete."""
        return level[value] + (self.recipes[value].role is not Role.MEMORY)

    def _marked(self, marks: list[Mark], level: Mapping[int, int]) -> Iterable[int]:
        values = (v for mark in marks for v in self.source.locals_of(mark.instruction))
        return (v for v in values if v in level)

    def _mark(self, index: int) -> Mark:
        call = self.source.definitions[index]
        assert isinstance(call, m.Call)
        site = call.args[0]
        assert isinstance(site, m.IntConst)
        return Mark(site.value, call.args[1], index)

    def _address_slice(self, part: list[int]) -> set[int]:
        """Arithmetic of this part that the addresses counted in it are made of."""
        inside = set(part)
        found: set[int] = set()
        pending = [v for i in part if i in self.arrays for v in self.arrays[i]]
        while pending:
            value = pending.pop()
            if value in found or value not in inside or self.recipes[value].role is not Role.PURE:
                continue
            found.add(value)
            pending += self.source.locals_of(value)
        return found

    # --- arrays ------------------------------------------------------------------------------

    def _lay_out(self, nodes: tuple[Node, ...], first: dict[int, int]) -> Plan:
        where: dict[int, tuple[int, int]] = {}
        for node in nodes:
            for level, step in enumerate(node.steps):
                for index in (*step.instructions, *step.accesses()):
                    where[index] = (node.number, level)
            if node.barrier is not None:
                where[node.barrier] = (node.number, -1)
        last = self._last_uses(nodes, where)
        slots, end = self._allocate(nodes, where, last)
        allocas, local = lane_memory(self.source, self.recipes)
        predicates = end
        splat = aligned(predicates + 32 * self._most_targets(), SLOT_ALIGN)
        frame = splat + 512 * self._most_operands()
        return Plan(
            nodes, first, self.recipes, slots, predicates, splat, frame, allocas, local,
            self.repeated, frozenset(v for v, use in last.items() if use is None),
        )  # fmt: skip

    def _most_operands(self) -> int:
        calls = [i for i in self.source.definitions.values() if isinstance(i, m.Call)]
        return 4 + max((len(call.args) for call in calls), default=0)

    def _most_targets(self) -> int:
        return max([2, *(len(b.successors) for b in self.source.function.blocks)])

    def _last_uses(
        self, nodes: tuple[Node, ...], where: Mapping[int, tuple[int, int]]
    ) -> dict[int, tuple[int, int] | None]:
        """Last use (node, level) of each value that needs an array; None when a node other than
        its own uses it, so that it must last. Values used in their own step only are not here.
        """
        lasting: set[int] = {i for i, r in self.recipes.items() if r.role is Role.PHI}
        near: dict[int, tuple[int, int]] = {}

        def use(value: int, node: int, level: int, *, array: bool = False) -> None:
            if self._is_argument(value) or value in self.repeated or value in lasting:
                return
            made = where[value]
            if made[0] != node:
                lasting.add(value)
            elif array or made[1] != level or self.recipes[value].role is Role.MEMORY:
                near[value] = max(near.get(value, made), (node, level))

        for node in nodes:
            for level, step in enumerate(node.steps):
                for item in step.before:
                    index = item.instruction if isinstance(item, Mark) else item
                    for value in self.source.locals_of(index):
                        use(value, node.number, level, array=True)
                for index in step.instructions:
                    arrays = self.arrays.get(index, ())
                    for value in self.source.locals_of(index):
                        use(value, node.number, level, array=value in arrays)
                if step.ends:
                    end = self.source.function.blocks[node.block].terminator
                    for value in (*self.source.locals_of(end.index), *self._phi_values(node.block)):
                        use(value, node.number, level)
            for place in (node.together, node.barrier):
                for value in () if place is None else self.source.locals_of(place):
                    use(value, -1, 0)
        return {**near, **dict.fromkeys(lasting)}

    def _phi_values(self, block: int) -> Iterable[int]:
        """Values that ``block`` hands to phis of the blocks after it."""
        for successor in self.source.function.blocks[block].successors:
            for instruction in self.source.function.blocks[successor].instructions:
                if not isinstance(instruction, m.Phi):
                    break
                for operand, origin in instruction.incoming:
                    if origin == block and isinstance(operand, m.Local):
                        yield operand.index

    def _allocate(
        self,
        nodes: tuple[Node, ...],
        where: Mapping[int, tuple[int, int]],
        last: Mapping[int, tuple[int, int] | None],
    ) -> tuple[dict[int, Slot], int]:
        """Lasting values get places of their own; those of one node share places by size."""
        slots: dict[int, Slot] = {}
        end = state_layout(len(nodes))[-1]
        for value, use in last.items():
            if use is None:
                size, align = self._shape(value)
                slots[value] = Slot(end, size, align)
                end = aligned(end + WARP_SIZE * size, SLOT_ALIGN)
        most = end
        by_node: dict[int, list[int]] = {}
        for value, use in last.items():
            if use is not None:
                by_node.setdefault(use[0], []).append(value)
        for values in by_node.values():
            values.sort(key=lambda v: where[v][1])
            free: dict[int, list[int]] = {}
            busy: list[tuple[int, int, int]] = []
            top = end
            for value in values:
                level = where[value][1]
                for entry in [b for b in busy if b[0] < level]:
                    busy.remove(entry)
                    free.setdefault(entry[2], []).append(entry[1])
                size, align = self._shape(value)
                places = free.get(size)
                if places:
                    offset = places.pop()
                else:
                    offset, top = top, aligned(top + WARP_SIZE * size, SLOT_ALIGN)
                until = last[value]
                assert until is not None
                busy.append((until[1], offset, size))
                slots[value] = Slot(offset, size, align)
            most = max(most, top)
        return slots, most

    def _shape(self, value: int) -> tuple[int, int]:
        type_ = self.source.type_of(value)
        return memory_size(type_), memory_align(type_)
