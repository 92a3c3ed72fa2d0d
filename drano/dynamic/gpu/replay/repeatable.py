"""Kernels whose counts are the same whenever they are launched with the same numbers.

Means: a forward flow over a kernel's values finds what decides them. A value is *known* when the
launch alone decides it: the shapes, the parameters' bytes, the thread. One read from an array
depends on that array's *content*, too. Results of atomics, clocks and unknown calls are *open*. A
kernel is *repeatable* when nothing open decides the addresses of its counted accesses, or whether
they are made. Then one launch is counted, and others with equal numbers and unchanged contents have
equal counts. Shared memory, and a thread's own, hold what the kernel has stored there: anywhere, at
any time.
A pointer among the parameters stands for a place in an array: as long as all lanes of an access are
in the array of the same pointer, lines and sectors depend only on the pointer's offset in a line of
128 bytes. Where pointers are used otherwise (compared, chosen between), launches are alike only
with the very same pointers.
Assumptions: lanes that diverge run together again from the branch's post-dominator on, as
everywhere in the analysis; variables keep their addresses until the device is reset; an access
stays in the array that its pointer was made from; threads of a block do not race for its shared
memory, so that reads of it repeat.
Limits: what is read from variables in global and constant memory is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.control_structure import Structure
from drano.dynamic.gpu.replay.address_roots import KernelRoots, Root
from drano.dynamic.gpu.replay.written_arrays import is_pure
from drano.dynamic.instrument.measured_sites import measured_sites, pointer_space
from drano.ir import model as m
from drano.ir.intrinsics import Meaning, intrinsic
from drano.ir.target import AddressSpace
from drano.ir.uses import operands_of

PLAIN = "_drano_plain"
"""What the names of kernels without counting end in, which such launches get."""
MOST_INSTRUCTIONS = 20_000
_OfOperands: TypeAlias = (
    m.ValueInstruction | m.ControlInstruction | m.Store | m.MemoryCopy | m.MemoryFill
)
_MOST_CONTENTS = 8
_STEADY = frozenset(("tid", "ntid", "ctaid", "nctaid", "laneid", "warpsize", "lanemask"))
_HARMLESS = ("llvm.", "__nv_")
# Whose result in memory does not depend on who comes first.
_COMMUTE = frozenset(("add", "sub", "and", "or", "xor", "max", "min", "umax", "umin"))


class Parameter(Struct, frozen=True):
    """``size``: bytes, 0 where it does not matter; ``place``: whether only its place in a line
    counts: a pointer.
    """

    size: int
    place: bool


class Key(Struct, frozen=True):
    """What decides the counts of a launch: its parameters, and the contents of arrays."""

    parameters: tuple[Parameter, ...]
    contents: frozenset[Root]


class Fact(Struct, frozen=True):
    """What decides a value. ``place``: the pointer parameter that an address was made from, or
    below 0: the variable of the thread; ``contents``: what was read on the way; ``is_open``: nobody
    knows; ``parameters``: whose bytes decide it.
    """

    place: int | None = None
    contents: frozenset[Root] = frozenset()
    is_open: bool = False
    parameters: frozenset[int] = frozenset()

    @property
    def is_number(self) -> bool:
        """Whether it is no address whose beginning is not told."""
        return self.place is None and not self.is_open


_KNOWN, _OPEN = Fact(), Fact(is_open=True)


def _mixed(place: int | None, facts: Sequence[Fact]) -> Fact:
    found = _mixed_all(facts)
    if len(found.contents) > _MOST_CONTENTS or found.is_open:
        return _OPEN
    return replace(found, place=place)


def _mixed_all(facts: Sequence[Fact]) -> Fact:
    """As ``_mixed``, for as many contents as there are."""
    if any(fact.is_open for fact in facts):
        return _OPEN
    contents = frozenset[Root]().union(*(fact.contents for fact in facts))
    return Fact(None, contents, parameters=frozenset[int]().union(*(f.parameters for f in facts)))


def _both(*facts: Fact) -> Fact:
    """What is decided by all of them."""
    return _OPEN if any(not fact.is_number for fact in facts) else _mixed(None, facts)


def _either(*facts: Fact) -> Fact:
    """Any of them."""
    places = {fact.place for fact in facts}
    return _OPEN if len(places) > 1 else _mixed(next(iter(places), None), facts)


def _under(fact: Fact, control: Fact) -> Fact:
    """Where ``control`` decides whether there is such a value."""
    return _mixed(fact.place, (fact, control))


class Decided(Struct, frozen=True):
    """A kernel of which it is known what decides its counts: its ``key``, and the ``flow`` that
    found it.
    """

    key: Key
    flow: Flow


def repeatable(module: m.Module, kernel: m.Function) -> Decided | None:
    """What decides what a launch of the kernel counts; None: nobody knows."""
    if sum(len(block.instructions) for block in kernel.blocks) > MOST_INSTRUCTIONS:
        return None
    sizes = [argument.byval_size or _size(argument.type) for argument in kernel.args]
    if not all(sizes):
        return None
    pointers = [isinstance(a.type, m.PointerType) and not a.byval_size for a in kernel.args]
    structure = Structure(kernel)
    for places in (pointers, [False] * len(pointers)):
        flow = Flow(module, kernel, structure, places)
        decides = flow.decides()
        if decides is not None:
            found, at = decides
            whole = found.parameters | {root.parameter for root in found.contents}
            key = Key(
                tuple(
                    Parameter(size if k in whole | at else 0, k not in whole and k in at)
                    for k, size in enumerate(sizes)
                ),
                found.contents,
            )
            return Decided(key, flow)
    return None


def _size(type_: m.Type) -> int:
    match type_:
        case m.IntType(bits) | m.FloatType(bits):
            return max(1, bits // 8) if bits & (bits - 1) == 0 else 0
        case m.PointerType():
            return 8
        case m.VectorType(count, element):
            return count * _size(element)
    return 0


def also_reading(kernel: m.Function, key: Key, contents: frozenset[Root]) -> Key:
    """The key of a kernel whose counts depend on the ``contents`` of these arrays, too: on the very
    pointers, then.
    """
    whole = {root.parameter for root in contents}
    sizes = [argument.byval_size or _size(argument.type) for argument in kernel.args]
    parameters = [
        Parameter(size, place=False) if k in whole else known
        for k, (size, known) in enumerate(zip(sizes, key.parameters, strict=True))
    ]
    return Key(tuple(parameters), key.contents | contents)


class Flow:
    """The facts of one kernel's values; used once."""

    def __init__(
        self, module: m.Module, kernel: m.Function, structure: Structure, places: list[bool]
    ) -> None:
        self.module = module
        self.kernel = kernel
        self.structure = structure
        self.roots = KernelRoots(module, kernel)
        self.definitions = {i.index: i for b in kernel.blocks for i in b.instructions}
        self.home = {i.index: b.index for b in kernel.blocks for i in b.instructions}
        self.facts: dict[int, Fact] = {
            k: Fact(k) if place else Fact(parameters=frozenset({k}))
            for k, place in enumerate(places)
        }
        # What decides which threads come to a block, and which phis at its beginning mix.
        self.control: dict[int, Fact] = {}
        self.joins: dict[int, Fact] = {}
        # What shared memory and the thread's own hold.
        self.own = _KNOWN
        self.written = _written(self.definitions.values(), kernel)

    def decides(self) -> tuple[Fact, frozenset[int]] | None:
        """What decides what is counted, and the parameters whose place in a line does; None if
        something open does.
        """
        if not all(_is_harmless(i) for i in self.definitions.values()):
            return None
        self._settle()
        # That kernels of this module call others that count is ruled out above.
        found = _KNOWN
        places: set[int] = set()
        for placed in measured_sites(self.module, self.kernel, 0):
            here = self.control.get(self.home[placed.instruction.index], _KNOWN)
            address = self.of(placed.pointer)
            facts = [found, address, here]
            match placed.instruction:
                case m.MemoryCopy(length=length) | m.MemoryFill(length=length):
                    facts.append(_both(self.of(length)))
            found = _mixed_all(facts)
            if found.is_open:
                return None
            if address.place is not None:
                places.add(address.place)
        return found, frozenset(places)

    def _settle(self) -> None:
        changed = True
        while changed:
            changed = False
            for number in self.structure.order:
                for instruction in self.kernel.blocks[number].instructions:
                    control = self.control.get(number, _KNOWN)
                    new = _under(self._fact(instruction, number), control)
                    index = instruction.index
                    joined = _either(self.facts.get(index, new), new)
                    if index not in self.facts or self.facts[index] != joined:
                        self.facts[index] = joined
                        changed = True
                    changed |= self._keep(instruction, control)
                changed |= self._part(number)

    def _part(self, number: int) -> bool:
        """Until threads meet again, what decides where they go from here decides all."""
        terminator = self.kernel.blocks[number].terminator
        match terminator:
            case m.Branch(condition=value) | m.Switch(value=value):
                fact = _both(self.of(value))
            case _:
                return False
        if fact == _KNOWN:
            return False
        stop = self.structure.ipdom[number]
        pending = [t for t in self.structure.successors[number] if t != stop]
        seen = set(pending)
        while pending:
            more = self.structure.successors[pending.pop()]
            fresh = [t for t in more if t != stop and t not in seen]
            seen.update(fresh)
            pending += fresh
        changed = False
        for table, blocks in ((self.control, seen), (self.joins, {stop})):
            for block in blocks:
                old = table.get(block, _KNOWN)
                new = _under(old, fact)
                changed |= new != old
                table[block] = new
        return changed

    def _keep(self, i: m.Instruction, control: Fact) -> bool:
        """What the instruction may leave in shared memory or in the thread's own."""
        pointer: m.Operand | None
        match i:
            case m.Store(pointer=pointer, value=value):
                left = _both(self.of(value))
            case m.Atomic(pointer=pointer, op=op, operands=operands):
                left = _both(*map(self.of, operands)) if op in _COMMUTE else _OPEN
            case m.MemoryCopy(pointer=pointer):
                left = _OPEN
            case m.MemoryFill(pointer=pointer, value=value, length=length):
                left = _both(self.of(value), self.of(length))
            case m.Call() if not is_pure(i):
                pointer, left = None, _OPEN
            case _:
                return False
        if pointer is not None:
            space = pointer_space(pointer, self.definitions, self.kernel, self.module.globals)
            if space in {AddressSpace.GLOBAL, AddressSpace.PARAM}:
                return False
            address = self.of(pointer)
            left = _mixed(None, (left, address))
        new = _under(self.own, _under(left, control))
        changed = new != self.own
        self.own = new
        return changed

    def control_of(self, i: m.Instruction) -> Fact:
        """What decides which threads come to the instruction."""
        return self.control.get(self.home[i.index], _KNOWN)

    def of(self, operand: m.Operand) -> Fact:
        """What decides the operand's value."""
        if isinstance(operand, m.Local):
            return self.facts.get(operand.index, _KNOWN)
        return _OPEN if isinstance(operand, m.OtherConst) else _KNOWN

    def _fact(self, i: m.Instruction, block: int) -> Fact:
        match i:
            case m.Phi(incoming=incoming):
                # What has not been looked at yet joins later.
                seen = (v for v, _ in incoming if not isinstance(v, m.UndefConst))
                known = [
                    self.of(value)
                    for value in seen
                    if not isinstance(value, m.Local) or value.index in self.facts
                ]
                return _under(_either(*known), self.joins.get(block, _KNOWN))
            case m.Select(condition=condition, if_true=one, if_false=other):
                chosen = _either(self.of(one), self.of(other))
                return _under(chosen, _both(self.of(condition)))
            case m.Gep(base=base, steps=steps):
                return _under(self.of(base), _both(_KNOWN, *(self.of(s.index) for s in steps)))
            case m.Cast(op="addrspacecast" | "bitcast", value=value) | m.Freeze(value=value):
                return self.of(value)
            case m.Compare(lhs=lhs, rhs=rhs, operand_type=m.PointerType()):
                both = (self.of(lhs), self.of(rhs))
                # Of two places in one array the distance is known.
                return _mixed(None, both) if both[0].place == both[1].place else _OPEN
            case m.Load():
                return self._loaded(i)
            case m.Call(callee=str(callee)) if is_steady_register(callee):
                return _KNOWN
            case m.Call(callee=callee) if not _is_number(callee or ""):
                return _OPEN
            case m.Alloca():  # where it is, differs between forms
                return Fact(-1 - i.index)
            case _ if not isinstance(i, _OfOperands):
                return _OPEN
        return _both(*(self.of(o) for o in operands_of(i)))

    def _loaded(self, load: m.Load) -> Fact:
        """A parameter's part that stays what it was, what was stored, or an array's content."""
        address = self.of(load.pointer)
        if address.is_open:
            return _OPEN
        space = pointer_space(load.pointer, self.definitions, self.kernel, self.module.globals)
        if space == AddressSpace.PARAM:
            return _OPEN if self.written else _mixed(None, (address,))
        if self.roots.is_private(load.pointer):
            return _mixed(None, (self.own, address))
        if space != AddressSpace.GLOBAL or load.volatile or load.atomic:
            return _OPEN
        roots = self.roots.of(load.pointer)
        if not roots or any(root.variable for root in roots):
            return _OPEN
        return _mixed(None, (address, Fact(None, frozenset(roots))))


