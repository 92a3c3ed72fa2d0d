"""What rules complain of, and the facts about control flow that some of them ask for."""

from __future__ import annotations

import hashlib
from enum import StrEnum

from msgspec import Struct

from drano.model.access import Access, Launch
from drano.model.judgement import Step
from drano.model.span import Location, Span


class Severity(StrEnum):
    """As in SARIF."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class ControlKind(StrEnum):
    """What a fact about control flow is about."""

    BRANCH = "branch"
    BARRIER = "barrier"


class ControlFact(Struct, frozen=True):
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


class TextEdit(Struct, frozen=True):
    """``text`` in the place of what stands from ``start`` to ``end`` in the file at ``path``: line
    and column, from 1, in bytes.
    """

    path: str
    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class SourceFix(Struct, frozen=True):
    """Edits that are proved to mend a finding. ``promise``: by how much, "32 → 4 sectors";
    ``unproved``: why results may change, "" where they are proved to stay.
    """

    edit: str
    title: str
    promise: str
    unproved: str
    edits: tuple[TextEdit, ...]


class Outcome(StrEnum):
    """What another compiler's code says of a finding: it makes the request, or proves that there is
    none.
    """

    CONFIRMED = "confirmed"
    REFUTED = "refuted"


class Confirmation(Struct, frozen=True):
    """A finding beside compiled code. ``evidence``: what that code has, "app.o has 1 load of 4
    bytes here".
    """

    outcome: Outcome
    evidence: str


class Finding(Struct, frozen=True):
    """A rule's complaint about one source place. Several call paths, template instantiations and
    launch shapes of one place are one finding: the worst, with ``count`` of all of them.
    ``kernels``: the kernels and instances that all of them are in; ``kernel_excess``: those bytes
    of ``excess_bytes`` that the worst one's kernel moves.
    ``location`` has the column where the accessed expression starts, ``access.location`` the
    compiler's. ``excess_bytes``: of all of them, over all executions; ``rank`` follows it.

    ``suppressed``: the reason that the source gives for silencing it ("" when it gives none), None
    when it does not. ``baseline``: "unchanged" when it is known from a baseline, "new" when there
    is a baseline that does not know it, "" without one. ``fixes``: where they were looked for.
    ``confirmation``: where compiled code was looked at, and tells.
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
    kernels: tuple[str, ...] = ()
    kernel_excess: float = 0.0
    fixes: tuple[SourceFix, ...] = ()
    confirmation: Confirmation | None = None

    def first_related(self, most: int = 8) -> tuple[Step, ...]:
        """The ``most`` costliest of the related places, and how many there are beside."""
        hidden = len(self.related) - most
        if hidden <= 0:
            return self.related
        return *self.related[:most], Step(None, f"and in {hidden} more places")

    @property
    def refuted(self) -> bool:
        """Whether compiled code proves that there is no such request."""
        return self.confirmation is not None and self.confirmation.outcome is Outcome.REFUTED

    @property
    def counts(self) -> bool:
        """Whether it is to be shown and to fail the run."""
        return not self.known and not self.refuted

    @property
    def known(self) -> bool:
        """Whether the user has said that it is known, or silenced it."""
        return self.suppressed is not None or self.baseline == "unchanged"

    @property
    def fingerprint(self) -> str:
        """Stable under line shifts: rule, file, function, access kind and text, not the line."""
        access = self.access
        parts = [
            self.rule,
            self.location.span.path.rsplit("/", 1)[-1],
            self.location.function,
            self.kernel.split("<", 1)[0],
            f"{access.kind}:{access.judgement.array}:{access.bytes}" if access else self.message,
        ]
        text = "\0".join(parts).encode("utf-8", "surrogateescape")  # a file name may be any bytes
        return hashlib.sha256(text).hexdigest()[:32]
