"""What the analyses say: accesses with their verdicts, findings, reports.

Plain frozen data; imports only ``span``. Every output format is a pure function of a ``Report``.
Counts of lines and sectors are per warp request.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field, replace
from enum import StrEnum

from drano.model.hardware import SECTOR_BYTES
from drano.model.span import Frame, Location, Span
from drano.support.fast_init import quick


class AccessKind(StrEnum):
    """What an access does."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"


class Space(StrEnum):
    """Memory space an access goes to; ``generic`` where it could not be told."""

    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"
    GENERIC = "generic"


class Verdict(StrEnum):
    """The three answers: proved coalesced, proved uncoalesced, unknown with its reason."""

    COALESCED = "coalesced"
    UNCOALESCED = "uncoalesced"
    UNKNOWN = "unknown"


class Active(StrEnum):
    """Which lanes make an access. ``single-thread`` and ``any`` are the paper's."""

    ALL = "all lanes"
    KNOWN = "known lanes"
    ALL_OR_NONE = "all lanes or none"
    AT_MOST_ONE = "at most one lane"
    ALL_BUT_ONE = "all lanes but one"
    WITHIN_BOUNDS = "lanes within bounds"
    CHOSEN_BY_DATA = "lanes chosen by data"
    OTHER = "unknown lanes"
    SINGLE_THREAD = "FF⁻"
    ANY = "⊤"
    UNKNOWN = "unknown"


class Pattern(StrEnum):
    """How the lanes' addresses lie to each other. ``single-thread`` and ``wide`` (consecutive
    elements of more than 4 bytes) are the paper's, ``column-major`` and ``unaligned`` the warp
    domain's.
    """

    UNIFORM = "uniform"
    CONTIGUOUS = "contiguous"
    UNALIGNED = "unaligned"
    STRIDED = "strided"
    COLUMN_MAJOR = "column-major"
    DATA_DEPENDENT = "data-dependent"
    IRREGULAR = "irregular"
    SINGLE_THREAD = "single-thread"
    WIDE = "wide"
    UNKNOWN = "unknown"


class Severity(StrEnum):
    """As in SARIF."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@quick
@dataclass(frozen=True, slots=True)
class CountRange:
    """Lines or sectors of one warp request: least and most over all that is unknown, and the
    ideal for the bytes and the active lanes (``min(most, active lanes * bytes / 32)``, rounded up).

    ``expected``: mean over the warps of a block with all lanes active and every unknown offset and
    row pitch a whole number of sectors; None where no pattern is known.
    """

    minimum: int
    maximum: int
    ideal: int
    expected: float | None = None


@quick
@dataclass(frozen=True, slots=True)
class Launch:
    """Block shape an access was analysed for; ``assumed``: no launch, hint or bound says how its
    threads lie in warps. ``partly``: the sizes that are known where some are and some are not,
    and ``block`` holds the least of what was taken; None: all of them are known, or none.
    """

    block: tuple[int, int, int]
    assumed: bool
    partly: tuple[int | None, int | None, int | None] | None = None

    @property
    def exact(self) -> bool:
        """Whether the whole shape is known."""
        return not self.assumed and self.partly is None

    @property
    def width_assumed(self) -> bool:
        """Whether the block is only taken to be some multiple of 32 threads wide."""
        return self.assumed and (self.partly is None or self.partly[0] is None)


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: ``text`` says what happens at ``span``."""

    span: Span | None
    text: str


@quick
@dataclass(frozen=True, slots=True)
class LoopScope:
    """A loop around an access. ``counter``: its name, or ""; ``trips``: how often it runs each
    time, as a formula; ``location``: of its test, with the calls that it was inlined through.
    """

    counter: str
    trips: str
    location: Location


