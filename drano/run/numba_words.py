"""What is said of Numba kernels, in Numba's words.

Threads are numbered by ``cuda.grid`` and ``cuda.threadIdx``; whether an array is contiguous is part
of its type. What the rules advise for CUDA is said anew where Numba has its own way.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from drano.model.access import Access
from drano.model.judgement import Pattern, Verdict
from drano.model.report import FileReport
from drano.run.renamed_texts import renamed

LANGUAGE = "numba"
_INDEX = re.compile(r"(?<![\w.])(threadIdx|blockIdx|blockDim|gridDim)\.(?=[xyz]\b)")
_STRIDE = re.compile(r"`?([A-Za-z_]\w*)\.strides\[\d+\]")


def in_numbas_words(report: FileReport) -> FileReport:
    """The report of a unit that Numba compiled."""
    findings = tuple(
        replace(found, help=_advice(found.access, found.help)) if found.access else found
        for found in report.findings
    )
    return renamed(replace(report, findings=findings), _in_numba)


def _advice(access: Access, given: str) -> str:
    judgement = access.judgement
    if judgement.pattern is not Pattern.COLUMN_MAJOR:
        return given
    stride = _STRIDE.search(judgement.reason)
    if stride is not None and (judgement.possible or judgement.verdict is Verdict.UNKNOWN):
        return (
            f"none if `{stride[1]}` is contiguous, which its type can say: `float32[::1]`, "
            "`float32[:, ::1]`, as Numba infers it of arrays that no slice was taken of; otherwise "
            "pass a contiguous copy, or let cuda.threadIdx.x be the index along its rows"
        )
    rows = access.launch.block[1] if access.launch is not None else 1
    if judgement.verdict is not Verdict.UNCOALESCED or rows == 1:
        return given
    return (
        "let the first of `x, y = cuda.grid(2)` be the last index, `a[y, x]`: it is "
        f"cuda.threadIdx.x that differs between neighbours in a warp; or {given}"
    )


def _in_numba(text: str) -> str:
    return _INDEX.sub(r"cuda.\1.", text)
