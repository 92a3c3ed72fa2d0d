"""A run of the analysis as commands share it: what it says on stderr, its report, its status."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Mapping, Sequence

from drano.cli.console import FINDINGS, OK, say, use_color
from drano.cli.progress_bar import ProgressBar, waiting
from drano.config.arguments import settings_from
from drano.frontend.sdk.used import sdks_in_use
from drano.frontend.template_instances import base_name
from drano.model.finding import Severity
from drano.model.report import FileStatus, Report
from drano.model.settings import Config
from drano.output.cost_text import costliest
from drano.output.entries import GroupBy
from drano.output.formats.access_spool import AccessSpool
from drano.output.formats.table import FORMATS, Scene
from drano.output.formats.text import TextOptions, instances, not_analysed_text
from drano.output.input_problems import database_lines, failure_line, note_lines, verbose_lines
from drano.output.plurals import count
from drano.output.source_lines import Sources
from drano.output.statistics import render_statistics
from drano.run import result_cache
from drano.run.driver import check
from drano.run.parallel import Processes, Units, default_jobs

# Formats that have a word for findings that are silenced or known; the others leave them out.
WITH_SILENCED = frozenset({"json", "jsonl", "sarif"})
# Formats that name kernels that were not analysed to whoever reads them; stderr does for the rest.
TEXT_FORMATS = frozenset({"full", "concise"})
_LEVELS = [Severity.NOTE, Severity.WARNING, Severity.ERROR]


def _elsewhere(executor: str) -> contextlib.AbstractContextManager[Units | None]:
    """What runs units on the cluster of this name, if one is named."""
    if not executor:
        return contextlib.nullcontext()
    from drano.run.cluster import cluster  # noqa: PLC0415 - seldom

    return cluster(executor)


def analyse(
    paths: Sequence[str], options: argparse.Namespace, texts: Mapping[str, str] | None = None
) -> Report:
    """Run the analysis and say on stderr what went wrong: a line for each file that failed."""
    cache = None if options.no_cache else result_cache.ResultCache()
    alone = len(paths) == 1 and options.command != "check"
    with (
        waiting(f"analysing {paths[0]}" if alone else "", wanted=alone and not options.quiet),
        ProgressBar(wanted=not options.quiet) as progress,
        _elsewhere(options.executor) as elsewhere,
    ):
        run = Processes(options.jobs or default_jobs(), cache, progress.on_done, elsewhere)
        options.spool = None
        if _asks_for_findings(options):
            if options.show == "all":
                options.spool = AccessSpool()
            run.keep = (options.spool or FORMATS[options.output_format]).kept
        settings = settings_from(options)
        report = check(paths, settings, run, texts, settings.units_below)
    say_failures(report, options)
    lines = verbose_lines(report) if options.verbose else note_lines(report)
    kernels = {base_name(kernel.name) for file in report.files for kernel in file.kernels}
    for instance in [] if report.incomplete else options.instantiate:
        if base_name(instance) not in kernels:
            lines.append(f"note: --instantiate '{instance}': no such kernel template")
    lines += database_lines(settings.databases, all_of_it=bool(options.verbose))
    if options.verbose:
        units = ((file.path, settings(file.path).compile) for file in report.files)
        lines += [f"note: {sdk}: {count(number, 'file')}" for sdk, number in sdks_in_use(units)]
    for line in lines if not options.quiet else ():
        say(line)
    return report


def say_failures(report: Report, options: argparse.Namespace) -> None:
    """A line for each file that failed, and for kernels that were not analysed."""
    for file in report.files:
        if file.status is not FileStatus.OK:
            say(f"error: {failure_line(file, hint=not options.verbose)}")
    if not _prints_text(options):
        for kernel, more in instances(report.not_analysed):
            say(f"error: {not_analysed_text(kernel, more)}")


def _asks_for_findings(options: argparse.Namespace) -> bool:
    """Whether nobody looks at more of the accesses than the report's format does, which may stream
    all of them.
    """
    if options.command != "check":
        return False
    streamed = options.output_format == "jsonl" and not options.watch
    everything = options.show == "all" and not streamed
    more = (everything, options.profile, options.confirm, options.cubin, options.fix)
    return not any((*more, options.diff, options.show_fixes, options.compile_commands))


def _prints_text(options: argparse.Namespace) -> bool:
    """Whether the command ends with a report that names what was not analysed to its reader."""
    if options.command != "check" or options.statistics or options.write_baseline is not None:
        return False
    return options.output_format in TEXT_FORMATS


def render(report: Report, options: argparse.Namespace, sources: Sources) -> str:
    """The report in the format that is asked for."""
    if options.statistics:
        return render_statistics(report.open)
    text = TextOptions(
        color=use_color(options),
        concise=options.output_format == "concise",
        show_all=options.show == "all" and options.spool is None,
        quiet=options.quiet,
        verbose=bool(options.verbose),
        group_by=GroupBy(options.group_by),
        suppressed=sum(finding.suppressed is not None for finding in report.findings),
        refuted=sum(finding.refuted and not finding.known for finding in report.findings),
    )
    shown = report if options.output_format in WITH_SILENCED else report.open
    if options.output_format in TEXT_FORMATS and options.show == "all":
        shown = report.only(lambda finding: not finding.known)
    if options.top is not None:
        shown = costliest(shown, options.top)
    return FORMATS[options.output_format](shown, Scene(text, sources, options.gpu))


def fails(report: Report, settings: Callable[[str], Config]) -> bool:
    """Whether anything could not be analysed that the settings do not allow to be left out."""
    return any(
        file.incomplete and (file.unusable or not settings(file.path).allow_not_analysed)
        for file in report.files
    )


def exit_status(report: Report, fail_level: str, *, exit_zero: bool) -> int:
    """1 when there are findings that count, else 0."""
    counting = _LEVELS[_LEVELS.index(Severity(fail_level)) :]
    found = any(finding.severity in counting for finding in report.findings)
    return FINDINGS if found and not exit_zero else OK
