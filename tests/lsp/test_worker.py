"""The process that analyses for the language server, from the inside."""

from __future__ import annotations

import io
import signal

from drano.lsp.worker import _Process


class _Unprintable:
    def __repr__(self) -> str:
        raise AssertionError("printed")


def test_a_copy_sets_handlers_anew_without_printing_all_that_is_remembered() -> None:
    """Python prints the handler that was there; with a large file's results that took 0.3 s."""
    process = _Process(io.BytesIO(), io.BytesIO())
    process.memory.spent.append(_Unprintable())
    before = signal.signal(signal.SIGUSR1, process.abandon)
    assert signal.signal(signal.SIGUSR1, before) == process.abandon
