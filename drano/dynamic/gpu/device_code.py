"""A unit's device code for a GPU: instrumented, counted in the warp, as PTX and machine code.

Means: front end and instrumentation are the CPU's. Counting calls become those of the counting
library (``counting.counting_calls``), which clang compiles once and which is linked in. LLVM's -O3
and its NVPTX back end make PTX, from which the pip packages' ``ptxas`` makes machine code.
Assumptions: GPUs from sm_70 on, whose lanes can be told apart (``activemask``, ``match``).
Architectures newer than ``ptxas`` knows get PTX of the newest it knows, which their driver
compiles.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm

from drano.dynamic.cpu.native import compile_object
from drano.dynamic.cpu.unit import Launches
from drano.dynamic.cpu.unit_table import KernelEntry, unit_tables
from drano.dynamic.cpu.variables import NativeVariable, native_variables
from drano.dynamic.gpu.counting.block_visits import (
    VisitedModule,
    visit_table,
    with_own_names,
    with_visit_slots,
    with_visits,
)
from drano.dynamic.gpu.counting.counting_calls import (
    Choices,
    CountedModule,
    SlotRange,
    with_gpu_calls,
)
from drano.dynamic.gpu.counting.sampling import Sampled, sampled_module, within_registers
from drano.dynamic.gpu.linking.fatbin import Image, fat_binary
from drano.dynamic.gpu.linking.registration import registration
from drano.dynamic.gpu.managed import managed_device_ir
from drano.dynamic.gpu.replay.address_roots import Root, roots_of
from drano.dynamic.gpu.replay.device_math import asking_kernel, question_count
from drano.dynamic.gpu.replay.host_code import Replays, replays, variables_table
from drano.dynamic.gpu.replay.repeatable import Decided, Key, also_reading, repeatable
from drano.dynamic.gpu.replay.written_arrays import written_arrays
from drano.dynamic.gpu.source_accesses import as_written
from drano.dynamic.gpu.uncounted import plain_kernels
from drano.dynamic.instrument.counting_calls import instrument
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.proved_patterns import proved_patterns
from drano.dynamic.instrument.unit_identity import own_name
from drano.frontend.clang_flags import ARCHITECTURE
from drano.frontend.toolchain import Clang
from drano.ir import model as m
from drano.ir.optimised_ptx import PTX_VERSION, ptx_of
from drano.ir.prepare.passes import PreparedModule, prepare
from drano.ir.read.reader import read_module
from drano.support.cache_directory import cache_dir, keep_newest, publish_verified, verified
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

SOURCE = Path(__file__).parents[1] / "runtime" / "gpu" / "counting.cu"
OLDEST, NEWEST = 70, 90
_UNKNOWN_TARGET = "is not defined for option 'gpu-name'"
_SECONDS, _MEMORY = 600.0, 8 << 30
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
_ROOT, _PARAMETER = "{ i32, i32, i32, i32 }", "{ i32, i32 }"
_NO_STEP = "\ndefine internal void @drano.none() {\n  ret void\n}\n"


@dataclass(frozen=True, slots=True)
class GpuUnit:
    """``fat_binary``: for clang's ``-fcuda-include-gpubinary``; ``table``: an object for the host
    that registers the unit's kernels and sites; ``replays``: another one, with code that counts
    launches there; empty: there is none.
    """

    ptx: str
    fat_binary: bytes
    table: bytes
    sites: tuple[DeviceSite, ...]
    replays: bytes = b""


@dataclass(frozen=True, slots=True)
class Build:
    """What is compiled, device IR as the front end gives it, and how.

    ``counted``: with counting; without it the code is what it would be, for comparison;
    ``lines``: with line numbers, for profilers; ``launches``: as for ``cpu.lower``; ``sample``: N
    to count one of N blocks, 0: all; ``written``: every access stays one; ``linked``: this is the
    code of several units, whose host code leaves its registration to the table; ``operations``:
    count what is executed as well (not in a sample).
    """

    ir: str
    identity: str
    path: str
    arch: str
    clang: Clang
    ptxas: Path | None
    choices: Choices | None = None
    counted: bool = True
    lines: bool = False
    launches: Launches | None = None
    sample: int = 0
    written: bool = False
    linked: bool = False
    operations: bool = False


@dataclass(frozen=True, slots=True)
class _Counted:
    """A unit with its counting calls: ``made``, of which ``sampled`` is what the GPU gets, and
    ``visited`` what is counted of its blocks. ``repeats``: what decides the counts of kernels;
    ``replayed``: launches that the host counts.
    """

    module: m.Module
    sites: tuple[DeviceSite, ...]
    variables: list[NativeVariable]
    made: CountedModule
    sampled: Sampled
    visited: VisitedModule
    repeats: Mapping[str, Decided]
    replayed: Replays


_NOT_REPLAYED = Replays(b"", (), {}, ())


def target_of(arch: str) -> str:
    """The architecture to make code for. Raises IRError for one that cannot count.

    >>> target_of("sm_75"), target_of("sm_120")
    ('sm_75', 'sm_90')
    """
    found = ARCHITECTURE.match(arch)
    number = int(found[1]) if found else 0
    if number < OLDEST:
        raise IRError(arch, f"counting on a GPU needs sm_{OLDEST} or newer")
    return f"sm_{min(number, NEWEST)}"


def gpu_unit(build: Build) -> GpuUnit:
    """The unit's code for the GPU. IRError for what cannot be compiled."""
    target = target_of(build.arch)
    prepared = prepare(managed_device_ir(build.ir), build.path, trusted=True, scoped=True)
    module = read_module(prepared)
    if build.counted:
        counted = _counted(build, prepared, module)
        text = _with_library(build, prepared, counted, target)
    else:
        counted, text = _uncounted(module), prepared.text
    ptx, images = _compiled(build, text, target, within=bool(counted.sampled.slots))
    binary = fat_binary(images, build.identity)
    kernels, further = _kernels(counted), _further(build, counted)
    if build.linked:
        further.append(registration(binary, [*(k.name for k in kernels), *module.globals]))
        counted = _with_own_names(counted)
    table = _table(build, counted, kernels, further)
    return GpuUnit(ptx, binary, table, counted.sites, counted.replayed.object)


