"""What Nsight Compute has measured, as a profile: the hardware's word beside our counts.

Means: the source page of a report, as CSV (``ncu --import R.ncu-rep --page source --print-source
cuda,sass --csv``), which lists each source line and below it the machine instructions made of it.
Instructions that access memory become sites; their metrics keep their meaning:

    ours            Nsight Compute's
    executions      inst_executed (warps without an active lane are in it, too)
    active_lanes    thread_inst_executed_true
    lines           memory_l1_tag_requests_global
    sectors         memory_l2_theoretical_sectors_global
    sectors_ideal   memory_l2_theoretical_sectors_global_ideal
    wavefronts      memory_l1_wavefronts_shared, where the report has it (and its _ideal)

Samples of warps by line (``# Samples`` and the ``stall_...`` columns) are taken over under ncu's
names; see ``warp_stalls``.

Assumptions: the program was compiled with line numbers (``-lineinfo``). Limits: a line inlined into
another is the inlined one; machine code has no columns; what its compiler merged or moved, it
counts where it went. The file is not trusted: what is no such page is a ``ProfileError``.
"""

from __future__ import annotations

import csv
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from msgspec import Struct, field

from drano.dynamic.profiles.profile import (
    FORMAT,
    VERSION,
    Kernel,
    Profile,
    ProfileError,
    Samples,
    Site,
    read_profile,
)
from drano.model.hardware import WARP_SIZE
from drano.support.errors import IRError
from drano.support.limited_process import run_limited
from drano.support.regular_files import read_regular

MAX_BYTES = 1 << 30
_SECONDS = 300.0
_FILE, _KERNEL, _HEADS = "File Path", "Function Name", "Line No"
_SOURCE, _BETWEEN = "Source", '","'
_ROW_END = re.compile(r"\r?\n")  # a CR alone is of a source whose lines end with CR LF
_EXECUTED, _THREADS = "Instructions Executed", "Predicated-On Thread Instructions Executed"
_SPACE, _OPERATION, _SIZE = "Address Space", "Access Operation", "Access Size"
_TAGS, _SECTORS = "L1 Tag Requests Global", "L2 Theoretical Sectors Global"
_IDEAL = "L2 Theoretical Sectors Global Ideal"
_WAVEFRONTS, _WAVEFRONTS_IDEAL = "L1 Wavefronts Shared", "L1 Wavefronts Shared Ideal"
_SAMPLES, _NOT_ISSUED = "# Samples", "Warp Stall Sampling (Not-issued Samples)"
_STALL, _NOT_ISSUED_STALL = "stall_", "(Not Issued)"
_NEEDED = ("Address", _EXECUTED, _SPACE, _OPERATION, _SIZE, _TAGS, _SECTORS, _IDEAL)
_KINDS = {"load": "load", "store": "store", "atomic": "atomic"}
_REDUCTION = "RED"  # an opcode that the page gives no operation
_SPACES = {"global": "global", "shared": "shared", "global,shared": "generic"}
_FIELDS = ("executions", "active_lanes", "lines", "sectors", "sectors_ideal", "wavefronts",
           "wavefronts_ideal")  # fmt: skip


class _Page(Struct):
    """What has been read so far: totals by path, line, kernel, kind, space and size; how many
    sections each kernel has in each file: one for each launch; samples by path, line, kernel.
    """

    totals: dict[tuple[str, int, str, str, str, int], list[int]] = field(default_factory=dict)
    sections: dict[tuple[str, str], int] = field(default_factory=dict)
    samples: dict[tuple[str, int, str], Counter[str]] = field(default_factory=dict)


def read_ncu(path: str) -> Profile:
    """The CSV or the report (``.ncu-rep``) at ``path``. Raises ProfileError."""
    try:
        if path.endswith(".ncu-rep"):
            text = _exported(path)
        else:
            text = read_regular(path, MAX_BYTES).decode("utf-8", "surrogateescape")
        page = _Page()
        for section in _sections(_ROW_END.split(text)):
            _read_section(section, page)
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror or 'cannot be read'}") from error
    except (csv.Error, ValueError) as error:
        raise ProfileError(f"{path}: is not a source page of Nsight Compute: {error}") from None
    if not page.sections:
        raise ProfileError(
            f"{path}: is not a source page of Nsight Compute with source lines: export it with "
            "`ncu --import FILE.ncu-rep --page source --print-source cuda,sass --csv`, of a "
            "program compiled with -lineinfo"
        )
    return _profile(page)


