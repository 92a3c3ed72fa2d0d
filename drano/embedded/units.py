"""What is found of CUDA in a Python source: texts to compile, and texts that are not known."""

from __future__ import annotations

from msgspec import Struct

from drano.embedded.numba_comments import NumbaRequest
from drano.embedded.traced import Traced
from drano.embedded.triton_comments import TritonRequest
from drano.model.translation_unit import LaunchSite


class EmbeddedUnit(Struct, frozen=True):
    """One text that a library compiles. ``what``: who is given it (``RawKernel``, "" for a text of
    which that is not seen); ``line``, ``column``: of that call, or of the text; ``defines``,
    ``std``, ``instances``, ``includes``: what the compiler is told; ``fixed``: a kernel, and
    how many threads the library always launches it with; ``launches``: of its kernels by Python
    code; ``note``: what was taken for granted, "" for nothing.
    """

    what: str
    text: Traced
    line: int
    column: int
    defines: tuple[str, ...] = ()
    std: str | None = None
    instances: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    fixed: tuple[str, int] | None = None
    launches: tuple[LaunchSite, ...] = ()
    note: str = ""


class UnknownText(Struct, frozen=True):
    """A text that is only known when the program runs: ``reason`` is what is not constant."""

    what: str
    line: int
    column: int
    reason: str


class Embedded(Struct, frozen=True):
    """All of one Python source; ``triton`` and ``numba``: comments on kernels of these."""

    units: tuple[EmbeddedUnit, ...] = ()
    triton: tuple[TritonRequest, ...] = ()
    unknown: tuple[UnknownText, ...] = ()
    numba: tuple[NumbaRequest, ...] = ()


class PythonError(Exception):
    """A text is no Python: ``line`` and ``column`` (from 1, 0 where not known) say where."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.column, self.reason = line, column, reason
