"""What the front end hands on: a translation unit's device IR, and how its kernels are launched."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

from drano.model.report import Diagnostic, Found, MissingHeader, NotAnalysed
from drano.model.span import Span

HostAmount: TypeAlias = "int | str | tuple[str, HostAmount, HostAmount]"
"""A number of the host code: known, a name, or ``("-", "rows", 1)`` with one of ``+ - * /``."""


class HostLoop(Struct, frozen=True):
    """A loop of host code around a launch. ``counter`` starts at ``first`` and goes on by ``op``
    and ``step`` while it stands in ``relation`` (lt, le, gt, ge, ne) to ``end``; "": not counted.
    ``spent``: its launches share out one grid, which gets less by division until it is used up.
    """

    span: Span
    counter: str = ""
    first: HostAmount = 0
    end: HostAmount = 0
    step: HostAmount = 1
    op: str = ""
    relation: str = ""
    spent: bool = False


class Shifted(Struct, frozen=True):
    """A pointer to somewhere in an allocation, a multiple of ``unit`` bytes from its start;
    ``likely_start``: moved by sizes only, or maybe not at all, so that a line is likely to start
    there.
    """

    unit: int
    likely_start: bool = False


Argument: TypeAlias = int | Shifted | None
"""Of a launch: an integer constant, a pointer that was moved, or what is not known."""


class LaunchSite(Struct, frozen=True):
    """One ``kernel<<<grid, block>>>(…)`` of the host code.

    ``kernel``: mangled symbol where libclang gives it, else the bare name; ``grid`` / ``block``:
    (x, y, z), each None where it is not a constant; ``arguments``: integer constants passed
    and pointers that were moved, None elsewhere. ``loops``: of the host code around it, outermost
    first. ``named``: no launch, but a place where the kernel is named otherwise (given to a
    function, stored): launches may follow of which nothing is known. ``external``: other units may
    define the kernel.
    """

    kernel: str
    kernel_name: str
    grid: tuple[int | None, int | None, int | None]
    block: tuple[int | None, int | None, int | None]
    arguments: tuple[Argument, ...]
    span: Span
    loops: tuple[HostLoop, ...] = ()
    named: bool = False
    external: bool = False


class CompiledUnit(Struct, frozen=True):
    """``ir``: textual device IR, or None when the file did not compile (``diagnostics`` say why).
    ``dependencies``: absolute paths of the file and of all it includes; ``seconds``: clang's;
    ``timed_out``: it did not compile within its time; ``preamble``: what it includes came from a
    precompiled header of its own; ``missing_headers``: those that clang went on without;
    ``found``: what it needs and no flag says; ``not_analysed``: kernels that ``ir`` lacks;
    ``host_errors``: what does not compile in code that no kernel reaches; ``launches``: that are
    known with the device code; ``language``: of the source where that is not CUDA's.
    """

    path: str
    ir: str | None
    dependencies: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    timed_out: bool = False
    preamble: bool = False
    missing_headers: tuple[MissingHeader, ...] = ()
    found: Found = field(default_factory=Found)
    not_analysed: tuple[NotAnalysed, ...] = ()
    host_errors: tuple[Diagnostic, ...] = ()
    launches: tuple[LaunchSite, ...] = ()
    language: str = ""
