"""Profiles: what runs of programs built by ``drano cc`` have counted. Read, merged, written.

The run-time library writes them (``runtime/profile.c``) in the format of ``profile_schema.json``.
Counts of one site, kernel, launch shape or array add up over runs; minima and maxima are over all
runs. Profiles are not trusted: a file that does not fit the format is a ``ProfileError``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from drano.dynamic.profiles.display_names import first_argument, kernel_name
from drano.model.hardware import SECTOR_BYTES
from drano.support.regular_files import read_regular

FORMAT = "drano-profile"
VERSION = 2
VERSIONS = (1, 2)
"""Those that can be read. 2 added loops, names of callers, work and samples."""
MAX_BYTES = 1 << 30

_T = TypeVar("_T")


class ProfileError(Exception):
    """A profile that cannot be used; ``str()`` is one line for the user."""


class Call(msgspec.Struct, frozen=True):
    """The place of a call through which code was inlined; ``function``: who calls, "" unknown."""

    path: str
    line: int
    column: int
    function: str = ""


class Loop(msgspec.Struct, frozen=True):
    """A loop around code. ``counter``: its variable, or ""; ``depth``: calls around the loop that
    were inlined.
    """

    path: str
    line: int
    column: int
    counter: str = ""
    depth: int = 0


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """One access of one kernel. ``executions``: warp requests, ``shared_executions`` of them to
    shared memory; ``least``, ``most``, ``histogram`` (index 0: 1): lines of a request, wavefronts
    of one to shared memory; ``conflicts``: lanes of atomics beyond the first at each address.
    ``inlined_at``: innermost call first; ``loops``: outermost first.
    """

    path: str
    line: int
    column: int
    kernel: str
    function: str
    kind: str
    space: str
    bytes: int
    ordinal: int | None
    inlined_at: tuple[Call, ...]
    pruned: bool
    executions: int
    shared_executions: int
    active_lanes: int
    lines: int
    sectors: int
    sectors_ideal: int
    wavefronts: int
    wavefronts_ideal: int
    conflicts: int
    least: int
    most: int
    histogram: tuple[int, ...]
    loops: tuple[Loop, ...] = ()

    @property
    def excess_bytes(self) -> int:
        """Bytes of global memory moved beyond what the active lanes asked for."""
        return max(0, self.sectors - self.sectors_ideal) * SECTOR_BYTES


class Mix(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Instructions that warps executed, by class (see ``analysis.instruction_classes.CLASSES``)."""

    f16: int = 0
    f32: int = 0
    f64: int = 0
    special: int = 0
    integer: int = 0
    address: int = 0
    compare: int = 0
    convert: int = 0
    memory: int = 0
    exchange: int = 0
    barrier: int = 0
    control: int = 0
    other: int = 0


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What one line of one kernel executed, all code counted. ``instructions``: of warps;
    ``thread_instructions``, ``flops_...`` and ``integer_operations``: of their active lanes.
    """

    path: str
    line: int
    kernel: str
    function: str
    inlined_at: tuple[Call, ...]
    loops: tuple[Loop, ...]
    instructions: int
    thread_instructions: int
    flops_f16: int
    flops_f32: int
    flops_f64: int
    integer_operations: int
    mix: Mix

    @property
    def flops(self) -> int:
        """Floating-point operations of any type."""
        return self.flops_f16 + self.flops_f32 + self.flops_f64


class Samples(msgspec.Struct, frozen=True, kw_only=True):
    """Of one line of one kernel, by Nsight Compute: how often a sampled warp was there.
    ``stalls``: of the samples, by what the warp waited for, as ``stall_long_sb``.
    """

    path: str
    line: int
    kernel: str
    samples: int
    not_issued: int
    stalls: dict[str, int]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """Launches of one kernel with one grid and block; ``counted``: those that the counts are of."""

    launches: int
    counted: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    nanoseconds: int


class Kernel(msgspec.Struct, frozen=True, kw_only=True):
    """``name``: mangled; ``display``: as people read it, "" unknown; ``other_shapes``: launches
    whose shapes are not listed; ``blocks``: of all launches, where the counts are of a sample,
    ``sampled_blocks`` of them; else 0; ``view``: which accesses are counted, those of the source or
    those of optimised code.
    """

    name: str
    launches: int
    threads: int
    nanoseconds: int
    static_shared_bytes: int
    other_shapes: int
    shapes: tuple[Shape, ...]
    display: str = ""
    blocks: int = 0
    sampled_blocks: int = 0
    view: Literal["written", "compiled"] = "written"

    @property
    def label(self) -> str:
        """The name with its template arguments, where they are known."""
        return self.display or kernel_name(self.name)


class Array(msgspec.Struct, frozen=True, kw_only=True):
    """All allocations of one place. ``name``: the call's arguments; ``largest``: bytes of the
    largest one; ``reads``, ``writes``, ``atomics``: by threads.
    """

    name: str
    api: str
    kind: str
    path: str
    line: int
    allocations: int
    bytes: int
    largest: int
    reads: int
    writes: int
    atomics: int
    sectors: int

    @property
    def accesses(self) -> int:
        """Reads, writes and atomics."""
        return self.reads + self.writes + self.atomics

    @property
    def label(self) -> str:
        """The array's name in the source: ``d_a`` of ``(void **)&d_a, n * 4``."""
        return first_argument(self.name) or self.api


