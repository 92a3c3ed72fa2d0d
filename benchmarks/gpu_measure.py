"""Times and counts of the programs that ``gpu_overhead.py build`` made; needs only a GPU.

    python measure.py [DIR] [--repeat N] [--only NAME…] [--ncu [VARIANT…]] [--launches N]

Each program runs with every variant in turn; the time is that of its kernels, by CUDA's profiling
interface (a library of a page, compiled here), the least of N runs; that of whole programs is shown
beside it. Writes results.json, and the
profiles into profiles/. ``--ncu``: nothing but the variants "lines" and "written" under Nsight
Compute, source pages and profiles into ncu/NAME.VARIANT.csv and .json, for ``gpu_ncu.py``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, TypeAlias

Result: TypeAlias = dict[str, Any]
SECONDS = 120.0
_WITH_LINES = ("lines", "written")


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", nargs="?", default=".", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--ncu", nargs="*", choices=_WITH_LINES)
    parser.add_argument("--launches", type=int, default=600, help="kernels for ncu to profile")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    here = options.directory.resolve()
    out = (options.out or here).resolve()
    plan = json.loads((here / "plan.json").read_text())
    timer = _timer(here) if options.ncu is None else here
    given = here / plan["inputs"]
    results: dict[str, Result] = {}
    for run in plan["runs"]:
        if options.only and run["name"] not in options.only:
            continue
        results[run["name"]] = _measured(run, here, out, given, timer, options)
        _say(run["name"], results[run["name"]])
    (out / "results.json").write_text(json.dumps(results, indent=1))
    for variant in sorted({v for r in results.values() for v in r} - {"plain"}):
        for what in ("nanoseconds", "seconds"):
            ratios = [_ratio(r, variant, what) for r in results.values()]
            known = [ratio for ratio in ratios if ratio]
            if known:
                mean = math.exp(sum(map(math.log, known)) / len(known))
                print(
                    f"{variant}, {'kernels' if what == 'nanoseconds' else 'whole programs'}: "
                    f"geometric mean {mean:.3f} of {len(known)}, worst {max(known):.2f}"
                )
    return 0


def _ratio(result: Result, variant: str, what: str = "nanoseconds") -> float:
    a, b = result.get(variant, {}).get(what), result.get("plain", {}).get(what)
    return a / b if a and b else 0.0


def _say(name: str, result: Result) -> None:
    plain = result.get("plain", {})
    words = [f"{name:26} {plain.get('status', '')}"]
    if plain.get("nanoseconds"):
        words.append(f"{plain['nanoseconds'] / 1e6:.3f} ms")
    for variant, found in result.items():
        if variant != "plain":
            whole = _ratio(result, variant, "seconds")
            words.append(
                f"{variant} {_ratio(result, variant):.2f} {found['status']}, whole {whole:.2f}"
            )
    print("  ".join(words), flush=True)


def _measured(
    run: Result, here: Path, out: Path, given: Path, timer: Path, options: argparse.Namespace
) -> Result:
    place = here / "programs" / run["name"]
    work = place / "place" / "in"
    shutil.rmtree(place / "place", ignore_errors=True)
    work.mkdir(parents=True)
    for name in run["inputs"]:
        (work / name).symlink_to(given / name)
    for data in (place / "data", place.parent / "data"):
        if not data.exists():
            data.symlink_to(given / "data")
    result: Result = {}
    programs = sorted(p for p in place.iterdir() if p.is_file() and "." not in p.name)
    for program in sorted(programs, key=lambda p: p.name != "plain"):
        program.chmod(0o755)
        if options.ncu is not None:
            if program.name in (options.ncu or _WITH_LINES):
                result[program.name] = _ncu(run, program, work, out, options.launches)
        elif program.name not in _WITH_LINES:
            result[program.name] = _timed(run, program, work, out, timer, options.repeat)
    return result


def _timed(run: Result, program: Path, work: Path, out: Path, timer: Path, repeat: int) -> Result:
    profiles = out / "profiles"
    profiles.mkdir(exist_ok=True, parents=True)
    times = work.parent / "times.txt"
    best: Result = {"status": "no run"}
    for _ in range(repeat):
        times.unlink(missing_ok=True)
        environment = {
            **os.environ,
            "DRANO_PROFILE": str(profiles / f"{run['name']}.{program.name}.json"),
            "KERNEL_TIMES": str(times),
            "CUDA_INJECTION64_PATH": str(timer),
        }
        started = time.perf_counter()
        status, output = _call([str(program), *run["arguments"]], work, environment)
        wall = time.perf_counter() - started
        kernels = _kernels(times)
        total = sum(kernel["nanoseconds"] for kernel in kernels.values())
        if status or not total:
            return {"status": status or "no kernels", "output": output[-1500:], "seconds": wall}
        wall = min(wall, best.get("seconds", wall))
        if total < best.get("nanoseconds", 1 << 62):
            best = {"status": "ok", "nanoseconds": total, "kernels": kernels}
        best["seconds"] = wall
    return best


def _kernels(times: Path) -> Result:
    found: Result = {}
    for line in times.read_text().splitlines() if times.exists() else []:
        count, nanoseconds, name = line.split(" ", 2)
        found[name] = {"launches": int(count), "nanoseconds": int(nanoseconds)}
    return found


def _ncu(run: Result, program: Path, work: Path, out: Path, launches: int) -> Result:
    folder = out / "ncu"
    folder.mkdir(exist_ok=True, parents=True)
    report = work.parent / "report.ncu-rep"
    name = f"{run['name']}.{program.name}"
    environment = {**os.environ, "DRANO_PROFILE": str(folder / f"{name}.json")}
    status, output = _call(
        ["ncu", "--clock-control", "none", "--section", "SourceCounters", "--launch-count",
         str(launches), "-f", "-o", str(report), str(program), *run["arguments"]], work,
        environment,
    )  # fmt: skip
    if not report.exists():
        return {"status": status or "no report", "output": output[-800:]}
    done = subprocess.run(
        ["ncu", "--import", str(report), "--page", "source", "--csv", "--print-source",
         "cuda,sass"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    (folder / f"{name}.csv").write_text(done.stdout)
    return {"status": status or "ok"}


def _call(command: list[str], work: Path, environment: dict[str, str]) -> tuple[str, str]:
    try:
        done = subprocess.run(
            command, cwd=work, env=environment, stdin=subprocess.DEVNULL, timeout=SECONDS,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"more than {SECONDS:g} s", ""
    output = done.stdout.decode("utf-8", "replace")
    return (f"status {done.returncode}" if done.returncode else ""), output


def _timer(here: Path) -> Path:
    library = here / "libcupti_times.so"  # by its name counting knows it for a profiler of CUDA's
    headers = _find("cupti_activity.h")
    libraries = _find("libcupti.so")
    if headers is None or libraries is None:
        raise SystemExit("CUPTI (cupti_activity.h, libcupti.so) is not here: install the CUDA SDK")
    text = headers.read_text(errors="replace")
    newest = max(map(int, re.findall(r"\bCUpti_ActivityKernel(\d+)\b", text)))
    subprocess.run(
        ["cc", "-shared", "-fPIC", f"-DKERNEL=CUpti_ActivityKernel{newest}", f"-I{headers.parent}",
         "-I/usr/local/cuda/include", str(here / "gpu_kernel_times.c"), f"-L{libraries.parent}",
         "-lcupti", f"-Wl,-rpath,{libraries.parent}", "-o", str(library)], check=True,
    )  # fmt: skip
    return library


def _find(name: str) -> Path | None:
    for root in ("/usr/local/cuda", "/usr/local", "/opt"):
        found = sorted(Path(root).rglob(name)) if Path(root).is_dir() else []
        if found:
            return found[0]
    return None


if __name__ == "__main__":
    sys.exit(main())