def _uncounted(module: m.Module) -> _Counted:
    """A unit of which nothing is counted."""
    made = CountedModule("", ([], []), {}, 0, {})
    visited = VisitedModule("", module, [], 0)
    return _Counted(module, (), [], made, Sampled("", {}, 0), visited, {}, _NOT_REPLAYED)


def _counted(build: Build, prepared: PreparedModule, module: m.Module) -> _Counted:
    """The unit with its counting calls, and what the host needs to know of them."""
    patterns = None if build.launches is None else proved_patterns(module, build.launches())
    instrumented = instrument(prepared, module, patterns)
    choices = _choices(build)
    found = native_variables(prepared.split.rest, module, relocatable=False)
    variables = [dataclasses.replace(v, token="null") for v in found.values() if v.listed]
    visited, own = VisitedModule("", module, [], 0), instrumented.text
    if build.operations:
        visited = with_visits(own, build.path)
        own = visited.text
    if build.written:  # what the hardware does is asked for
        own = as_written(own)
    made = with_gpu_calls(own, instrumented.sites, visited.module, choices)
    made = with_visit_slots(made, visited.blocks)
    sampled = Sampled(made.text, {}, made.slots)
    if build.sample:
        sampled = sampled_module(prepared.text, made)
    repeats: dict[str, Decided] = {}
    replayed = _NOT_REPLAYED
    if choices.repeats and not (build.written or build.operations):
        repeats = _repeating(module, made, sampled)
        if choices.replays and not choices.histogram:
            known = replays(
                prepared, module, instrumented.text, instrumented.sites, build.identity, repeats
            )
            replayed = known or replayed
    # The host counts launches whole; those that the GPU counts are in a sample by chance.
    if build.sample:
        repeats = {name: d for name, d in repeats.items() if name in replayed.contents}
    return _Counted(
        module, instrumented.sites, variables, made, sampled, visited, repeats, replayed
    )


def _choices(build: Build) -> Choices:
    """Those of the build, less what it does not go with."""
    choices = build.choices or Choices(words=not build.sample)
    if build.sample:  # what chooses the blocks hands on the kernel's own arguments
        choices = dataclasses.replace(choices, sets=False)
    if build.written:  # of loops that the optimiser leaves alone
        choices = dataclasses.replace(choices, trips=False)
    return choices


def _with_library(build: Build, prepared: PreparedModule, counted: _Counted, target: str) -> str:
    """The code that counts, that which does not, and the library, as one module."""
    addresses = variables_table(counted.replayed.variables, counted.module)
    plain = [] if build.sample else plain_kernels(prepared, counted.module, counted.repeats)
    whole = [counted.sampled.text, addresses, *plain]
    if counted.replayed.questions:
        whole.append(asking_kernel(counted.replayed.questions, counted.sampled.text))
    library = counting_library(build.clang) + _reductions(int(target.removeprefix("sm_")))
    return _linked("\n".join(whole), build.path, library)


