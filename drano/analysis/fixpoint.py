"""The generic solver: chaotic iteration over a weak topological order. Knows no CUDA.

``update(block)`` recomputes a block and says whether anything others depend on changed. Loops are
stabilised from the inside out (Bourdoncle's recursive strategy); an outer loop that changes runs
its inner loops again. Termination is the caller's: its facts must have finite height (they
weaken, and widen).
"""

from __future__ import annotations

from collections.abc import Callable

from drano.ir.loops import Order

_SAFETY = 10_000


class DivergedError(RuntimeError):
    """The iteration did not end: a defect of the transfer functions."""


def solve(schedule: Order, update: Callable[[int], bool]) -> None:
    """Run ``update`` over blocks in weak topological order until it changes nothing anywhere.

    Raises DivergedError after 10,000 rounds of one loop.
    """
    rounds = 0
    while _run(schedule, update):
        rounds += 1
        if rounds > _SAFETY:
            raise DivergedError("no fixpoint")


def _run(schedule: Order, update: Callable[[int], bool]) -> bool:
    """One pass, loops stabilised; whether anything changed. Iterative: loops nest deeply."""
    changed = False
    # frames: [elements, next position, changed in this round, rounds, is a loop]
    stack: list[list[object]] = [[schedule, 0, False, 0, False]]
    while stack:
        frame = stack[-1]
        elements, position = frame[0], frame[1]
        assert isinstance(elements, tuple)
        assert isinstance(position, int)
        if position < len(elements):
            frame[1] = position + 1
            element = elements[position]
            if isinstance(element, int):
                if update(element):
                    frame[2] = True
            else:
                stack.append([(element.head, *element.body), 0, False, 0, True])
            continue
        stack.pop()
        if not frame[2]:
            continue
        changed = True
        if stack:
            stack[-1][2] = True
        if frame[4]:
            rounds = frame[3]
            assert isinstance(rounds, int)
            if rounds > _SAFETY:
                raise DivergedError("no fixpoint")
            stack.append([elements, 0, False, rounds + 1, True])
    return changed
