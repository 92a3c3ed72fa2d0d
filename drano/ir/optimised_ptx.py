"""From a unit's device IR to optimised PTX: LLVM's -O3 pipeline and llvmlite's NVPTX back end.

Means: a process of its own, like ``prepare.quarantine``: optimisation has a time limit, and the
warning that LLVM prints about the debug information stays there (it is dropped, or cut down to line
numbers: with all of it ptxas would not optimise). Limits: nvcc optimises otherwise; figures such as
registers come close, not equal.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from drano.ir.prepare.loaded_module import LoadedModule
from drano.ir.target import TRIPLE
from drano.support.errors import IRError, IRTimeoutError
from drano.support.limited_process import run_limited

PTX_VERSION = 78  # what drivers of CUDA 11.8 and later read
_NEWEST_OF_IT = 90  # architectures after this one need a newer PTX: the oldest that has them
_MAX_OUTPUT = 1 << 28
# LLVM drops debug information of a version that it does not know.
_DEBUG_VERSION = re.compile(r'(!"Debug Info Version", i32) \d+')
# Two branches' accesses, which two lines may have, stay two.
_APART = ("-simplifycfg-sink-common=false", "-simplifycfg-hoist-common=false")
_SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from drano.ir.optimised_ptx import worker
words = sys.argv[5:]
worker(*sys.argv[2:5], "lines" in words, "written" in words)
"""


def ptx_of(
    ir_text: str,
    path: str,
    arch: str,
    timeout: float,
    memory: int,
    *,
    lines: bool = False,
    written: bool = False,
) -> str:
    """PTX of a whole unit for ``arch`` (``sm_90``). ``timeout`` in seconds, ``memory`` in bytes;
    ``lines``: with line numbers; ``written``: without moving equal code of two branches together.

    Raises IRError when LLVM cannot make it.
    """
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        source, target = Path(name) / "unit.ll", Path(name) / "unit.ptx"
        source.write_text(ir_text, encoding="utf-8")
        root = Path(__file__).parents[2]
        arguments = [sys.executable, "-I", "-c", _SCRIPT, str(root), str(source), str(target), arch]
        arguments += [word for word, on in (("lines", lines), ("written", written)) if on]
        done = run_limited(arguments, timeout=timeout, memory=memory, file_size=_MAX_OUTPUT)
        if done.timed_out:
            raise IRTimeoutError(path, f"LLVM did not optimise this in {timeout:g} seconds")
        if done.status != 0:
            said = [line for line in done.stderr.splitlines() if line.strip()]
            reason = said[-1][:200] if said else "it broke down"
            raise IRError(path, f"LLVM makes no PTX for {arch} of it: {reason}")
        return target.read_text(encoding="utf-8")


def worker(source: str, target: str, arch: str, lines: bool, written: bool) -> None:
    """What the other process does."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - only there

    if written:
        for option in _APART:
            llvm.set_option("drano", option)
    loaded = LoadedModule(source)
    text = Path(source).read_text(encoding="utf-8")
    loaded.parse(
        text.replace("emissionKind: FullDebug", "emissionKind: DebugDirectivesOnly")
        if lines
        else _DEBUG_VERSION.sub(r"\1 0", text)
    )
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu=arch, features=ptx_feature(arch), opt=3
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(loaded.module, builder)
    Path(target).write_text(machine.emit_assembly(loaded.module), encoding="utf-8")


def ptx_feature(arch: str) -> str:
    """The back end's feature that chooses PTX's version; "" lets it choose.

    >>> ptx_feature("sm_75"), ptx_feature("sm_120")
    ('+ptx78', '')
    """
    digits = re.sub(r"\D", "", arch)
    suits = arch == f"sm_{digits}" and int(digits) <= _NEWEST_OF_IT
    return f"+ptx{PTX_VERSION}" if suits else ""
