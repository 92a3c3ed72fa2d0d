"""What nvcc takes and drano refuses, of CUDA sources of any kind.

    python benchmarks/dialect.py [--cuda-path SDK] [--nvcc NVCC] [--jobs N] [-I DIR]… PATH…

``PATH``: files, or folders of ``*.cu``; without any, the snippets of ``tests/data/dialect``. A
first line ``// nvcc: FLAGS`` gives a file flags of its own. Each file goes to drano's clang; those
that it refuses also to nvcc (``-ptx -arch=sm_90``, language standard C++17), as the oracle. Prints
a line per file that nvcc takes, with clang's first complaint, and the totals. With ``--all``, files
that drano takes go to nvcc as well, and whatever nvcc refuses is told.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from drano.frontend.clang import compile_unit
from drano.frontend.commands.nvcc_options import translate_nvcc_args
from drano.model.finding import Severity

SNIPPETS = Path(__file__).parents[1] / "tests/data/dialect"
STANDARD = ["-std=c++17", "-arch=sm_90", "--extended-lambda", "--expt-relaxed-constexpr"]
SECONDS = 600


def own_flags(path: Path) -> list[str]:
    first = path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    return shlex.split(first.partition("// nvcc:")[2]) if first.startswith("// nvcc:") else []


def refused(path: Path, flags: Sequence[str], sdk: str | None) -> str | None:
    """drano's first complaint; None for a file that it takes as a whole."""
    translated = translate_nvcc_args(["nvcc", *flags, str(path)])
    options = replace(translated.options, cuda_path=sdk, timeout=float(SECONDS))
    unit = compile_unit(str(path), options)
    errors = [d for d in unit.diagnostics if d.severity is Severity.ERROR]
    complaints = [*errors, *unit.not_analysed, *unit.host_errors, *unit.missing_headers]
    if complaints:
        return str(complaints[0])
    return None if unit.ir is not None else "no reason given"


def taken_by_nvcc(nvcc: str, path: Path, flags: Sequence[str]) -> str | None:
    """nvcc's first complaint; None for a file that it takes."""
    command = [nvcc, "-ptx", "-w", "-x", "cu", *flags, "-o", "/dev/null", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode == 0:
        return None
    return next((line for line in done.stderr.splitlines() if "error" in line), "failed")


def sources(paths: Sequence[str]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.rglob("*.cu")) if path.is_dir() else [path]
    return found


def options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("-I", dest="include_dirs", action="append", default=[], metavar="DIR")
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="MACRO")
    parser.add_argument("--cuda-path", metavar="SDK")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--all", action="store_true", help="show nvcc also what drano takes")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = options(argv)
    if arguments.nvcc is None:
        raise SystemExit("nvcc is not on PATH: name it with --nvcc")
    common = [f"-I{d}" for d in arguments.include_dirs] + [f"-D{d}" for d in arguments.defines]

    def judged(path: Path) -> tuple[Path, str | None, str | None]:
        flags = [*STANDARD, f"-I{path.parent}", *common, *own_flags(path)]
        complaint = refused(path, flags, arguments.cuda_path)
        if complaint is None and not arguments.all:
            return path, None, None
        return path, complaint, taken_by_nvcc(arguments.nvcc, path, flags)

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(judged, sources(arguments.paths or [str(SNIPPETS)])))
    for path, ours, theirs in results:
        if ours is not None and theirs is None:
            print(f"{path}: only nvcc takes it: {ours}")
        elif ours is None and theirs is not None:
            print(f"{path}: only drano takes it: {theirs}")
        elif ours is not None and arguments.all:
            print(f"{path}: neither takes it: {ours} | {theirs}")
    taken = sum(ours is None for _, ours, _ in results)
    both = sum(ours is not None and theirs is not None for _, ours, theirs in results)
    rest = len(results) - taken - both
    print(f"{len(results)} files: {taken} taken by drano, {both} refused by both, {rest} by drano")
    return 1 if rest else 0


if __name__ == "__main__":
    sys.exit(main())
