"""One translation unit, from its path to its report, readable top to bottom.

clang compiles it, LLVM prepares the IR, the reader makes the model, a domain interprets it, the
rules complain. Loads LLVM and numpy: ``driver`` imports this only when there is a unit to analyse.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct, field
from msgspec.structs import replace

from drano.analysis import AnalysisResult, analyse_module
from drano.analysis.access import Hidden
from drano.analysis.explain.numba_expressions import with_subscripts
from drano.analysis.explain.source_expressions import reading
from drano.analysis.in_parts import analyse_ir
from drano.analysis.incremental.reanalysis import Edited, analyse_again
from drano.analysis.incremental.remembered import KernelMemory
from drano.embedded.markers import is_python
from drano.frontend.clang import compile_unit
from drano.frontend.compiled import triton_cache
from drano.frontend.compiled.triton_layouts import layouts_in
from drano.frontend.empty_kernels import empty_kernels
from drano.frontend.headers import integer_names
from drano.frontend.macros.build_macros import hides_kernels
from drano.frontend.repair.lost_templates import with_lost_templates
from drano.frontend.template_instances import with_instances
from drano.host.cross_unit import HostCall, Told, call_text, told
from drano.host.launching.launch_text import shown_elsewhere
from drano.host.launching.launches import Launches
from drano.host.launching.unit_launches import LaunchMemory, unit_launches
from drano.ir.prepare.own_kernels import OwnKernels, with_own_kernels
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.finding import Severity
from drano.model.report import (
    Before,
    Diagnostic,
    FileReport,
    FileStatus,
    Found,
    GivenCode,
    ShownLaunch,
    Timings,
)
from drano.model.settings import AnalysisOptions, CompileOptions, Config, Domain
from drano.model.source_files import source_files
from drano.model.span import Location
from drano.model.translation_unit import CompiledUnit, LaunchSite
from drano.rules import AccessRule, active_rules, is_hidden, run_control_rules, run_rules
from drano.run.numba_words import LANGUAGE, in_numbas_words
from drano.run.other_units.joined_code import JoinedCode, given_code, joined_code, not_followed
from drano.run.python_source import analyse_python
from drano.run.triton_words import PALLAS, in_tritons_words
from drano.run.xla_words import XLA, in_xlas_words
from drano.support.errors import IRError
from drano.support.input_files import InputKind, is_source, read_input

log = logging.getLogger(__name__)

_EMPTY = "11EmptyKernel"  # of CUB's, which its headers make an instance of by themselves

_ALL_OF_IT = 1.9
"""Time limits that a unit has to be compiled and analysed in, but for what comes after that: a
process that takes longer than two is ended, with all that it has found."""


class Memory(Struct, frozen=True):
    """What was found in units before, for who analyses edits of the same files.

    ``spent``: what is needed no more and takes a while to free, until its owner lets go of it.
    """

    launches: LaunchMemory = field(default_factory=LaunchMemory)
    kernels: KernelMemory = field(default_factory=KernelMemory)
    spent: list[object] = field(default_factory=list)


def analyse_unit(
    path: str,
    config: Config,
    source_text: str | None,
    *,
    memory: Memory | None = None,
    kernels: KernelMemory | None = None,
    shown: Sequence[str] = (),
    before: Before | None = None,
) -> FileReport:
    """The report of the unit at ``path`` (absolute). Raises IRError where it cannot be prepared.

    ``shown``: what other units tell of its kernels and functions, and ask, as text. ``before``: of
    an analysis of the same text by the same settings; if the launches are the same, nothing is
    analysed again (``FileReport.unchanged``).

    ``memory``: for who analyses the same files again and again, and cannot wait: what was found
    before, where it still holds, is used, and host code is read while clang compiles, not after.
    libclang runs in this process, then also on what clang would have refused or been too slow for:
    only for a process that others watch and may kill. Of Python sources nothing is remembered.
    ``kernels``: in its place for who only analyses edits of a file: all is as without, but kernels
    that an edit left as they were are not analysed again.
    """
    known = told(shown)
    if is_python(path):

        def analyse(path: str, config: Config, text: str, more: Sequence[LaunchSite]) -> FileReport:
            launches = (*known.launches, *more)
            return _cuda_report(path, config, text, None, None, replace(known, launches=launches))

        return analyse_python(path, config, source_text, analyse)
    if before is not None and memory is None:
        started = time.perf_counter()
        wider = _with_found(config, before.found)
        launches = _launches(path, wider, source_text, None, known)
        if _digest(launches, known) == before.launches_digest:
            given = _given_again(path, config, source_text, known)
            return _unchanged(path, launches, given, started)
    return _cuda_report(path, config, source_text, memory, kernels, known)


def _cuda_report(
    path: str,
    config: Config,
    source_text: str | None,
    memory: Memory | None,
    kernels: KernelMemory | None,
    known: Told,
) -> FileReport:
    """The report of a unit of CUDA or IR. ``known``: what other units tell and ask."""
    if memory is not None:
        kernels = memory.kernels
    begun = time.monotonic()
    started = time.perf_counter()
    if memory is not None:
        with ThreadPoolExecutor(max_workers=1) as beside:
            future = beside.submit(_launches, path, config, source_text, memory.launches, known)
            unit = _compiled(path, config, source_text, preambles=True)
            launches = future.result()
    else:
        unit = _compiled(path, config, source_text)
        wider = _with_found(config, unit.found)
        launches = (
            Launches(()) if unit.ir is None else _launches(path, wider, source_text, None, known)
        )
    clang_seconds = time.perf_counter() - started
    if memory is not None:
        unit = _whole(unit)
    if unit.ir is None:
        return _not_compiled(unit)
    code, kept = JoinedCode(unit.ir), OwnKernels(unit.ir)
    if not _is_ir(path):
        code = joined_code(path, unit.ir, known, _text(path, path, source_text))
        kept = with_own_kernels(code.ir, lambda file: is_hidden(file, path, config))
    config = replace(config, analysis=replace(config.analysis, absent=code.absent))

    def is_shown(location: Location | None) -> bool:
        return location is None or not is_hidden(location.span.path, path, config)

    own, digest = launches.sites, _digest(launches, known)
    launches = replace(launches, sites=(*own, *unit.launches, *known.launches))

    among = source_files((path, *unit.dependencies, *code.files))
    with reading(_given(path, source_text), among):
        if kernels is None or _is_ir(path) or config.analysis.domain is Domain.GPUDRANO:
            until = begun + _ALL_OF_IT * config.compile.timeout
            result, timings = _analysed(
                path, kept.ir, launches, config, until, lambda place: not is_shown(place)
            )
        else:
            started = time.perf_counter()
            edited = Edited(kept.ir, path, launches.sites, _options(config), unit.preamble)
            result = analyse_again(edited, kernels, [] if memory is None else memory.spent)
            timings = Timings(analyse=time.perf_counter() - started)
        if unit.language == LANGUAGE:
            result = replace(result, accesses=tuple(map(with_subscripts, result.accesses)))
    started = time.perf_counter()
    complaints = run_rules(result.accesses, config) + run_control_rules(result.control, config)
    visible = (finding for finding in complaints if is_shown(finding.location))
    findings = tuple(sorted(visible, key=lambda f: (f.location.span, f.rule)))
    rules_seconds = time.perf_counter() - started

    diagnostics = unit.diagnostics
    if not _is_ir(path):
        diagnostics += empty_kernels(unit.ir, lambda name: _text(name, path, source_text))
    lacking = any(not header.stand_in for header in unit.missing_headers)
    broken = lacking or bool(unit.host_errors)
    foreign = {name for name in kept.foreign if _EMPTY not in name}
    silent = not result.kernels and (broken or not foreign)
    hidden = _hidden_by(path, config, source_text, unit) if silent else ()
    if silent and not (unit.not_analysed or result.not_analysed or (diagnostics and not hidden)):
        said = "no kernel in this file"
        said += " but those of headers that are not reported" if foreign else ""
        if lacking:
            said += ": templates, if any, need host code that needs the missing headers"
        elif broken:
            said += ": templates, if any, need host code that does not compile"
        elif hidden:
            said += (
                f": those of its text are under conditions on {', '.join(hidden)}; -D defines it"
            )
        elif code.symbols.offers:
            said += ": its functions are followed from kernels of units that are checked with it"
        diagnostics += (Diagnostic(path, 0, 0, Severity.NOTE, said),)
    diagnostics += not_followed(path, code.absent)
    report = FileReport(
        path=path,
        status=FileStatus.OK,
        diagnostics=diagnostics,
        kernels=result.kernels,
        accesses=tuple(a for a in result.accesses if is_shown(a.location)),
        removed=tuple(r for r in result.removed if is_shown(r.location)),
        findings=findings,
        dependencies=unit.dependencies,
        host_dependencies=launches.headers,
        timings=timings + Timings(clang=clang_seconds, analyse=rules_seconds),
        not_analysed=(*unit.not_analysed, *result.not_analysed),
        missing_headers=unit.missing_headers,
        host_errors=unit.host_errors,
        found=unit.found,
        shown=(
            *shown_elsewhere(own, kept.foreign.union(kernel.symbol for kernel in result.kernels)),
            *map(_shown, launches.calls),
        ),
        open_functions=launches.open_functions,
        open_variables=launches.open_variables,
        host_read=launches.read,
        launches_digest=digest,
        lacks=code.symbols.lacks,
        offers=code.symbols.offers,
        given=code.given,
        joined=code.files,
    )
    return _in_its_words(report, unit)


def _in_its_words(report: FileReport, unit: CompiledUnit) -> FileReport:
    language = unit.language
    if language == LANGUAGE:
        return in_numbas_words(report)
    if language == XLA:
        return in_xlas_words(report)
    if language == PALLAS or report.path.endswith(triton_cache.SUFFIX):
        return in_tritons_words(report, language, layouts_in(unit.ir or ""))
    return report


def _compiled(
    path: str, config: Config, source_text: str | None, *, preambles: bool = False
) -> CompiledUnit:
    """The unit with the instances of its kernel templates that nobody else makes."""
    options = config.compile
    own = config.analysis.judged_view.clang_flags
    if own:
        options = replace(options, flags=(*own, *options.flags))

    def compiled(
        text: str | bytes | None, options: CompileOptions, *, partial: bool
    ) -> CompiledUnit:
        return compile_unit(path, options, source_text=text, preambles=preambles, partial=partial)

    unit = compiled(source_text, options, partial=True)
    if _is_ir(path):
        return unit
    known = _with_flags(options, unit.found)
    broken = bool(unit.host_errors or unit.not_analysed)

    def again(text: str | bytes | None) -> CompiledUnit:
        more = compiled(text, known, partial=broken)
        return replace(more, found=unit.found.joined(more.found))

    return with_lost_templates(with_instances(unit, config.compile, source_text, again))


def _analysed(
    path: str, ir: str, launches: Launches, config: Config, until: float, hidden: Hidden
) -> tuple[AnalysisResult, Timings]:
    """A unit of which nothing is known. ``until``, ``hidden``: see ``analyse_module``."""
    if not _is_ir(path):
        return analyse_ir(ir, path, launches.sites, _options(config), until, hidden=hidden)
    started = time.perf_counter()
    limits = config.compile
    prepared = prepare(
        ir, path, trusted=False, timeout=limits.timeout, memory=limits.memory,
        view=config.analysis.judged_view,
    )  # fmt: skip
    prepare_seconds = time.perf_counter() - started

    started = time.perf_counter()
    module = read_module(prepared)
    read_seconds = time.perf_counter() - started

    started = time.perf_counter()
    result = analyse_module(module, launches.sites, _options(config), until=until)
    analyse_seconds = time.perf_counter() - started
    return result, Timings(0.0, prepare_seconds, read_seconds, analyse_seconds)


def _whole(unit: CompiledUnit) -> CompiledUnit:
    """For an editor: what is being typed in a kernel is an error of the file, as clang says it."""
    own = dict.fromkeys(k.cause for k in unit.not_analysed if k.cause.path == unit.path)
    return replace(unit, ir=None, diagnostics=tuple(own)) if own else unit


def _with_found(config: Config, found: Found) -> Config:
    """The settings with what was found out that the unit needs."""
    return replace(config, compile=_with_flags(config.compile, found))


def _with_flags(options: CompileOptions, found: Found) -> CompileOptions:
    more = (*found.flags, *integer_names.flags(found.integers))
    return replace(options, flags=options.flags + more, std=found.standard or options.std)


def _given_again(
    path: str, config: Config, source_text: str | None, known: Told
) -> GivenCode | None:
    """What others want of the device code of a unit that is not analysed again."""
    if not known.wanted or _is_ir(path):
        return None
    return given_code(path, _compiled(path, config, source_text).ir or "", known)


def _unchanged(
    path: str, launches: Launches, given: GivenCode | None, started: float
) -> FileReport:
    return FileReport(
        path,
        FileStatus.OK,
        host_dependencies=launches.headers,
        shown=(*shown_elsewhere(launches.sites, ()), *map(_shown, launches.calls)),
        open_functions=launches.open_functions,
        open_variables=launches.open_variables,
        given=given,
        host_read=launches.read,
        timings=Timings(clang=time.perf_counter() - started),
        unchanged=True,
    )


def _digest(launches: Launches, known: Told) -> str:
    """Of all that the analysis takes from host code and from other units."""
    text = repr((launches.sites, known.launches, known.code, known.absent))
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _options(config: Config) -> AnalysisOptions:
    """What the rules of the run need to know."""
    asked = (rule for rule in active_rules(config) if isinstance(rule, AccessRule))
    reuse = any(rule.reuse for rule in asked)
    return replace(config.analysis, reuse=True) if reuse else config.analysis


def _shown(call: HostCall) -> ShownLaunch:
    return ShownLaunch(call.function, call_text(call))


def _not_compiled(unit: CompiledUnit) -> FileReport:
    """Errors without a line are not about the code: no such architecture, no headers."""
    unexplained = Diagnostic(unit.path, 0, 0, Severity.ERROR, "does not compile")
    return FileReport(
        path=unit.path,
        status=FileStatus.TIMEOUT if unit.timed_out else FileStatus.ERROR,
        diagnostics=unit.diagnostics or (unexplained,),
        dependencies=unit.dependencies,
        timings=Timings(clang=unit.seconds),
        missing_headers=unit.missing_headers,
        unusable=not unit.timed_out
        and (_is_ir(unit.path) or not any(d.line for d in unit.diagnostics)),
    )


def _text(name: str, path: str, source_text: str | None) -> bytes:
    if name == path and source_text is not None:
        return source_text.encode("utf-8", "surrogateescape")
    try:
        return read_input(name, InputKind.CUDA)
    except IRError:
        return b""


def _hidden_by(
    path: str, config: Config, source_text: str | None, unit: CompiledUnit
) -> tuple[str, ...]:
    """Macros that nobody has defined and all kernels of the source are under."""
    if _is_ir(path):
        return ()
    given = (*config.compile.defines, *config.compile.undefines, *unit.found.macros)
    names = {macro.partition("=")[0] for macro in given}
    hiding = hides_kernels(_text(path, path, source_text))
    return () if names.intersection(hiding) else hiding


def _given(path: str, source_text: str | None) -> dict[str, bytes]:
    if source_text is None:
        return {}
    return {path: source_text.encode("utf-8", "surrogateescape")}


def _is_ir(path: str) -> bool:
    """Whether the file is IR or PTX that somebody made, not source for our own compiler."""
    return not is_source(path)


def _launches(
    path: str,
    config: Config,
    source_text: str | None,
    memory: LaunchMemory | None,
    known: Told,
) -> Launches:
    """Launch sites in the file's host code, and the calls that others ask for; none where it is IR
    already.
    """
    if _is_ir(path):
        return Launches(())
    text = None if source_text is None else source_text.encode("utf-8", "surrogateescape")
    launches = unit_launches(path, config.compile, text, memory, known.about_host)
    if launches.reason:
        log.info("%s: could not read launches: %s", path, launches.reason)
        unknown = tuple(HostCall(symbol, None) for symbol in known.asked)
        return replace(launches, calls=unknown)
    return launches
