"""Loads of several branches that meet behind them, of which nvcc makes one load.

Of ``if (c) x = a[i]; else x = b[j];`` it selects the address, and loads once: a request is of the
lanes of both branches, each at the address of its own. So it does with what is computed of the
loaded values by the same operations, ``a[i] - 3`` and ``a[j] - 5``, or stored as the last thing.
What is said of such a load has to hold for both: bounds are those of all branches together, and a
verdict has the condition that they are not merged, unless it holds for that number, too.

Loads of one address at the beginning of both sides of a branch it makes before the branch, whatever
becomes of them.

(nvcc 13.0, SASS: of 50 kernels, those that it merged. Not: loads of which branches make something
else, of other types or memories, before atomics, fences or other numbers of stores.)

Limits: which loads are merged is overestimated, as nvcc also counts the values that it would have
to select; of branches with more values than are compared, all loads may be one. A load is taken to
be made before one branch, not before several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from drano.analysis.access_sites import Site
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.by_nvcc.joined_stores import last_stores, operation
from drano.ir.intrinsics import is_idle
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
from drano.lattice import Form, Predicate
from drano.model.settings import View

LOADS_APART: Final = "nvcc does not merge the loads of several branches"
"""What a verdict rests on that does not hold for the lanes of several branches."""

_MOST_PAIRS: Final = 4000  # of values of two branches that are compared
_EITHER_WAY: Final = frozenset({"add", "mul", "and", "or", "xor", "fadd", "fmul"})
_SUMS: Final = (frozenset({"add", "sub"}), frozenset({"fadd", "fsub"}))
_COMPUTES = (Binary, Cast, Compare, Gep, Load, Phi, Select)

Mates: TypeAlias = Mapping[int, tuple[Load, ...]]


def merged_loads(run: WarpState, site: Site) -> list[tuple[Form, Predicate]]:
    """Addresses and lanes of the loads of other branches of which nvcc may make one load with this
    one, if the lanes of a warp take several branches. Raises NotReadyError where an address is not
    known yet.
    """
    blocks = run.function.blocks
    here = blocks[site.block]
    if run.options.view is not View.COMPILED or not isinstance(site.instruction, Load):
        return []
    if len(here.successors) != 1 or here.successors[0] not in run.divergent_joins:
        return []
    found = []
    for block in blocks[here.successors[0]].predecessors:
        mask = run.masks[block]
        if block == site.block or blocks[block].successors != here.successors or mask is None:
            continue
        mates = run.load_mates.get((site.block, block))
        if mates is None:
            mates = run.load_mates[site.block, block] = _mates(run, site.block, block)
        loads = mates.get(site.instruction.index, ())
        found += [(run.form(load.pointer, block, POINTER_BITS), mask) for load in loads]
    return found


def hoisted_mask(run: WarpState, site: Site, address: Form) -> Predicate | None:
    """The lanes of a load that nvcc may make before the branch, as the other side loads the same;
    None where there is no such load. Raises NotReadyError where an address is not known yet.
    """
    blocks, load = run.function.blocks, site.instruction
    before = blocks[site.block].predecessors
    if run.options.view is not View.COMPILED or not isinstance(load, Load) or len(before) != 1:
        return None
    others = {block for block in blocks[before[0]].successors if block != site.block}
    if not others or load.index not in _first(run, site.block):
        return None
    for block in others:
        if tuple(blocks[block].predecessors) != tuple(before) or run.masks[block] is None:
            return None
        if (load.size, load.space, address) not in _first_loads(run, block):
            return None
    return run.masks[before[0]]


def _first_loads(run: WarpState, block: int) -> frozenset[tuple[int, int, Form]]:
    """Bytes, space and address of the loads of a block before what has other effects."""
    found = run.first_loads.get(block)
    if found is None:
        found = run.first_loads[block] = frozenset(
            (load.size, load.space, run.form(load.pointer, block, POINTER_BITS))
            for load in _first(run, block).values()
        )
    return found


def _first(run: WarpState, block: int) -> Mapping[int, Load]:
    """The loads of a block before what has other effects, by index."""
    found = run.loads_ahead.get(block)
    if found is None:
        found = run.loads_ahead[block] = {}
        for instruction in run.function.blocks[block].instructions[:-1]:
            if isinstance(instruction, Load):
                found[instruction.index] = instruction
            elif not _has_no_effect(instruction):
                break
    return found


def _mates(run: WarpState, one: int, other: int) -> Mates:
    """Loads of the second block by the loads of the first one that may be one load with them."""
    found: dict[int, tuple[Load, ...]] = {}
    seen: set[tuple[int, int]] = set()
    pending = list(_meeting(run, one, other))
    behind = {block: _stores_behind(run.function.blocks[block].instructions)
              for block in (one, other)}  # fmt: skip
    while pending and len(seen) < _MOST_PAIRS:
        mine, its = (_defined(run, v, b) for v, b in zip(pending.pop(), (one, other), strict=True))
        if mine is None or its is None or (mine.index, its.index) in seen:
            continue
        seen.add((mine.index, its.index))
        if isinstance(mine, Phi) or not _are_alike(mine, its):
            continue
        if isinstance(mine, Load) and isinstance(its, Load):
            stores = behind[one].get(mine.index), behind[other].get(its.index)
            if mine.space == its.space and stores[0] == stores[1] is not None:
                found[mine.index] = (*found.get(mine.index, ()), its)
        operands = run.operands[its.index]
        pending += zip(run.operands[mine.index], operands, strict=False)
        if any(isinstance(each, Binary) and each.op in _EITHER_WAY for each in (mine, its)):
            pending += zip(run.operands[mine.index], reversed(operands), strict=False)
    return _any_mates(run, one, other) if pending else found


def _any_mates(run: WarpState, one: int, other: int) -> Mates:
    """All loads of the second block that are of the same size, for each load of the first."""
    mine, its = (
        [i for i in run.function.blocks[block].instructions if isinstance(i, Load)]
        for block in (one, other)
    )
    by_kind: dict[tuple[int, int], tuple[Load, ...]] = {}
    for load in its:
        kind = load.size, load.space
        by_kind[kind] = (*by_kind.get(kind, ()), load)
    return {load.index: by_kind.get((load.size, load.space), ()) for load in mine}


def _are_alike(one: Instruction, other: Instruction) -> bool:
    """Whether they may be one operation: an optimiser also turns sums and differences into each
    other.
    """
    if not isinstance(one, Binary) or not isinstance(other, Binary) or one.type != other.type:
        return operation(one) == operation(other)
    return one.op == other.op or {one.op, other.op} in _SUMS


def _meeting(run: WarpState, one: int, other: int) -> Iterator[tuple[Operand, Operand]]:
    """The values of two blocks of which one is chosen behind them, or stored as the last thing."""
    blocks = run.function.blocks
    for instruction in blocks[blocks[one].successors[0]].instructions:
        if isinstance(instruction, Phi):
            values = {block: value for value, block in instruction.incoming}
            yield values[one], values[other]
    stores = (last_stores(blocks[block].instructions) for block in (one, other))
    for mine, its in zip(*stores, strict=False):
        yield mine.value, its.value
        yield mine.pointer, its.pointer


def _defined(run: WarpState, operand: Operand, block: int) -> Instruction | None:
    """The instruction of a block whose value an operand is; None of what is from elsewhere."""
    if not isinstance(operand, Local) or run.block_of.get(operand.index) != block:
        return None
    return run.definition(operand.index)


def _stores_behind(instructions: tuple[Instruction, ...]) -> dict[int, int]:
    """How many stores follow each load of a block; none of loads before what has other effects."""
    found: dict[int, int] = {}
    stores = 0
    for instruction in reversed(instructions[:-1]):
        if isinstance(instruction, Load):
            found[instruction.index] = stores
        elif isinstance(instruction, Store):
            stores += 1
        elif not _has_no_effect(instruction):
            break
    return found


def _has_no_effect(instruction: Instruction) -> bool:
    return isinstance(instruction, _COMPUTES) or (
        isinstance(instruction, Call) and is_idle(instruction)
    )