@dataclass(frozen=True, slots=True)
class Reuse:
    """How a block reads an array, for one pass through each loop: ``reads`` by its warps of
    ``elements`` of ``bytes`` each, in ``loads`` places; ``in_loop``: of each iteration.

    Measured in ``blocks`` blocks, where that is not 0: then ``reads`` and ``elements`` are those of
    a whole block, the mean; ``most``: elements of the block that reads most, ``used``: bytes of
    shared memory that the kernel has in use, ``each``: elements of one iteration where known.
    """

    reads: int
    elements: int
    bytes: int
    loads: int
    in_loop: bool
    blocks: int = 0
    most: int = 0
    used: int = 0
    each: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Access:
    """One source access in one kernel (one call path): the analysis's whole answer.

    ``value`` is the index's abstract value as the domain prints it; ``reason`` one plain sentence
    fragment; ``index_text`` the index in the user's identifiers where it can be told.
    ``lines``/``sectors``/``lanes``/``launch`` are None in the paper's domain. ``lanes`` holds one
    byte offset per lane (relative to lane 0's; None: inactive or unknown).
    ``ordinal`` numbers the accesses of one kernel in program order: with the kernel it is the
    join key between analyses and runs.
    ``wavefronts``: of an access to shared memory, None elsewhere and where not counted; the ideal
    is what its width needs without a bank conflict, ``expected`` the mean with all lanes active.
    ``location`` is the compiler's (a store is at its ``=``); ``start_column`` and ``end_column``
    enclose the accessed expression on that line, in bytes like all columns, 0 where not known.
    ``vector``: how many neighbouring elements, this the first, one wider access could
    take; 0: none. ``vector_needs``: what must hold for it to be aligned, "" where it is.
    ``address``: what the address is, in the user's words; ``value`` is exact.
    ``reuse``: of the first load of an array, when it was asked for.
    ``origins``: of an access whose space is generic, what its pointer may point into; ``loops``:
    how many loops it is in.
    ``cost``: None where it costs nothing beyond the ideal. ``nest``: the loops around it,
    outermost first. ``callers``: of a function that was not inlined (``kernel`` is its name), the
    calls from a kernel to it, innermost first; ``recursive``: it may call itself.
    ``otherwise``: of an access that is bad in blocks of the assumed shape, a block that is as
    plausible, in which that is not so; None where there is none. ``says_stride``: whether the
    reason names the stride.
    """

    location: Location
    end_column: int
    kernel: str
    kernel_symbol: str
    ordinal: int
    kind: AccessKind
    space: Space
    bytes: int
    verdict: Verdict
    reason: str
    value: str
    pattern: Pattern = Pattern.UNKNOWN
    index_text: str = ""
    stride: str = ""
    lines: CountRange | None = None
    sectors: CountRange | None = None
    wavefronts: CountRange | None = None
    lanes: tuple[int | None, ...] = ()
    launch: Launch | None = None
    active: Active = Active.UNKNOWN
    derivation: tuple[Step, ...] = ()
    fix: str = ""
    array: str = ""
    address: str = ""
    start_column: int = 0
    vector: int = 0
    origins: tuple[str, ...] = ()
    loops: int = 0
    vector_needs: str = ""
    reuse: Reuse | None = None
    cost: Cost | None = None
    nest: tuple[LoopScope, ...] = ()
    callers: tuple[Frame, ...] = ()
    recursive: bool = False
    otherwise: tuple[int, int, int] | None = None
    says_stride: bool = False


class Basis(StrEnum):
    """How well a number is known, best first: counted by a run; certain; a formula in the
    source's names; a default that is said.
    """

    MEASURED = "measured"
    EXACT = "exact"
    SYMBOLIC = "symbolic"
    ASSUMED = "assumed"


@quick
@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of how often an access is executed. ``text``: as a formula ("(n - 1)/32");
    ``what``: what it counts ("loop over `k`"); ``value``: its number, for which the names in
    ``taken`` were taken to be what is said there; ``span``: of a branch, where it is.
    """

    text: str
    value: float
    basis: Basis
    what: str
    taken: tuple[tuple[str, float], ...] = ()
    span: Span | None = None

    @property
    def named(self) -> str:
        """What it counts, with its line: "branch in line 17"."""
        return f"{self.what} in line {self.span.line}" if self.span else self.what


@quick
@dataclass(frozen=True, slots=True)
class Cost:
    """What an access costs in all: ``sectors`` beyond the ideal for each execution by a warp (for
    shared memory, wavefronts, each as dear as a sector), times the ``factors``.
    ``gathered``: ``sectors`` is a guess, as the index is not known.
    """

    sectors: float
    factors: tuple[Factor, ...] = ()
    gathered: bool = False

    @property
    def executions(self) -> float:
        """Warp requests."""
        return math.prod(factor.value for factor in self.factors)

    @property
    def excess_bytes(self) -> float:
        """Bytes moved beyond the ideal."""
        return self.sectors * self.executions * SECTOR_BYTES


class ControlKind(StrEnum):
    """What a fact about control flow is about."""

    BRANCH = "branch"
    BARRIER = "barrier"


@quick
@dataclass(frozen=True, slots=True)
class ControlFact:
    """A branch that parts warps, or a barrier that not all threads of a block come to.

    ``proved``: it surely happens; ``branch``: for barriers, where the branch is that parts the
    threads, as far as known; ``costs``: for branches, instructions under both sides;
    ``otherwise``: as of an ``Access``.
    """

    kind: ControlKind
    location: Location
    kernel: str
    proved: bool
    branch: Span | None
    costs: tuple[int, int]
    launch: Launch | None = None
    otherwise: tuple[int, int, int] | None = None


@quick
@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's complaint about one source place. Several call paths, template instantiations and
    launch shapes of one place are one finding: the worst, with ``count`` of all of them.
    ``location`` has the column where the accessed expression starts, ``access.location`` the
    compiler's. ``excess_bytes``: of all of them, over all executions; ``rank`` follows it.

    ``suppressed``: the reason that the source gives for silencing it ("" when it gives none), None
    when it does not. ``baseline``: "unchanged" when it is known from a baseline, "new" when there
    is a baseline that does not know it, "" without one.
    """

    rule: str
    severity: Severity
    message: str
    location: Location
    end_column: int
    kernel: str
    help: str = ""
    access: Access | None = None
    related: tuple[Step, ...] = ()
    count: int = 1
    rank: float = 0.0
    excess_bytes: float = 0.0
    suppressed: str | None = None
    baseline: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is to be shown and to fail the run."""
        return self.suppressed is None and self.baseline != "unchanged"

    @property
    def fingerprint(self) -> str:
        """Stable under line shifts: rule, file, function, access kind and text, not the line."""
        access = self.access
        parts = [
            self.rule,
            self.location.span.path.rsplit("/", 1)[-1],
            self.location.function,
            self.kernel.split("<", 1)[0],
            f"{access.kind}:{access.array}:{access.bytes}" if access else self.message,
        ]
        text = "\0".join(parts).encode("utf-8", "surrogateescape")  # a file name may be any bytes
        return hashlib.sha256(text).hexdigest()[:32]


class FileStatus(StrEnum):
    """How a file fared. ``ok``: analysed; anything else makes the exit status 2."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A message about the input itself (clang's errors and ours), not about its performance."""

    path: str
    line: int
    column: int
    severity: Severity
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return f"{place}: {self.severity}: {self.message}"


