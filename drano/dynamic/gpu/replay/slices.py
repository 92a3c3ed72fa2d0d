"""The part of a kernel that makes its addresses and branches: enough to count its accesses.

Means: a slice goes backward from the addresses of all measured accesses, and from the branches that
decide which of them are made. Reads of an array belong to it where they decide, and then so do the
kernel's own stores to that array; so do shared memory, a thread's own memory and barriers, where
something needed is read from there. All other loads, stores and computations are left out.
Assumptions: those of ``repeatable``, whose facts tell which branches decide nothing.
Limits: there is no slice of a kernel in which floating-point arithmetic decides (a GPU may contract
it), or what lanes exchange; in which a thread may read what another one has stored in an array; or
in which an address may or may not be in shared memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from drano.dynamic.gpu.replay.address_roots import Root
from drano.dynamic.gpu.replay.device_math import is_asked
from drano.dynamic.gpu.replay.repeatable import Decided, Flow, is_steady_register
from drano.dynamic.instrument.measured_sites import measured_sites, pointer_space
from drano.ir import model as m
from drano.ir.intrinsics import Barrier, intrinsic
from drano.ir.target import SPECIAL_REGISTER, AddressSpace
from drano.ir.uses import operands_of

MOST_NEEDED, MOST_CONTENTS = 6000, 12
_DEEPEST = 12
_SPACES = frozenset((AddressSpace.GLOBAL, AddressSpace.SHARED, AddressSpace.CONSTANT))
_CASTS = frozenset(
    ("trunc", "zext", "sext", "ptrtoint", "inttoptr", "bitcast", "addrspacecast", "fpext",
     "sitofp", "uitofp", "fptosi", "fptoui")
)  # fmt: skip
_CALLS = (
    "llvm.abs.", "llvm.smin.", "llvm.smax.", "llvm.umin.",
    "llvm.umax.", "llvm.ctpop.", "llvm.ctlz.", "llvm.cttz.", "llvm.bswap.", "llvm.bitreverse.",
    "llvm.fshl.", "llvm.fshr.", "llvm.nvvm.mulhi.", "llvm.nvvm.mul24.", "__nv_popc", "__nv_clz",
    "__nv_brev", "__nv_ffs", "__nv_abs", "__nv_min", "__nv_max", "__nv_umin", "__nv_umax",
    "__nv_mulhi", "__nv_umulhi", "__nv_mul24", "__nv_umul24", "__nv_sad", "__nv_usad",
)  # fmt: skip
_SATURATED = (m.IntType(32), m.IntType(64))
_BLOCK = SPECIAL_REGISTER + "ctaid."
_BARRIERS = frozenset((Barrier.BLOCK, Barrier.PART, Barrier.WARP))


class Slice(Struct, frozen=True):
    """``needed``: instructions that stay; of the terminators, those whose condition does.
    ``contents``: the arrays that are read, in the order of their numbers; ``reads``, ``writes``:
    the number of the array, by instruction. ``variables``: in global or constant memory, whose
    addresses are needed. ``asked``: calls of which only the GPU knows what they give.
    """

    needed: frozenset[int]
    contents: tuple[Root, ...]
    reads: Mapping[int, int]
    writes: Mapping[int, int]
    variables: frozenset[str]
    asked: frozenset[int]


class _NotHereError(Exception):
    """Something decides that the host cannot know."""


class _AlsoReadError(Exception):
    """The content of one more array decides."""

    def __init__(self, root: Root) -> None:
        super().__init__(root)
        self.root = root


def slice_of(
    module: m.Module, kernel: m.Function, decided: Decided, *, flushes: bool = False
) -> Slice | None:
    """None where there is none. Its contents may be more than those that decide at first: where the
    kernel stores to one of these what it has read from another array. ``flushes``: the GPU takes
    denormal numbers for 0.
    """
    contents = decided.key.contents
    while len(contents) <= MOST_CONTENTS:
        try:
            return _Slicer(module, kernel, decided.flow, contents, flushes).sliced()
        except _AlsoReadError as also:
            contents |= {also.root}
        except _NotHereError:
            return None
    return None


class _Slicer:
    """Used once."""

    def __init__(
        self,
        module: m.Module,
        kernel: m.Function,
        flow: Flow,
        contents: frozenset[Root],
        flushes: bool,
    ) -> None:
        self.flushes = flushes
        self.module = module
        self.kernel = kernel
        self.flow = flow
        self.contents = tuple(sorted(contents))
        self.needed: set[int] = set()
        self.reads: dict[int, int] = {}
        self.writes: dict[int, int] = {}
        self.pending: list[m.Operand] = []
        self.variables: set[str] = set()
        self.asked: set[int] = set()
        self.communicates = False

    def sliced(self) -> Slice:
        for placed in measured_sites(self.module, self.kernel, 0):
            if placed.site.space not in _SPACES:
                raise _NotHereError
            self.pending.append(placed.pointer)
            if isinstance(placed.instruction, m.MemoryCopy | m.MemoryFill):
                self.pending.append(placed.instruction.length)
        self._branches()
        self._close()
        while self._stores():
            self._close()
        if self._shares():
            raise _NotHereError
        if self.communicates or self.writes:
            self.needed |= {
                i.index
                for i in self.flow.definitions.values()
                if isinstance(i, m.Call) and intrinsic(i.callee or "").barrier in _BARRIERS
            }
        if len(self.needed) > MOST_NEEDED:
            raise _NotHereError
        return Slice(
            frozenset(self.needed), self.contents, self.reads, self.writes,
            frozenset(self.variables), frozenset(self.asked),
        )  # fmt: skip

    def _branches(self) -> None:
        """Those that decide. Of the others no access hangs, but a loop has to end."""
        structure = self.flow.structure
        if structure.irregular:
            raise _NotHereError
        for block in self.kernel.blocks:
            end = block.terminator
            match end:
                case m.Branch(condition=value) | m.Switch(value=value):
                    fact = self.flow.of(value)
                case m.Jump() | m.Return() | m.Unreachable():
                    continue
                case _:
                    raise _NotHereError
            if not fact.is_open and fact.contents <= set(self.contents):
                self.needed.add(end.index)
                self.pending.append(value)
                continue
            around = [structure.loops[h].body for h in structure.loops_of[block.index]]
            if any(t not in body for body in around for t in block.successors):
                raise _NotHereError

    def _close(self) -> None:
        while self.pending:
            operand = self.pending.pop()
            match operand:
                case m.Local(index=index):
                    definition = self.flow.definitions.get(index)
                    if definition is not None and index not in self.needed:
                        self.needed.add(index)
                        self._take(definition)
                        self.pending += operands_of(definition)
                case m.GlobalAddress(name=name):
                    variable = self.module.globals.get(name)
                    if variable is None:
                        raise _NotHereError
                    if variable.space != AddressSpace.SHARED:
                        self.variables.add(name)
                case m.OtherConst() | m.FunctionAddress():
                    raise _NotHereError
                case m.VectorConst(elements=elements):
                    self.pending += elements

    def _take(self, i: m.Instruction) -> None:
        """Refuses what the host cannot compute as the GPU does."""
        match i:
            case m.Load():
                self._load(i)
            case m.Binary(type=type_) if not _is_floating(type_):
                pass
            case m.Compare(floating=True) | m.Cast(op="fptosi" | "fptoui" | "fpext") if (
                self.flushes
            ):
                raise _NotHereError
            case m.Cast(op="ptrtoint", value=value) if self.flow.roots.is_private(value):
                raise _NotHereError  # shared memory, and a thread's own, lie elsewhere
            case m.Cast(op="fptosi" | "fptoui", type=type_) if type_ not in _SATURATED:
                raise _NotHereError
            case m.Cast(op=op) if op in _CASTS:
                pass
            case m.Call() if not self.flushes and is_asked(i, self.flow.definitions):
                self.asked.add(i.index)
            case m.Call(callee=str(callee), type=type_) if _is_done_here(callee):
                if _is_floating(type_):
                    raise _NotHereError
            case m.Atomic(pointer=pointer) if self.flow.roots.is_private(pointer):
                self.communicates = True
            case (
                m.Compare() | m.Select() | m.Phi() | m.Gep() | m.Freeze() | m.Alloca()
                | m.ExtractValue() | m.InsertValue() | m.ExtractElement() | m.InsertElement()
                | m.ShuffleVector()
            ):  # fmt: skip
                pass
            case _:
                raise _NotHereError

    def _load(self, load: m.Load) -> None:
        if self.flow.roots.is_private(load.pointer):
            self.communicates = True
            return
        space = pointer_space(load.pointer, self.flow.definitions, self.kernel, self.module.globals)
        if space == AddressSpace.PARAM:
            return
        number = self._number(load.pointer)
        if number is None:
            raise _NotHereError
        self.reads[load.index] = number

    def _number(self, pointer: m.Operand) -> int | None:
        """Of the one array that the address is in, among those that decide."""
        roots = self.flow.roots.of(pointer)
        if len(roots) != 1 or roots[0].variable:
            return None
        if roots[0] not in self.contents:
            raise _AlsoReadError(roots[0])
        return self.contents.index(roots[0])

    def _stores(self) -> bool:
        """Stores to where something needed is read from; whether there are more now."""
        before = len(self.needed)
        read = set(self.reads.values())
        for i in self.flow.definitions.values():
            if not isinstance(i, m.Store | m.Atomic | m.MemoryCopy | m.MemoryFill):
                continue
            if i.index in self.needed:
                continue
            if self.flow.roots.is_private(i.pointer):
                if self.communicates:
                    self._keep_store(i)
                continue
            roots = self.flow.roots.of(i.pointer)
            numbers = [self.contents.index(root) for root in roots if root in self.contents]
            if not read.intersection(numbers):
                continue
            number = self._number(i.pointer)
            if number is None or not isinstance(i, m.Store):
                raise _NotHereError
            self.writes[i.index] = number
            self._keep_store(i)
        return len(self.needed) > before

    def _keep_store(self, i: m.Store | m.Atomic | m.MemoryCopy | m.MemoryFill) -> None:
        """What is stored, and whether it is, decides then."""
        for fact in (self.flow.control_of(i), *map(self.flow.of, operands_of(i))):
            if fact.is_open or isinstance(i, m.MemoryCopy):
                raise _NotHereError
            for root in sorted(fact.contents.difference(self.contents)):
                raise _AlsoReadError(root)
        self.needed.add(i.index)
        self.pending += operands_of(i)

    def _shares(self) -> bool:
        """Whether a thread may read from an array what another one has stored there: then the
        order decides. Not if all that it reads and stores there is at one and the same index, each
        thread's own or the block's: one that is made of the block's number.
        """
        for number in set(self.writes.values()):
            places = {
                self._place(self._pointer(index))
                for table in (self.reads, self.writes)
                for index, array in table.items()
                if array == number
            }
            if len(places) > 1 or None in places or not all(map(_is_of_a_block, places)):
                return True
        return False

    def _pointer(self, index: int) -> m.Operand:
        i = self.flow.definitions[index]
        assert isinstance(i, m.Load | m.Store)
        return i.pointer

    def _place(self, operand: m.Operand, depth: int = _DEEPEST) -> object:
        """How an address is computed, equal for addresses that are, from parameters and the number
        of the thread; None where it is computed from other things.
        """
        if not isinstance(operand, m.Local) or operand.index < len(self.kernel.args):
            return operand
        i = self.flow.definitions[operand.index]
        below = [self._place(o, depth - 1) for o in operands_of(i)] if depth else [None]
        if None in below:
            return None
        match i:
            case m.Gep(offset=offset, steps=steps):
                return ("gep", offset, *(step.stride for step in steps), *below)
            case m.Binary(op=op):
                return (op, *below)
            case m.Cast(op=op, type=type_):
                return (op, type_, *below)
            case m.Call(callee=str(callee)):
                return (callee, *below)
        return None


def _is_done_here(callee: str) -> bool:
    """Whether the host can do what a call does."""
    return is_steady_register(callee) or callee.startswith(_CALLS)


def _is_of_a_block(place: object) -> bool:
    """Whether the block's number is in it."""
    if isinstance(place, tuple):
        return any(map(_is_of_a_block, place))
    return isinstance(place, str) and place.startswith(_BLOCK)


def _is_floating(type_: m.Type) -> bool:
    match type_:
        case m.FloatType():
            return True
        case m.VectorType(element=element) | m.ArrayType(element=element):
            return _is_floating(element)
        case m.StructType(elements=elements):
            return any(_is_floating(element) for element in elements)
    return False
