"""Loops whose accesses are known when they are entered.

Means: in a loop whose only branch is its exit, the counter of a lane tells its number of
iterations, which it makes together with the lanes that it entered with, and an address ``start + k
* step`` is known for every iteration ``k``. So nothing is counted inside the loop: on entry all its
requests are worked out (``trip_code``), and the loop stays what the optimiser makes of it.
Assumptions: lanes diverge at branches only and meet where branches join, as on all GPUs.
Limits: innermost loops of kernels with one entry and one exit, without waits, calls or atomics,
whose counter moves by a constant. A number that is widened must not have wrapped: for signed ones
the program says so (``nsw``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from drano.analysis.access_sites import memory_sites
from drano.ir import loops as ir_loops
from drano.ir import model as m
from drano.ir.intrinsics import intrinsic
from drano.ir.loops import loop_nest
from drano.ir.target import AddressSpace
from drano.ir.uses import operands_of

_MOST_DEPTH = 60
_CONSTANT = ("tid.", "ntid.", "ctaid.", "nctaid.")
_SWAPPED = {"slt": "sgt", "sle": "sge", "ult": "ugt", "ule": "uge", "ne": "ne"}
_SWAPPED |= {after: before for before, after in _SWAPPED.items()}
_OPPOSITE = {"slt": "sge", "sle": "sgt", "ult": "uge", "ule": "ugt", "eq": "ne"}
_UP, _DOWN = {"slt", "sle", "ult", "ule"}, {"sgt", "sge", "ugt", "uge"}
_OPPOSITE |= {after: before for before, after in _OPPOSITE.items()}
_Integer: TypeAlias = m.Local | m.IntConst
_Calm: TypeAlias = m.ValueInstruction | m.ControlInstruction | m.Load | m.Store


class Trip(Struct, frozen=True):
    """``entry``: the block that leads to the loop, by name; ``early``: blocks that run once more
    than the loop iterates; ``late``: the others, as often; it iterates while
    ``predicate`` holds of ``test``: a counter, which moves by ``step``, and its bound, ``bits``
    wide; ``constant``: whether the code says how often; ``steps``: by how many bytes the pointer of
    an access moves, by its ordinal: None where only the run can tell. Accesses that are not in it
    move otherwise.
    """

    entry: str
    early: frozenset[str]
    late: frozenset[str]
    predicate: str
    test: tuple[_Integer, _Integer]
    step: int
    bits: int
    constant: bool
    steps: Mapping[int, int | None]


def trips_of(function: m.Function, variables: Mapping[str, m.GlobalVariable]) -> list[Trip]:
    """The loops of a kernel that are like that."""
    if not function.is_kernel:
        return []
    nest = loop_nest([list(block.successors) for block in function.blocks])
    around = {loop.parent for loop in nest.loops}
    definitions = {i.index: i for b in function.blocks for i in b.instructions}
    home = {i.index: b.index for b in function.blocks for i in b.instructions}
    sites = memory_sites(function)
    found = []
    for number, loop in enumerate(nest.loops):
        order = None if number in around else _in_a_row(function, loop)
        if order is None or not all(_is_calm(function.blocks[node]) for node in order):
            continue
        moves = _Moves(definitions, home, loop, variables)
        test = _test(function, loop, order, moves)
        if test is None:
            continue
        mine = [site for site in sites if site.block in loop.body]
        moved = {site.ordinal: moves.of(site.pointer) for site in mine}
        leaves = order.index(loop.exits[0][0])
        names = [function.blocks[node].name for node in order]
        (entry,) = (n for n in function.blocks[loop.header].predecessors if n not in loop.body)
        found.append(
            Trip(
                function.blocks[entry].name, frozenset(names[: leaves + 1]),
                frozenset(names[leaves + 1 :]), *test, moves.is_constant(test[1]),
                {ordinal: move.step for ordinal, move in moved.items() if move is not None},
            )
        )  # fmt: skip
    return found


def _in_a_row(function: m.Function, loop: ir_loops.Loop) -> list[int] | None:
    """The loop's blocks in the order in which every iteration runs them, if it does."""
    blocks = function.blocks
    outside = [n for n in blocks[loop.header].predecessors if n not in loop.body]
    if loop.irreducible or len(loop.exits) != 1 or len(outside) != 1:
        return None
    if not isinstance(blocks[outside[0]].terminator, m.Jump):
        return None
    order = [loop.header]
    while True:
        inside = [n for n in blocks[order[-1]].successors if n in loop.body]
        if len(inside) != 1:
            return None
        if inside[0] == loop.header:
            return order if len(order) == len(loop.body) else None
        if len(order) == len(loop.body):
            return None
        order.append(inside[0])


