"""Blocks that are as plausible as the assumed shape, to tell what rests on the assumption alone.

A kernel that asks for ``threadIdx.y`` or ``threadIdx.z`` may as well be launched in narrow blocks;
of one that asks for ``threadIdx.x`` only every plausible block is a row of whole warps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from drano.analysis.definitions import register_name
from drano.ir.model import Call, Function
from drano.model.access import Launch, block_text
from drano.model.finding import ControlFact, ControlKind
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import Judgement, Space, Verdict
from drano.model.settings import MAX_THREADS

Block: TypeAlias = tuple[int, int, int]

_FLAT: Final[tuple[Block, ...]] = ((16, 16, 1), (8, 8, 1), (4, 8, 1))
_DEEP: Final[tuple[Block, ...]] = ((16, 4, 4), (8, 8, 8), (4, 4, 4), (4, 8, 2))
_CONFLICT: Final = 2.0


def plausible_shapes(function: Function, launch: Launch) -> tuple[Launch, ...]:
    """Other shapes than the assumed one that fit what is known; none where nothing rests on it."""
    if not launch.assumed:
        return ()
    axes = _axes(function)
    blocks: tuple[Block, ...] = _DEEP if "z" in axes else _FLAT if "y" in axes else ()
    if launch.partly is not None:
        fitting = (_fitted(block, launch.partly) for block in blocks)
        blocks = tuple(dict.fromkeys(block for block in fitting if block != launch.block))
    most = function.max_threads or MAX_THREADS
    return tuple(Launch(b, assumed=False) for b in blocks if WARP_SIZE <= math.prod(b) <= most)


def is_bad(judgement: Judgement) -> bool:
    """Whether it is proved that an access is uncoalesced, or that it has a bank conflict."""
    if judgement.space is not Space.SHARED:
        return judgement.flagged
    counts = judgement.wavefronts
    if counts is None or counts.expected is None:
        return False
    return counts.expected >= _CONFLICT * counts.ideal


def is_good(judgement: Judgement) -> bool:
    """Whether it is proved that an access of global memory is coalesced."""
    outside = judgement.space in {Space.GLOBAL, Space.GENERIC}
    return outside and judgement.verdict is Verdict.COALESCED


def in_assumed_shape(judgement: Judgement, other: Block) -> Judgement:
    """A judgement that says that in blocks of the shape ``other`` it is not so."""
    reason = f"{judgement.reason}; assumes the block shape: not so in blocks of {block_text(other)}"
    return replace(judgement, reason=reason.removeprefix("; "))


def is_barrier(fact: ControlFact) -> bool:
    """Whether threads stay away from a barrier, or may."""
    return fact.kind is ControlKind.BARRIER


def resting_on_shape(
    facts: Sequence[ControlFact], elsewhere: Sequence[ControlFact], other: Launch
) -> list[ControlFact]:
    """Facts of the assumed shape: of barriers, what is not so in the shape ``other`` says so."""
    same = {(fact.location, fact.proved) for fact in elsewhere if is_barrier(fact)}
    return [
        replace(fact, otherwise=fact.otherwise or other.block)
        if is_barrier(fact) and same.isdisjoint({(fact.location, p) for p in (fact.proved, True)})
        else fact
        for fact in facts
    ]


def _fitted(
    block: tuple[int, int, int], known: tuple[int | None, int | None, int | None]
) -> tuple[int, int, int]:
    x, y, z = (a if b is None else b for a, b in zip(block, known, strict=True))
    return x, y, z


def _axes(function: Function) -> frozenset[str]:
    """Axes along which a kernel asks for its thread's place."""
    names = (
        register_name(i.callee or "")
        for block in function.blocks
        for i in block.instructions
        if isinstance(i, Call)
    )
    return frozenset(
        axis for kind, _, axis in (name.partition(".") for name in names) if kind == "threadIdx"
    )