def _compiled(build: Build, text: str, target: str, *, within: bool) -> tuple[str, list[Image]]:
    """PTX, and what the fat binary holds. ``within``: the registers of the code as it was."""
    ptx = ptx_of(
        text, build.path, target, _SECONDS, _MEMORY, lines=build.lines, written=build.written
    )
    number = int(target.removeprefix("sm_"))
    code = b""
    if build.ptxas is not None:
        code, said = run_ptxas(ptx, build.path, target, build.ptxas, lines=build.lines)
        limited = within_registers(ptx, said) if within else ptx
        if limited != ptx:
            ptx = limited
            code, _ = run_ptxas(ptx, build.path, target, build.ptxas, lines=build.lines)
    images = [Image(ptx.encode(), number, PTX_VERSION, is_ptx=True)]
    if build.ptxas is not None:
        images.append(Image(code, number, 0, is_ptx=False))
    return ptx, images


def _further(build: Build, counted: _Counted) -> list[tuple[str, str]]:
    """IR of what the table holds besides sites and kernels; of its registration."""
    copied, module = counted.replayed.contents, counted.module
    keys = {
        name: also_reading(module.functions[name], d.key, copied.get(name, frozenset()))
        for name, d in counted.repeats.items()
    }
    parts = [
        _places(counted.made, counted.sampled, module, build.sample, keys),
        _roots(module, counted.sites, counted.variables),
        question_count(counted.replayed.questions),
    ]
    if build.operations:
        parts.append(visit_table(counted.sampled.end, counted.visited.blocks))
    return parts


def _kernels(counted: _Counted) -> list[KernelEntry]:
    return [
        KernelEntry(
            f.name, "drano.none", 0, 0, 0, (), 0, *_own_sites(f.name, counted.sites), f.display
        )
        for f in counted.module.kernels
    ]


def _with_own_names(counted: _Counted) -> _Counted:
    """With the names that functions and variables have in their own units."""
    return dataclasses.replace(
        counted,
        sites=tuple(dataclasses.replace(s, kernel=own_name(s.kernel)) for s in counted.sites),
        variables=[dataclasses.replace(v, name=own_name(v.name)) for v in counted.variables],
        visited=with_own_names(counted.visited),
    )


def _table(
    build: Build,
    counted: _Counted,
    kernels: Sequence[KernelEntry],
    further: Iterable[tuple[str, str]],
) -> bytes:
    """The object for the host."""
    values, calls = ("".join(parts) for parts in zip(*further, strict=True))
    tables = unit_tables(
        build.identity, kernels, counted.sites, counted.variables, (values, calls),
        work=counted.visited.work, block_count=counted.visited.blocks,
    )  # fmt: skip
    return compile_object(tables + _NO_STEP, build.path, 1, portable=True)


def _repeating(module: m.Module, made: CountedModule, sampled: Sampled) -> dict[str, Decided]:
    """What decides the counts of the kernels that it is known of."""
    known = {
        kernel.name: repeatable(module, kernel)
        for kernel in module.kernels
        if kernel.name in sampled.slots
        or (kernel.name in made.ranges and made.ranges[kernel.name].parameters >= 0)
    }
    return {name: found for name, found in known.items() if found is not None}


