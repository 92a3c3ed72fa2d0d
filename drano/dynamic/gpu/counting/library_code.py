"""The counting library as LLVM's IR, compiled once, and linked into a module."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import llvmlite.binding as llvm

from drano.frontend.toolchain import Clang
from drano.ir.optimised_ptx import PTX_VERSION
from drano.support.cache_directory import cache_dir, keep_newest, publish_verified, verified
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

SOURCE = Path(__file__).parents[2] / "runtime" / "gpu" / "counting.cu"
OLDEST = 70  # whose lanes can be told apart
_SECONDS = 600.0
_SUBTARGET = re.compile(r' "target-(?:cpu|features)"="[^"]*"')
_IN_IR = re.compile(
    r"^declare .*@drano_(?:add|word_\w+|launch_number|sum|most)\(.*\n", re.MULTILINE
)
# What cannot be said in C: memory that the program's own accesses have nothing to do with.
_ADD = """
define internal void @drano_add(i64 %address, i64 %value) alwaysinline nounwind {
  call void asm sideeffect "red.relaxed.gpu.global.add.u64 [$0], $1;", "l,l"
    (i64 %address, i64 %value) #900
  ret void
}
define internal void @drano_word_add(ptr addrspace(3) %at, i32 %value) alwaysinline nounwind {
  call void asm sideeffect "red.shared.add.u32 [$0], $1;", "l,r"
    (ptr addrspace(3) %at, i32 %value) #900
  ret void
}
define internal i32 @drano_word_fetch_add(ptr addrspace(3) %at, i32 %v) alwaysinline nounwind {
  %old = call i32 asm sideeffect "atom.shared.add.u32 $0, [$1], $2;",
    "=r,l,r" (ptr addrspace(3) %at, i32 %v) #900
  ret i32 %old
}
define internal i32 @drano_word_load(ptr addrspace(3) %at) alwaysinline nounwind {
  %value = call i32 asm sideeffect "ld.volatile.shared.u32 $0, [$1];", "=r,l"
    (ptr addrspace(3) %at) #900
  ret i32 %value
}
define internal void @drano_word_clear(ptr addrspace(3) %at) alwaysinline nounwind {
  call void asm sideeffect "st.volatile.shared.u32 [$0], 0;", "l" (ptr addrspace(3) %at) #900
  ret void
}
define internal i32 @drano_launch_number() alwaysinline nounwind {
  %id = call i64 asm "mov.u64 $0, %gridid;", "=l"()
  %low = trunc i64 %id to i32
  ret i32 %low
}
attributes #900 = { nounwind memory(inaccessiblemem: readwrite) }
"""
# Instructions of GPUs from _REDUCING on, and what takes their place.
_REDUCING = 80
_REDUCED = """
define internal i32 @drano_{name}(i32 %mask, i32 %value) alwaysinline convergent nounwind {{
  %all = call i32 @{function}
  ret i32 %all
}}
"""


def counting_library(clang: Clang) -> str:
    """IR of the counting library, compiled when it is not in the cache."""
    digest = hashlib.sha256(clang.version_text.encode() + b"\0" + SOURCE.read_bytes())
    digest.update(Path(__file__).read_bytes())
    directory = cache_dir("runtime")
    place = directory / f"counting-{digest.hexdigest()[:24]}.ll"
    if not verified(place):
        publish_verified(place, lambda target: _compile_library(target, clang))
        keep_newest(directory, "counting-*.ll", 4)
    return place.read_text(encoding="utf-8")


def reductions(number: int) -> str:
    """IR of what warps add up by, on GPUs of this number."""
    if number < _REDUCING:
        return "".join(
            _REDUCED.format(name=name, function=f"drano_{name}_of_bits(i32 %mask, i32 %value)")
            for name in ("sum", "most")
        )
    names = {"sum": "llvm.nvvm.redux.sync.add", "most": "llvm.nvvm.redux.sync.umax"}
    return "".join(
        f"declare i32 @{function}(i32, i32)"
        + _REDUCED.format(name=name, function=f"{function}(i32 %value, i32 %mask)")
        for name, function in names.items()
    )


def _compile_library(target: Path, clang: Clang) -> bool:
    arguments = [
        clang.path, "--no-default-config", "-xcuda", "--cuda-device-only", "-nocudainc",
        "-nocudalib", "--no-cuda-version-check", f"--cuda-gpu-arch=sm_{OLDEST}", "-O1", "-S",
        # The same with an SDK in its usual place and without one, where clang takes the oldest PTX.
        f"--cuda-path={SOURCE.parent}", "-Xclang", "-target-feature", "-Xclang",
        f"+ptx{PTX_VERSION}",
        # With line numbers, so that a profiler does not take what is done here for the program's.
        "-gline-directives-only", "-w", "-emit-llvm", "-D__device__=__attribute__((device))",
        "-D__constant__=__attribute__((constant))", str(SOURCE), "-o", str(target),
    ]  # fmt: skip
    done = run_limited(arguments, timeout=_SECONDS)
    if done.status != 0:
        reason = " ".join(done.stderr.split())[:600] or f"status {done.status}"
        raise IRError("counting library", f"could not be built: {reason}")
    text = target.read_text(encoding="utf-8")
    target.write_text(_SUBTARGET.sub("", _IN_IR.sub("", text)) + _ADD, encoding="utf-8")
    return True


def linked_with(text: str, path: str, library: str) -> str:
    """The module with the library in it, whose functions nobody else calls."""
    context = llvm.create_context()
    try:
        module = llvm.parse_assembly(text, context)
        module.link_in(llvm.parse_assembly(library, context))
        for function in module.functions:
            if function.name.startswith("drano_") and not function.is_declaration:
                function.linkage = llvm.Linkage.internal
        module.verify()
    except RuntimeError as error:
        reason = " ".join(str(error).split())[:300]
        raise IRError(path, f"cannot be counted on a GPU: {reason}") from None
    linked = str(module)
    module.close()
    return linked
