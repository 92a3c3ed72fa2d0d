"""What the front end hands on: a translation unit's device IR, and how its kernels are launched."""

from __future__ import annotations

from dataclasses import dataclass

from drano.finding import Diagnostic
from drano.span import Span


@dataclass(frozen=True, slots=True)
class LaunchSite:
    """One ``kernel<<<grid, block>>>(…)`` of the host code.

    ``kernel``: mangled symbol where libclang gives it, else the bare name; ``grid`` / ``block``:
    (x, y, z), each None where it is not a constant; ``arguments``: integer constants passed,
    None elsewhere.
    """

    kernel: str
    kernel_name: str
    grid: tuple[int | None, int | None, int | None]
    block: tuple[int | None, int | None, int | None]
    arguments: tuple[int | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class CompiledUnit:
    """``ir``: textual device IR, or None when the file did not compile (``diagnostics`` say why).
    ``dependencies``: absolute paths of the file and of all it includes; ``seconds``: clang's;
    ``timed_out``: it did not compile within its time.
    """

    path: str
    ir: str | None
    dependencies: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    timed_out: bool = False
