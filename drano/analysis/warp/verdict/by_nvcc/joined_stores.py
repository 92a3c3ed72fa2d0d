"""Stores to one address at the end of each of several branches that meet behind them.

nvcc makes one store of ``if (c) a[i] = x; else a[i] = y;`` more often than not, and then a request
is of the lanes of all branches; LLVM's optimiser leaves them apart here. What is said of such a
store has to hold for both.

It also makes one store of ``if (c) a[i] = x; else a[j * n] = x;``, of which each lane has the
address of its branch, if what is stored is the same but for one value. Then a request touches no
more sectors than those of all branches together; a verdict has the condition that they are not
merged, unless it holds for that number, too. (nvcc 13.0: of 30 kernels, those that it merged; not
``a[i] = 1; … a[j] = 2;``, nor stores to different arrays.)
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import (
    Binary,
    Call,
    Cast,
    Compare,
    Gep,
    Instruction,
    Load,
    Local,
    Operand,
    Phi,
    Select,
    Store,
)
from drano.ir.target import POINTER_BITS
from drano.lattice import Form, LaneOverflowError, Predicate
from drano.model.hardware import UNCOALESCED_FROM, WARP_SIZE
from drano.model.judgement import UNKNOWN, CountRange, Judgement, Verdict
from drano.model.settings import View
from drano.traffic.tallies import Traffic

APART = "nvcc does not merge the stores of several branches"
"""What a verdict rests on that does not hold for the lanes of several branches."""

_MOST_DEPTH = 6  # of a value that is compared with another
_MOST_OPERANDS = 4  # of an instruction whose own are compared, else it is taken for alike
_COMPUTES = (Binary, Cast, Compare, Gep, Select)


def joined_mask(run: WarpState, site: Site) -> Predicate | None:
    """The lanes of a request that would be of all the branches; None where there are no others."""
    blocks = run.function.blocks
    here = blocks[site.block]
    if run.options.view is not View.COMPILED or not isinstance(site.instruction, Store):
        return None
    if len(here.successors) != 1:
        return None
    join = here.successors[0]
    before = blocks[join].predecessors
    if len(before) < 2 or _last_store(here.instructions) is not site.instruction:
        return None
    try:
        own = run.form(site.pointer, site.block, POINTER_BITS)
        for block in before:
            store = _last_store(blocks[block].instructions)
            if blocks[block].successors != (join,) or not isinstance(store, Store):
                return None
            if store.size != site.instruction.size:
                return None
            if run.masks[block] is None:
                continue  # of no lane of this launch
            if run.form(store.pointer, block, POINTER_BITS) != own:
                return None
    except NotReadyError:
        return None
    return run.masks[join]


def _last_store(instructions: tuple[Instruction, ...]) -> Instruction | None:
    """The last instruction but for those that only compute, and the jump."""
    for instruction in reversed(instructions[:-1]):
        if not isinstance(instruction, _COMPUTES):
            return instruction
    return None


def merged_with(run: WarpState, site: Site) -> list[tuple[Form, Predicate]]:
    """Addresses and lanes of the stores of other branches, to other elements of the same array,
    of which nvcc may make one store with this one, if the lanes of a warp take several branches.
    """
    blocks = run.function.blocks
    here = blocks[site.block]
    if run.options.view is not View.COMPILED or not isinstance(site.instruction, Store):
        return []
    if len(here.successors) != 1 or here.successors[0] not in run.divergent_joins:
        return []
    stores = last_stores(here.instructions)
    if site.instruction not in stores:
        return []
    number = stores.index(site.instruction)
    found = []
    for block in blocks[here.successors[0]].predecessors:
        mask = run.masks[block]
        if block == site.block or blocks[block].successors != here.successors or mask is None:
            continue
        others = last_stores(blocks[block].instructions)[: number + 1]
        if len(others) <= number:
            continue
        pairs = zip(stores, others, strict=False)
        addresses = [_to_one_array(run, (site.block, a), (block, b)) for a, b in pairs]
        if all(address is not None for address in addresses):
            own = run.form(site.pointer, site.block, POINTER_BITS)
            last = addresses[-1]
            if last is not None and last != own:
                found.append((last, mask))
    return found


def last_stores(instructions: tuple[Instruction, ...]) -> list[Store]:
    """The stores behind the last instruction that has another effect, the last one first."""
    found = []
    for instruction in reversed(instructions[:-1]):
        if isinstance(instruction, Store):
            found.append(instruction)
        elif not isinstance(instruction, (*_COMPUTES, Load)):
            break
    return found


def _to_one_array(run: WarpState, one: tuple[int, Store], other: tuple[int, Store]) -> Form | None:
    """The address of the second of two stores, if nvcc may make one store of them: to one array, or
    by pointers that are not known to be of two.
    """
    if one[1].size != other[1].size:
        return None
    if not _is_alike(run, (one[0], one[1].value), (other[0], other[1].value)):
        return None
    try:
        mine, its = (run.form(store.pointer, b, POINTER_BITS) for b, store in (one, other))
    except (NotReadyError, LaneOverflowError):
        return None
    bases = {run.arrays.base(mine), run.arrays.base(its)}
    return its if len(bases) == 1 or None in bases else None


def _is_alike(
    run: WarpState, one: tuple[int, Operand], other: tuple[int, Operand], depth: int = 0
) -> bool:
    """Whether two values are the same, or made in their blocks by the same operation of values of
    which all but one are alike: what is computed behind the branches then needs one more value.
    """
    if one[1] == other[1]:
        return True
    if not isinstance(one[1], Local) or not isinstance(other[1], Local):
        return False
    if one[1].index not in run.block_of or other[1].index not in run.block_of:
        return False
    mine, its = run.definition(one[1].index), run.definition(other[1].index)
    if operation(mine) != operation(its) or isinstance(mine, Phi):
        return False
    if depth >= _MOST_DEPTH or len(run.operands[mine.index]) > _MOST_OPERANDS:
        return True
    if isinstance(mine, Load) and isinstance(its, Load):
        return _base(run, one[0], mine.pointer) == _base(run, other[0], its.pointer)
    pairs = zip(run.operands[mine.index], run.operands[its.index], strict=False)
    different = sum(not _is_alike(run, (one[0], a), (other[0], b), depth + 1) for a, b in pairs)
    return different <= 1


def operation(instruction: Instruction) -> tuple[object, ...]:
    """What an instruction does with its operands: equal of two that nvcc may make one of."""
    match instruction:
        case Binary() | Cast():
            return type(instruction), instruction.op, instruction.type
        case Compare():
            return type(instruction), instruction.predicate
        case Call():
            return type(instruction), instruction.callee
        case _:
            return type(instruction), instruction.type


def _base(run: WarpState, block: int, pointer: Operand) -> int | None:
    try:
        return run.arrays.base(run.form(pointer, block, POINTER_BITS))
    except (NotReadyError, LaneOverflowError):
        return None


def beside(own: Judgement, others: Sequence[Traffic], most: int, apart: str) -> Judgement:
    """What holds of an access alone, and of one with those of other branches at other addresses;
    ``most``: sectors that all lanes can touch; ``apart``: the condition that they are not merged.
    """
    sectors, lines = own.sectors, own.lines
    if sectors is None or lines is None:
        return own
    least = min(sectors.minimum, *(max(each.sectors.least, 1) for each in others))
    sectors = replace(
        sectors,
        minimum=least,
        maximum=max(
            sectors.maximum, min(most, sectors.maximum + sum(e.sectors.most for e in others))
        ),
    )
    lines = replace(
        lines,
        minimum=min(lines.minimum, *(max(each.lines.least, 1) for each in others)),
        maximum=max(
            lines.maximum, min(WARP_SIZE, lines.maximum + sum(e.lines.most for e in others))
        ),
    )
    found = replace(own, sectors=sectors, lines=lines)
    if own.verdict is Verdict.UNKNOWN:
        return found
    if own.verdict is Verdict.COALESCED and sectors.maximum < sectors.ideal * UNCOALESCED_FROM:
        return found
    condition = " and ".join(filter(None, (own.condition, apart)))
    weight = UNKNOWN + 1 if own.flagged else own.weight
    return replace(found, condition=condition, weight=weight)


def covering(own: Judgement, joined: Judgement, others: str) -> Judgement:
    """What holds of an access alone and of one with the ``others`` of the other branches. Where
    both are known and differ, that of the one request, as it is where it was measured, but not as
    proved.
    """
    chosen = own
    if Verdict.UNKNOWN not in (own.verdict, joined.verdict) and own.verdict is not joined.verdict:
        reason = f"{joined.reason}, as one request with the {others} of other branches"
        chosen = replace(joined, reason=reason, weight=UNKNOWN + 1)
    return replace(
        chosen,
        lines=_hull(chosen.lines, own.lines, joined.lines),
        sectors=_hull(chosen.sectors, own.sectors, joined.sectors),
    )


def _hull(
    chosen: CountRange | None, own: CountRange | None, joined: CountRange | None
) -> CountRange | None:
    if chosen is None or own is None or joined is None:
        return None
    least = min(own.minimum, joined.minimum)
    most = max(own.maximum, joined.maximum)
    return CountRange(least, most, chosen.ideal, chosen.expected)