def _is_calm(block: m.Block) -> bool:
    """Whether lanes neither wait nor part in it, and nothing is counted but loads and stores."""
    for i in block.instructions:
        match i:
            case m.Call(callee=callee):
                known = intrinsic(callee or "")
                if known.ends or not known.idle:
                    return False
            case _ if not isinstance(i, _Calm):
                return False
    return True


def _test(
    function: m.Function, loop: ir_loops.Loop, order: Sequence[int], moves: _Moves
) -> tuple[str, tuple[_Integer, _Integer], int, int] | None:
    """Predicate, counter and bound, step and width of the comparison that the loop goes on by."""
    branch = function.blocks[loop.exits[0][0]].terminator
    if not isinstance(branch, m.Branch) or not isinstance(branch.condition, m.Local):
        return None
    compare = moves.definitions.get(branch.condition.index)
    if not isinstance(compare, m.Compare) or moves.home[compare.index] not in order:
        return None
    if compare.floating or not isinstance(compare.operand_type, m.IntType):
        return None
    predicate, counter, bound = compare.predicate, compare.lhs, compare.rhs
    if branch.if_true not in loop.body:
        predicate = _OPPOSITE.get(predicate, "")
    if moves.is_fixed(counter):
        predicate, counter, bound = _SWAPPED.get(predicate, ""), bound, counter
    move = moves.of(counter)
    if move is None or not move.step or not moves.is_fixed(bound):
        return None
    if not isinstance(counter, _Integer) or not isinstance(bound, _Integer):
        return None
    if not _ends(predicate, move):
        return None
    return predicate, (counter, bound), move.step, compare.operand_type.bits


def _ends(predicate: str, move: _Move) -> bool:
    """Whether the counter comes to the bound before it wraps round."""
    step = move.step or 0
    if predicate == "ne":
        return abs(step) == 1
    if predicate not in (_UP if step > 0 else _DOWN):
        return False
    if abs(step) == 1 and predicate.endswith("t"):
        return True
    return move.signed if predicate.startswith("s") else move.unsigned


class _Move(Struct, frozen=True):
    """In iteration ``k`` the value is what it was in the first plus ``k * step`` (None: a step that
    is the same in all), modulo its width; ``signed``, ``unsigned``: read so, it does not wrap.
    """

    step: int | None
    signed: bool = False
    unsigned: bool = False


_FIXED = _Move(0, signed=True, unsigned=True)


