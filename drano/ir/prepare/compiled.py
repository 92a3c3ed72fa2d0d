"""The requests that the hardware executes: device IR, optimised as a GPU's compiler does it.

Means: LLVM's own -O3 pipeline for NVPTX, without its vectorisers of loops and of straight-line
code, then the part of the NVPTX back end that works on IR: it infers address spaces, lowers
parameters and local arrays, and merges neighbouring loads and stores into requests of 8 and 16
bytes. The back end is stopped behind that load-store vectoriser.
Assumptions: nvcc's optimiser is a relative of LLVM's, whose decisions come close, not equal;
``benchmarks/widths.py`` says how close.
Limits: LLVM's options are the process's, so they are set for the call alone; strength reduction is
left out, in loops and outside, as it would only rewrite addresses.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import llvmlite.binding as llvm

TRIPLE: Final = "nvptx64-nvidia-cuda"
_LAST_PASS: Final = "load-store-vectorizer"
_LEVEL: Final = 3
# (Here, elsewhere): a loop whose trips nobody knows gets nvcc's number of copies; equal accesses of
# two branches, which two lines may have, stay two.
_SHAPE: Final = {
    "unroll-max-count": ("4", "4294967295"),
    "simplifycfg-sink-common": ("false", "true"),
    "simplifycfg-hoist-common": ("false", "true"),
    "instcombine-code-sinking": ("false", "true"),
    "disable-vector-combine": ("true", "false"),
}
# nvcc also copies loops whose trips take some arithmetic to count, as those over a block's stride.
# Of these it runs the rest of the trips first, which parts the lanes of a warp that do not all go
# round as often: a run counts that, for an analysis it is the last warp of a row.
_COUNTED: Final = {"scev-cheap-expansion-budget": ("16", "4")}


def optimise(module: Any, cpu: str, *, executed: bool = False) -> None:
    """Bring llvmlite's ``module`` into the form in which instructions are selected, in place;
    ``executed``: to be run, with the copies of loops that nvcc makes.
    """
    machine, builder = _machine(cpu)
    _register()
    with _silenced():
        with _options(_SHAPE | _COUNTED if executed else _SHAPE):
            builder.getModulePassManager().run(module, builder)
        with _options({"stop-after": (_LAST_PASS, ""), "disable-lsr": ("true", "false")}):
            machine.emit_assembly(module)


@contextmanager
def _silenced() -> Iterator[None]:
    """LLVM itself warns on stderr of loops that it could not unroll as a pragma asks."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)


@contextmanager
def _options(values: Mapping[str, tuple[str, str]]) -> Iterator[None]:
    """LLVM's options by name: (value here, value afterwards)."""
    for name, (value, _) in values.items():
        llvm.set_option("", f"-{name}={value}")
    try:
        yield
    finally:
        for name, (_, before) in values.items():
            llvm.set_option("", f"-{name}={before}")


@cache
def _machine(cpu: str) -> tuple[Any, Any]:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=cpu, opt=_LEVEL)
    tuning = llvm.create_pipeline_tuning_options(speed_level=_LEVEL)
    tuning.loop_vectorization = tuning.loop_interleaving = tuning.slp_vectorization = False
    tuning.loop_unrolling = True
    return machine, llvm.create_pass_builder(machine, tuning)


@cache
def _register() -> None:
    """LLVM knows a pass by its name only from when the back end has run once."""
    empty = llvm.parse_assembly(f'target triple = "{TRIPLE}"', llvm.create_context())
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=_LEVEL)
    machine.emit_assembly(empty)
    # It makes addresses from one another, so that they are no longer those of the source.
    llvm.set_option("", "-debug-counter=slsr-counter=999999999")
