"""A unit's device code for a GPU: instrumented, counted in the warp, as PTX and machine code.

Means: front end and instrumentation are the CPU's. Counting calls become those of the counting
library (``counting.counting_calls``), which clang compiles once and which is linked in. LLVM's -O3
and its NVPTX back end make PTX, from which the pip packages' ``ptxas`` makes machine code.
Assumptions: GPUs from sm_70 on, whose lanes can be told apart (``activemask``, ``match``).
Architectures newer than ``ptxas`` knows get PTX of the newest it knows, which their driver
compiles.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

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
    with_gpu_calls,
)
from drano.dynamic.gpu.counting.library_code import (
    OLDEST,
    counting_library,
    linked_with,
    reductions,
)
from drano.dynamic.gpu.counting.sampling import Sampled, sampled_module, within_registers
from drano.dynamic.gpu.linking.fatbin import Image, fat_binary
from drano.dynamic.gpu.linking.registration import registration
from drano.dynamic.gpu.managed import managed_device_ir
from drano.dynamic.gpu.replay.device_math import asking_kernel, question_count
from drano.dynamic.gpu.replay.host_code import Replays, replays, variables_table
from drano.dynamic.gpu.replay.repeatable import Decided, also_reading, repeatable
from drano.dynamic.gpu.site_tables import address_roots, own_sites, site_places
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
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

NEWEST = 90
_UNKNOWN_TARGET = "is not defined for option 'gpu-name'"
_SECONDS, _MEMORY = 600.0, 8 << 30
_NO_STEP = "\ndefine internal void @drano.none() {\n  ret void\n}\n"


class GpuUnit(Struct, frozen=True):
    """``fat_binary``: for clang's ``-fcuda-include-gpubinary``; ``table``: an object for the host
    that registers the unit's kernels and sites; ``replays``: another one, with code that counts
    launches there; empty: there is none.
    """

    ptx: str
    fat_binary: bytes
    table: bytes
    sites: tuple[DeviceSite, ...]
    replays: bytes = b""


class Build(Struct, frozen=True):
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


class _Counted(Struct, frozen=True):
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
    variables = [replace(v, token="null") for v in found.values() if v.listed]
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
        choices = replace(choices, sets=False)
    if build.written:  # of loops that the optimiser leaves alone
        choices = replace(choices, trips=False)
    return choices


def _with_library(build: Build, prepared: PreparedModule, counted: _Counted, target: str) -> str:
    """The code that counts, that which does not, and the library, as one module."""
    addresses = variables_table(counted.replayed.variables, counted.module)
    plain = [] if build.sample else plain_kernels(prepared, counted.module, counted.repeats)
    whole = [counted.sampled.text, addresses, *plain]
    if counted.replayed.questions:
        whole.append(asking_kernel(counted.replayed.questions, counted.sampled.text))
    library = counting_library(build.clang) + reductions(int(target.removeprefix("sm_")))
    return linked_with("\n".join(whole), build.path, library)


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
        site_places(counted.made, counted.sampled, module, build.sample, keys),
        address_roots(module, counted.sites, counted.variables),
        question_count(counted.replayed.questions),
    ]
    if build.operations:
        parts.append(visit_table(counted.sampled.end, counted.visited.blocks))
    return parts


def _kernels(counted: _Counted) -> list[KernelEntry]:
    return [
        KernelEntry(
            f.name, "drano.none", 0, 0, 0, (), 0, *own_sites(f.name, counted.sites), f.display
        )
        for f in counted.module.kernels
    ]


def _with_own_names(counted: _Counted) -> _Counted:
    """With the names that functions and variables have in their own units."""
    return replace(
        counted,
        sites=tuple(replace(s, kernel=own_name(s.kernel)) for s in counted.sites),
        variables=[replace(v, name=own_name(v.name)) for v in counted.variables],
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
