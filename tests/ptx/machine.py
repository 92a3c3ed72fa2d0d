"""Runs translated PTX on this machine: one thread, plain memory, LLVM's own code generator.

Functions of the GPU that LLVM has no code for elsewhere are defined in LLVM's own terms.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from drano.ptx import translate

_DEFINED = {
    "llvm.nvvm.mulhi.i": ("i32", "sext", "i64", 32),
    "llvm.nvvm.mulhi.ui": ("i32", "zext", "i64", 32),
    "llvm.nvvm.mulhi.ll": ("i64", "sext", "i128", 64),
    "llvm.nvvm.mulhi.ull": ("i64", "zext", "i128", 64),
}  # fmt: skip


def _definition(name: str) -> str:
    kind, how, wide, bits = _DEFINED[name]
    own = name.replace("llvm.", "own.")
    return (
        f"define {kind} @{own}({kind} %a, {kind} %b) {{\n"
        f"  %x = {how} {kind} %a to {wide}\n  %y = {how} {kind} %b to {wide}\n"
        f"  %m = mul {wide} %x, %y\n  %h = lshr {wide} %m, {bits}\n"
        f"  %r = trunc {wide} %h to {kind}\n  ret {kind} %r\n}}\n"
    )


@cache
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(opt=1)


class Program:
    """The kernels of a module, each ``(.param .u64 in, .param .u64 out)``."""

    def __init__(self, text: str) -> None:
        ir = translate(text, "/test/k.ptx")
        ir = re.sub(r'^target triple.*\n|"nvvm\.\w+"="[^"]*"', "", ir, flags=re.MULTILINE)
        ir = ir.replace("ptx_kernel ", "")
        for name in _DEFINED:
            if f"@{name}(" in ir:
                ir = re.sub(rf"declare .*@{re.escape(name)}\(.*\n", "", ir)
                ir = ir.replace(f"@{name}(", f"@{name.replace('llvm.', 'own.')}(")
                ir += _definition(name)
        module = llvm.parse_assembly(ir, llvm.create_context())
        module.verify()
        self._engine = llvm.create_mcjit_compiler(module, _machine())
        self._engine.finalize_object()

    def run(self, kernel: str, given: Sequence[int], results: int = 1) -> list[int]:
        """What a kernel puts into 64-bit words when it is given such."""
        words = (ctypes.c_uint64 * len(given))(*(number & (1 << 64) - 1 for number in given))
        out = (ctypes.c_uint64 * results)(*([0] * results))
        address = self._engine.get_function_address(kernel)
        assert address
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)(words, out)
        return list(out)
