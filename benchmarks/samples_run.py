"""How many of NVIDIA's cuda-samples run on the CPU: ``samples_run.py CHECKOUT``.

Builds each eligible sample with ``drano cc`` from the sources that its CMakeLists.txt names, runs
it with every access counted, and holds it to its own check: exit status 0, and none of its words
for failure (nor for having skipped the check). Prints which samples are left out and why, then one
table and the share that passes. A sample is eligible unless it draws (OpenGL, Vulkan, EGL,
Direct3D, NvSci), needs several GPUs, or links what has no source: CUDA's libraries, NVRTC, libNVVM,
the driver API, MPI. The checkout is left as it is: samples are copied, and Common is linked beside
the copies.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

_LINKED = re.compile(r"CUDA::(\w+)|find_package\((\w+)")
_PLAIN = frozenset({"CUDAToolkit", "OpenMP", "cudart", "cudart_static", "Threads"})
_REASONS = {
    "GLUT": "graphics", "OpenGL": "graphics", "Vulkan": "graphics", "EGL": "graphics",
    "NVSCI": "NvSci", "MPI": "MPI", "cuda_driver": "driver API", "FreeImage": "FreeImage",
}  # fmt: skip
_PLATFORMS = {"7_libNVVM": "libNVVM", "8_Platform_Specific": "other platforms"}
_SOURCES = re.compile(r"add_executable\(\s*(\S+)\s+([^)]*)\)")
_SEVERAL = re.compile(r"cudaDeviceEnablePeerAccess|cudaIpcOpen|cudaMemPoolSetAccess")
_DIRECT3D = re.compile(r"d3d1[12]", re.IGNORECASE)
_FAILED = re.compile(r"\bFAIL(?:ED|URE)?\b|Test failed|[Ww]aiv(?:ed|ing)|Result = FAIL")
# Smaller problems for samples whose own would take minutes on a CPU, by the samples' own options.
_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "UnifiedMemoryPerf": ("-kernel-iterations=1",),
    "globalToShmemAsyncCopy": ("-wA=160", "-hA=160", "-wB=160", "-hB=160"),
}


class Sample(Struct, frozen=True):
    """``sources``: relative to ``directory``; ``left_out``: why it is, if it is."""

    name: str
    directory: Path
    sources: tuple[str, ...]
    separate: bool
    left_out: str | None


class Outcome(Struct, frozen=True):
    """Times in seconds; ``result``: ``passed``, or what went wrong."""

    sample: Sample
    compile_seconds: float
    run_seconds: float
    result: str


def samples_of(checkout: Path) -> list[Sample]:
    """All samples, in the order of their directories."""
    return [_sample(file) for file in sorted((checkout / "Samples").glob("*/*/**/CMakeLists.txt"))]


def _sample(file: Path) -> Sample:
    text = file.read_text(encoding="utf-8", errors="replace")
    made = _SOURCES.search(text)
    words = made[2].split() if made else []
    sources = tuple(word for word in words if word.endswith((".cu", ".cpp", ".c")))
    separate = "CUDA_SEPARABLE_COMPILATION ON" in text
    name = made[1] if made else file.parent.name
    return Sample(name, file.parent, sources, separate, _left_out(file, text, sources))


def _left_out(file: Path, cmake: str, sources: Sequence[str]) -> str | None:
    for part in file.parts:
        if part in _PLATFORMS:
            return _PLATFORMS[part]
    linked = {a or b for a, b in _LINKED.findall(cmake)} - _PLAIN
    reasons = sorted({_REASONS.get(name, f"library {name}") for name in linked})
    if reasons:
        return ", ".join(reasons)
    if not sources:
        return "no program"
    texts = [path.read_text(encoding="utf-8", errors="replace")
             for path in file.parent.rglob("*.c*") if path.suffix in {".cu", ".cpp"}]  # fmt: skip
    if any(map(_DIRECT3D.search, texts)):
        return "graphics"
    if any(map(_SEVERAL.search, texts)):
        return "several GPUs or processes"
    return None


def outcome_of(sample: Sample, checkout: Path, root: Path, limit: float) -> Outcome:
    """Build and run one sample in a copy below ``root``."""
    place = root / sample.name / sample.directory.relative_to(checkout)
    shutil.copytree(sample.directory, place)
    (root / sample.name / "Common").symlink_to(checkout / "Common")
    start = time.monotonic()
    flags = ["-O2", "-std=c++17", f"-I{checkout / 'Common'}", "-I.", "-Iinc"]
    flags += ["-rdc=true"] if sample.separate else []
    flags += ["-Xcompiler", "-fopenmp"] if sample.name == "cudaOpenMP" else []
    command = [sys.executable, "-m", "drano", "cc", *flags, *sample.sources, "-o", sample.name]
    status, said = _run(command, place, limit)
    compiled = time.monotonic()
    if status is None:
        return Outcome(sample, compiled - start, 0.0, f"not compiled after {limit:g} s")
    if status != 0:
        return Outcome(sample, compiled - start, 0.0, f"does not compile: {_reason(said)}")
    status, said = _run([f"./{sample.name}", *_ARGUMENTS.get(sample.name, ())], place, limit)
    ran = time.monotonic() - compiled
    return Outcome(sample, compiled - start, ran, _verdict(status, said, limit))


def _verdict(status: int | None, said: str, limit: float) -> str:
    if status is None:
        return f"not done after {limit:g} s"
    failed = _FAILED.search(said)
    if status != 0:
        return f"exit status {status}: {_reason(said)}"
    return f"says {failed[0]}: {_reason(said)}" if failed else "passed"


def _reason(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    told = [line for line in lines if re.search(r"error|not supported|fail", line, re.IGNORECASE)]
    return (told or lines or ["nothing said"])[0].strip()[:160].replace("|", "/")


def _run(command: list[str], place: Path, limit: float) -> tuple[int | None, str]:
    """Exit status (None: ended after ``limit`` seconds) and what was printed."""
    package = str(Path(__file__).parents[1])
    environment = {
        **os.environ,
        "PYTHONPATH": package,
        "DRANO_PROFILE": str(place / "profile.json"),
    }
    process = subprocess.Popen(
        command, cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        said, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # with the compilers that it has begun
        process.communicate()
        return None, ""
    return process.returncode, said.decode("utf-8", "replace")


def main() -> int:
    """Print what was left out, the table and the share."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--only", nargs="*", default=(), help="names of samples")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for each step")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    checkout = given.checkout.resolve()
    samples = samples_of(checkout)
    wanted = [s for s in samples if not s.left_out and (not given.only or s.name in given.only)]
    for sample in samples:
        if sample.left_out and not given.only:
            print(f"left out: {sample.directory.relative_to(checkout)}: {sample.left_out}")
    print("\n| sample | arguments | compile s | run s | result |\n| --- | --- | --: | --: | --- |")
    passed = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(given.jobs) as pool:
        root = Path(name)
        for outcome in pool.map(lambda s: outcome_of(s, checkout, root, given.limit), wanted):
            arguments = " ".join(_ARGUMENTS.get(outcome.sample.name, ()))
            passed += outcome.result == "passed"
            print(f"| {outcome.sample.name} | {arguments} | {outcome.compile_seconds:.1f} "
                  f"| {outcome.run_seconds:.1f} | {outcome.result} |", flush=True)  # fmt: skip
    print(f"\n{passed} of {len(wanted)} pass ({passed / max(len(wanted), 1):.1%}); "
          f"{sum(s.left_out is not None for s in samples)} left out")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