class BlockReads(msgspec.Struct, frozen=True, kw_only=True):
    """How blocks of one kernel read one array. ``name``, ``api``, ``path``, ``line``: the array's;
    ``sites``: ordinals of the loads; ``blocks``: how many were looked at. Of these: ``reads`` by
    warps' requests of ``words`` of 4 bytes, ``most_words`` in one block; what only one thread reads
    is one read. ``written``: the kernel writes the array, too.
    """

    kernel: str
    name: str
    api: str
    path: str
    line: int
    sites: tuple[int, ...]
    written: bool
    blocks: int
    reads: int
    words: int
    most_words: int

    @property
    def label(self) -> str:
        """The array's name in the source."""
        return first_argument(self.name) or self.api

    @property
    def times(self) -> float:
        """Reads of each word."""
        return self.reads / self.words if self.words else 0.0


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """What ended a kernel."""

    kernel: str
    path: str
    line: int
    message: str


class Unsupported(msgspec.Struct, frozen=True, kw_only=True):
    """An API function that returned cudaErrorNotSupported."""

    name: str
    calls: int


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """``ended``: "exit", "_exit" or the name of a signal; ``runs``: how many are added up."""

    format: str
    version: int
    program: str
    gpu: str
    ended: str
    workers: int
    nanoseconds: int
    kernels: tuple[Kernel, ...]
    arrays: tuple[Array, ...]
    sites: tuple[Site, ...]
    reuse: tuple[BlockReads, ...] = ()
    faults: tuple[Fault, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    runs: int = 1
    work: tuple[Work, ...] = ()
    samples: tuple[Samples, ...] = ()


def read_profile(path: str) -> Profile:
    """The profile in the file ``path``. Raises ProfileError."""
    try:
        data: Any = json.loads(read_regular(path, MAX_BYTES))
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ProfileError(f"{path}: is not a profile of drano's")
        if data.get("version") not in VERSIONS:
            raise ProfileError(f"{path}: is of version {data.get('version')!r}, not {VERSION}")
        return msgspec.convert(data, Profile)
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror or 'cannot be read'}") from error
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ProfileError(f"{path}: is not a profile of drano's: {reason}") from error


def profile_json(profile: Profile) -> str:
    """The profile as a file holds it, one entry to a line."""
    parts = msgspec.to_builtins(profile)
    lists = (
        "kernels", "arrays", "sites", "reuse", "faults", "unsupported", "work", "samples",
    )  # fmt: skip
    head = {name: value for name, value in parts.items() if name not in lists}
    text = json.dumps(head, separators=(",", ":")).removesuffix("}")
    for name in lists:
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in parts[name])
        text += f',\n"{name}":[\n{rows}]' if rows else f',\n"{name}":[]'
    return text + "}\n"


# --- merging ---------------------------------------------------------------------------------


def merge(profiles: Sequence[Profile]) -> Profile:
    """The sum of several runs, of one program or of several; at least one. Raises ProfileError
    where they count different accesses of a kernel.
    """
    comparable(profiles)
    first = profiles[0]
    return Profile(
        format=FORMAT,
        version=VERSION,
        program=_common(p.program for p in profiles),
        gpu=_common(p.gpu for p in profiles),
        ended=_common(p.ended for p in profiles),
        workers=max(p.workers for p in profiles),
        nanoseconds=sum(p.nanoseconds for p in profiles),
        kernels=_joined((k for p in profiles for k in p.kernels), lambda k: k.name, _add_kernels),
        arrays=_joined((a for p in profiles for a in p.arrays), _array_key, _add_arrays),
        sites=_joined((s for p in profiles for s in p.sites), site_key, _add_sites),
        reuse=_joined((r for p in profiles for r in p.reuse), _reuse_key, _add_reuse),
        faults=tuple(fault for p in profiles for fault in p.faults),
        unsupported=_joined(
            (u for p in profiles for u in p.unsupported),
            lambda u: u.name,
            lambda a, b: Unsupported(name=a.name, calls=a.calls + b.calls),
        ),
        runs=sum(p.runs for p in profiles) if len(profiles) > 1 else first.runs,
        work=_joined((w for p in profiles for w in p.work), _work_key, _add_work),
        samples=_joined(
            (s for p in profiles for s in p.samples),
            lambda s: (s.path, s.line, s.kernel),
            _add_samples,
        ),
    )


