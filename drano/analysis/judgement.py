"""A domain's answer about one access site, before it is put into the user's terms."""

from __future__ import annotations

from dataclasses import dataclass

from drano.finding import CountRange, Space, Step, Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """See ``finding.Access`` for the fields. ``weight`` orders judgements of one site under
    several launch shapes: the costliest is reported.
    """

    space: Space
    verdict: Verdict
    pattern: str
    reason: str
    value: str
    active: str
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
