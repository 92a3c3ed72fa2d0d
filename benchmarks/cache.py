"""What the cache of results saves on unchanged Rodinia, through the real command line.

    python benchmarks/cache.py --home RODINIA [-j N]

All 43 units are analysed three times with the flags of the manifest: with an empty cache, with one
that only holds the precompiled headers, and with everything unchanged. Prints seconds and ratios
(wanted: at most 2 s for the last, at least 20 times faster than before). Exit status 2 when a unit
fails or two runs differ.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from drano.model.settings import CompileOptions
from rodinia.programs.manifest import load as load_manifest


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--home", required=True, metavar="DIR", help="a checkout of Rodinia")
    parser.add_argument("-j", "--jobs", type=int, default=2, metavar="N")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="drano-benchmark-") as name:
        directory = Path(name)
        units = write_commands(Path(arguments.home), directory)
        options = ["-p", str(directory), "--stub-missing-headers", "-j", str(arguments.jobs)]
        command = ["check", "--output-format", "json", "--exit-zero", *options, *units]
        seconds, reports = [], []
        for keep in (None, "pch", "results"):
            if keep == "pch":
                shutil.rmtree(directory / "cache" / "results")
            spent, report = run(command, directory)
            seconds.append(spent)
            reports.append(report)
    empty, warm, unchanged = seconds
    print(f"{len(units)} units, {arguments.jobs} processes")
    print(f"empty cache            {empty:8.2f} s")
    print(f"precompiled headers    {warm:8.2f} s")
    print(f"unchanged              {unchanged:8.2f} s   {warm / unchanged:.1f} times faster")
    failed = [f["path"] for f in json.loads(reports[0])["files"] if f["status"] != "ok"]
    if failed or len(set(reports)) > 1:
        print(f"failed: {failed}; reports alike: {len(set(reports)) == 1}", file=sys.stderr)
        return 2
    return 0


def write_commands(home: Path, directory: Path) -> list[str]:
    """The manifest's flags as a compilation database; the units' paths."""
    manifest = load_manifest()
    entries, units = [], []
    for program in manifest.programs:
        folder = home / manifest.cuda_dir / program.directory
        for unit in program.units:
            options = unit.options(folder, CompileOptions())
            words = ["clang++", *(f"-I{path}" for path in options.include_dirs)]
            words += [f"-D{define}" for define in options.defines]
            for file in options.force_includes:
                words += ["-include", file]
            path = str(folder / unit.path)
            entries.append(
                {
                    "file": path,
                    "directory": str(folder),
                    "arguments": [*words, *options.flags, path],
                }
            )
            units.append(path)
    (directory / "compile_commands.json").write_text(json.dumps(entries))
    return units


def run(command: Sequence[str], directory: Path) -> tuple[float, str]:
    """Seconds on the clock, and the report."""
    environment = {**os.environ, "DRANO_CACHE_DIR": str(directory / "cache")}
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "drano", *command],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return time.perf_counter() - started, done.stdout


if __name__ == "__main__":
    sys.exit(main())
