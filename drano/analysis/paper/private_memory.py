"""What a thread's own memory holds: local arrays, and structs passed by value.

Each object that does not escape has one flow-insensitive summary, the join of all that is stored
in it: the paper's pointee. An object escapes when its address is used for anything but loads,
stores, copies and address arithmetic; what an escaped one holds is unknown.

The join is right only where the same threads store and load. So each block gets a *cohort*, a name
for the set of threads that run it, and a store that not all threads took part in which load now
makes the content ⊤. A set that a branch in a loop picks anew in each iteration is never the same.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from drano.analysis.control_structure import Structure
from drano.analysis.paper import values
from drano.analysis.paper.divergence import Divergence
from drano.analysis.paper.values import Value
from drano.ir.intrinsics import Meaning, meaning
from drano.ir.model import (
    Alloca,
    Call,
    Cast,
    Compare,
    Function,
    Gep,
    Instruction,
    Load,
    Local,
    MemoryCopy,
    MemoryFill,
    Operand,
    Store,
)
from drano.ir.uses import operands_of
from drano.lattice.paper.multiplier import TOP, ZERO

_MAX_STORING_BLOCKS: Final = 256
_EVERYONE: Final = -1


class _Content(Struct):
    """``by_block``: join of what each block stores. ``lost``: may hold anything."""

    initial: Value | None
    by_block: dict[int, Value] = field(default_factory=dict)
    lost: bool = False


class PrivateMemory:
    """Contents of the private objects of one function. ``store`` mutates."""

    def __init__(self, function: Function, structure: Structure, divergence: Divergence) -> None:
        self._structure = structure
        self._divergence = divergence
        self._root, objects = _find_objects(function, structure)
        initial = ZERO if function.is_kernel else TOP
        arguments = {argument.index for argument in function.args}
        self._contents = {
            number: _Content(initial if number in arguments else None) for number in objects
        }
        self._cohorts: list[int | None] = []
        self._cohorts_at = -1

    def holds(self, pointer: Operand) -> bool:
        """Whether a pointer is known to be into one private object that does not escape."""
        return isinstance(pointer, Local) and pointer.index in self._root

    def store(self, pointer: Operand, value: Value, block: int, *, whole: bool) -> bool:
        """Note a store; whether it is news. ``whole``: all threads store at one address."""
        if not isinstance(pointer, Local) or pointer.index not in self._root:
            return False
        content = self._contents[self._root[pointer.index]]
        if content.lost:
            return False
        if not whole:
            content.lost = True
            return True
        old = content.by_block.get(block)
        new = value if old is None else _merge(old, value)
        if new == old:
            return False
        content.by_block[block] = new
        content.lost = len(content.by_block) > _MAX_STORING_BLOCKS
        return True

    def load(self, pointer: Operand, block: int) -> Value | None:
        """What threads that run ``block`` find at one address; None: nothing was stored yet."""
        assert isinstance(pointer, Local)
        content = self._contents[self._root[pointer.index]]
        if content.lost:
            return TOP
        found = content.initial
        for source, value in content.by_block.items():
            if not self._took_part(block, source):
                return TOP
            found = value if found is None else _merge(found, value)
        return found

    def _took_part(self, reader: int, writer: int) -> bool:
        """Whether all threads that run ``reader`` have run ``writer`` together, if any has."""
        wanted = self._cohort(writer)
        if wanted is None:
            return False
        block = reader
        while True:
            if self._cohort(block) == wanted:
                return True
            above = self._structure.idom[block]
            if above in (block, -1):
                return wanted == _EVERYONE
            block = above

    def _cohort(self, block: int) -> int | None:
        if self._cohorts_at != len(self._divergence.branches):
            self._cohorts = _name_cohorts(self._structure, self._divergence)
            self._cohorts_at = len(self._divergence.branches)
        return self._cohorts[block]


def _merge(a: Value, b: Value) -> Value:
    """Join; values of different kinds in one object meet as numbers."""
    if type(a) is type(b):
        return values.join(a, b)
    return values.blend(a, b)


def _name_cohorts(structure: Structure, divergence: Divergence) -> list[int | None]:
    """For each block a number for the set of threads that run it; None: no fixed set."""
    cohorts: list[int | None] = [None] * len(structure.successors)
    for block in structure.order:
        cohorts[block] = _cohort_of(block, cohorts, structure, divergence)
    return cohorts


def _cohort_of(
    block: int, cohorts: list[int | None], structure: Structure, divergence: Divergence
) -> int | None:
    if block in divergence.tangled:
        return None
    loop = structure.loops.get(block)
    enclosing = structure.loops_of[block][1 if loop else 0 :]
    fresh = None if enclosing else block
    if loop is not None and block in divergence.loops:
        return fresh
    above = divergence.meeting_point(block)
    if above is not None:
        return cohorts[above]
    inside = loop.body if loop is not None else frozenset[int]()
    sources = [p for p in structure.predecessors[block] if p in structure.rank and p not in inside]
    if block == 0:
        return _EVERYONE
    arriving = {cohorts[source] for source in sources}
    split = any(source in divergence.branches for source in sources)
    if len(arriving) == 1 and not split and block not in divergence.joins:
        return arriving.pop()
    return fresh


# --- which objects do not escape -------------------------------------------------------------


def _find_objects(function: Function, structure: Structure) -> tuple[dict[int, int], set[int]]:
    """Each value that points into an object to that object, and the objects themselves."""
    root = {argument.index: argument.index for argument in function.args if argument.byval_size}
    escaped: set[int] = set()
    # Dominators first: a GEP or a cast comes after what it is applied to.
    instructions = [i for block in structure.order for i in function.blocks[block].instructions]
    for i in instructions:
        base = _passed_on(i)
        if isinstance(i, Alloca):
            root[i.index] = i.index
        elif isinstance(base, Local) and base.index in root:
            root[i.index] = root[base.index]
    for i in instructions:
        harmless = _harmless(i)
        for operand in operands_of(i):
            if isinstance(operand, Local) and operand.index in root and operand not in harmless:
                escaped.add(root[operand.index])
    kept = set(root.values()) - escaped
    return {value: of for value, of in root.items() if of in kept}, kept


def _passed_on(i: Instruction) -> Operand | None:
    """The pointer that ``i`` hands on, moved at most within its object."""
    if isinstance(i, Gep):
        return i.base
    if isinstance(i, Cast) and i.op in ("addrspacecast", "bitcast"):
        return i.value
    return None


def _harmless(i: Instruction) -> tuple[Operand, ...]:
    """Operands of ``i`` whose use does not hand their address to anybody."""
    match i:
        case Gep() | Cast() if (base := _passed_on(i)) is not None:
            return (base,)
        case Load() | MemoryFill():
            return (i.pointer,)
        case Store():
            return (i.pointer,) if i.pointer != i.value else ()
        case MemoryCopy():
            return (i.pointer, i.source)
        case Compare():
            return (i.lhs, i.rhs)
        case Call() if i.callee is not None and meaning(i.callee) is Meaning.NOTHING:
            return i.args
        case _:
            return ()
