"""The findings of DRN501: kernels whose occupancy is below what the settings ask for.

Runs clang and ptxas once more, for the GPU of the settings: only for who selects the rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from drano.model.finding import Finding, Severity
from drano.model.gpus import Gpu, compiled_gpu, find_gpu
from drano.model.report import Diagnostic, FileReport, FileStatus
from drano.model.settings import Config
from drano.model.span import Location, Span
from drano.occupancy.formula import percent
from drano.occupancy.report import KernelOccupancy, advice, kernel_occupancies, shape_text
from drano.occupancy.usage import unit_usage
from drano.rules import is_ignored_in
from drano.rules.low_occupancy import MIN_OCCUPANCY, RULE
from drano.support.errors import IRError
from drano.support.input_files import InputKind, input_kind


def with_occupancy(report: FileReport, config: Config, source_text: str | None) -> FileReport:
    """``report`` with the findings of DRN501; without them, and with a failure that says why, where
    they cannot be made.
    """
    if report.status is not FileStatus.OK:
        return report
    kinds = {InputKind.CUDA, InputKind.PTX}
    if input_kind(report.path, config.compile.flags) not in kinds:
        return report
    try:
        found = tuple(_findings(report, config, source_text))
    except IRError as error:
        problem = Diagnostic(report.path, 0, 0, Severity.ERROR, f"{RULE.code}: {error}")
        diagnostics = (*report.diagnostics, problem)
        return replace(report, status=FileStatus.ERROR, diagnostics=diagnostics)
    findings = sorted((*report.findings, *found), key=lambda f: (f.location.span, f.rule))
    return replace(report, findings=tuple(findings))


def _findings(report: FileReport, config: Config, source_text: str | None) -> Iterator[Finding]:
    options = config.rule(RULE.code)
    name = options.gpu or compiled_gpu(config.compile.architecture)
    gpu = find_gpu(name)
    if gpu is None:
        raise IRError(f"rules.{RULE.code}.gpu", f"unknown GPU '{name}'")
    usage = unit_usage(report.path, config.compile, gpu, source_text)
    if usage.problem:
        raise IRError(report.path, usage.problem)
    threshold = MIN_OCCUPANCY if options.min_occupancy is None else options.min_occupancy
    places = {kernel.symbol: kernel.location for kernel in report.kernels}
    for item in kernel_occupancies(usage, report.kernels, gpu, dynamic=0):
        place = places.get(item.usage.symbol) or Location(Span(report.path, 0, 0), item.name)
        if item.occupancy.share >= threshold or is_ignored_in(RULE.code, place.span.path, config):
            continue
        level = Severity(options.level) if options.level else RULE.level
        yield Finding(
            RULE.code, level, _message(gpu, item), place, 0, item.name, help=advice(item),
            rank=round(100 * (1 - item.occupancy.share), 1),
        )  # fmt: skip


def _message(gpu: Gpu, item: KernelOccupancy) -> str:
    limits = " and ".join(item.occupancy.limiting)
    return (
        f"low occupancy of `{item.name}`: {percent(item.occupancy.share)} on {gpu.arch} with "
        f"blocks of {shape_text(item)} threads, limited by {limits}"
    )
