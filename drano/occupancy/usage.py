"""Registers, spills and shared memory of each kernel of a file, as ``ptxas -v`` says.

nvcc (of the CUDA packages or an SDK) makes PTX of the source, of which the register pressure is
counted, and ptxas machine code that is thrown away. Where nvcc cannot, as it needs a host compiler
and all headers, or where the source is not what is on disk, LLVM makes the PTX. Limits: LLVM's may
need other registers than nvcc's, as nvcc unrolls other loops; a capability that the ptxas at hand
does not know is compiled for the newest that it does.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.blocks.block_size_independence import BlockSize, block_size_independence
from drano.frontend.clang import compile_unit
from drano.frontend.commands.compile_database import with_compile_commands
from drano.frontend.nvcc import nvcc_ptx
from drano.frontend.repair.removed_text import MARKER
from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.sdk.tools import find_tool
from drano.ir.model import Module
from drano.ir.optimised_ptx import ptx_of
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.gpus import GPUS, Gpu
from drano.model.report import Found, NotAnalysed
from drano.model.settings import CompileOptions
from drano.model.symbols import common_symbol
from drano.occupancy.pressure import max_live
from drano.support.errors import IRError
from drano.support.input_files import InputKind, input_kind, read_input
from drano.support.limited_process import run_limited

_MAX_BINARY = 1 << 28
_REGISTER_LIMIT = "--maxrregcount="
# Bodies with errors call this: ptxas takes no function that nobody defines.
_NOT_COMPILED = re.compile(rf"^declare ([^\n]*@{MARKER}\([^)\n]*\))[^\n]*$", re.MULTILINE)
_KERNEL = re.compile(r"Compiling entry function '([^']*)'")
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
_SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


class Usage(Struct, frozen=True):
    """Of one kernel, by its symbol. Shared memory is the static part; all sizes are in bytes.
    ``max_live``: registers' worth of values at once, at most. ``block_size``: whether its result
    depends on the block's size; ``max_threads``: of ``__launch_bounds__``. Both as far as the
    source was read: None where it was not.
    """

    symbol: str
    registers: int
    shared: int
    stack: int
    spill_stores: int
    spill_loads: int
    max_live: int = 0
    block_size: BlockSize | None = None
    max_threads: int | None = None

    @property
    def pressure(self) -> int:
        """Registers that the kernel needs: what was live, but no more than it gets by with."""
        return self.max_live if self.spill_stores else min(self.max_live, self.registers)


class UnitUsage(Struct, frozen=True):
    """``arch``: what was compiled for; ``compiler``: who made the PTX, "" where the file is PTX;
    ``not_nvcc``: one line, why it was not nvcc; ``problem``: one line when the file could not be
    compiled; ``not_analysed``: kernels that do not compile.
    """

    arch: str
    kernels: tuple[Usage, ...]
    problem: str = ""
    not_analysed: tuple[NotAnalysed, ...] = ()
    compiler: str = ""
    not_nvcc: str = ""


def find_ptxas(options: CompileOptions) -> str:
    """The ptxas to use: no repository chooses it. Raises IRError when there is none."""
    headers = cuda_headers(options.tools_path)
    found = str(headers.ptxas) if headers.ptxas else shutil.which("ptxas")
    if found is None:
        raise IRError("ptxas", "not found; pip install nvidia-cuda-nvcc, or use --cuda-path")
    return found


def known_archs(ptxas: str) -> tuple[str, ...]:
    """Capabilities that ``ptxas`` compiles for, the oldest first."""
    help_text = run_limited([ptxas, "--help"], timeout=30.0).stdout
    found = {f"sm_{number}" for number in re.findall(r"'sm_(\d+)'", help_text)}
    return tuple(gpu.arch for gpu in GPUS if gpu.arch in found)


def compiled_arch(gpu: Gpu, known: tuple[str, ...]) -> str:
    """``gpu``'s own capability, or the newest known one before it, else the oldest.

    >>> compiled_arch(GPUS[-1], ("sm_50", "sm_90"))
    'sm_90'
    """
    older = [
        g.arch for g in GPUS if g.arch in known and (g.major, g.minor) <= (gpu.major, gpu.minor)
    ]
    if older:
        return older[-1]
    return known[0] if known else gpu.arch


def unit_usage(
    path: str, options: CompileOptions, gpu: Gpu, source_text: str | None = None
) -> UnitUsage:
    """Usage of each kernel of the CUDA source, or PTX, at ``path``. Raises IRError without a
    toolchain. PTX is assembled as it is: of a newer target than the GPU it is a problem.
    """
    kind = input_kind(path, options.flags)
    if kind not in {InputKind.CUDA, InputKind.PTX}:
        raise IRError(path, "occupancy needs a CUDA source file or PTX")
    ptxas = find_ptxas(options)
    arch = compiled_arch(gpu, known_archs(ptxas))
    options = replace(options, arch=arch)
    unit = compile_unit(path, options, source_text=source_text, partial=True)
    module = None
    if unit.ir is not None:
        module = read_module(prepare(unit.ir, path, trusted=kind is InputKind.CUDA))
    not_nvcc = "the file is not what is on disk" if source_text is not None else ""
    if kind is InputKind.CUDA and not not_nvcc:
        try:
            found = _by_nvcc(path, options, arch, unit.found)
            kernels = tuple(_with_source(kernel, module) for kernel in found)
            return UnitUsage(arch, kernels, not_analysed=unit.not_analysed, compiler="nvcc")
        except IRError as error:
            not_nvcc = error.reason
    if unit.ir is None:
        reason = next((d.message for d in unit.diagnostics), "does not compile")
        return UnitUsage(arch, (), reason)
    if kind is InputKind.PTX:
        ptx, compiler, not_nvcc = read_input(path, kind).decode("utf-8"), "", ""
    else:
        text = _NOT_COMPILED.sub(r"define \1 {\n  ret void\n}", unit.ir)
        ptx, compiler = ptx_of(text, path, arch, options.timeout, options.memory), "clang"
    try:
        found = _assembled(ptxas, ptx, arch, options)
    except IRError as error:
        return UnitUsage(arch, (), error.reason)
    return UnitUsage(
        arch, tuple(_with_source(kernel, module) for kernel in found),
        not_analysed=unit.not_analysed, compiler=compiler, not_nvcc=not_nvcc,
    )  # fmt: skip


def _by_nvcc(path: str, options: CompileOptions, arch: str, found: Found) -> tuple[Usage, ...]:
    """Raises IRError, where nvcc cannot."""
    nvcc = find_tool("nvcc", options.tools_path)
    options = with_compile_commands(path, options)
    beside = Path(nvcc).resolve().parent / "ptxas"  # reads what this nvcc writes
    ptxas = str(beside) if beside.is_file() else find_ptxas(options)
    return _assembled(ptxas, nvcc_ptx(nvcc, path, options, found), arch, options)


def _assembled(ptxas: str, ptx: str, arch: str, options: CompileOptions) -> tuple[Usage, ...]:
    """What ptxas says of PTX. Raises IRError."""
    limits = [flag for flag in options.code_generation if flag.startswith(_REGISTER_LIMIT)]
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        source = Path(name) / "unit.ptx"
        source.write_text(ptx, encoding="utf-8")
        output = ["-o", str(Path(name) / "unit.cubin")]
        command = [ptxas, "-v", f"-arch={arch}", *limits, str(source), *output]
        done = run_limited(
            command, timeout=options.timeout, memory=options.memory, file_size=_MAX_BINARY
        )
    if done.timed_out:
        raise IRError("ptxas", f"ptxas took more than {options.timeout:g} s")
    if done.status != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "fatal" in line]
        raise IRError("ptxas", f"ptxas: {lines[0] if lines else 'failed'}"[:300])
    pressure = max_live(ptx)
    return tuple(
        replace(usage, max_live=pressure.get(usage.symbol, 0))
        for usage in parse_usage(done.stdout + done.stderr)
    )


def _with_source(usage: Usage, module: Module | None) -> Usage:
    """What the source says of a kernel that nvcc, too, may have compiled."""
    functions = {} if module is None else module.functions
    wanted = common_symbol(usage.symbol)
    symbol = next((name for name in functions if common_symbol(name) == wanted), None)
    if module is None or symbol is None:
        return usage
    function = functions[symbol]
    exact = function.required_threads
    return replace(
        usage,
        symbol=symbol,
        block_size=block_size_independence(module, function),
        max_threads=function.max_threads if exact is None else exact[0] * exact[1] * exact[2],
    )


def parse_usage(text: str) -> tuple[Usage, ...]:
    """What ``ptxas -v`` has said."""
    kernels = []
    parts = _KERNEL.split(text)
    for symbol, said in zip(parts[1::2], parts[2::2], strict=True):
        registers, shared, spills = (p.search(said) for p in (_REGISTERS, _SHARED, _SPILLS))
        stack, stores, loads = (int(n) for n in spills.groups()) if spills else (0, 0, 0)
        kernels.append(
            Usage(
                symbol, int(registers[1]) if registers else 0, int(shared[1]) if shared else 0,
                stack, stores, loads,
            )
        )  # fmt: skip
    return tuple(kernels)
