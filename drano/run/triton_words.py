"""What is said of kernels that Triton compiles, in Triton's words or Pallas's.

A Triton program names neither threads nor blocks of them: sizes are ``num_warps`` and the shapes
that ``tl.arange`` gives, and neighbours are elements of a block along its fastest axis. What the
rules advise for CUDA is said anew here; what they find stays what it is. Pallas writes the same
blocks as ``BlockSpec`` and indices of references, and knows all shapes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from drano.frontend.compiled.triton_layouts import Layout, Place
from drano.model.access import Access
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import Pattern, Space
from drano.model.report import FileReport
from drano.model.span import Location
from drano.run.renamed_texts import renamed

_MAX_WARPS = 32
_AXES = {"x": "0", "y": "1", "z": "2"}
_INDEX = re.compile(r"\b(blockIdx|gridDim)\.([xyz])\b")
_THREAD = re.compile(r"\bthreadIdx\.x\b")
_NAMES = {"blockIdx": "program_id", "gridDim": "num_programs"}
PALLAS = "pallas"
"""The language of units that Pallas wrote for Triton."""


class _Words(Struct, frozen=True):
    """``along``: how a block lies in memory; ``swapped``: what else to do about a stride;
    ``rows``: a load of whole rows; ``tensors``; ``multiple``: the hint of a divisor.
    """

    along: str
    swapped: str
    rows: str
    tensors: str
    multiple: str


_SHARED = (
    "Triton lays out shared memory by itself, for what is done with the block (a product, a "
    "transposition, a reduction): other block sizes, num_warps or num_stages make other layouts"
)
_NEIGHBOURS = "neighbours in a block should be neighbours in memory: "
_TRITON = _Words(
    f"{_NEIGHBOURS}let the last `tl.arange` of the offsets run along the dimension whose stride is "
    "1, as in `rows[:, None] * stride + columns[None, :]`",
    "swap the axes. Triton specialises a stride{} that is 1 when the kernel is launched",
    "x + index[:, None] * width + columns[None, :]",
    "tensor", "tl.multiple_of",
)  # fmt: skip
_PALLAS = _Words(
    f"{_NEIGHBOURS}index the last axis of a reference by what runs (`:`, `pl.ds`, `jnp.arange`), "
    "and let a block be 32 elements or more wide along it",
    "pass the array with its axes swapped",
    "x_ref[index[:, None], columns[None, :]]",
    "array", "pl.multiple_of",
)  # fmt: skip


def in_tritons_words(
    report: FileReport, language: str = "", layouts: Mapping[Place, Layout] = MappingProxyType({})
) -> FileReport:
    """The report of a unit that Triton compiled; ``language``: ``PALLAS``, or Triton's own;
    ``layouts``: of its accesses' blocks, where they are known.
    """
    at = Counter(access.location for access in report.accesses)
    words = _PALLAS if language == PALLAS else _TRITON
    findings = tuple(
        replace(
            found,
            help=_advice(found.access, found.help, at, words, _layout_of(found.access, layouts)),
        )
        if found.access
        else found
        for found in report.findings
    )
    return renamed(replace(report, findings=findings), _in_triton)


def _layout_of(access: Access, layouts: Mapping[Place, Layout]) -> Layout | None:
    span = access.location.span
    return layouts.get((span.line, span.column))


def _advice(
    access: Access, given: str, at: Mapping[Location, int], words: _Words, layout: Layout | None
) -> str:
    judgement = access.judgement
    if judgement.space is Space.SHARED:
        return _SHARED
    elements = _held(access)
    match judgement.pattern:
        case Pattern.STRIDED if 1 < elements <= at[access.location] and (
            layout is None or layout.elements >= elements
        ):
            return _not_vectorised(access, elements, words)
        case Pattern.STRIDED | Pattern.IRREGULAR:
            return (
                f"{words.along}; or pass the {words.tensors} transposed and contiguous"
                f"{_laid_out(layout)}"
            )
        case Pattern.COLUMN_MAJOR:
            stride = f" `{judgement.stride}`" if judgement.stride.isidentifier() else ""
            return f"{words.along}; or {words.swapped.format(stride)}{_laid_out(layout)}"
        case Pattern.DATA_DEPENDENT:
            return (
                "sort the indices so that neighbours in the block are neighbours in memory; or "
                f"load whole rows, `{words.rows}`"
            )
        case Pattern.UNALIGNED | Pattern.UNKNOWN_START:
            return (
                f"pad the row stride to a multiple of 32 bytes, and start {words.tensors}s at 16 "
                "bytes at least: Triton makes wide accesses of what it knows to be divisible by 16"
            )
        case _:
            return given


def _laid_out(layout: Layout | None) -> str:
    """What a thread and a warp have of a block, where it is more than an element for each."""
    if layout is None or (layout.elements == 1 and "x" not in layout.shape):
        return ""
    parts = f"a thread {layout.thread} and a warp {layout.warp} of its {layout.shape} elements"
    along = f", neighbours along its {layout.along} axis" if "x" in layout.shape else ""
    return f". Of this block, Triton gives {parts}{along}"


def _held(access: Access) -> int:
    """How many elements lie between those of neighbouring lanes; 0 where that is not known."""
    first, *rest = access.judgement.lanes or (None,)
    second = rest[0] if rest else None
    if first is None or second is None or not access.bytes or (second - first) % access.bytes:
        return 0
    return (second - first) // access.bytes


def _not_vectorised(access: Access, elements: int, words: _Words) -> str:
    """Neighbours that each thread holds, but accesses one by one."""
    width = elements * access.bytes
    text = (
        f"each thread holds {elements} neighbouring elements, and accesses them one by one: Triton "
        f"does not know that offsets and mask are multiples of {elements}. Make the sizes and "
        "strides in them multiples of 16, which Triton finds out at the launch (or say so by "
        f"`{words.multiple}`): one access of {min(width, 16)} bytes"
    )
    warps = access.launch.block[0] // WARP_SIZE if access.launch is not None else 0
    if 0 < warps * elements <= _MAX_WARPS:
        text += f"; or set num_warps={warps * elements}, so that a thread holds one element"
    return text


def _in_triton(text: str) -> str:
    return _THREAD.sub("thread", _INDEX.sub(_program, text))


def _program(match: re.Match[str]) -> str:
    return f"{_NAMES[match[1]]}({_AXES[match[2]]})"