def _exported(path: str) -> str:
    tool = shutil.which("ncu")
    if tool is None:
        raise ProfileError(
            f"{path}: Nsight Compute (ncu) is not here to read its report; give the CSV of "
            "`ncu --import FILE.ncu-rep --page source --print-source cuda,sass --csv`"
        )
    if not Path(path).is_file():
        raise ProfileError(f"{path}: No such file or directory")
    arguments = [tool, "--import", path, "--page", "source", "--print-source", "cuda,sass", "--csv"]
    try:
        done = run_limited(arguments, timeout=_SECONDS)
    except IRError as error:
        raise ProfileError(str(error)) from error
    if done.status != 0:
        reason = " ".join((done.stderr or done.stdout).split())[:200]
        raise ProfileError(f"{path}: ncu cannot read it: {reason or f'status {done.status}'}")
    return done.stdout


class _Section(Struct, frozen=True):
    """Lines of one kernel in one file."""

    path: str
    kernel: str
    heads: Sequence[str]
    rows: list[list[str]]


def _sections(lines: Sequence[str]) -> Iterator[_Section]:
    path = kernel = ""
    section: _Section | None = None
    for row in map(_row, lines):
        if len(row) >= 2 and row[0] in {_FILE, _KERNEL, _HEADS}:
            if section is not None:
                yield section
                section = None
            if row[0] == _FILE:
                path = row[1]
            elif row[0] == _KERNEL:
                kernel = row[1]
            else:
                section = _Section(path, kernel, row, [])
        elif section is not None and row:
            section.rows.append(_one_source(row, section.heads))
    if section is not None:
        yield section


def _row(line: str) -> list[str]:
    """The fields of a line. ncu puts each in quotes, and leaves those in a source's text alone:
    ``"7","asm("bar.sync 0;" : : "n"(1));","-"``.
    """
    line = line.strip()
    if len(line) > 1 and line[0] == line[-1] == '"':
        return line[1:-1].split(_BETWEEN)
    return next(csv.reader([line]), [])


def _one_source(row: list[str], heads: Sequence[str]) -> list[str]:
    """A row with its source in one field, whatever is in that."""
    more = len(row) - len(heads)
    at = heads.index(_SOURCE) if more > 0 and _SOURCE in heads else None
    if at is None:
        return row
    return [*row[:at], _BETWEEN.join(row[at : at + more + 1]), *row[at + more + 1 :]]


def _read_section(section: _Section, page: _Page) -> None:
    heads = {name: at for at, name in reversed(list(enumerate(section.heads)))}
    missing = [name for name in _NEEDED if name not in heads]
    if _EXECUTED in heads and _SPACE not in heads:
        missing = []  # a kernel that accesses no memory has none of its columns
    if missing:
        raise ValueError(f"it has no column '{missing[0]}' (profile with --section SourceCounters)")
    place = (section.kernel, section.path)
    page.sections[place] = page.sections.get(place, 0) + 1
    address_at = heads["Address"]
    sampled = {name: at for name, at in heads.items() if _is_sampled(name)}
    line = 0
    seen: set[tuple[int, str]] = set()
    for row in section.rows:
        if len(row) < len(section.heads):
            continue
        if row[0]:
            line = _number(row[0])
            _read_samples(section, line, row, sampled, page)
            continue
        if _SPACE not in heads:
            continue
        kind = _KINDS.get(row[heads[_OPERATION]].lower())
        if row[heads[_OPERATION]] == "-" and row[address_at + 1].lstrip().startswith(_REDUCTION):
            kind = "atomic"
        space = _SPACES.get(row[heads[_SPACE]].lower())
        if kind is None or space is None or (line, row[address_at]) in seen:
            continue
        seen.add((line, row[address_at]))
        size = _number(row[heads[_SIZE]]) // 8
        key = (section.path, line, section.kernel, kind, space, size)
        total = page.totals.setdefault(key, [0] * len(_FIELDS))
        names = (_EXECUTED, _THREADS, _TAGS, _SECTORS, _IDEAL, _WAVEFRONTS, _WAVEFRONTS_IDEAL)
        for at, name in enumerate(names):
            total[at] += _number(row[heads[name]]) if name in heads else 0


def _is_sampled(name: str) -> bool:
    return name in {_SAMPLES, _NOT_ISSUED} or (
        name.startswith(_STALL) and not name.endswith(_NOT_ISSUED_STALL)
    )


