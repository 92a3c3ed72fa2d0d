"""What is said of kernels that XLA writes: nobody has their source.

Of such a kernel, only the operations of a program can be changed that XLA made it of, and the
arrays that these are given: what the rules advise for CUDA is said anew. What the kernel does with
shared memory is XLA's affair, and no finding.
"""

from __future__ import annotations

from msgspec.structs import replace

from drano.model.access import Access
from drano.model.judgement import Pattern, Space
from drano.model.report import FileReport

XLA = "xla"
_WHOSE = "XLA made this kernel of the operations at this line"
_AXES = (
    "neighbours in its result come from elements of {} that lie apart: take whole rows, not "
    "columns or every n-th element; or keep the array transposed, if it is read so more than once"
)
_INDICES = "sort the indices, or take whole rows, `x[index]` with the index along the first axis"
_PADDING = "pad the last axis to a multiple of 32 bytes"


def in_xlas_words(report: FileReport) -> FileReport:
    """The report of a unit that XLA compiled."""
    findings = tuple(
        replace(found, help=f"{_WHOSE}: {_advice(found.access)}")
        for found in report.findings
        if found.access is not None and found.access.judgement.space is not Space.SHARED
    )
    return replace(report, findings=findings)


def _advice(access: Access) -> str:
    match access.judgement.pattern:
        case Pattern.DATA_DEPENDENT:
            return _INDICES
        case Pattern.UNALIGNED | Pattern.UNKNOWN_START:
            return _PADDING
        case Pattern.STRIDED | Pattern.COLUMN_MAJOR | Pattern.IRREGULAR:
            array = access.judgement.array
            return _AXES.format(f"`{array}`" if array else "memory")
        case _:
            return "another order of them may make another kernel"
