"""What is said of Triton kernels, in Triton's words.

A Triton program names neither threads nor blocks of them: sizes are ``num_warps`` and the shapes
that ``tl.arange`` gives, and neighbours are elements of a block along its fastest axis. What the
rules advise for CUDA is said anew here; what they find stays what it is.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping

from drano.model.access import Access
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import Pattern
from drano.model.report import FileReport
from drano.model.span import Location
from drano.run.renamed_texts import renamed

_MAX_WARPS = 32
_AXES = {"x": "0", "y": "1", "z": "2"}
_INDEX = re.compile(r"\b(blockIdx|gridDim)\.([xyz])\b")
_THREAD = re.compile(r"\bthreadIdx\.x\b")
_NAMES = {"blockIdx": "program_id", "gridDim": "num_programs"}
_ALONG = (
    "neighbours in a block should be neighbours in memory: let the last `tl.arange` of the offsets "
    "run along the dimension whose stride is 1, as in "
    "`rows[:, None] * stride + columns[None, :]`"
)


def in_tritons_words(report: FileReport) -> FileReport:
    """The report of a unit that Triton compiled."""
    at = Counter(access.location for access in report.accesses)
    findings = tuple(
        dataclasses.replace(found, help=_advice(found.access, found.help, at))
        if found.access
        else found
        for found in report.findings
    )
    return renamed(dataclasses.replace(report, findings=findings), _in_triton)


def _advice(access: Access, given: str, at: Mapping[Location, int]) -> str:
    judgement = access.judgement
    elements = _held(access)
    match judgement.pattern:
        case Pattern.STRIDED if 1 < elements <= at[access.location]:
            return _not_vectorised(access, elements)
        case Pattern.STRIDED | Pattern.IRREGULAR:
            return f"{_ALONG}; or pass the tensor transposed and contiguous"
        case Pattern.COLUMN_MAJOR:
            stride = f" `{judgement.stride}`" if judgement.stride.isidentifier() else ""
            return (
                f"{_ALONG}; or swap the axes. Triton specialises a stride{stride} that is 1 when "
                "the kernel is launched"
            )
        case Pattern.DATA_DEPENDENT:
            return (
                "sort the indices so that neighbours in the block are neighbours in memory; or "
                "load whole rows, `x + index[:, None] * width + columns[None, :]`"
            )
        case Pattern.UNALIGNED | Pattern.UNKNOWN_START:
            return (
                "pad the row stride to a multiple of 32 bytes, and start tensors at 16 bytes at "
                "least: Triton makes wide accesses of what it knows to be divisible by 16"
            )
        case _:
            return given


def _held(access: Access) -> int:
    """How many elements lie between those of neighbouring lanes; 0 where that is not known."""
    first, *rest = access.judgement.lanes or (None,)
    second = rest[0] if rest else None
    if first is None or second is None or not access.bytes or (second - first) % access.bytes:
        return 0
    return (second - first) // access.bytes


def _not_vectorised(access: Access, elements: int) -> str:
    """Neighbours that each thread holds, but accesses one by one."""
    width = elements * access.bytes
    text = (
        f"each thread holds {elements} neighbouring elements, and accesses them one by one: Triton "
        f"does not know that offsets and mask are multiples of {elements}. Make the sizes and "
        "strides in them multiples of 16, which Triton finds out at the launch (or say so by "
        f"`tl.multiple_of`): one access of {min(width, 16)} bytes"
    )
    warps = access.launch.block[0] // WARP_SIZE if access.launch is not None else 0
    if 0 < warps * elements <= _MAX_WARPS:
        text += f"; or set num_warps={warps * elements}, so that a thread holds one element"
    return text


def _in_triton(text: str) -> str:
    return _THREAD.sub("thread", _INDEX.sub(_program, text))


def _program(match: re.Match[str]) -> str:
    return f"{_NAMES[match[1]]}({_AXES[match[2]]})"