def _places(
    made: CountedModule, sampled: Sampled, module: m.Module, sample: int, repeats: Mapping[str, Key]
) -> tuple[str, str]:
    """IR of where the sites' counts are, and of what the kernels' second forms are; of its
    registration.
    """
    place = "{ i32, i32, i32, i32, i64 }"
    kernel = "{ i32, i32, [3 x i32], i32, i32, i32, i32, i32 }"
    rows = [
        f"{place} {{ i32 {p.slot}, i32 {p.shared}, i32 {p.group}, i32 {p.histogram}, "
        f"i64 {p.cost} }}"
        for both in zip(*made.places, strict=True)
        for p in both
    ]
    forms: list[str] = []
    parameters: list[str] = []
    touches: list[str] = []
    for number, function in enumerate(module.kernels):
        name = function.name
        key = repeats.get(name)
        first = len(parameters) if key is not None else -1
        parameters += [
            f"{_PARAMETER} {{ i32 {p.size}, i32 {int(p.place)} }}"
            for p in (key.parameters if key is not None else ())
        ]
        touched = [(root, 0) for root in sorted(key.contents)] if key is not None else []
        written = written_arrays(module, function)
        touched += [(root, 1) for root in ([Root()] if written is None else sorted(written))]
        touches += [
            f"{_ROOT} {{ i32 {number}, i32 {root.parameter}, i32 {root.offset}, i32 {writes} }}"
            for root, writes in touched
        ]
        proofs = made.proofs.get(name)
        own = made.ranges.get(name, SlotRange(-1, 0, 0))
        shape = ", ".join(f"i32 {n}" for n in (proofs and proofs.block) or (0, 0, 0))
        forms.append(
            f"{kernel} {{ i32 {sampled.slots.get(name, -1)}, "
            f"i32 {int(proofs is not None)}, [3 x i32] [{shape}], "
            f"i32 {own.parameters}, i32 {own.first}, i32 {own.count}, i32 {first}, "
            f"i32 {len(function.args)} }}"
        )
    lines = []
    for variable, type_, values in (
        ("places", place, rows), ("forms", kernel, forms), ("parameters", _PARAMETER, parameters),
        ("touches", _ROOT, touches),
    ):  # fmt: skip
        value = f"[{', '.join(values)}]" if values else "zeroinitializer"
        lines.append(f"@drano.{variable} = internal constant [{len(values)} x {type_}] {value}")
    return (
        "\n".join(
            [
                *lines,
                "declare void @drano_register_places(ptr, ptr, i32, ptr, i32, ptr, ptr, i32)\n",
            ]
        ),
        "  call void @drano_register_places(ptr @drano.unit, ptr @drano.places, "
        f"i32 {sampled.end}, ptr @drano.forms, i32 {sample}, ptr @drano.parameters, "
        f"ptr @drano.touches, i32 {len(touches)})\n",
    )


def _roots(
    module: m.Module, sites: tuple[DeviceSite, ...], variables: list[NativeVariable]
) -> tuple[str, str]:
    """IR of where the sites' addresses come from; of its registration."""
    numbers = {variable.name: number for number, variable in enumerate(variables)}
    known = roots_of(module)
    rows = []
    for site in sites:
        roots = known.get((site.kernel, site.ordinal), ()) if site.ordinal is not None else ()
        if all(not root.variable or root.variable in numbers for root in roots):
            rows += [
                f"{_ROOT} {{ i32 {site.number}, i32 {root.parameter}, i32 {root.offset}, "
                f"i32 {numbers.get(root.variable, -1)} }}"
                for root in roots
            ]
    value = f"[{', '.join(rows)}]" if rows else "zeroinitializer"
    return (
        f"@drano.roots = internal constant [{len(rows)} x {_ROOT}] {value}\n"
        "declare void @drano_register_roots(ptr, ptr, i32)\n",
        f"  call void @drano_register_roots(ptr @drano.unit, ptr @drano.roots, i32 {len(rows)})\n",
    )


def _own_sites(kernel: str, sites: tuple[DeviceSite, ...]) -> tuple[int, int]:
    mine = [site.number for site in sites if site.kernel == kernel]
    return min(mine, default=0), len(mine)


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


def _reductions(number: int) -> str:
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


def _linked(text: str, path: str, library: str) -> str:
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


def run_ptxas(
    ptx: str, path: str, target: str, ptxas: Path, *, lines: bool = False
) -> tuple[bytes, str]:
    """Machine code by ``ptxas``, and what it says of each kernel."""
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        source, cubin = Path(name) / "unit.ptx", Path(name) / "unit.cubin"
        source.write_text(ptx, encoding="utf-8")
        arguments = [str(ptxas), f"-arch={target}", "-O3", "-v", str(source), "-o", str(cubin)]
        arguments += ["-lineinfo"] if lines else []
        done = run_limited(arguments, timeout=_SECONDS)
        if done.status != 0:
            raise IRError(path, _refusal(" ".join(done.stderr.split()), done.status, target))
        return cubin.read_bytes(), done.stderr


def _refusal(said: str, status: int, target: str) -> str:
    """Why there is no machine code, in one line."""
    if _UNKNOWN_TARGET in said:
        return f"this CUDA's ptxas does not know {target}: take another -arch or --cuda-path"
    return f"ptxas refuses the code: {said[:300] or f'status {status}'}"
