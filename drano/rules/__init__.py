"""Rules: from accesses to findings. ``RULES`` is the one table of codes.

``run_rules`` asks each selected rule about each access and merges what concerns one source place
(call paths, template instances, launch shapes, a load and a store of one ``+=``) into one finding,
the worst of them, with the count of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from drano.model.file_patterns import matches_header
from drano.model.finding import Access, ControlFact, Finding, Severity, Step
from drano.model.settings import Config
from drano.model.span import Location, Span
from drano.model.system_headers import is_system_header
from drano.rules import (
    bank_conflict,
    barrier_in_divergent_code,
    column_major_access,
    data_dependent_access,
    divergent_branch,
    generic_access,
    low_occupancy,
    reused_array,
    unaligned_access,
    uncoalesced_access,
    unused_suppression,
    vectorisable_access,
)
from drano.rules.base import Rule, cost, cost_of, excess, excess_bytes, on_assumption, rank_of

RULES: Mapping[str, Rule] = {
    "DRN001": uncoalesced_access.RULE,
    "DRN002": unaligned_access.RULE,
    "DRN003": data_dependent_access.RULE,
    "DRN004": column_major_access.RULE,
    "DRN101": bank_conflict.RULE,
    "DRN201": divergent_branch.RULE,
    "DRN202": barrier_in_divergent_code.RULE,
    "DRN301": generic_access.RULE,
    "DRN401": vectorisable_access.RULE,
    "DRN402": reused_array.RULE,
    "DRN501": low_occupancy.RULE,
    "DRN901": unused_suppression.RULE,
}

__all__ = [
    "RULES",
    "Rule",
    "active_rules",
    "cost",
    "cost_of",
    "is_hidden",
    "is_ignored_in",
    "run_control_rules",
    "run_rules",
]

_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}
_MAX_RELATED = 8
_OWN_PREFIX = len("DRN4")  # of a selection that is meant for a rule that is off by default

_Candidate = tuple[Severity, Access]


def active_rules(config: Config) -> tuple[Rule, ...]:
    """Rules that ``config`` selects: by code prefix; the longer prefix wins, ignore wins a draw.

    >>> from drano.model.settings import Config
    >>> [rule.code for rule in active_rules(Config(ignore=("DRN",), select=("DRN003",)))]
    ['DRN003']
    """
    return tuple(rule for rule in RULES.values() if _selected(rule, config))


def _selected(rule: Rule, config: Config) -> bool:
    code = rule.code
    wanted = (*(config.select or ("",)), *config.extend_select)
    chosen = max((len(p) for p in wanted if code.startswith(p)), default=None)
    ignored = max((len(p) for p in config.ignore if code.startswith(p)), default=None)
    if chosen is not None and not rule.default and chosen < _OWN_PREFIX:
        return False
    return chosen is not None and (ignored is None or chosen > ignored)


def run_rules(accesses: Iterable[Access], config: Config) -> tuple[Finding, ...]:
    """Findings of all selected rules, ordered by place and code."""
    rules = active_rules(config)
    groups: dict[tuple[str, Span, int], list[_Candidate]] = {}
    for access in accesses:
        for rule in rules:
            severity = _severity(rule, access, config)
            if severity is None:
                continue
            key = (rule.code, _shown(access).span, access.end_column)
            groups.setdefault(key, []).append((severity, access))
    findings = [
        _merge(RULES[code], group)
        for (code, span, _end), group in groups.items()
        if not is_ignored_in(code, span.path, config)
    ]
    return tuple(sorted(findings, key=lambda f: (f.location.span, f.rule)))


def run_control_rules(facts: Iterable[ControlFact], config: Config) -> tuple[Finding, ...]:
    """Findings about control flow, ordered by place and code; one for each place, the worst."""
    worst: dict[tuple[str, Span], Finding] = {}
    for fact in facts:
        for rule in active_rules(config):
            said = rule.control(fact) if rule.control is not None else None
            span = fact.location.span
            if said is None or is_ignored_in(rule.code, span.path, config):
                continue
            level = config.rule(rule.code).level
            severity = Severity(level) if level else said[0]
            old = worst.get((rule.code, span))
            if old is not None and _WEIGHT[old.severity] >= _WEIGHT[severity]:
                worst[rule.code, span] = replace(old, count=old.count + 1)
                continue
            worst[rule.code, span] = Finding(
                rule.code, severity, said[1], fact.location, 0, fact.kernel,
                help=rule.control_fix, count=1 if old is None else old.count + 1,
            )  # fmt: skip
    return tuple(sorted(worst.values(), key=lambda f: (f.location.span, f.rule)))


def _shown(access: Access) -> Location:
    """Where the accessed expression starts, which is left of the compiler's ``=`` for a store."""
    span = access.location.span
    column = access.start_column or span.column
    return replace(access.location, span=replace(span, column=column))


def _severity(rule: Rule, access: Access, config: Config) -> Severity | None:
    """The rule's answer, under the user's threshold and level: a note, where it rests on the block
    shape that was assumed.
    """
    severity = rule.select(access, config)
    options = config.rule(rule.code)
    if severity is None or excess(access) < (options.min_excess or 0.0):
        return None
    if options.level:
        return Severity(options.level)
    return severity if access.otherwise is None else Severity.NOTE


def is_ignored_in(code: str, path: str, config: Config) -> bool:
    """Whether ``per-file-ignores`` turn the rule off in that file."""
    return any(
        code.startswith(codes) and matches_header((pattern,), config.root, path)
        for pattern, codes in config.per_file_ignores
    )


def is_hidden(path: str, unit: str, config: Config) -> bool:
    """Whether nothing is said of the file at ``path``, part of ``unit``: it is a header of the
    system's or an SDK's, or excluded.
    """
    if path == unit:
        return False
    system = is_system_header(path) and not config.system_headers
    return system or matches_header(config.exclude, config.root, path)


def _merge(rule: Rule, group: list[_Candidate]) -> Finding:
    # max() keeps the first of equals: program order decides, so that runs agree.
    severity, worst = max(group, key=lambda c: (_WEIGHT[c[0]], excess_bytes(c[1]), excess(c[1])))
    wasted = sum(excess_bytes(access) for _, access in group)
    return Finding(
        rule=rule.code,
        severity=severity,
        message=rule.describe(worst) + on_assumption(worst, rule),
        location=_shown(worst),
        end_column=worst.end_column,
        kernel=worst.kernel,
        help=(worst.fix if rule.pattern else "") or rule.fix(worst),
        access=worst,
        related=_related(worst, [access for _, access in group]),
        count=len(group),
        rank=rank_of(wasted),
        excess_bytes=wasted,
    )


def _related(worst: Access, accesses: list[Access]) -> tuple[Step, ...]:
    """Where else the place was found: other kernels, call paths and instances, each once."""
    seen = {(worst.kernel, worst.location.inlined_at)}
    steps: list[Step] = []
    for access in accesses:
        key = (access.kernel, access.location.inlined_at)
        if key in seen:
            continue
        seen.add(key)
        path = access.location.inlined_at
        steps.append(Step(path[0].span if path else None, f"also in kernel {access.kernel}"))
    if len(steps) > _MAX_RELATED:
        hidden = len(steps) - _MAX_RELATED
        steps = [*steps[:_MAX_RELATED], Step(None, f"and in {hidden} more places")]
    return tuple(steps)
