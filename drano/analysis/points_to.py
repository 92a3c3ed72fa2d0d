"""Which objects a generic pointer may point into, and so which memory space an access goes to.

Means: one flow-insensitive points-to analysis of a whole module (inclusion constraints, solved by
iteration). Every value has the set of *origins* that it may be the address of; a store puts the
value's origins into the objects that it may go to, a load takes them out again. Calls that remain
pass origins into parameters and back; phis and selections join. An access is in one space where
all origins of its pointer are.

Assumptions, stated in the documentation: pointers that a kernel is given, and those that the host
or an earlier kernel put into global or constant memory, point to global memory; arithmetic on a
pointer stays within its object; functions of other units return and store any pointer.

Limits: no order of stores, no fields; all of global memory is one object. What escapes to code
that is not seen may come back from everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple, TypeAlias

from drano.analysis.spaces import pointed_space, variable_space
from drano.ir.cfg import DominatorTree, dominators
from drano.ir.intrinsics import ASKS_SPACE, ASSUME, Meaning, may_write, meaning
from drano.ir.model import (
    Alloca,
    ArrayType,
    Atomic,
    Call,
    Cast,
    Compare,
    Function,
    Gep,
    GlobalAddress,
    Instruction,
    IntConst,
    IntType,
    Load,
    Local,
    MemoryCopy,
    MemoryFill,
    Module,
    Operand,
    PointerType,
    Return,
    Store,
    StructType,
    Type,
    VectorConst,
    VectorType,
)
from drano.ir.target import POINTER_BITS
from drano.ir.uses import operands_of
from drano.lattice.memory_space import MEMSPACES, MemSpace

_MAX_ORIGINS = 16
_PLACED = frozenset({MemSpace.CONSTANT, MemSpace.PARAM})  # before a kernel starts
_ASSUMED = {
    "global": MemSpace.GLOBAL, "shared": MemSpace.SHARED, "const": MemSpace.CONSTANT,
    "local": MemSpace.LOCAL,
}  # fmt: skip


class Origin(NamedTuple):
    """An object that a pointer may point into. ``name``: the source's, "" where it has none;
    ``key``: what tells objects apart whose contents differ.
    """

    space: MemSpace
    name: str
    key: str


Origins: TypeAlias = frozenset[Origin]

NOTHING: Origins = frozenset()
_HEAP_KEY = "global memory"
_HEAP = Origin(MemSpace.GLOBAL, "", _HEAP_KEY)
_ANY: Origins = frozenset({Origin(MemSpace.GENERIC, "", "")})
_TOO_MANY: Origins = frozenset({Origin(MemSpace.GENERIC, "many", "")})


class Spaces:
    """The origins of all pointers of a module; solved when first asked."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._values: dict[str, dict[int, Origins]] = {}
        self._contents: dict[str, Origins] = {}
        self._anywhere: Origins = NOTHING  # stored through pointers of unknown origin
        self._results: dict[str, Origins] = {}
        self._assumed: dict[str, list[tuple[int, int, MemSpace]]] = {}
        self._dominance: dict[str, DominatorTree] = {}
        self._changed = False
        self._solved = False
        self.questions = 0  # an answer may depend on any function of the module

    # --- questions ---------------------------------------------------------------------------

    def origins(self, function: Function, pointer: Operand) -> Origins:
        """Objects that ``pointer`` may point into; nothing where none is ever stored there."""
        self.questions += 1
        if not self._solved:
            self._solve()
        return self._of(function, pointer)

    def space(self, function: Function, pointer: Operand, block: int) -> MemSpace:
        """The one space of an access through ``pointer`` in ``block``, else GENERIC."""
        found = join(self.origins(function, pointer))
        return found if found is not MemSpace.GENERIC else self._promise(function, pointer, block)

    def _promise(self, function: Function, pointer: Operand, block: int) -> MemSpace:
        """What ``__builtin_assume(__isGlobal(p))`` above says of a pointer."""
        promises = self._promises(function)
        if not promises:
            return MemSpace.GENERIC
        definitions = {i.index: i for b in function.blocks for i in b.instructions}
        while isinstance(pointer, Local):
            for value, home, space in promises:
                if value == pointer.index and self._dominates(function, home, block):
                    return space
            i = definitions.get(pointer.index)
            if isinstance(i, Gep):
                pointer = i.base
            elif isinstance(i, Cast):
                pointer = i.value
            else:
                break
        return MemSpace.GENERIC

    def _promises(self, function: Function) -> list[tuple[int, int, MemSpace]]:
        """Value, block and space of each promise."""
        known = self._assumed.get(function.name)
        if known is not None:
            return known
        questions: dict[int, tuple[int, MemSpace]] = {}  # by the truth value that answers them
        found = []
        for block in function.blocks:
            for i in block.instructions:
                about = _asked(i)
                if about is None:
                    continue
                callee = i.callee or "" if isinstance(i, Call) else ""
                space = _ASSUMED.get(callee.removeprefix(ASKS_SPACE).split(".")[0])
                if callee.startswith(ASKS_SPACE) and space is not None:
                    questions[i.index] = (about, space)
                elif about in questions and callee == ASSUME:
                    found.append((questions[about][0], block.index, questions[about][1]))
                elif about in questions and not callee:
                    questions[i.index] = questions[about]
        self._assumed[function.name] = found
        return found

    def _dominates(self, function: Function, above: int, below: int) -> bool:
        tree = self._dominance.get(function.name)
        if tree is None:
            idom = dominators([b.successors for b in function.blocks])
            tree = self._dominance[function.name] = DominatorTree.from_idom(idom)
        return tree.dominates(above, below)

    # --- solving -----------------------------------------------------------------------------

    def _solve(self) -> None:
        self._solved = True
        functions = [f for f in self._module.functions.values() if f.blocks]
        for function in functions:
            self._values[function.name] = {}
            for position, argument in enumerate(function.args):
                if function.is_kernel:
                    self._bind_kernel_argument(function, position)
                elif argument.byval_size:
                    key = f"{function.name}:{argument.index}"
                    self._set(function, argument.index, _one(MemSpace.LOCAL, argument.name, key))
        for variable in self._module.globals.values():
            if variable.refers:
                held = _union(
                    self._variable(name) for name in variable.refers if name in self._module.globals
                )
                self._write(self._variable(variable.name), held)
        self._iterate(functions)
        # Integers that no pointer was seen to become may be any address.
        while self._unexplained(functions):
            self._iterate(functions)

    def _iterate(self, functions: list[Function]) -> None:
        self._changed = True
        while self._changed:
            self._changed = False
            for function in functions:
                for block in function.blocks:
                    for instruction in block.instructions:
                        self._step(function, instruction)

    def _unexplained(self, functions: list[Function]) -> bool:
        found = [
            (function, i.index)
            for function in functions
            for block in function.blocks
            for i in block.instructions
            if isinstance(i, Cast) and i.op == "inttoptr" and not self._of(function, Local(i.index))
        ]
        for function, index in found:
            self._set(function, index, _ANY)
        return bool(found)

    def _bind_kernel_argument(self, function: Function, position: int) -> None:
        argument = function.args[position]
        if argument.byval_size:
            key = f"{function.name}:{argument.index}"
            self._set(function, argument.index, _one(MemSpace.PARAM, argument.name, key))
        elif _holds_pointer(argument.type):
            self._set(function, argument.index, _one(MemSpace.GLOBAL, argument.name, _HEAP_KEY))

    def _set(self, function: Function, index: int, origins: Origins) -> None:
        values = self._values[function.name]
        old = values.get(index, NOTHING)
        new = _limited(old | origins)
        if new != old:
            values[index] = new
            self._changed = True

    def _of(self, function: Function, operand: Operand) -> Origins:
        if isinstance(operand, Local):
            return self._values.get(function.name, {}).get(operand.index, NOTHING)
        if isinstance(operand, GlobalAddress):
            return self._variable(operand.name)
        if isinstance(operand, VectorConst):
            return _union(self._of(function, e) for e in operand.elements)
        return NOTHING

    def _variable(self, name: str) -> Origins:
        variable = self._module.globals.get(name)
        if variable is None:
            return _ANY
        space = MemSpace(variable_space(variable.space) or "generic")
        if space is MemSpace.GLOBAL:
            return _one(space, variable.display, name if variable.constant else _HEAP_KEY)
        # All `extern __shared__` arrays begin at one place.
        return _one(space, variable.display, "dynamic" if variable.external_size else name)

    # --- memory ------------------------------------------------------------------------------

    def _read(self, pointers: Origins, type_: Type) -> Origins:
        """What a load gives: what was stored there, and what may have been there before."""
        if _vague(pointers):
            return _ANY if _wide_enough(type_) else NOTHING
        found = _union(self._contents.get(origin.key, NOTHING) for origin in pointers)
        found |= self._anywhere
        before = any(self._has_past(origin) for origin in pointers)
        if before and (_holds_pointer(type_) or (found and _wide_enough(type_))):
            found |= {_HEAP}
        return found

    def _has_past(self, origin: Origin) -> bool:
        """Whether pointers that no code of this module stored may be in an object."""
        if origin.space is MemSpace.GLOBAL:
            return origin.key == _HEAP_KEY
        return origin.space in _PLACED

    def _write(self, pointers: Origins, value: Origins) -> None:
        if not value:
            return
        if not pointers or _vague(pointers):
            new = _limited(self._anywhere | value)
            self._changed = self._changed or new != self._anywhere
            self._anywhere = new
        for origin in pointers:
            old = self._contents.get(origin.key, NOTHING)
            new = _limited(old | value)
            if new != old:
                self._contents[origin.key] = new
                self._changed = True

    # --- instructions ------------------------------------------------------------------------

    def _step(self, function: Function, i: Instruction) -> None:
        found = NOTHING
        match i:
            case Alloca():
                name = function.local_names.get(i.index, "")
                found = _one(MemSpace.LOCAL, name, f"{function.name}:{i.index}")
            case Gep():
                found = self._of(function, i.base)
            case Load():
                found = self._read(self._of(function, i.pointer), i.type)
            case Store():
                self._write(self._of(function, i.pointer), self._of(function, i.value))
            case Atomic():
                pointers = self._of(function, i.pointer)
                for operand in i.operands:
                    self._write(pointers, self._of(function, operand))
                found = self._read(pointers, i.type)
            case MemoryCopy():
                source = self._read(self._of(function, i.source), PointerType())
                self._write(self._of(function, i.pointer), source)
            case Call():
                found = self._call(function, i)
            case Return():
                if i.value is not None:
                    self._return(function, self._of(function, i.value))
            case Compare() | MemoryFill():
                pass
            case _:
                found = _union(self._of(function, operand) for operand in operands_of(i))
        if found:
            if isinstance(i.type, PointerType) and i.type.space:
                found = _within(found, i.type.space)
            self._set(function, i.index, found)

    def _return(self, function: Function, value: Origins) -> None:
        old = self._results.get(function.name, NOTHING)
        new = _limited(old | value)
        if new != old:
            self._results[function.name] = new
            self._changed = True

    def _call(self, function: Function, call: Call) -> Origins:
        arguments = [self._of(function, argument) for argument in call.args]
        target = self._module.functions.get(call.callee) if call.callee else None
        if target is not None and target.blocks:
            self._pass(target, arguments)
            return self._results.get(target.name, NOTHING)
        match meaning(call.callee or ""):
            case Meaning.SAME_POINTER:
                return arguments[0] if arguments else _ANY
            case Meaning.LOAD:
                return self._read(arguments[0] if arguments else _ANY, call.type)
            case Meaning.UNKNOWN:
                return self._unseen(call, arguments)
            case Meaning.SHUFFLE:
                return _union(arguments)
            case Meaning.NOTHING if may_write(call):  # an asynchronous copy
                given = _union(arguments)
                self._write(given, self._read(given, PointerType()))
                return NOTHING
            case _:
                return NOTHING

    def _pass(self, target: Function, arguments: Iterable[Origins]) -> None:
        for argument, origins in zip(target.args, arguments, strict=False):
            if argument.byval_size:
                key = f"{target.name}:{argument.index}"
                copied = self._read(origins, PointerType())
                self._write(_one(MemSpace.LOCAL, argument.name, key), copied)
            elif origins:
                self._set(target, argument.index, origins)

    def _unseen(self, call: Call, arguments: list[Origins]) -> Origins:
        """Inline assembly, a call through a pointer, a function of another unit."""
        given = _union(arguments)
        if call.callee == "asm":
            self._write(given, given)
            return given | _ANY if _wide_enough(call.type) else NOTHING
        for other in self._module.functions.values():
            if call.callee is None and other.blocks and not other.is_kernel:
                self._pass(other, [_ANY for _ in other.args])
        if may_write(call):
            self._write(frozenset({_HEAP}), _ANY)
            if given:
                self._write(_ANY, given | _ANY)
        return _ANY if _wide_enough(call.type) else NOTHING


