"""Kernels of a few lines, whose accesses stand in several branches."""

from __future__ import annotations

from pathlib import Path

import drano
from drano.model.access import Access
from drano.model.settings import Config


def accesses(directory: Path, parameters: str, body: str, kind: str) -> list[Access]:
    """Those of one ``kind`` in a kernel of blocks of 256 threads, in the order of the source."""
    source = directory / "a.cu"
    names = ", ".join(parameter.split()[-1].lstrip("*") for parameter in parameters.split(","))
    source.write_text(
        f"""
__global__ void k({parameters}, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {body}
}}
void go({parameters.replace("const ", "")}, int n) {{ k<<<n, 256>>>({names}, n); }}
""",
        encoding="utf-8",
    )
    report = drano.check([str(source)], Config())
    found = (access for access in report.files[0].accesses if access.kind == kind)
    return sorted(found, key=lambda a: (a.location.span.line, a.location.span.column))
