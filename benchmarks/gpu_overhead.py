"""What counting on a GPU costs, and whether its counts are right: Rodinia with and without.

Two steps, as the machine that compiles needs no GPU and the one that has it needs only Python:

    python benchmarks/gpu_overhead.py build --home RODINIA --out DIR --arch sm_90
    python DIR/measure.py DIR                 # where the GPU is: writes DIR/results.json

``build`` compiles every run of ``rodinia/programs/manifest.toml`` twice, counted and not, with the
same
compiler; DIR holds all that is needed: programs, inputs, CUDA's run-time library, the script.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import drano
from drano.dynamic.gpu.runtime_library import packaged_cudart
from rodinia.programs import inputs
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Program, Run, load

# The last two are for Nsight Compute, which knows the lines of kernels that rely on no proofs only.
VARIANTS = {
    "plain": ["--no-count"],
    "counted": [],
    "lines": ["-lineinfo", "--no-prune"],
    "written": ["-lineinfo", "--no-prune", "--as-written"],
}
SECONDS = 600.0


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build")
    build.add_argument("--home", required=True, type=Path, help="a checkout of Rodinia")
    build.add_argument("--out", required=True, type=Path)
    build.add_argument("--arch", default="sm_90")
    build.add_argument("--only", nargs="*", default=[], help="names of runs")
    build.add_argument("--also", nargs="*", default=[], type=Path, help="programs of one file")
    build.add_argument("--variant", action="append", choices=sorted(VARIANTS))
    build.add_argument("--keep", action="store_true", help="do not build again what is there")
    build.add_argument("--name", help="of the variant, where flags make it another")
    build.add_argument("--flag", action="append", default=[], help="more for drano cc")
    options = parser.parse_args()
    return _build(options)


def _build(options: argparse.Namespace) -> int:
    manifest = load()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    given = inputs.make(out / "inputs", Size.MEDIUM)
    cuda = options.home.resolve() / manifest.cuda_dir
    runs = [(p, r) for p in manifest.programs for r in p.runs]
    runs = [(p, r) for p, r in runs if not options.only or r.name in options.only]
    runs += [_of_one_file(source.resolve()) for source in options.also]
    shutil.copy2(packaged_cudart(), out)
    shutil.copy2(Path(__file__).with_name("gpu_measure.py"), out / "measure.py")
    shutil.copy2(Path(__file__).with_name("gpu_kernel_times.c"), out)
    plan = []
    made: dict[object, Path] = {}
    for program, run in runs:
        place = out / "programs" / run.name
        place.mkdir(parents=True, exist_ok=True)
        for variant in options.variant or VARIANTS:
            target = place / (options.name or variant)
            if options.keep and target.exists():
                continue
            started = time.perf_counter()
            same = made.setdefault((program.directory, run.sources, run.compile, variant), target)
            if same != target and same.exists():
                shutil.copy2(same, target)
                continue
            problem = _compile(program, run, cuda / program.directory, target, options, variant)
            print(
                f"{run.name} {variant}: {problem or 'ok'} {time.perf_counter() - started:.0f} s",
                flush=True,
            )
        plan.append(
            {"name": run.name, "inputs": list(run.inputs), "arguments": list(run.arguments)}
        )
    (out / "plan.json").write_text(
        json.dumps({"inputs": str(given.relative_to(out)), "runs": plan})
    )
    return 0


def _of_one_file(source: Path) -> tuple[Program, Run]:
    run = Run(source.stem, (str(source),), (), ())
    return Program(source.stem, str(source.parent), (), (run,)), run


def _compile(
    program: Program,
    run: Run,
    directory: Path,
    target: Path,
    options: argparse.Namespace,
    variant: str,
) -> str:
    flags = program.flags
    command = [
        sys.executable, "-m", "drano", "cc", "--device", "gpu", *VARIANTS[variant],
        f"-arch={options.architecture}", "-O3", "-w",
        *(f"-I{directory / folder}" for folder in flags.include_dirs),
        *(f"-D{define}" for define in flags.defines),
        *(f"-include{header}" for header in flags.force_includes),
        *flags.flags, *run.compile, *options.flag, *run.sources, "-lm", "-Wl,-rpath,$ORIGIN/../..",
        "-o", str(target),
    ]  # fmt: skip
    root = str(Path(drano.__file__).parents[1])
    done = subprocess.run(
        command, cwd=directory, env={**os.environ, "PYTHONPATH": root}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    return "" if done.returncode == 0 else " ".join(done.stderr.split())[-300:] or "failed"


if __name__ == "__main__":
    sys.exit(main())