def _asked(i: Instruction) -> int | None:
    """The value that a call asks about, or that an integer is made of, or is compared with 0."""
    match i:
        case Call() if i.args and isinstance(i.args[0], Local):
            return i.args[0].index
        case Cast() if isinstance(i.value, Local):
            return i.value.index
        case Compare() if i.predicate == "ne" and i.rhs == IntConst(0, 32):
            return i.lhs.index if isinstance(i.lhs, Local) else None
        case _:
            return None


def join(origins: Origins) -> MemSpace:
    """The one space of all origins, else GENERIC, which it is of none, too.

    >>> join(frozenset({Origin(MemSpace.SHARED, "a", "a"), Origin(MemSpace.SHARED, "b", "b")}))
    MemSpace.SHARED
    """
    found = reduce(MEMSPACES.join, (origin.space for origin in origins), MemSpace.BOTTOM)
    return MemSpace.GENERIC if found is MemSpace.BOTTOM else found


def described(origins: Origins) -> tuple[str, ...]:
    """In words, in a fixed order: ("global `in`", "shared `tile`")."""
    said = set()
    for origin in origins:
        if origin.space is MemSpace.GENERIC:
            said.add("memory that is not known")
            continue
        space = "constant" if origin.space is MemSpace.PARAM else str(origin.space)
        said.add(f"{space} `{origin.name}`" if origin.name else f"{space} memory")
    return tuple(sorted(said))