@dataclass(frozen=True, slots=True)
class KernelInfo:
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


@dataclass(frozen=True, slots=True)
class ShownLaunch:
    """A launch of a kernel that the unit does not define: its mangled ``symbol``, and the launch as
    text (``host/launch_text.py``).
    """

    symbol: str
    text: str


@dataclass(frozen=True, slots=True)
class Timings:
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


@dataclass(frozen=True, slots=True)
class NotAnalysed:
    """A kernel that could not be analysed because device code that it reaches does not compile.

    ``kernel``: its name for people; ``symbol``: mangled, "" where the compiler gave none;
    ``location``: where the kernel stands, None where not known; ``cause``: the first error.
    """

    kernel: str
    symbol: str
    location: Location | None
    cause: Diagnostic


@dataclass(frozen=True, slots=True)
class MissingHeader:
    """A header that is not installed, which the analysis went on without. ``name``: as in the
    ``#include`` at ``path``, ``line`` (0: not known), the first of the unit; ``stand_in``: one of
    drano's own was used in its place, not an empty one.
    """

    name: str
    path: str
    line: int = 0
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class FileReport:
    """Everything about one input file. ``dependencies``: it and what its device code includes;
    ``host_dependencies``: files that only the host code may include, which may change launches;
    ``not_analysed``: kernels that device code with errors cost; ``unusable``: of a file that could
    not be analysed: not for what its code says (there is none, or nothing to compile it with);
    ``host_errors``: what does not compile, but no kernel needs; ``found_directories``: of the
    repository, where headers were found that no flag leads to; ``shown``: launches of kernels that
    other units may define; ``host_read``: host code was looked through for launches, by more than
    its text.
    """

    path: str
    status: FileStatus
    diagnostics: tuple[Diagnostic, ...] = ()
    kernels: tuple[KernelInfo, ...] = ()
    accesses: tuple[Access, ...] = ()
    findings: tuple[Finding, ...] = ()
    dependencies: tuple[str, ...] = ()
    host_dependencies: tuple[str, ...] = ()
    timings: Timings = field(default_factory=Timings)
    not_analysed: tuple[NotAnalysed, ...] = ()
    missing_headers: tuple[MissingHeader, ...] = ()
    unusable: bool = False
    host_errors: tuple[Diagnostic, ...] = ()
    found_directories: tuple[str, ...] = ()
    shown: tuple[ShownLaunch, ...] = ()
    host_read: bool = True

    @property
    def incomplete(self) -> bool:
        """Whether it, or any of its kernels, could not be analysed."""
        return self.status is not FileStatus.OK or bool(self.not_analysed)


@dataclass(frozen=True, slots=True)
class Report:
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
        """Without the findings that are silenced or known."""
        return replace(
            self,
            files=tuple(
                replace(file, findings=tuple(f for f in file.findings if f.counts))
                for file in self.files
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
