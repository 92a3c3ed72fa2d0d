"""The pytest plugin: access patterns of kernels as tests.

    def test_add(assert_coalesced):
        assert_coalesced(add, signature={"x": "*fp32", "n": "i32:16"}, constexprs={"BLOCK": 1024})

    @pytest.mark.coalesced("kernels/transpose.cu", block=(32, 8, 1))
    def test_transpose(): ...

A marker's path is relative to the test's file; the test itself runs when the check has passed.
Loads nothing of drano before the first check.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MARKER = "coalesced"
_ABOUT = (
    f"{MARKER}(kernel, **options): fail if drano finds uncoalesced accesses in the kernel (CUDA "
    "source, a file, or a Triton function; the options are those of drano.assert_coalesced)"
)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", _ABOUT)


@pytest.fixture(name="assert_coalesced")
def assert_coalesced_fixture() -> Callable[..., Any]:
    """``drano.assert_coalesced``: the report of a kernel without findings; AssertionError else."""
    return _assert_coalesced


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Check what the test's markers name, before it runs."""
    __tracebackhide__ = True
    for marker in item.iter_markers(MARKER):
        if not marker.args:
            raise pytest.UsageError(f"{item.nodeid}: the marker '{MARKER}' names no kernel")
        kernel, *rest = marker.args
        if isinstance(kernel, str) and "\n" not in kernel and Path(kernel).suffix:
            kernel = item.path.parent / kernel
        _assert_coalesced(kernel, *rest, **marker.kwargs)


def _assert_coalesced(*arguments: Any, **options: Any) -> Any:
    __tracebackhide__ = True
    from drano.python.assertions import assert_coalesced  # noqa: PLC0415 - loads the analysis

    try:
        return assert_coalesced(*arguments, **options)
    except AssertionError as error:
        said = str(error)
    # Without the frames of drano's own code: what is wrong is in the message.
    pytest.fail(said, pytrace=False)
