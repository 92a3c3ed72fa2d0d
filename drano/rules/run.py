"""From accesses and facts of control flow to findings.

``run_rules`` asks each selected rule about each access and merges what concerns one source place
(call paths, template instances, launch shapes, a load and a store of one ``+=``) into one finding,
the worst of them, with the count of all.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from drano.model.access import Access
from drano.model.finding import ControlFact, Finding, Severity
from drano.model.judgement import Step
from drano.model.settings import Config, Domain
from drano.model.span import Location, Span
from drano.rules.base import (
    AccessRule,
    ControlRule,
    excess,
    excess_bytes,
    on_assumption,
    rank_of,
    rests_on_shape,
)
from drano.rules.selection import active_rules, is_ignored_in

_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}

_Candidate = tuple[Severity, Access]


def run_rules(accesses: Iterable[Access], config: Config) -> tuple[Finding, ...]:
    """Findings of all selected rules, ordered by place and code."""
    rules = {rule.code: rule for rule in active_rules(config) if isinstance(rule, AccessRule)}
    if config.analysis.domain is Domain.GPUDRANO:
        rules = {code: rule for code, rule in rules.items() if rule.paper}
    groups: dict[tuple[str, Span, int], list[_Candidate]] = {}
    for access in accesses:
        for rule in rules.values():
            severity = _severity(rule, access, config)
            if severity is None:
                continue
            key = (rule.code, _shown(access).span, access.end_column)
            groups.setdefault(key, []).append((severity, access))
    findings = [
        _merge(rules[code], group)
        for (code, span, _end), group in groups.items()
        if not is_ignored_in(code, span.path, config)
    ]
    return tuple(sorted(findings, key=lambda f: (f.location.span, f.rule)))


def run_control_rules(facts: Iterable[ControlFact], config: Config) -> tuple[Finding, ...]:
    """Findings about control flow, ordered by place and code; one for each place, the worst."""
    rules = [rule for rule in active_rules(config) if isinstance(rule, ControlRule)]
    worst: dict[tuple[str, Span], Finding] = {}
    for fact in facts:
        for rule in rules:
            said = rule.judge(fact)
            span = fact.location.span
            if said is None or is_ignored_in(rule.code, span.path, config):
                continue
            level = config.rule(rule.code).level
            severity = Severity(level) if level else said[0]
            old = worst.get((rule.code, span))
            if old is not None and _WEIGHT[old.severity] >= _WEIGHT[severity]:
                worst[rule.code, span] = replace(
                    old, count=old.count + 1, kernels=_with(old.kernels, fact.kernel)
                )
                continue
            worst[rule.code, span] = Finding(
                rule.code, severity, said[1], fact.location, 0, fact.kernel,
                help=rule.fix, count=1 if old is None else old.count + 1,
                kernels=_with(old.kernels if old else (), fact.kernel),
            )  # fmt: skip
    return tuple(sorted(worst.values(), key=lambda f: (f.location.span, f.rule)))


def _with(kernels: tuple[str, ...], kernel: str) -> tuple[str, ...]:
    return kernels if kernel in kernels else (*kernels, kernel)


def _shown(access: Access) -> Location:
    """Where the accessed expression starts, which is left of the compiler's ``=`` for a store."""
    span = access.location.span
    column = access.start_column or span.column
    return replace(access.location, span=replace(span, column=column))


def _severity(rule: AccessRule, access: Access, config: Config) -> Severity | None:
    """The rule's answer, under the user's threshold and level: a note, where it rests on the block
    shape that was assumed.
    """
    severity = rule.select(access, config)
    options = config.rule(rule.code)
    if severity is None or excess(access) < (options.min_excess or 0.0):
        return None
    if options.level:
        return Severity(options.level)
    return Severity.NOTE if rests_on_shape(access) else severity


def _merge(rule: AccessRule, group: list[_Candidate]) -> Finding:
    # max() keeps the first of equals: program order decides, so that runs agree.
    severity, worst = max(group, key=lambda c: (_WEIGHT[c[0]], excess_bytes(c[1]), excess(c[1])))
    wasted = sum(excess_bytes(access) for _, access in group)
    own = [access for _, access in group if access.kernel_symbol == worst.kernel_symbol]
    return Finding(
        rule=rule.code,
        severity=severity,
        message=rule.describe(worst) + on_assumption(worst, rule),
        location=_shown(worst),
        end_column=worst.end_column,
        kernel=worst.kernel,
        help=(worst.judgement.fix if rule.about_lanes else "") or rule.fix(worst),
        access=worst,
        related=_related(worst, [access for _, access in group]),
        count=len(group),
        rank=rank_of(wasted),
        excess_bytes=wasted,
        kernels=tuple(dict.fromkeys(access.kernel for _, access in group)),
        kernel_excess=sum(map(excess_bytes, own)),
    )


def _related(worst: Access, accesses: list[Access]) -> tuple[Step, ...]:
    """Where else the place was found: each place that calls the function it is in once, the
    costliest first, with a kernel; and other kernels that it is in itself.
    """
    others: dict[Span | None, list[Access]] = {}
    for access in accesses:
        if (access.kernel, access.location.inlined_at) != (worst.kernel, worst.location.inlined_at):
            path = access.location.inlined_at
            others.setdefault(path[0].span if path else None, []).append(access)
    by_cost = sorted(others.items(), key=lambda item: -sum(map(excess_bytes, item[1])))
    return tuple(Step(span, _also(group)) for span, group in by_cost)


def _also(group: list[Access]) -> str:
    kernels = dict.fromkeys(access.kernel for access in group)
    more = f" and {len(kernels) - 1} more" * (len(kernels) > 1)
    return f"also in kernel {next(iter(kernels))}{more}"
