"""Tasks in copies of the process."""

from __future__ import annotations

import os
from functools import partial

import pytest

from drano.forks import ForkError, in_copies


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


def test_the_first_that_fails_ends_the_others() -> None:
    with pytest.raises(ZeroDivisionError):
        in_copies([partial(divmod, 1, 0), partial(divmod, 1, 0)])
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
