"""The paper's abstract interpretation of one function, to a fixpoint (GPUDrano, CAV'17).

State: one abstract value per SSA value (``values.py``), one active set per block and per edge, and
what has been found to diverge (``divergence.py``). Rules, all the paper's unless they say so:

* constants, ``blockIdx``, sizes and kernel parameters are 0, ``threadIdx.x`` is 1;
* a load from a uniform address is 0, from any other ⊤;
* a branch refines the active set on each side;
* after a thread-dependent branch, what its sides assigned is ⊤; after a uniform one it is the join;
* after a loop that threads leave at different iterations, what the loop computed anew in each
  iteration is ⊤;
* an undefined value at a merge is no value (ours: a program may not depend on it).

Functions that are no kernels (recursive, or called through a pointer) start with every argument ⊤.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from drano.analysis import fixpoint
from drano.analysis.control_structure import Structure
from drano.analysis.paper import calls, values
from drano.analysis.paper.divergence import Divergence
from drano.analysis.paper.invariance import Invariance
from drano.analysis.paper.private_memory import PrivateMemory
from drano.analysis.paper.transfer import TRANSFER
from drano.analysis.paper.values import Reference, Value
from drano.analysis.spaces import pointed_space
from drano.ir.intrinsics import Meaning, meaning
from drano.ir.model import (
    Alloca,
    Argument,
    Atomic,
    Block,
    Branch,
    Call,
    Cast,
    Compare,
    Function,
    GlobalAddress,
    Instruction,
    IntConst,
    IntType,
    Jump,
    Load,
    Local,
    MemoryCopy,
    MemoryFill,
    Module,
    NullConst,
    Operand,
    Phi,
    PointerType,
    Store,
    Switch,
    Type,
    UndefConst,
    VoidType,
)
from drano.ir.target import SPECIAL_REGISTER
from drano.lattice.memory_space import MemSpace
from drano.lattice.paper import values as paper
from drano.lattice.paper.multiplier import TOP, ZERO, Multiplier
from drano.lattice.paper.predicate import (
    ActiveSet,
    Predicate,
    is_uniform,
    join_masks,
    negate,
    reconverge,
    refine,
)
from drano.model.settings import AnalysisOptions

__all__ = ["PaperInterpreter"]

_BOOLEAN = IntType(1)
_ZEROS = tuple(IntConst(0, bits) for bits in (8, 16, 32, 64))
_TID_Y = SPECIAL_REGISTER + "tid.y"


class PaperInterpreter:
    """``run`` once, then read ``value`` and ``masks``.

    ``masks``: active set of each block, None where no thread comes.
    """

    def __init__(
        self, module: Module, function: Function, structure: Structure, options: AnalysisOptions
    ) -> None:
        self.module = module
        self.function = function
        self.structure = structure
        self.options = options
        self.env: list[Value | None] = [None] * function.value_count
        self.masks: list[ActiveSet | None] = [None] * len(function.blocks)
        self.edges: dict[tuple[int, int], ActiveSet] = {}
        self.conditions: dict[int, Predicate] = {}
        self.divergence = Divergence(structure)
        self.private = PrivateMemory(function, structure, self.divergence)
        self.definitions: dict[int, tuple[Instruction, int]] = {
            i.index: (i, block.index) for block in function.blocks for i in block.instructions
        }
        self._invariance = Invariance(structure, self.definitions)
        self._news = False
        # Several threads of a warp share one threadIdx.x once threadIdx.y counts.
        self._one_thread_per_index = not (options.tid_y and self._reads_tid_y())
        for argument in function.args:
            self.env[argument.index] = self._argument(argument)

    def _reads_tid_y(self) -> bool:
        return any(isinstance(i, Call) and i.callee == _TID_Y for i, _ in self.definitions.values())

    def _argument(self, argument: Argument) -> Value:
        kernel = self.function.is_kernel
        if argument.byval_size:
            return Reference(0, MemSpace.PARAM if kernel else MemSpace.LOCAL)
        if not kernel:
            return self._unknown(argument.type)
        return values.of_multiplier(argument.type, ZERO, MemSpace.GLOBAL)

    def _unknown(self, type_: Type) -> Value:
        space = type_.space if isinstance(type_, PointerType) else 0
        return values.of_multiplier(type_, TOP, pointed_space(space))

    # --- the fixpoint ------------------------------------------------------------------------

    def run(self) -> None:
        """Iterate until nothing changes. What nothing defined by then is ⊤, and on it goes."""
        fixpoint.solve(self.structure.schedule, self._update)
        while self._settle_undefined():
            fixpoint.solve(self.structure.schedule, self._update)

    def _settle_undefined(self) -> bool:
        """Make values ⊤ that are still undefined in blocks that run; whether there were any."""
        found = False
        for i, home in self.definitions.values():
            missing = isinstance(i, Phi | Load) and self.env[i.index] is None
            if missing and self.masks[home] is not None:
                self.env[i.index] = self._unknown(i.type)
                found = True
        return found

    def _update(self, index: int) -> bool:
        """Execute one block; whether anything that others see changed."""
        mask = self._mask(index)
        if mask is None:
            return False
        self._news = mask is not self.masks[index]
        self.masks[index] = mask
        block = self.function.blocks[index]
        for instruction in block.instructions:
            value = self._execute(instruction, block)
            if value is None:
                continue
            old = self.env[instruction.index]
            if old is not None:
                value = values.join(old, value)
            if value != old:
                self.env[instruction.index] = value
                self._news = True
        self._leave(block, mask)
        return self._news

    def _execute(self, i: Instruction, block: Block) -> Value | None:
        """The instruction's value; None when it has none, or an operand has none yet."""
        if isinstance(i, Phi):
            return self._phi(i, block)
        if isinstance(i, Alloca):
            return Reference(0, MemSpace.LOCAL)
        if isinstance(i, Jump | Branch | Switch):
            return None
        truth = self._truth(i, block)
        if truth is not None:
            return truth
        operands: list[Value] = []
        for operand in self.structure.operands(i):
            value = self.value(operand, block.index)
            if value is None:
                return None
            operands.append(value)
        transfer = TRANSFER.get(type(i))
        if transfer is not None:
            found = transfer(i, operands)
            return self._counted(found) if isinstance(i, Compare) else found
        return self._effect(i, operands, block)

    def _truth(self, i: Instruction, block: Block) -> Predicate | None:
        """A ``bool`` read back from the byte that it was kept in: ``trunc (zext i1 %b)``."""
        if isinstance(i, Cast) and i.type == _BOOLEAN and i.op == "trunc":
            kept, negated = i.value, False
        elif isinstance(i, Compare) and i.predicate in ("eq", "ne") and i.rhs in _ZEROS:
            kept, negated = i.lhs, i.predicate == "eq"
        else:
            return None
        if not isinstance(kept, Local) or kept.index not in self.definitions:
            return None
        origin, _ = self.definitions[kept.index]
        if not isinstance(origin, Cast) or origin.source_type != _BOOLEAN:
            return None
        value = self.value(origin.value, block.index)
        if not isinstance(value, Predicate) or origin.op not in ("zext", "sext"):
            return None
        return negate(value) if negated else value

    def _counted(self, compared: Value) -> Value:
        """A comparison's result; "at most one thread" needs threadIdx.x to tell threads apart."""
        if self._one_thread_per_index or values.uniform(compared):
            return compared
        return values.top_like(compared)

    def _effect(self, i: Instruction, operands: Sequence[Value], block: Block) -> Value | None:
        match i:
            case Load():
                return self._load(i.pointer, operands[0], i.type, block)
            case Store() if not isinstance(i.value, UndefConst):
                self._store(i.pointer, operands[0], operands[1], block)
            case MemoryFill():
                self._store(i.pointer, operands[0], values.blend(operands[1]), block)
            case MemoryCopy():
                content = self._load(i.source, operands[1], VoidType(), block)
                if content is not None:
                    self._store(i.pointer, operands[0], values.blend(content), block)
            case Atomic():
                return self._unknown(i.type)
            case Call() if meaning(i.callee or "") is Meaning.LOAD and operands:
                return self._load(i.args[0], operands[0], i.type, block)
            case Call():
                return calls.evaluate(i, operands, tid_y=self.options.tid_y)
            case _ if not isinstance(i.type, VoidType):
                return self._unknown(i.type)
            case _:
                pass
        return None

    # --- memory ------------------------------------------------------------------------------

    def _load(self, pointer: Operand, address: Value, type_: Type, block: Block) -> Value | None:
        reference = address if isinstance(address, Reference) else values.UNKNOWN_REFERENCE
        if reference.space is MemSpace.PARAM and isinstance(type_, PointerType):
            space = MemSpace.GLOBAL  # as kernel parameters that are pointers themselves
        else:
            static = type_.space if isinstance(type_, PointerType) else 0
            space = pointed_space(static)
        private = reference.space is MemSpace.LOCAL
        if self.private.holds(pointer):
            content = self.private.load(pointer, block.index)
            if content is None or (reference.stride == 0 and _fits(content, type_)):
                return content
            pointee = values.blend(content)
        else:
            pointee = TOP if private else ZERO
        found = paper.load(paper.Pointer(reference.address, pointee), private=True)
        return values.of_multiplier(type_, found, space)

    def _store(self, pointer: Operand, address: Value, value: Value, block: Block) -> None:
        if self.private.store(pointer, value, block.index, whole=values.uniform(address)):
            self._news = True

    # --- phis --------------------------------------------------------------------------------

    def _phi(self, phi: Phi, block: Block) -> Value | None:
        """What has arrived so far, merged as the branch that parts the ways demands."""
        loop = self.structure.loops.get(block.index)
        entering: dict[Operand, tuple[int, Value]] = {}
        returning: dict[Operand, Value] = {}
        for operand, source in phi.incoming:
            if (source, block.index) not in self.edges or isinstance(operand, UndefConst):
                continue
            value = self.value(operand, block.index)
            if value is None:
                continue
            value = values.coerce(phi.type, value)
            if loop is not None and source in loop.body:
                returning[operand] = value
            else:
                entering[operand] = (source, value)
        tangled = block.index in self.divergence.tangled
        parts: list[Value] = []
        if entering:
            divergent = tangled or block.index in self.divergence.joins
            parts.append(self._merge(phi, block, list(entering.values()), divergent=divergent))
        if returning:
            divergent = tangled or block.index in self.divergence.header_joins
            parts.append(_join(list(returning.values()), divergent=divergent))
        return _join(parts, divergent=tangled) if parts else None

    def _merge(
        self, phi: Phi, block: Block, arriving: list[tuple[int, Value]], *, divergent: bool
    ) -> Value:
        found = [value for _, value in arriving]
        if len(found) == 1 or not divergent:
            return _join(found, divergent=False)
        if all(isinstance(value, Predicate) for value in found):
            return self._short_circuit(phi, block)
        return _join(found, divergent=True)

    def _short_circuit(self, phi: Phi, block: Block) -> Predicate:
        """``a && b`` is a phi of false and b: true in no more threads than come by b's way."""
        for constant in (0, -1):
            ways = [
                (operand, source)
                for operand, source in phi.incoming
                if not (isinstance(operand, IntConst) and operand.value == constant)
            ]
            if len(ways) != 1 or len(phi.incoming) < 2:
                continue
            operand, source = ways[0]
            value = self.value(operand, block.index)
            mask = self.edges.get((source, block.index))
            if not isinstance(value, Predicate) or mask is None:
                continue
            minority = value if constant == 0 else negate(value)
            few = minority in (Predicate.F, Predicate.F_MINUS, Predicate.FF_MINUS)
            if few or mask is ActiveSet.FF_MINUS:
                return Predicate.FF_MINUS if constant == 0 else Predicate.TT_MINUS
        return Predicate.TOP

    # --- masks and divergence ----------------------------------------------------------------

    def _mask(self, index: int) -> ActiveSet | None:
        loop = self.structure.loops.get(index)
        inside = loop.body if loop is not None else frozenset[int]()
        arriving = [
            mask
            for source in self.structure.predecessors[index]
            if source not in inside and (mask := self.edges.get((source, index))) is not None
        ]
        if index == 0:
            return ActiveSet.TOP
        if not arriving:
            return None
        if index in self.divergence.tangled:
            return ActiveSet.TOP
        above = self.divergence.meeting_point(index)
        if above is not None and self.masks[above] is not None:
            return self.masks[above]
        if index in self.divergence.joins:
            before = self.masks[self.structure.idom[index]]
            return reconverge(before or ActiveSet.TOP, arriving)
        return join_masks(arriving)

    def _leave(self, block: Block, mask: ActiveSet) -> None:
        """Masks of the edges out of ``block``."""
        terminator = block.terminator
        if isinstance(terminator, Jump):
            self._edge(block.index, terminator.target, mask)
        elif isinstance(terminator, Branch):
            condition = self.condition(terminator.condition, block.index)
            if condition is None or condition is Predicate.BOTTOM:
                return
            self.conditions[block.index] = condition
            same = terminator.if_true == terminator.if_false
            if mask is ActiveSet.TOP and not is_uniform(condition) and not same:
                self._diverge(block.index)
            for target, taken in (
                (terminator.if_true, condition),
                (terminator.if_false, negate(condition)),
            ):
                if same or taken is not Predicate.F:
                    self._edge(block.index, target, mask if same else refine(mask, taken))
        elif isinstance(terminator, Switch):
            self._switch(terminator, block.index, mask)

    def _switch(self, switch: Switch, index: int, mask: ActiveSet) -> None:
        value = self.value(switch.value, index)
        if value is None:
            return
        number = values.to_multiplier(value)
        if number is not ZERO and mask is ActiveSet.TOP and len(switch.cases) > 0:
            self._diverge(index)
        equal = self._counted(paper.compare("eq", number, ZERO))
        assert isinstance(equal, Predicate)
        cases = Counter(target for _, target in switch.cases)
        for target, count in cases.items():
            one_case = count == 1 and target != switch.default
            self._edge(index, target, refine(mask, equal) if one_case else mask)
        self._edge(index, switch.default, mask)

    def _edge(self, source: int, target: int, mask: ActiveSet) -> None:
        for header in self.structure.loops_of[source]:
            if header in self.divergence.loops and target not in self.structure.loops[header].body:
                # Threads that leave one by one run together after the loop.
                mask = self.masks[header] or mask
        old = self.edges.get((source, target))
        if old is not None:
            mask = join_masks((old, mask))
        if mask is not old:
            self.edges[source, target] = mask
            self._news = True

    def _diverge(self, index: int) -> None:
        if self.divergence.note(index):
            self._news = True

    # --- values ------------------------------------------------------------------------------

    def condition(self, operand: Operand, block: int) -> Predicate | None:
        """An operand as a truth value; None when it was not computed yet."""
        value = self.value(operand, block)
        if value is None or isinstance(value, Predicate):
            return value
        return Predicate.TF if values.uniform(value) else Predicate.TOP

    def value(self, operand: Operand, block: int) -> Value | None:
        """Value of an operand as ``block`` sees it; None when it was not computed yet."""
        if not isinstance(operand, Local):
            return self._constant(operand)
        found = self.env[operand.index]
        if found is None or not (self.divergence.loops or self.divergence.tangled):
            return found
        defined = self.definitions.get(operand.index)
        if defined is None or defined[1] == block:
            return found
        return self._outside(found, operand.index, defined[1], block)

    def _outside(self, found: Value, index: int, home: int, block: int) -> Value:
        """A loop's value used after it: threads that left at different iterations disagree."""
        if home in self.divergence.tangled and block not in self.divergence.tangled:
            return values.top_like(found)
        here = self.structure.loops_of[block]
        for header in self.structure.loops_of[home]:
            if header in here or header not in self.divergence.loops:
                continue
            if self._invariance.varies(index, header):
                return values.top_like(found)
        return found

    def _constant(self, operand: Operand) -> Value:
        if isinstance(operand, IntConst):
            if operand.bits == 1:
                return Predicate.T if operand.value else Predicate.F
            return ZERO
        if isinstance(operand, GlobalAddress):
            variable = self.module.globals.get(operand.name)
            number = variable.space if variable is not None else 0
            return Reference(0, pointed_space(number))
        if isinstance(operand, UndefConst):
            return TOP
        if isinstance(operand, NullConst):
            return Reference(0, MemSpace.BOTTOM)
        return ZERO


def _join(found: list[Value], *, divergent: bool) -> Value:
    """Join of values (one at least), or ⊤ when several come by the sides of a divergent branch."""
    result = found[0]
    for value in found[1:]:
        result = values.join(result, value)
    return values.top_like(result) if divergent and len(found) > 1 else result


def _fits(content: Value, type_: Type) -> bool:
    """Whether ``content`` is a value of ``type_`` already."""
    if isinstance(type_, PointerType):
        return isinstance(content, Reference)
    if type_ == IntType(1):
        return isinstance(content, Predicate)
    return isinstance(content, Multiplier)