def _one(space: MemSpace, name: str, key: str) -> Origins:
    return frozenset({Origin(space, name, key)})


def _union(parts: Iterable[Origins]) -> Origins:
    return NOTHING.union(*parts)


def _vague(pointers: Origins) -> bool:
    """Whether it is not known of an object which it is."""
    return any(not origin.key for origin in pointers)


def _limited(origins: Origins) -> Origins:
    """Of too many objects, any, for good: it does not begin to count again."""
    return _TOO_MANY if len(origins) > _MAX_ORIGINS or origins > _TOO_MANY else origins


def _within(origins: Origins, number: int) -> Origins:
    """A pointer of a type that names its space."""
    space = pointed_space(number)
    kept = frozenset(origin for origin in origins if origin.space is space)
    return kept or _one(space, "", _HEAP_KEY if space is MemSpace.GLOBAL else "")


def _wide_enough(type_: Type) -> bool:
    """Whether a value can hold an address."""
    return _holds_pointer(type_) or (isinstance(type_, IntType) and type_.bits >= POINTER_BITS)


def _holds_pointer(type_: Type) -> bool:
    match type_:
        case PointerType():
            return True
        case VectorType() | ArrayType():
            return _holds_pointer(type_.element)
        case StructType():
            return any(map(_holds_pointer, type_.elements))
        case _:
            return False
