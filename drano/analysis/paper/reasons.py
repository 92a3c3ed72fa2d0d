"""Where a thread-dependent index comes from, in the user's words.

Walks from an access's pointer back to the instruction that made the value ⊤ (its own operands were
not). Runs after the fixpoint, for messages only: it decides nothing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from drano.analysis.paper import values
from drano.analysis.paper.interpreter import PaperInterpreter
from drano.analysis.paper.values import Reference
from drano.ir.intrinsics import Meaning, meaning, short_name
from drano.ir.model import (
    Atomic,
    Binary,
    Call,
    Cast,
    Gep,
    GlobalAddress,
    Instruction,
    IntConst,
    Load,
    Local,
    Operand,
    Phi,
    Select,
)
from drano.ir.target import SPECIAL_REGISTER
from drano.lattice.paper.multiplier import TOP
from drano.lattice.paper.predicate import Predicate
from drano.model.judgement import Pattern

_MAX_STEPS: Final = 10_000
_MAX_NAME: Final = 40


class Cause(NamedTuple):
    """Why an address is ⊤: ``text`` is a sentence fragment; ``says_stride``: it names the
    stride.
    """

    pattern: Pattern
    text: str
    says_stride: bool = False


def cause_of(run: PaperInterpreter, pointer: Operand, block: int) -> Cause:
    """Why the address ``pointer`` is ⊤ in ``block``."""
    operand, at, name = pointer, block, ""
    seen: set[int] = set()
    for _ in range(_MAX_STEPS):
        if not isinstance(operand, Local):
            break
        name = run.function.local_names.get(operand.index, name)
        i, home = run.definitions.get(operand.index, (None, -1))
        if i is None:
            argument = _argument_name(run, operand.index)
            return Cause(Pattern.UNKNOWN, f"unknown argument {argument}")
        if not _is_top(run.env[operand.index]) and _is_top(run.value(operand, at)):
            what = name or "the index"
            return Cause(
                Pattern.IRREGULAR,
                f"{what} comes from a loop that threads leave at different iterations",
            )
        if operand.index in seen:
            break
        seen.add(operand.index)
        source = _guilty_operand(run, i, home, seen)
        if source is None:
            return _created(run, i, home, name)
        operand, at = source, home
    return Cause(
        Pattern.IRREGULAR, f"{name or 'the index'} varies between threads without a known order"
    )


def _guilty_operand(
    run: PaperInterpreter, i: Instruction, home: int, seen: set[int]
) -> Operand | None:
    """The operand whose ⊤ made ``i`` ⊤, if one did."""
    if isinstance(i, Load) or (isinstance(i, Phi) and _mixes(run, home)):
        return None
    for operand in run.structure.operands(i):
        if isinstance(operand, Local) and operand.index not in seen:
            if isinstance(i, Select) and operand == i.condition:
                continue
            if _is_top(run.value(operand, home)):
                return operand
    return None


def _mixes(run: PaperInterpreter, block: int) -> bool:
    """Whether threads bring values from different sides of a branch to ``block``."""
    return block in run.divergence.joins or block in run.divergence.header_joins


def _is_top(value: values.Value | None) -> bool:
    if isinstance(value, Reference):
        return value.stride is None
    return value is TOP or value is Predicate.TOP


def _created(run: PaperInterpreter, i: Instruction, home: int, name: str) -> Cause:
    what = name or "the index"
    match i:
        case Load():
            return _loaded(run, i, home, name)
        case Binary():
            return _computed(run, i, home)
        case Gep() | Cast():
            return Cause(
                Pattern.STRIDED, "the index depends on threadIdx.x with a stride that varies"
            )
        case Phi() if _mixes(run, home):
            return Cause(Pattern.IRREGULAR, f"{what} is assigned on different sides of a "
                         "thread-dependent branch")  # fmt: skip
        case Phi() if home in run.divergence.tangled:
            return Cause(Pattern.IRREGULAR, f"{what} is computed in irregular control flow")
        case Phi():
            return Cause(
                Pattern.IRREGULAR, f"{what} depends on threadIdx.x differently on different paths"
            )
        case Select():
            return Cause(Pattern.IRREGULAR, f"{what} is chosen by a thread-dependent condition")
        case Atomic():
            return Cause(Pattern.DATA_DEPENDENT, f"{what} is the result of an atomic operation")
        case Call():
            return _called(i, what)
        case _:
            return Cause(
                Pattern.IRREGULAR, f"{what} is computed from threadIdx.x in an unknown way"
            )


def _loaded(run: PaperInterpreter, i: Load, home: int, name: str) -> Cause:
    array = array_name(run, i.pointer)
    address = run.value(i.pointer, home)
    if run.private.holds(i.pointer) and isinstance(address, Reference) and address.stride == 0:
        what = array or name or "the index"
        return Cause(
            Pattern.IRREGULAR, f"the local array {what} may hold a different value in each thread"
        )
    if array:
        return Cause(Pattern.DATA_DEPENDENT, f"the index is loaded from {array}[…]")
    return Cause(Pattern.DATA_DEPENDENT, f"the index is {name or 'a value'} loaded from memory")


_OPERATIONS: Final = {
    "sdiv": "divided", "udiv": "divided", "lshr": "shifted", "ashr": "shifted",
    "srem": "taken modulo a number", "urem": "taken modulo a number", "and": "masked",
    "or": "combined bitwise", "xor": "combined bitwise",
}  # fmt: skip


def _computed(run: PaperInterpreter, i: Binary, home: int) -> Cause:
    operands = (i.lhs, i.rhs)
    literal = next((o.value for o in operands if isinstance(o, IntConst)), None)
    if i.op in ("mul", "shl"):
        if literal is None or (i.op == "shl" and (i.rhs != operands[1] or not 0 <= literal < 64)):
            factor = _factor(run, operands, home)
            return Cause(
                Pattern.STRIDED,
                f"the index depends on threadIdx.x with the stride {factor}"
                if factor
                else "the index depends on threadIdx.x with unknown stride",
            )
        stride = 1 << literal if i.op == "shl" else abs(literal)
        return Cause(Pattern.STRIDED, f"the index depends on threadIdx.x with stride {stride}")
    if i.op in ("add", "sub"):
        return Cause(Pattern.STRIDED, "the index depends on threadIdx.x more than once")
    how = _OPERATIONS.get(i.op, "used in floating-point arithmetic")
    return Cause(Pattern.IRREGULAR, f"threadIdx.x is {how} to make the index")


def _factor(run: PaperInterpreter, operands: tuple[Operand, Operand], home: int) -> str:
    """Name of the uniform factor of a product, where it has one."""
    for operand in operands:
        value = run.value(operand, home)
        if isinstance(operand, Local) and value is not None and values.uniform(value):
            argument = _argument_name(run, operand.index)
            return run.function.local_names.get(operand.index, argument)
    return ""


def _called(i: Call, what: str) -> Cause:
    callee = i.callee or ""
    if callee.startswith(SPECIAL_REGISTER):
        return Cause(Pattern.IRREGULAR, f"the index depends on {_register(callee)}")
    kind = meaning(callee)
    if kind is Meaning.LOAD:
        return Cause(Pattern.DATA_DEPENDENT, f"{what} is loaded from memory")
    if kind is Meaning.PURE:
        return Cause(
            Pattern.IRREGULAR, f"the index depends on threadIdx.x through {short_name(callee)}"
        )
    if callee == "asm":
        return Cause(Pattern.UNKNOWN, f"{what} is the result of inline assembly")
    return Cause(
        Pattern.UNKNOWN, f"{what} is the result of calling {short_name(callee) or 'a pointer'}"
    )


def _register(callee: str) -> str:
    name = callee.removeprefix(SPECIAL_REGISTER)
    return f"threadIdx{name.removeprefix('tid')}" if name.startswith("tid.") else f"%{name}"


# --- names -----------------------------------------------------------------------------------


def _argument_name(run: PaperInterpreter, index: int) -> str:
    for argument in run.function.args:
        if argument.index == index:
            return argument.name
    return ""


def array_name(run: PaperInterpreter, pointer: Operand) -> str:
    """The array that an address points into, as the source calls it; "" when it has no name."""
    for _ in range(_MAX_STEPS):
        if isinstance(pointer, GlobalAddress):
            variable = run.module.globals.get(pointer.name)
            return _shorten(variable.display if variable is not None else pointer.name)
        if not isinstance(pointer, Local):
            return ""
        named = run.function.local_names.get(pointer.index) or _argument_name(run, pointer.index)
        if named:
            return _shorten(named)
        i, _home = run.definitions.get(pointer.index, (None, -1))
        if isinstance(i, Gep):
            pointer = i.base
        elif isinstance(i, Cast):
            pointer = i.value
        elif isinstance(i, Load):
            return _shorten(_field_name(run, i.pointer))
        else:
            return ""
    return ""


def _field_name(run: PaperInterpreter, pointer: Operand) -> str:
    """Name of the struct member that a pointer was loaded from."""
    i = run.definitions.get(pointer.index, (None, -1))[0] if isinstance(pointer, Local) else None
    if not isinstance(i, Gep) or not i.fields:
        return ""
    struct, number = i.fields[-1]
    known = run.module.structs.get(struct)
    return known.fields[number] if known is not None and number < len(known.fields) else ""


def _shorten(name: str) -> str:
    return name if len(name) <= _MAX_NAME else name[: _MAX_NAME - 1] + "…"
