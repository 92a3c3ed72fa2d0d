"""Reports: every output format is a pure function of one."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from drano.model.access import Access, Launch, LoopScope
from drano.model.finding import Finding, Severity
from drano.model.source_access import RemovedAccess
from drano.model.span import Location, Span
from drano.model.tally import GLOBAL, Tally, tally_of


class FileStatus(StrEnum):
    """How a file fared. ``ok``: analysed; anything else makes the exit status 2."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"


class Diagnostic(Struct, frozen=True):
    """A message about the input itself (clang's errors and ours), not about its performance."""

    path: str
    line: int
    column: int
    severity: Severity
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return f"{place}: {self.severity}: {self.message}"


class KernelInfo(Struct, frozen=True):
    """One analysed kernel. ``launches``: block shapes it was analysed for; ``launches_known``:
    whether these are all with which the source launches it, and there is one; ``launch_sites``:
    where the source launches it; ``launch_loops``: of the host code around the first of these,
    outermost first; ``operations``, ``bytes``: estimates of its floating-point
    operations and of what it moves, 0 where not known; ``operation_bits``: the width that most
    operations are of, 16, 32 or 64.
    """

    name: str
    symbol: str
    location: Location | None
    launches: tuple[Launch, ...] = ()
    accesses: int = 0
    launches_known: bool = False
    launch_sites: tuple[Span, ...] = ()
    operations: float = 0.0
    bytes: float = 0.0
    operation_bits: int = 32
    launch_loops: tuple[LoopScope, ...] = ()


class ShownLaunch(Struct, frozen=True):
    """A launch of a kernel, or a call of a function, that the unit does not define: its mangled
    ``symbol``, and the launch or call as text (``host/launching``, ``host/cross_unit.py``).
    """

    symbol: str
    text: str


class OpenFunction(Struct, frozen=True):
    """A host function that launches and of which other units may know more calls: its mangled
    ``symbol``, its name, and that of its class, "" if it has none; ``only_pointers``: of these only
    such matter as move pointers.
    """

    symbol: str
    name: str
    scope: str = ""
    only_pointers: bool = False


class OfferedCode(Struct, frozen=True):
    """A device function, or a variable of the device, that other units may use: its mangled
    ``symbol``, and what it reaches and its unit ``needs`` of others.
    """

    symbol: str
    needs: tuple[str, ...] = ()


class GivenCode(Struct, frozen=True):
    """Device code that other units have asked for: ``symbols``, and the module with them, "" where
    it could not be had.
    """

    symbols: tuple[str, ...]
    text: str


class Timings(Struct, frozen=True):
    """Seconds of one unit, or of all: ``clang`` outside of drano, the rest our own."""

    clang: float = 0.0
    prepare: float = 0.0
    read: float = 0.0
    analyse: float = 0.0

    def __add__(self, other: Timings) -> Timings:
        return Timings(
            self.clang + other.clang,
            self.prepare + other.prepare,
            self.read + other.read,
            self.analyse + other.analyse,
        )

    @property
    def own(self) -> float:
        """All but clang."""
        return self.prepare + self.read + self.analyse


class NotAnalysed(Struct, frozen=True):
    """A kernel that could not be analysed because device code that it reaches does not compile, or
    for a ``defect`` of drano: it failed, or was too slow.

    ``kernel``: its name for people; ``symbol``: mangled, "" where the compiler gave none;
    ``location``: where the kernel stands, None where not known; ``cause``: the first error.
    """

    kernel: str
    symbol: str
    location: Location | None
    cause: Diagnostic
    defect: bool = False


class MissingHeader(Struct, frozen=True):
    """A header that is not installed, which the analysis went on without. ``name``: as in the
    ``#include`` at ``path``, ``line`` (0: not known), the first of the unit; ``stand_in``: one of
    drano's own was used in its place, not an empty one; ``places``: directories of the repository
    that hold different headers of this name, none nearer to the unit than the others.
    """

    name: str
    path: str
    line: int = 0
    stand_in: bool = False
    places: tuple[str, ...] = ()


