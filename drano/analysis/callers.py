"""How device functions that stay functions are come to: the shortest way from a kernel, by calls.

Limits: calls through pointers are not followed, so a function may have no way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from msgspec import Struct

from drano.ir.model import Call, Function, Module
from drano.model.span import Frame, Span


class Way(Struct, frozen=True):
    """``frames``: the calls, innermost first, each with its caller; ``recursive``: the function
    may call itself, at once or through others.
    """

    frames: tuple[Frame, ...]
    recursive: bool


def ways(module: Module) -> Mapping[str, Way]:
    """Of every device function that some kernel comes to, by symbol."""
    calls = {name: _calls(f) for name, f in module.functions.items() if f.blocks}
    if not any(not module.functions[name].is_kernel for name in calls):
        return {}
    found: dict[str, Way] = {}
    for kernel in module.kernels:
        pending: deque[tuple[str, tuple[Frame, ...]]] = deque([(kernel.name, ())])
        while pending:
            name, frames = pending.popleft()
            for callee, span in calls.get(name, {}).items():
                if callee not in calls or callee in found or module.functions[callee].is_kernel:
                    continue
                way = (Frame(module.functions[name].display, span), *frames)
                found[callee] = Way(way, _reaches(calls, callee))
                pending.append((callee, way))
    return found


def _calls(function: Function) -> dict[str, Span]:
    """The first call of each function, with its place."""
    found: dict[str, Span] = {}
    nowhere = Span("", 0, 0)
    for block in function.blocks:
        for i in block.instructions:
            if isinstance(i, Call) and i.callee:
                found.setdefault(i.callee, i.location.span if i.location else nowhere)
    return found


def _reaches(calls: Mapping[str, Mapping[str, Span]], start: str) -> bool:
    seen: set[str] = set()
    pending = [start]
    while pending:
        for callee in calls.get(pending.pop(), ()):
            if callee == start:
                return True
            if callee not in seen:
                seen.add(callee)
                pending.append(callee)
    return False
