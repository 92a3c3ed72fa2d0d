"""Fragments of ``nvcuda::wmma`` in a run on the CPU: an H100's requests and sectors."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.profile import read_profile
from tests.analysis.test_matrix_fragments import HEAD, element, kernel, rows


def test_requests_and_sectors_are_the_hardwares(tmp_path: Path) -> None:
    # Others differ from these in the type of their elements alone, or in how many there are.
    like_others = ("bf16", "u8", "s32", "m32n8k16")
    names = {n: r for n, r in rows().items() if not set(n.split("_")) & set(like_others)}
    launches = "\n".join(
        f"  {name}<<<1, 32>>>(({element(name)} *)p, ({element(name)} *)o, 64);" for name in names
    )
    text = (
        f"{HEAD}{''.join(map(kernel, names))}int main() {{\n  void *p, *o;\n"
        f"  cudaMalloc(&p, 1 << 20);\n  cudaMalloc(&o, 1 << 20);\n{launches}\n"
        "  return cudaDeviceSynchronize();\n}\n"
    )
    source, program, profile = (tmp_path / name for name in ("main.cu", "program", "profile.json"))
    source.write_text(text)
    assert compile_main(["-std=c++17", "-arch=sm_90", str(source), "-o", str(program)]) == 0
    environment = {**os.environ, "DRANO_PROFILE": str(profile)}
    subprocess.run([program], check=True, timeout=120, env=environment)
    requests, sectors = Counter[str](), Counter[str]()
    for site in read_profile(str(profile)).sites:
        moved = "store" if site.kernel.startswith("d_") else "load"
        if site.space == "global" and site.kind == moved:
            requests[site.kernel] += site.executions
            sectors[site.kernel] += site.sectors
    assert {name: (requests[name], sectors[name]) for name in names} == names