class Found(Struct, frozen=True):
    """What a unit needs to compile that no flag says, and that was found out. ``directories``: of
    the repository, with headers, and ``first`` those of them that come before the system's own;
    ``standard``: of the language, "" for the usual one; ``macros``:
    that the project's build files define, ``NAME`` or ``NAME=value``, and ``chosen`` those of them
    that no file defines, but an ``#error`` asks for; ``integers``: names of types
    whose header is missing, that are taken for the integers that they say, and ``qualifiers`` such
    macros of functions, ``NAME=meaning``.
    """

    directories: tuple[str, ...] = ()
    standard: str = ""
    macros: tuple[str, ...] = ()
    integers: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()

    def joined(self, other: Found) -> Found:
        """Of a unit that is made of two."""
        return Found(
            tuple(dict.fromkeys(self.directories + other.directories)),
            self.standard or other.standard,
            tuple(dict.fromkeys(self.macros + other.macros)),
            tuple(dict.fromkeys(self.integers + other.integers)),
            tuple(dict.fromkeys(self.first + other.first)),
            tuple(dict.fromkeys(self.chosen + other.chosen)),
            tuple(dict.fromkeys(self.qualifiers + other.qualifiers)),
        )

    @property
    def flags(self) -> tuple[str, ...]:
        """As flags of the compiler, but for the standard and the integers."""
        defined = (f"-D{macro}" for macro in (*self.macros, *self.qualifiers))
        kinds = (
            "-I" if directory in self.first else "-idirafter" for directory in self.directories
        )
        return (*defined, *map(str.__add__, kinds, self.directories))


class Before(Struct, frozen=True):
    """What was found when a unit was analysed, that others have since told of launches or asked:
    if the launches are the same (``launches_digest``), so is all else.
    """

    launches_digest: str
    found: Found


