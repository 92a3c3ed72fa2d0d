"""Where an access is: host launch, kernel, called functions, loops, line; outermost first.

A loop belongs to the function that its own place was inlined through. Functions that could not be
inlined (recursion) have the way from a kernel to them in the place of inlined calls.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from drano.model.access import Access, LoopScope
from drano.model.finding import Finding
from drano.model.report import KernelInfo, Report
from drano.model.span import Frame, Span


class ScopeKind(StrEnum):
    """``repeat``: a loop of the host."""

    REPEAT = "repeat"
    LAUNCH = "launch"
    KERNEL = "kernel"
    CALL = "call"
    LOOP = "loop"
    LINE = "line"


class Scope(Struct, frozen=True):
    """One level. ``name``: of a kernel, a called function or a loop, without further words."""

    kind: ScopeKind
    text: str
    span: Span | None
    name: str = ""


Kernels = dict[str, KernelInfo]


def kernels_of(report: Report) -> Kernels:
    """The kernels of a report, by their symbol; of one that several files hold, the launched."""
    found: Kernels = {}
    for file in report.files:
        for kernel in file.kernels:
            old = found.get(kernel.symbol)
            if old is None or not old.launch_sites:
                found[kernel.symbol] = kernel
    return found


def scopes(finding: Finding, kernels: Kernels) -> tuple[Scope, ...]:
    """All levels around a finding's access, and its line; () where there is no access."""
    access = finding.access
    if access is None:
        return ()
    info = kernel_of(finding, kernels)
    found: list[Scope] = []
    launches = info.launch_sites if info else ()
    if info is not None and launches:
        found += [
            Scope(ScopeKind.REPEAT, f"host {loop_text(each)}", each.location.span)
            for each in info.launch_loops
        ]
        more = f", and {len(launches) - 1} more" if len(launches) > 1 else ""
        found.append(Scope(ScopeKind.LAUNCH, f"launched{more}", launches[0]))
    levels = _levels(access)
    for depth, (function, span) in enumerate(levels):
        if depth == 0:
            place = info.location.span if info and info.location else None
            found.append(Scope(ScopeKind.KERNEL, f"kernel {function}", place, function))
        else:
            again = " (recursive)" if _is_recursive(access, depth, levels) else ""
            name = f"{function}{again}"
            found.append(Scope(ScopeKind.CALL, f"{name}, called", span, name))
        found += [
            Scope(ScopeKind.LOOP, loop_text(loop), loop.location.span, loop_text(loop))
            for loop in access.nest
            if _depth(access, loop, len(levels)) == depth
        ]
    line = access.index_text or str(access.kind)
    found.append(Scope(ScopeKind.LINE, line, finding.location.span))
    return tuple(found)


def kernel_of(finding: Finding, kernels: Kernels) -> KernelInfo | None:
    """The kernel that a finding's access is in, or is called from; None where there is none."""
    access = finding.access
    if access is None:
        return None
    return kernels.get(access.kernel_symbol) or _by_name(kernels, access)


def loop_text(loop: LoopScope) -> str:
    """As in "loop over `r`, rows times"."""
    over = f" over `{loop.counter}`" if loop.counter else ""
    return f"loop{over}, {loop.trips} times"


def _levels(access: Access) -> list[tuple[str, Span | None]]:
    """The functions from the kernel inwards, each with the place of the call that leads to it."""
    frames: list[Frame] = [*access.location.inlined_at, *access.callers]
    names = [access.location.function, *(frame.function for frame in frames)]
    spans: list[Span | None] = [*(frame.span for frame in frames), None]
    levels = list(zip(names, spans, strict=True))[::-1]
    outermost = access.callers[-1].function if access.callers else access.kernel
    return [(outermost, None), *levels[1:]]


def _depth(access: Access, loop: LoopScope, levels: int) -> int:
    return min(len(access.callers) + len(loop.location.inlined_at), levels - 1)


def _is_recursive(access: Access, depth: int, levels: list[tuple[str, Span | None]]) -> bool:
    return access.recursive and depth == len(access.callers) and depth < len(levels)


def _by_name(kernels: Kernels, access: Access) -> KernelInfo | None:
    if not access.callers:
        return None
    name = access.callers[-1].function
    return next((kernel for kernel in kernels.values() if kernel.name == name), None)
