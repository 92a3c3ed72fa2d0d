"""What cannot be used: an input, a part of the toolchain, a cluster.

``str(error)`` is one line, ready to be shown to the user. Imports nothing of drano.
"""

from __future__ import annotations

MAX_REASON = 2000


class IRError(Exception):
    """``path`` (a file, a directory or a tool's name) cannot be used because of ``reason``.

    ``str(IRError("a.ll", "not LLVM IR"))`` is ``"a.ll: not LLVM IR"``; line breaks in either part
    become blanks, and overlong reasons are cut, so that it stays one line.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = " ".join(reason.split())[:MAX_REASON]

    def __str__(self) -> str:
        path = " ".join(self.path.splitlines())
        return f"{path}: {self.reason}" if path else self.reason


class IRTimeoutError(IRError):
    """It took longer than allowed."""


class ClusterError(Exception):
    """``str()`` is one line: why a cluster cannot be used."""