def comparable(profiles: Iterable[Profile]) -> None:
    """Raises ProfileError where profiles count different accesses of a kernel."""
    views: dict[str, str] = {}
    for kernel in (kernel for profile in profiles for kernel in profile.kernels):
        known = views.setdefault(kernel.name, kernel.view)
        if known != kernel.view:
            raise ProfileError(
                f"kernel {kernel.label}: one profile counts its accesses as {known}, another as "
                f"{kernel.view}; count both with --as-written"
            )


def _common(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(values))


def _joined(
    rows: Iterable[_T], key: Callable[[_T], Hashable], add: Callable[[_T, _T], _T]
) -> tuple[_T, ...]:
    found: dict[Hashable, _T] = {}
    for row in rows:
        name = key(row)
        found[name] = add(found[name], row) if name in found else row
    return tuple(found.values())


def site_key(site: Site) -> Hashable:
    """What makes a site the same in several runs."""
    return (
        site.path, site.line, site.column, site.kernel, site.function, site.kind, site.space,
        site.bytes, site.ordinal, site.inlined_at,
    )  # fmt: skip


def _array_key(array: Array) -> Hashable:
    return array.name, array.api, array.kind, array.path, array.line


def _reuse_key(reuse: BlockReads) -> Hashable:
    return reuse.kernel, reuse.name, reuse.api, reuse.path, reuse.line, reuse.sites[:1]


def _add_reuse(a: BlockReads, b: BlockReads) -> BlockReads:
    total: BlockReads = _summed(a, b, ("blocks", "reads", "words"))
    return replace(
        total,
        most_words=max(a.most_words, b.most_words),
        sites=tuple(dict.fromkeys((*a.sites, *b.sites))),
        written=a.written or b.written,
    )


def _summed(a: Any, b: Any, names: Sequence[str]) -> Any:
    return replace(a, **{n: getattr(a, n) + getattr(b, n) for n in names})


_SITE_SUMS = (
    "executions", "shared_executions", "active_lanes", "lines", "sectors", "sectors_ideal",
    "wavefronts", "wavefronts_ideal", "conflicts",
)  # fmt: skip


def _add_sites(a: Site, b: Site) -> Site:
    total: Site = _summed(a, b, _SITE_SUMS)
    least = min((site.least for site in (a, b) if site.least), default=0)
    histogram = tuple(x + y for x, y in zip(a.histogram, b.histogram, strict=False))
    return replace(
        total,
        least=least,
        most=max(a.most, b.most),
        histogram=histogram,
        pruned=a.pruned or b.pruned,
    )


def _work_key(work: Work) -> Hashable:
    return work.path, work.line, work.kernel, work.function, work.inlined_at, work.loops


_WORK_SUMS = (
    "instructions", "thread_instructions", "flops_f16", "flops_f32", "flops_f64",
    "integer_operations",
)  # fmt: skip


def _add_work(a: Work, b: Work) -> Work:
    total: Work = _summed(a, b, _WORK_SUMS)
    return replace(total, mix=add_mixes(a.mix, b.mix))


def add_mixes(a: Mix, b: Mix) -> Mix:
    """The sum, class by class."""
    total: Mix = _summed(a, b, Mix.__struct_fields__)
    return total


def _add_samples(a: Samples, b: Samples) -> Samples:
    total: Samples = _summed(a, b, ("samples", "not_issued"))
    names = dict.fromkeys([*a.stalls, *b.stalls])
    stalls = {name: a.stalls.get(name, 0) + b.stalls.get(name, 0) for name in names}
    return replace(total, stalls=stalls)


def _add_kernels(a: Kernel, b: Kernel) -> Kernel:
    if not a.blocks == b.blocks == 0:
        a, b = _of_a_sample(a), _of_a_sample(b)
    names = ("launches", "threads", "nanoseconds", "other_shapes", "blocks", "sampled_blocks")
    total: Kernel = _summed(a, b, names)
    shapes = _joined(
        (*a.shapes, *b.shapes),
        lambda s: (s.grid, s.block, s.shared_bytes),
        lambda s, t: _summed(s, t, ("launches", "counted", "nanoseconds")),
    )
    return replace(total, shapes=shapes)


def _of_a_sample(kernel: Kernel) -> Kernel:
    """All blocks of listed shapes, where a run without a sample is added to one with."""
    if kernel.blocks:
        return kernel
    blocks = sum(s.counted * s.grid[0] * s.grid[1] * s.grid[2] for s in kernel.shapes)
    return replace(kernel, blocks=blocks, sampled_blocks=blocks)


def _add_arrays(a: Array, b: Array) -> Array:
    names = ("allocations", "bytes", "reads", "writes", "atomics", "sectors")
    total: Array = _summed(a, b, names)
    return replace(total, largest=max(a.largest, b.largest))
