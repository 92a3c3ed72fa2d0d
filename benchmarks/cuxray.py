"""What cuxray says of Rodinia's lines, as a table for ``python -m rodinia score --other``.

    python benchmarks/cuxray.py --home DIR --cuxray PATH --tools DIR --out FILE

cuxray (PyPI) reads cubins; ``--tools`` holds ptxas, nvdisasm and cuobjdump of one CUDA release
(PyPI: nvidia-cuda-nvcc, -nvdisasm, -cuobjdump). Each unit is compiled as for drano, optimised by
LLVM -O3, assembled with line information, and each kernel reported for the block shape that drano
reads from its launch. Columns: file, line, verdict (coalesced, uncoalesced); a line that is not
there was not analysed. Prints what cuxray did not analyse, and its seconds.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from drano.frontend.clang import compile_unit
from drano.ir.target import TRIPLE
from drano.model.settings import CompileOptions, Config
from drano.run.driver import check_unit
from rodinia.programs import manifest
from rodinia.programs.analyse import directory

ARCH = "sm_80"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--cuxray", type=Path, required=True)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    suite = manifest.load()
    cuda, _ = manifest.check_home(options.home, suite)
    said: dict[tuple[str, int], str] = {}
    totals: Counter[str] = Counter()
    seconds = 0.0
    for program in suite.programs:
        for unit in program.units:
            path = directory(cuda, program) / unit.path
            compile_options = unit.options(directory(cuda, program), CompileOptions())
            started = time.perf_counter()
            try:
                kernels = report(path, compile_options, options.cuxray, options.tools)
            except (RuntimeError, subprocess.SubprocessError) as error:
                print(f"{program.name}/{unit.path}: {error}", file=sys.stderr)
                continue
            seconds += time.perf_counter() - started
            for access in kernels:
                totals["analysed"] += access["analyzed_count"]
                totals["not analysed"] += access["unanalyzed_count"]
                for site in access["by_site"]:
                    place = os.path.normpath(site["file"])
                    if site["space"] != "global" or not place.startswith(f"{cuda}/"):
                        continue
                    key = (place.removeprefix(f"{cuda}/"), site["line"])
                    if said.get(key) != "uncoalesced":
                        said[key] = site["verdict"]
    with options.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("file", "line", "verdict"))
        writer.writerows((*key, verdict) for key, verdict in sorted(said.items()))
    print(f"{len(said)} lines, accesses {dict(totals)}, {seconds:.1f} s")
    return 0


def report(path: Path, options: CompileOptions, cuxray: Path, tools: Path) -> list[dict[str, Any]]:
    """The ``access`` part of cuxray's report, of every kernel of one unit."""
    unit = compile_unit(str(path), options)
    if unit.ir is None:
        raise RuntimeError("does not compile")
    kernels = check_unit(str(path), Config(compile=options)).kernels
    environment = {**os.environ, "CUXRAY_NO_FETCH": "1"}
    environment["PATH"] = f"{tools}{os.pathsep}{environment['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = Path(folder) / "unit.ptx", Path(folder) / "unit.cubin"
        ptx.write_text(ptx_with_lines(unit.ir), encoding="utf-8")
        call([str(tools / "ptxas"), f"-arch={ARCH}", "-lineinfo", str(ptx), "-o", str(cubin)])
        found = []
        for kernel in kernels:
            block = kernel.launches[0].block if kernel.launches else (256, 1, 1)
            shape = ",".join(map(str, block))
            name = f"^{re.escape(kernel.symbol)}$"
            output = call(
                [str(cuxray), "report", str(cubin), "--json", "--no-cache", "--fast",
                 "--threads", shape, "--kernel", name],
                environment,
            )  # fmt: skip
            for part in json.loads(output)["units"]:
                found += [k["access"] for k in part["kernels"] if k["access"]]
        return found


def ptx_with_lines(ir: str) -> str:
    """PTX that ptxas optimises and still knows source lines of."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    ir = re.sub(r"emissionKind: \w+", "emissionKind: LineTablesOnly", ir)
    ir = re.sub(r"^\s*#dbg_.*$", "", ir, flags=re.MULTILINE)  # variables
    ir = re.sub(r", retainedNodes: !\d+", "", ir)
    module = llvm.parse_assembly(ir)
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu=ARCH, features="+ptx78", opt=3
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    text = machine.emit_assembly(module).replace(", debug", "")
    return re.sub(r"\t?\.section\s+\.debug\w*\s*\{[^}]*\}", "", text)


def call(command: list[str], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name}: {done.stderr.strip()[-200:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
