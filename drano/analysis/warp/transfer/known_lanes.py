"""Functions of numbers that are known lane by lane: bits counted, reversed and permuted, votes.

Sources: the LLVM language reference, libdevice's and CUDA's guides for what each gives. Votes,
``activemask`` and ``match.any`` are of the lanes that execute them together; those are known where
the analysis knows which lanes are on.

Of a vote that is not known, the *rank* of a lane, ``popc(votes & lanemask_lt)``, rises by one at
the most from lane to lane, or falls, as ``popc(votes & lanemask_ge)`` and ``popc(votes >> lane)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Binary, Block, Call, IntType, Local
from drano.lattice import Cause, Form, Predicate, Shape, Value
from drano.lattice.warp import operations as ops
from drano.lattice.warp.forms import Steps
from drano.lattice.warp.lanes import LIMIT, Array
from drano.model.hardware import WARP_SIZE

_Function = Callable[..., int]  # of the width and the arguments, all unsigned


def _reversed(bits: int, value: int) -> int:
    return int(f"{value:0{bits}b}"[::-1], 2)


def _leading(bits: int, value: int, *_: int) -> int:
    return bits - value.bit_length()


def _trailing(bits: int, value: int, *_: int) -> int:
    return (value & -value).bit_length() - 1 if value else bits


def _first_set(_bits: int, value: int) -> int:
    return (value & -value).bit_length()


def _funnel_left(bits: int, high: int, low: int, by: int) -> int:
    return (high << bits | low) << by % bits >> bits


def _funnel_right(bits: int, high: int, low: int, by: int) -> int:
    return (high << bits | low) >> by % bits


def _permuted(_bits: int, low: int, high: int, selector: int) -> int:
    """``prmt`` in its default mode; the highest bit of a selector copies a byte's sign."""
    data, found = low | high << 32, 0
    for place in range(4):
        choice = selector >> 4 * place & 15
        byte = data >> 8 * (choice & 7) & 255
        found |= (255 * (byte >> 7) if choice & 8 else byte) << 8 * place
    return found