def _written(instructions: Iterable[m.Instruction], kernel: m.Function) -> bool:
    """Whether a parameter by value may be written to: its address is more than read from."""
    by_value = {k for k, argument in enumerate(kernel.args) if argument.byval_size}
    if not by_value:
        return False
    made: Mapping[int, m.Instruction] = {i.index: i for i in instructions}
    while True:
        more = {
            i.index
            for i in made.values()
            if isinstance(i, m.Gep | m.Cast | m.Phi | m.Select | m.Freeze)
            and any(isinstance(o, m.Local) and o.index in by_value for o in operands_of(i))
        } - by_value
        if not more:
            break
        by_value |= more
    for i in made.values():
        read = isinstance(i, m.Load | m.Gep | m.Phi | m.Select | m.Freeze)
        read |= isinstance(i, m.Cast) and i.op != "ptrtoint"
        operands = operands_of(i)
        if isinstance(i, m.MemoryCopy):
            operands = (i.pointer,)  # copied from it may be
        if not read and any(isinstance(o, m.Local) and o.index in by_value for o in operands):
            return True
    return False


def is_steady_register(callee: str) -> bool:
    """Whether a call reads a special register that has the same value in every launch alike."""
    return intrinsic(callee).register.partition(".")[0] in _STEADY


def _is_number(callee: str) -> bool:
    """Whether a call's result depends on its arguments only, or on other lanes', too."""
    known = intrinsic(callee)
    asks_lanes = known.unit == "exchange" and not callee.startswith("llvm.nvvm.activemask")
    return known.meaning is Meaning.PURE or asks_lanes


def _is_harmless(i: m.Instruction) -> bool:
    """Whether the instruction neither counts by itself nor ends threads."""
    if not isinstance(i, m.Call):
        return True
    if i.callee == "asm":
        return not any(word in i.text for word in ("exit", "trap", "bra", "call", "brkpt"))
    return i.callee is not None and i.callee.startswith(_HARMLESS) and not intrinsic(i.callee).ends