class _Moves:
    """How values of a loop move."""

    def __init__(
        self,
        definitions: Mapping[int, m.Instruction],
        home: Mapping[int, int],
        loop: ir_loops.Loop,
        variables: Mapping[str, m.GlobalVariable],
    ) -> None:
        self.definitions, self.home, self.loop = definitions, home, loop
        self.variables = variables
        self.known: dict[int, _Move | None] = {}

    def is_fixed(self, operand: m.Operand) -> bool:
        """Whether it is the same in all iterations."""
        move = self.of(operand)
        return move is not None and move.step == 0

    def is_constant(self, test: tuple[_Integer, _Integer]) -> bool:
        """Whether the counter, one that the loop itself keeps, begins and ends at constants."""
        counter, bound = test
        if not isinstance(counter, m.Local) or not isinstance(bound, m.IntConst):
            return False
        phi = self.definitions.get(counter.index)
        return isinstance(phi, m.Phi) and all(
            isinstance(value, m.IntConst) or block in self.loop.body
            for value, block in phi.incoming
        )

    def of(self, operand: m.Operand, depth: int = 0) -> _Move | None:
        """None: not by a step."""
        if not isinstance(operand, m.Local) or self.home.get(operand.index) not in self.loop.body:
            return _FIXED
        if operand.index not in self.known:
            self.known[operand.index] = None  # where it depends on itself
            if depth < _MOST_DEPTH:
                self.known[operand.index] = self._of(self.definitions[operand.index], depth + 1)
        return self.known[operand.index]

    def _of(self, i: m.Instruction, depth: int) -> _Move | None:
        if isinstance(i, m.Phi):
            return self._of_phi(i, depth)
        moves = [self.of(operand, depth) for operand in operands_of(i)]
        if all(move is not None and move.step == 0 for move in moves):
            return _FIXED if self._is_the_same(i) else None
        match i, moves:
            case m.Binary(op="add" | "sub" as op), [_Move() as lhs, _Move() as rhs]:
                return _Move(
                    _sum(lhs.step, rhs.step if op == "add" else _times(rhs.step, -1)),
                    i.nsw and lhs.signed and rhs.signed, i.nuw and lhs.unsigned and rhs.unsigned,
                )  # fmt: skip
            case m.Binary(op="mul"), [_Move() as lhs, _Move() as rhs] if 0 in (lhs.step, rhs.step):
                moving, factor = (lhs, i.rhs) if rhs.step == 0 else (rhs, i.lhs)
                times = factor.value if isinstance(factor, m.IntConst) else None
                signed = i.nsw and lhs.signed and rhs.signed
                return _Move(_times(moving.step, times), signed, i.nuw and moving.unsigned)
            case m.Binary(op="shl", rhs=m.IntConst(value=bits)), [_Move() as lhs, _]:
                if not 0 <= bits < 32:
                    return None
                signed, unsigned = i.nsw and lhs.signed, i.nuw and lhs.unsigned
                return _Move(_times(lhs.step, 1 << bits), signed, unsigned)
            case m.Cast(op="sext"), [_Move(signed=True) as move]:
                return _Move(move.step, signed=True)
            case m.Cast(op="zext"), [_Move(unsigned=True) as move]:
                return _Move(move.step, signed=True, unsigned=True)
            case m.Cast(op="ptrtoint" | "inttoptr" | "addrspacecast"), [_Move() as move]:
                return _Move(move.step) if _is_wide(i.type) and _is_wide(i.source_type) else None
            case m.Freeze(), [_Move() as move]:
                return _Move(move.step)
            case m.Gep(steps=steps), [_Move() as base, *indices]:
                total = base.step
                for index, step in zip(indices, steps, strict=True):
                    if index is None or (step.index_bits < 64 and not index.signed):
                        return None
                    total = _sum(total, _times(index.step, step.stride))
                return _Move(total)
        return None

    def _is_the_same(self, i: m.Instruction) -> bool:
        """Whether equal operands give an equal result, whenever it is asked for."""
        match i:
            case m.Load():
                return not (i.volatile or i.atomic) and self._is_constant(i.pointer)
            case m.Call(callee=callee):
                return intrinsic(callee or "").register.startswith(_CONSTANT)
            case m.Binary() | m.Compare() | m.Cast() | m.Gep() | m.Select():
                return True
        return False

    def _is_constant(self, pointer: m.Operand) -> bool:
        """Whether it points to constant memory, which no kernel writes to."""
        for _ in range(_MOST_DEPTH):
            match pointer:
                case m.GlobalAddress(name=name):
                    return self.variables[name].space == AddressSpace.CONSTANT
                case m.Local(index=index):
                    found = self.definitions.get(index)
            match found if isinstance(pointer, m.Local) else None:
                case m.Gep(base=base):
                    pointer = base
                case m.Cast(op="addrspacecast", value=value):
                    pointer = value
                case _:
                    return False
        return False

    def _of_phi(self, phi: m.Phi, depth: int) -> _Move | None:
        if self.home[phi.index] != self.loop.header:
            return self.of(phi.incoming[0][0], depth) if len(phi.incoming) == 1 else None
        values = [value for value, block in phi.incoming if block in self.loop.body]
        return self._away(phi, values[0], depth) if len(values) == 1 else None

    def _away(self, phi: m.Phi, value: m.Operand, depth: int) -> _Move | None:
        """What is added to ``phi`` on the way to ``value``."""
        away: int | None = 0
        signed = unsigned = True
        for _ in range(_MOST_DEPTH):
            if value == m.Local(phi.index):
                return _Move(away, signed, unsigned)
            found = self.definitions.get(value.index) if isinstance(value, m.Local) else None
            if found is None or self.home[found.index] not in self.loop.body:
                return None
            match found:
                case m.Binary(op="add", lhs=lhs, rhs=rhs) if self._stays(rhs, depth):
                    value, more = lhs, _number(rhs)
                case m.Binary(op="add", lhs=lhs, rhs=rhs) if self._stays(lhs, depth):
                    value, more = rhs, _number(lhs)
                case m.Binary(op="sub", lhs=lhs, rhs=rhs) if self._stays(rhs, depth):
                    value, more = lhs, _times(_number(rhs), -1)
                case m.Gep(base=base, offset=offset, steps=steps):
                    if not all(self._stays(step.index, depth) for step in steps):
                        return None
                    value, more = base, None if steps else offset
                case _:
                    return None
            away = _sum(away, more)
            signed = signed and isinstance(found, m.Binary) and found.nsw
            unsigned = unsigned and isinstance(found, m.Binary) and found.nuw
        return None

    def _stays(self, operand: m.Operand, depth: int) -> bool:
        move = self.of(operand, depth)
        return move is not None and move.step == 0


def _number(operand: m.Operand) -> int | None:
    return operand.value if isinstance(operand, m.IntConst) else None


def _is_wide(type_: m.Type) -> bool:
    return isinstance(type_, m.PointerType) or (isinstance(type_, m.IntType) and type_.bits == 64)


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _times(step: int | None, factor: int | None) -> int | None:
    return 0 if step == 0 else None if step is None or factor is None else step * factor