class FileReport(Struct, frozen=True):
    """Everything about one input file. ``removed``: accesses of the source that compiling leaves
    nothing of; ``dependencies``: it and what its device code includes;
    ``host_dependencies``: files that only the host code may include, which may change launches;
    ``not_analysed``: kernels that device code with errors cost; ``unusable``: of a file that could
    not be analysed: not for what its code says (there is none, or nothing to compile it with);
    ``host_errors``: what does not compile, but no kernel needs; ``found``: what the unit needs and
    no flag says; ``shown``: launches of kernels that other units may define, and calls of functions
    that they ask for; ``open_functions``: those that it asks the others for; ``open_variables``:
    names of its own that hold pointers of launches, if no others write them; ``host_read``: host
    code was looked through for launches, by more than its text; ``launches_digest``: of all
    launches that the kernels were analysed for; ``unchanged``: launches are those of the
    ``Before``, so that this is only what the unit tells the others now; ``counted``: what there was
    to count, where not all accesses are kept; ``lacks``: symbols of device code that its kernels
    reach and other units define; ``offers``: what others may have of its own; ``given``: what they
    have asked for; ``joined``: files of other units with code that its kernels were analysed with,
    or that is said to be there.
    """

    path: str
    status: FileStatus
    diagnostics: tuple[Diagnostic, ...] = ()
    kernels: tuple[KernelInfo, ...] = ()
    accesses: tuple[Access, ...] = ()
    removed: tuple[RemovedAccess, ...] = ()
    findings: tuple[Finding, ...] = ()
    dependencies: tuple[str, ...] = ()
    host_dependencies: tuple[str, ...] = ()
    timings: Timings = field(default_factory=Timings)
    not_analysed: tuple[NotAnalysed, ...] = ()
    missing_headers: tuple[MissingHeader, ...] = ()
    unusable: bool = False
    host_errors: tuple[Diagnostic, ...] = ()
    found: Found = field(default_factory=Found)
    shown: tuple[ShownLaunch, ...] = ()
    open_functions: tuple[OpenFunction, ...] = ()
    open_variables: tuple[str, ...] = ()
    host_read: bool = True
    launches_digest: str = ""
    unchanged: bool = False
    counted: Tally | None = None
    lacks: tuple[str, ...] = ()
    offers: tuple[OfferedCode, ...] = ()
    given: GivenCode | None = None
    joined: tuple[str, ...] = ()

    @property
    def incomplete(self) -> bool:
        """Whether it, or any of its kernels, could not be analysed."""
        return self.status is not FileStatus.OK or bool(self.not_analysed)

    @property
    def tally(self) -> Tally:
        """How many accesses there are, by verdict."""
        return tally_of(self.accesses) if self.counted is None else self.counted

    @property
    def before(self) -> Before:
        """What the next analysis has to know of this one."""
        return Before(self.launches_digest, self.found)

    def followed_by(self, later: FileReport) -> FileReport:
        """A later analysis: itself, or what it says of this one, which is still true."""
        if not later.unchanged:
            return later
        own = {kernel.symbol for kernel in self.kernels}
        return replace(
            self,
            shown=tuple(launch for launch in later.shown if launch.symbol not in own),
            open_functions=later.open_functions,
            open_variables=later.open_variables,
            given=later.given,
            host_dependencies=later.host_dependencies,
            host_read=later.host_read,
            timings=self.timings + later.timings,
        )

    @property
    def without_accesses(self) -> FileReport:
        """What was found, without all that was looked at: of thousands of units that fits into
        memory.
        """
        return replace(self, accesses=(), removed=(), counted=self.tally)

    @property
    def with_global_accesses(self) -> FileReport:
        """With what was looked at in global memory only, each access once."""
        kept = (a for a in self.accesses if a.judgement.space in GLOBAL)
        accesses = tuple(dict.fromkeys(kept))
        return replace(self, accesses=accesses, removed=(), counted=self.tally)


class Report(Struct, frozen=True):
    """The result of one run over several files, in input order."""

    files: tuple[FileReport, ...]
    domain: str
    version: str
    notes: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all files, in input order; one finding once, though several files include its line."""
        unique: dict[tuple[str, Location, int, str], Finding] = {}
        for file in self.files:
            for finding in file.findings:
                place = (finding.rule, finding.location, finding.end_column, finding.kernel)
                unique.setdefault(place, finding)
        return tuple(unique.values())

    @property
    def open(self) -> Report:
        """Without the findings that are silenced, known or refuted."""
        return self.only(lambda finding: finding.counts)

    def only(self, wanted: Callable[[Finding], bool]) -> Report:
        """With those findings that are ``wanted``."""
        return replace(
            self,
            files=tuple(
                replace(file, findings=tuple(filter(wanted, file.findings))) for file in self.files
            ),
        )

    @property
    def failed(self) -> bool:
        """Whether any file could not be analysed."""
        return any(file.status is not FileStatus.OK for file in self.files)

    @property
    def incomplete(self) -> bool:
        """Whether any file, or any kernel, could not be analysed."""
        return any(file.incomplete for file in self.files)

    @property
    def missing_headers(self) -> tuple[MissingHeader, ...]:
        """Headers that any file went without, each once."""
        unique: dict[str, MissingHeader] = {}
        for file in self.files:
            for header in file.missing_headers:
                unique.setdefault(header.name, header)
        return tuple(unique.values())

    @property
    def not_analysed(self) -> tuple[NotAnalysed, ...]:
        """Kernels of all files that could not be analysed, each place once."""
        unique: dict[tuple[str, Location | None], NotAnalysed] = {}
        for file in self.files:
            for kernel in file.not_analysed:
                unique.setdefault((kernel.kernel, kernel.location), kernel)
        return tuple(unique.values())
