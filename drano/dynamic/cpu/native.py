"""From IR text for this machine to an object file, by LLVM's own optimiser and code generator."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm

from drano.dynamic.cpu.errors import NOT_ON_THE_CPU
from drano.support.errors import IRError

STEP_MARK = "define internal void @drano.k."
LARGE = 400
"""Steps of a unit above which the whole optimiser would take longer than the run: some units of
wavelet transforms have thousands, each of a few instructions."""
HUGE = 3000


PORTABLE = {"x86_64": "x86-64-v2", "aarch64": "generic"}
"""Processors that programs built here may run on, by the triple's first word."""


def target_machine(opt_level: int, *, portable: bool = False) -> Any:
    """The machine that this process runs on, with all that its processor can do; ``portable``: with
    what all processors of the last ten years can do.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    if portable:
        cpu, features = PORTABLE.get(triple.partition("-")[0], ""), ""
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu,
        features=features,
        opt=opt_level,
        reloc="pic",
        codemodel="default",
    )


def compile_object(text: str, path: str, opt_level: int, *, portable: bool = False) -> bytes:
    """The relocatable object of the module; IRError when LLVM refuses it. ``portable``: for any
    processor, not just this one.
    """
    steps = text.count(STEP_MARK)
    large = steps > LARGE
    level = min(opt_level, 0 if steps > HUGE else 1 if large else 3)
    machine = target_machine(level, portable=portable)
    header = f'target datalayout = "{machine.target_data}"\ntarget triple = "{machine.triple}"\n'
    context = llvm.create_context()
    try:
        module = llvm.parse_assembly(header + text, context)
        module.verify()
    except RuntimeError as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        shown = " ".join(line.strip() for line in lines[:3])
        raise IRError(path, f"{NOT_ON_THE_CPU}: LLVM says: {shown}") from None
    _optimise(module, machine, 0 if large else opt_level)
    data: bytes = machine.emit_object(module)
    module.close()
    return data


def _optimise(module: Any, machine: Any, level: int) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = level > 1
    options.slp_vectorization = level > 2
    options.loop_interleaving = level > 1
    builder = llvm.create_pass_builder(machine, options)
    if level > 0:
        passes = builder.getModulePassManager()
    else:
        passes = llvm.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    passes.run(module, builder)
