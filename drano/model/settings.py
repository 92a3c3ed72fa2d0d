"""The settings of a run: frozen, built from the command line and configuration files."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

DEFAULT_ARCHITECTURE = "sm_90"
MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = ((1 << 31) - 1, 65535, 65535)


class Domain(StrEnum):
    """Abstract domain of the analysis."""

    WARP = "warp"
    GPUDRANO = "gpudrano"


class View(StrEnum):
    """Whose loads and stores are judged: the source's, or those that the compiler makes of them."""

    WRITTEN = "written"
    COMPILED = "compiled"

    @property
    def clang_flags(self) -> tuple[str, ...]:
        """What clang is told: else it forbids some unrolling that nvcc does."""
        return ("-funroll-loops",) if self is View.COMPILED else ()


class CompileOptions(Struct, frozen=True):
    """How clang is called. ``arch``: the virtual device, e.g. ``sm_80``, None: nobody has said;
    ``flags``: passed to clang as they are; ``code_generation``: what nvcc is asked for besides, as
    ``-maxrregcount=32``; ``timeout``: seconds for one unit; ``memory``: bytes of address space.
    ``find_commands``: whether the command line and editors look for a compilation database where
    ``compile_commands`` names none. ``instantiate``: instances of kernel templates to analyse.
    ``triton_python``: a Python that may import sources, to compile Triton kernels with a signature
    in a comment; None: none may. No file of a repository says so.
    ``tools_path``: an SDK whose programs may be run, not just its headers read: who runs drano has
    named it, no file of a repository.
    """

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    force_includes: tuple[str, ...] = ()
    std: str | None = None
    arch: str | None = None
    cuda_path: str | None = None
    tools_path: str | None = None
    compile_commands: str | None = None
    find_commands: bool = True
    instantiate: tuple[str, ...] = ()
    stub_missing_headers: bool = False
    triton_python: str | None = None
    flags: tuple[str, ...] = ()
    code_generation: tuple[str, ...] = ()
    timeout: float = 300.0
    memory: int = 8 << 30

    @property
    def architecture(self) -> str:
        """What is compiled for: ``arch``, else ``DEFAULT_ARCHITECTURE``."""
        return self.arch or DEFAULT_ARCHITECTURE


class KernelHint(Struct, frozen=True):
    """What the user says of the launches of kernels named ``kernel`` (a shell pattern), where the
    source does not show it. ``values``: of integer parameters, by name; ``alignment``: bytes that
    the pointer parameters are aligned to.
    """

    kernel: str
    block: tuple[int, int, int] | None = None
    grid: tuple[int, int, int] | None = None
    values: tuple[tuple[str, int], ...] = ()
    alignment: int | None = None


class MeasuredReads(Struct, frozen=True):
    """What a run says of one array that blocks of a kernel only read. ``kernel``: mangled;
    ``sites``: ordinals of the loads. Of ``blocks`` blocks: ``reads`` of ``words`` of 4 bytes,
    ``most_words`` in one block; ``shared_bytes``: shared memory that the kernel has in use.
    """

    kernel: str
    sites: tuple[int, ...]
    blocks: int
    reads: int
    words: int
    most_words: int
    shared_bytes: int


class AnalysisOptions(Struct, frozen=True):
    """``block``: block shape for every kernel without a known launch. ``pointer_alignment``: bytes
    that kernel pointer parameters are taken to be aligned to (cudaMalloc gives 256). ``view``: of
    the warp domain; the paper's is always as written.
    ``tid_y``: the paper's second-dimension variant (gpudrano domain only). ``kernels``: hints, of
    which the first that fits a kernel is used. ``derive_all``: say also of accesses without a
    finding how their address comes about. ``assume``: what names in costs (``n``) are taken to be.
    ``reuse``: count how often blocks read arrays; ``measured``: what a run has counted of that.
    ``absent``: of device functions that are not in the module, by symbol: why.
    """

    domain: Domain = Domain.WARP
    tid_y: bool = False
    block: tuple[int, int, int] | None = None
    pointer_alignment: int = 256
    max_shapes: int = 4
    derive_all: bool = False
    kernels: tuple[KernelHint, ...] = ()
    assume: tuple[tuple[str, float], ...] = ()
    reuse: bool = False
    measured: tuple[MeasuredReads, ...] | None = None
    view: View = View.COMPILED
    absent: tuple[tuple[str, str], ...] = ()

    @property
    def judged_view(self) -> View:
        """The view that the domain takes."""
        return self.view if self.domain is Domain.WARP else View.WRITTEN


class RuleOptions(Struct, frozen=True):
    """``min_excess``: report only accesses that may move at least this many times what they need;
    ``level``: the severity of the rule's findings ("error", "warning", "note") instead of its own.
    ``min_occupancy`` (0 to 1), ``gpu``: of rules about kernels alone.
    """

    min_excess: float | None = None
    level: str | None = None
    min_occupancy: float | None = None
    gpu: str | None = None


class Config(Struct, frozen=True):
    """Everything a run needs to know besides its input files.

    ``select``, ``extend_select``, ``ignore`` are prefixes of rule codes; no ``select``: all rules.
    ``per_file_ignores``: (pattern, codes); it and ``exclude`` are relative to the directory
    ``root``. ``exclude`` is of files found in directories, not of those named by the user, and of
    headers; ``system_headers``: report what lies in those of SDKs and of the system.
    ``allow_not_analysed``: kernels and files that do not compile do not fail the run.
    """

    compile: CompileOptions = field(default_factory=CompileOptions)
    analysis: AnalysisOptions = field(default_factory=AnalysisOptions)
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rules: tuple[tuple[str, RuleOptions], ...] = ()
    exclude: tuple[str, ...] = ()
    system_headers: bool = False
    allow_not_analysed: bool = False
    root: str = ""

    def rule(self, code: str) -> RuleOptions:
        """The options of one rule."""
        return dict(self.rules).get(code, RuleOptions())

    def asks_for(self, code: str) -> bool:
        """Whether the rule was selected by its full code."""
        return code in self.select or code in self.extend_select


def block_problem(block: tuple[int, int, int]) -> str:
    """Why CUDA does not allow a block shape; "" when it does.

    >>> block_problem((32, 64, 1)), block_problem((16, 16, 1))
    ('more than 1024 threads per block', '')
    """
    x, y, z = block
    if not all(1 <= size <= most for size, most in zip(block, MAX_BLOCK, strict=True)):
        return "CUDA allows sizes up to 1024, 1024, 64"
    return f"more than {MAX_THREADS} threads per block" if x * y * z > MAX_THREADS else ""
