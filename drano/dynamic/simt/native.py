"""From IR text for this machine to an object file, by LLVM's own optimiser and code generator."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm

from drano.ir.errors import IRError


def target_machine(opt_level: int) -> Any:
    """The machine that this process runs on, with all that its processor can do."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=opt_level,
        reloc="pic",
        codemodel="default",
    )


def compile_object(text: str, path: str, opt_level: int) -> bytes:
    """The relocatable object of the module; IRError when LLVM refuses it."""
    machine = target_machine(opt_level)
    header = f'target datalayout = "{machine.target_data}"\ntarget triple = "{machine.triple}"\n'
    context = llvm.create_context()
    try:
        module = llvm.parse_assembly(header + text, context)
        module.verify()
    except RuntimeError as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        shown = " ".join(line.strip() for line in lines[:3])
        raise IRError(path, f"not supported on the CPU: LLVM says: {shown}") from None
    options = llvm.create_pipeline_tuning_options(speed_level=opt_level)
    options.loop_vectorization = opt_level > 1
    options.slp_vectorization = opt_level > 1
    options.loop_interleaving = opt_level > 1
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.run(module, builder)
    data: bytes = machine.emit_object(module)
    module.close()
    return data
