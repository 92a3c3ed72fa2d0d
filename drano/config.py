"""The settings of a run: frozen, built from the command line and configuration files."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Domain(StrEnum):
    """Abstract domain of the analysis."""

    WARP = "warp"
    GPUDRANO = "gpudrano"


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How clang is called. ``arch``: the virtual device, e.g. ``sm_70``; ``flags``: passed to
    clang as they are; ``timeout``: seconds for one unit; ``memory``: bytes of address space.
    """

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    force_includes: tuple[str, ...] = ()
    std: str | None = None
    arch: str = "sm_70"
    cuda_path: str | None = None
    compile_commands: str | None = None
    stub_missing_headers: bool = False
    flags: tuple[str, ...] = ()
    timeout: float = 60.0
    memory: int = 8 << 30


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """``block``: block shape for every kernel without a known launch. ``pointer_alignment``: bytes
    that kernel pointer parameters are taken to be aligned to (cudaMalloc gives 256).
    ``tid_y``: the paper's second-dimension variant (gpudrano domain only).
    """

    domain: Domain = Domain.WARP
    tid_y: bool = False
    block: tuple[int, int, int] | None = None
    pointer_alignment: int = 256
    max_shapes: int = 4


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a run needs to know besides its input files."""

    compile: CompileOptions = field(default_factory=CompileOptions)
    analysis: AnalysisOptions = field(default_factory=AnalysisOptions)
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
