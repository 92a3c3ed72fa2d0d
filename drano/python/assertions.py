"""``assert_coalesced``: a kernel's access pattern as a test.

Means: what drano finds in a kernel is an ``AssertionError`` with the report's text. What drano does
not know fails a test, too, unless it is allowed: silence about an access would be taken for praise.
"""

from __future__ import annotations

import inspect
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from drano.embedded.markers import is_python
from drano.model.access import Access
from drano.model.finding import Finding
from drano.model.judgement import Space, Verdict
from drano.model.report import Report
from drano.model.settings import Config
from drano.model.source_files import sources_of
from drano.output.formats.table import FORMATS, Scene
from drano.output.formats.text import TextOptions
from drano.output.source_lines import Sources
from drano.python.numba_kernels import check_numba
from drano.python.triton_kernels import check_triton
from drano.run.driver import check

_PATTERNS = ("DRN001", "DRN002", "DRN003", "DRN004")
"""The rules about global accesses."""


def assert_coalesced(
    kernel: object,
    *,
    signature: object = None,
    constexprs: Mapping[str, object] | None = None,
    block: tuple[int, int, int] | None = None,
    rules: Iterable[str] = _PATTERNS,
    kernels: Iterable[str] = (),
    allow_unknown: bool = False,
    config: Config | None = None,
    **options: object,
) -> Report:
    """The report of a kernel, if no rule of ``rules`` finds anything in it; else AssertionError.

    ``kernel``: CUDA source as text, the path of a file (``.cu``, ``.py`` with CUDA in strings,
    Triton's ``.llir``), a function under ``@triton.jit`` with its ``signature``, ``constexprs`` and
    ``options`` as ``check_triton`` has them, or one under ``@cuda.jit`` as ``check_numba`` has
    them. ``block``: the shape of a launch that the source does not show; ``kernels``: the names of
    those that count, by default all; ``allow_unknown``: accesses of which nothing is known are no
    failure.
    """
    chosen = config or Config()
    if block is not None:
        chosen = replace(chosen, analysis=replace(chosen.analysis, block=block))
    texts: dict[str, str] = {}
    if isinstance(kernel, str | os.PathLike):
        if signature is not None or constexprs or options:
            raise TypeError("a signature, constexprs and options are for Triton's and Numba's")
        report, texts = _of_source(kernel, chosen)
    elif signature is None:
        raise TypeError(f"{kernel!r} needs a signature, if it is a kernel of Triton or Numba")
    elif not isinstance(signature, Mapping):
        if constexprs:
            raise TypeError("constexprs are for Triton's kernels, whose signature is a dictionary")
        more: dict[str, Any] = dict(options)
        report = check_numba(kernel, signature=signature, block=block, config=config, **more)
        texts = _text_of(kernel)
    else:
        given: dict[str, Any] = dict(options)
        report = check_triton(
            kernel, signature=signature, constexprs=constexprs, config=chosen, **given
        )
        texts = _text_of(kernel)
    return _judged(report, frozenset(rules), frozenset(kernels), texts, allow_unknown=allow_unknown)


def _of_source(kernel: str | os.PathLike[str], config: Config) -> tuple[Report, dict[str, str]]:
    if isinstance(kernel, os.PathLike) or ("\n" not in kernel and Path(kernel).suffix):
        return check([os.fspath(kernel)], config), {}
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        path = str(Path(name) / "kernel.cu")
        texts = {path: kernel}
        return check([path], config, texts=texts), texts


def _text_of(kernel: object) -> dict[str, str]:
    """The source of a Triton or Numba kernel, to be shown."""
    inner: Any = getattr(kernel, "fn", getattr(kernel, "py_func", kernel))
    function = inspect.unwrap(inner)
    path = inspect.getsourcefile(function) if callable(function) else None
    if path is None or not is_python(path):
        return {}
    return {path: Path(path).read_text(encoding="utf-8", errors="surrogateescape")}


def _judged(
    report: Report,
    rules: frozenset[str],
    kernels: frozenset[str],
    texts: dict[str, str],
    *,
    allow_unknown: bool,
) -> Report:
    failed = [file for file in report.files if file.incomplete]
    if failed or not report.files:
        said = [str(d) for file in failed for d in file.diagnostics]
        said += [str(lost.cause) for file in failed for lost in file.not_analysed]
        raise AssertionError("not analysed: " + "; ".join(said or ["no kernel"]))
    known = {info.name for file in report.files for info in file.kernels}
    known |= {name.split("<")[0] for name in known}
    if not known or not kernels <= known:
        missing = ", ".join(sorted(kernels - known)) or "any kernel"
        raise AssertionError(f"not found: {missing}")

    def counts(found: Finding) -> bool:
        named = not kernels or found.kernel in kernels or found.kernel.split("<")[0] in kernels
        return found.counts and found.rule in rules and named

    bad = [found for found in report.findings if counts(found)]
    if bad:
        raise AssertionError(_text(_with_only(report, frozenset(map(id, bad))), texts, len(bad)))
    unknown = [a for file in report.files for a in file.accesses if _unknown(a, kernels)]
    if unknown and not allow_unknown:
        first = unknown[0]
        raise AssertionError(
            f"{first.location.span}: unknown {first.kind} in {first.kernel}: "
            f"{first.judgement.reason} (allow_unknown=True lets it pass)"
        )
    return report


def _unknown(access: Access, kernels: frozenset[str]) -> bool:
    """Whether it may be an access of global memory of which nothing is known."""
    judgement = access.judgement
    elsewhere = judgement.space not in (Space.GLOBAL, Space.GENERIC)
    named = not kernels or access.kernel.split("<")[0] in kernels or access.kernel in kernels
    return named and not elsewhere and judgement.verdict is Verdict.UNKNOWN


def _with_only(report: Report, chosen: frozenset[int]) -> Report:
    return replace(
        report,
        files=tuple(
            replace(file, findings=tuple(f for f in file.findings if id(f) in chosen))
            for file in report.files
        ),
    )


def _text(report: Report, texts: dict[str, str], number: int) -> str:
    """The report as the command line shows it, without colours."""
    sources = Sources(overlay=texts, among=sources_of(report.files))
    shown = FORMATS["full"](report, Scene(TextOptions(color=False), sources))
    return f"{number} of drano's findings\n{shown}"