def _read_samples(
    section: _Section, line: int, row: Sequence[str], sampled: Mapping[str, int], page: _Page
) -> None:
    counts = {name: _number(row[at]) for name, at in sampled.items()}
    if counts.get(_SAMPLES):
        found = page.samples.setdefault((section.path, line, section.kernel), Counter())
        found.update(counts)


def _samples(page: _Page) -> tuple[Samples, ...]:
    return tuple(
        Samples(
            path=path, line=line, kernel=kernel, samples=counts[_SAMPLES],
            not_issued=counts[_NOT_ISSUED],
            stalls={n: counts[n] for n in sorted(counts) if n.startswith(_STALL) and counts[n]},
        )
        for (path, line, kernel), counts in sorted(page.samples.items())
    )  # fmt: skip


def _number(text: str) -> int:
    """A count as ncu prints it: ``1,024``; a dash is none."""
    if text in {"", "-"}:
        return 0
    return int(float(text.replace(",", "")))


def _profile(page: _Page) -> Profile:
    sites = []
    for (path, line, kernel, kind, space, size), total in sorted(page.totals.items()):
        counts = dict(zip(_FIELDS, total, strict=True))
        sites.append(
            Site(
                path=path, line=line, column=0, kernel=kernel, function=kernel.partition("(")[0],
                kind=kind, space=space, bytes=size, ordinal=None, inlined_at=(), pruned=False,
                shared_executions=counts["executions"] if space == "shared" else 0,
                conflicts=0, least=0, most=0, histogram=(0,) * WARP_SIZE,
                executions=counts["executions"], active_lanes=counts["active_lanes"],
                lines=counts["lines"], sectors=counts["sectors"],
                sectors_ideal=counts["sectors_ideal"], wavefronts=counts["wavefronts"],
                wavefronts_ideal=counts["wavefronts_ideal"],
            )
        )  # fmt: skip
    most: dict[str, int] = {}
    for (kernel, _), count in page.sections.items():
        most[kernel] = max(most.get(kernel, 0), count)
    kernels = tuple(
        Kernel(
            name=name, launches=launches, threads=0, nanoseconds=0, static_shared_bytes=0,
            other_shapes=launches, shapes=(), view="compiled",
        )
        for name, launches in most.items()
    )  # fmt: skip
    return Profile(
        format=FORMAT, version=VERSION, program="Nsight Compute", gpu="as profiled", ended="exit",
        workers=1, nanoseconds=0, kernels=kernels, arrays=(), sites=tuple(sites),
        samples=_samples(page),
    )  # fmt: skip


# --- beside counts of our own ----------------------------------------------------------------


class Hardware(Struct, frozen=True):
    """What the hardware moved for one source line."""

    sectors: int
    sectors_ideal: int

    @property
    def ratio(self) -> float:
        """Sectors for each that was needed."""
        return self.sectors / self.sectors_ideal if self.sectors_ideal else 1.0


class HardwareLines:
    """Global memory's sectors by source line. Files are the same when their paths end alike: the
    profile may come from another machine.
    """

    def __init__(self, profile: Profile) -> None:
        self.samples = profile.samples
        self.lines: dict[str, dict[tuple[str, int], Hardware]] = {}
        for site in profile.sites:
            if site.space == "shared":
                continue
            of_name = self.lines.setdefault(PurePath(site.path).name, {})
            old = of_name.get((site.path, site.line), Hardware(0, 0))
            of_name[site.path, site.line] = Hardware(
                old.sectors + site.sectors, old.sectors_ideal + site.sectors_ideal
            )

    def at(self, path: str, line: int) -> Hardware | None:
        """What was measured there, if anything."""
        of_name: Mapping[tuple[str, int], Hardware] = self.lines.get(PurePath(path).name, {})
        places = [place for place in of_name if place[1] == line]
        if not places:
            return None
        return of_name[max(places, key=lambda place: _common_end(path, place[0]))]


def _common_end(a: str, b: str) -> int:
    parts = zip(reversed(PurePath(a).parts), reversed(PurePath(b).parts), strict=False)
    length = 0
    for x, y in parts:
        if x != y:
            break
        length += 1
    return length


def hardware_lines(path: str) -> HardwareLines:
    """Of a CSV, a report, or what ``drano profile import-ncu`` has made of one."""
    if path.endswith(".json"):
        return HardwareLines(read_profile(path))
    return HardwareLines(read_ncu(path))
