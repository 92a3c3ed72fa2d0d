"""Tasks in copies of the process."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

import pytest

from drano.support.fork_pool import ForkError, in_copies


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def test_answers_come_in_order_and_the_first_from_here() -> None:
    found = in_copies([partial(square, n) for n in range(4)])
    assert [number for number, _ in found] == [0, 1, 4, 9]
    assert found[0][1] == os.getpid()
    assert len({process for _, process in found}) == 4


def test_large_answers() -> None:
    found = in_copies([partial(bytes, 1 << 20) for _ in range(3)])
    assert [len(each) for each in found] == [1 << 20] * 3


def test_a_copy_that_fails() -> None:
    with pytest.raises(ForkError):
        in_copies([partial(square, 2), partial(os._exit, 3)])


def children() -> set[str]:
    """Processes that this one has started and not waited for."""
    listed = Path("/proc/self/task").glob("*/children")
    return {child for path in listed for child in path.read_text().split()}


def test_the_first_that_fails_ends_the_others() -> None:
    before = children()  # of other tests
    with pytest.raises(ZeroDivisionError):
        in_copies([partial(divmod, 1, 0), partial(time.sleep, 600)])
    assert children() <= before
