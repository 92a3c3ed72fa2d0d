"""Accesses written by hand, for tests of rules and outputs: plain data, no analysis."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from drano.model.access import Access, AccessKind, Launch
from drano.model.finding import Finding
from drano.model.judgement import Active, CountRange, Judgement, Pattern, Space, Step, Verdict
from drano.model.report import FileReport, FileStatus, Report
from drano.model.span import Frame, Location, Span

SOURCE = """\
__device__ float get(const float* p, int i) {
\treturn p[2 * i];
}
__global__ void k(float* out, const float* in, int w) {
  /* größe 漢字 */ out[threadIdx.x * w] = get(in, threadIdx.x);
}
"""


def access(**changes: Any) -> Access:
    """A strided load of ``in`` in kernel ``k``, changed as asked."""
    base = Access(
        location=Location(Span("/src/a.cu", 2, 9), "get", (Frame("k", Span("/src/a.cu", 5, 45)),)),
        end_column=0,
        kernel="k",
        kernel_symbol="_Z1kPfPKfi",
        ordinal=0,
        kind=AccessKind.LOAD,
        bytes=4,
        judgement=Judgement(
            space=Space.GLOBAL,
            verdict=Verdict.UNCOALESCED,
            pattern=Pattern.STRIDED,
            reason="i is threadIdx.x",
            value="2*tid.x",
            active=Active.ALL,
            stride="8 bytes",
            array="p",
            lines=CountRange(2, 2, 1),
            sectors=CountRange(8, 8, 4),
            lanes=tuple(8 * lane for lane in range(32)),
            fix="store the elements side by side",
            derivation=(Step(Span("/src/a.cu", 5, 53), "threadIdx.x"), Step(None, "times 8")),
        ),
        index_text="p[2 * i]",
        launch=Launch((32, 8, 1), assumed=False),
    )
    return changed(base, **changes)


def changed(access: Access, **changes: Any) -> Access:
    """``access`` with other fields, of its own or of its judgement."""
    judged = set(Judgement.__struct_fields__) & changes.keys()
    judgement = replace(access.judgement, **{name: changes.pop(name) for name in judged})
    return replace(access, judgement=judgement, **changes)


def at(path: str, line: int, column: int, *frames: Frame) -> Location:
    return Location(Span(path, line, column), "f", frames)


def report(path: str, accesses: tuple[Access, ...], findings: tuple[Finding, ...]) -> Report:
    file = FileReport(path, FileStatus.OK, accesses=accesses, findings=findings)
    return Report((file,), "warp", "0.0.0")