def _byte_order(bits: int, value: int) -> int:
    return int.from_bytes(value.to_bytes(bits // 8, "little"), "big")


FUNCTIONS: Final[dict[str, _Function]] = {
    "llvm.ctpop": lambda _bits, value: value.bit_count(),
    "llvm.ctlz": _leading, "llvm.cttz": _trailing, "llvm.bitreverse": _reversed,
    "llvm.bswap": _byte_order, "llvm.fshl": _funnel_left, "llvm.fshr": _funnel_right,
    "llvm.nvvm.prmt": _permuted, "__nv_byte_perm": _permuted,
    "__nv_popc": lambda _bits, value: value.bit_count(),
    "__nv_popcll": lambda _bits, value: value.bit_count(),
    "__nv_clz": _leading, "__nv_clzll": _leading, "__nv_ffs": _first_set,
    "__nv_ffsll": _first_set, "__nv_brev": _reversed, "__nv_brevll": _reversed,
}  # fmt: skip
_COUNTS: Final = frozenset({"llvm.ctpop", "__nv_popc"})


def stem(callee: str) -> str:
    """A name without the types at its end: ``llvm.ctpop`` of ``llvm.ctpop.i32``."""
    return callee.rpartition(".")[0] if callee.endswith((".i16", ".i32", ".i64")) else callee


def computed(state: WarpState, call: Call, block: Block) -> Form | None:
    """What a function gives for numbers that are all known; None for others."""
    name = stem(call.callee or "")
    function = FUNCTIONS.get(name)
    if function is None or not isinstance(call.type, IntType):
        return None
    values = [state.value(argument, block.index) for argument in call.args]
    arrays = [_known(state, value) for value in values]
    if any(array is None for array in arrays):
        return _rank(state, call, block) if name in _COUNTS else None
    first = values[0]
    bits = first.bits if isinstance(first, Form) else 1
    data = zip(*(array.ravel().tolist() for array in arrays if array is not None), strict=True)
    modulus = 1 << bits
    found = [function(bits, *(number % modulus for number in numbers)) for numbers in data]
    return _lanes(state, found, call.type.bits)


def _known(state: WarpState, value: Value) -> Array | None:
    """The number of each lane where it is known."""
    space = state.warp.space
    if isinstance(value, Form):
        low_enough = not value.terms and max(-value.lo, value.hi) < LIMIT
        return space.array(value.const) if low_enough else None
    if isinstance(value, Predicate) and value.shape is Shape.EXACT:
        return space.array(value.lanes)
    return None


def _lanes(state: WarpState, numbers: list[int], bits: int) -> Form | None:
    """The value of these numbers as they are stored, in 64 bits as signed ones."""
    half = 1 << (bits - 1)
    fit = [n - 2 * half if bits == 64 and n >= half else n for n in numbers]
    if any(abs(n) >= LIMIT for n in fit):
        return None
    data = np.array(fit, dtype=np.int64).reshape(state.warp.space.shape)
    return state.warp.lanes(state.warp.space.intern(data), bits)


# --- what lanes ask each other ---------------------------------------------------------------


def voted(state: WarpState, call: Call, block: Block) -> Form | None:
    """A ballot, the mask of active lanes, or lanes of equal values, where all of it is known."""
    name = call.callee or ""
    kinds = {
        "llvm.nvvm.vote.ballot.sync": (0, 1), "llvm.nvvm.activemask": (None, None),
        "llvm.nvvm.match.any.sync.i32": (0, 1), "llvm.nvvm.match.any.sync.i64": (0, 1),
    }  # fmt: skip
    if name not in kinds:
        return None
    state.local_loads.add(call.index)  # it depends on which lanes are on
    mask = state.masks[block.index]
    active = None if mask is None else _known(state, mask)
    if active is None or bool((active == 2).any()):
        return None
    members, values = (
        None if at is None else _known(state, state.value(call.args[at], block.index))
        for at in kinds[name]
    )
    if kinds[name][0] is not None and (members is None or values is None):
        return None
    found = np.zeros(state.warp.space.shape, dtype=np.int64)
    lane = np.arange(WARP_SIZE)
    for other in range(WARP_SIZE):
        heard = active[:, other : other + 1] != 0
        if members is not None and values is not None:
            theirs = values[:, other : other + 1]
            same = values == theirs if ".match." in name else np.broadcast_to(theirs, values.shape)
            heard = heard & (members >> other & 1 != 0) & (same != 0)
            heard = heard & (members[:, other : other + 1] >> lane & 1 != 0)
        found |= np.where(heard, np.int64(1) << other, 0)
    return state.warp.lanes(state.warp.space.intern(found), 32)


def _rank(state: WarpState, call: Call, block: Block) -> Form | None:
    """``popc(votes & lanemask_lt)`` of votes that all lanes have alike, and its like."""
    argument = call.args[0]
    if not isinstance(argument, Local) or argument.index not in state.block_of:
        return None
    home = state.block_of[argument.index]
    if state.structure.loops_of[home] != state.structure.loops_of[block.index]:
        return None  # lanes may have left another loop at different iterations
    step = state.definition(argument.index)
    counted = _counted(state, step, block) if isinstance(step, Binary) else None
    if counted is None:
        return None
    votes, masks = counted
    if _grows(masks):
        first, sign = masks[:, 0], 1
    elif _grows(masks[:, ::-1]):
        first, sign = masks[:, 0], -1
    else:
        return None
    warp, lane, one = state.warp, state.layout.lane, state.warp.constant(1, 32)
    loops = ops.loops_of(warp, (votes,))
    start = warp.atom(
        ("first rank", call.index), 32, "rank", Cause.NONLINEAR, varying=False,
        bounds=(0, max(mask.bit_count() for mask in first.tolist())), loops=loops,
    )  # fmt: skip
    passed = warp.atom(
        ("rank", call.index), 32, "rank among the lanes that vote", Cause.NONLINEAR,
        varying=True, bounds=(0, WARP_SIZE - 1), loops=loops,
        steps=Steps(lane.const, frozenset(), one, 1, 1, False, 1, 1),
    )  # fmt: skip
    rank = warp.add(start, warp.mul(passed, warp.constant(sign, 32)))
    return warp.build(32, dict(rank.terms), rank.const, (0, WARP_SIZE))


def _counted(state: WarpState, step: Binary, block: Block) -> tuple[Form, Array] | None:
    """The votes of which some are counted, and the bits of these in each lane."""
    if not isinstance(step.type, IntType) or step.type.bits != WARP_SIZE:
        return None
    every = np.int64(0xFFFFFFFF)
    left, right = (state.form(side, block.index, WARP_SIZE) for side in (step.lhs, step.rhs))
    for votes, other in ((left, right), (right, left)):
        known = _known(state, other)
        if known is None or not state.warp.is_uniform(votes):
            continue
        if step.op == "and":
            return votes, known & every
        if step.op in {"shl", "lshr"} and other is right:
            if known.min() < 0 or known.max() >= WARP_SIZE:
                return None
            return votes, every >> known if step.op == "shl" else every << known & every
    return None


def _grows(masks: Array) -> bool:
    """Whether each lane has the bits of the lane before, and one more at the most."""
    before, after = masks[:, :-1], masks[:, 1:]
    more = after & ~before
    return bool(((before & ~after) == 0).all() and ((more & (more - 1)) == 0).all())
