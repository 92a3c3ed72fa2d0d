"""A domain's answer about one access site, before it is put into the user's terms."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass

from drano.model.finding import Active, CountRange, Pattern, Space, Step, Verdict
from drano.support.fast_init import quick

UNKNOWN, PROVED = 100.0, 1000.0  # far above any ratio of sectors or wavefronts


@quick
@dataclass(frozen=True, slots=True)
class Judgement:
    """See ``finding.Access`` for the fields. ``weight`` orders judgements of one site under
    several launch shapes, of which the costliest is reported: below ``UNKNOWN`` what is proved to
    be as it should, from ``PROVED`` on what is proved not to be, unknown ones between them.
    """

    space: Space
    verdict: Verdict
    pattern: Pattern
    reason: str
    value: str
    active: Active
    stride: str = ""
    array: str = ""
    lines: CountRange | None = None
    sectors: CountRange | None = None
    wavefronts: CountRange | None = None
    lanes: tuple[int | None, ...] = ()
    fix: str = ""
    weight: float = 0.0
    address: str = ""
    derivation: tuple[Step, ...] = ()
    origins: tuple[str, ...] = ()
    says_stride: bool = False

    def order(self, *, assumed: bool) -> tuple[int, bool, float]:
        """What judgements are ordered by: of two that say the same, that of a launch in the source
        comes before that of an ``assumed`` one.
        """
        return bisect((UNKNOWN, PROVED), self.weight), not assumed, self.weight
