"""`drano check`: analyse, compare with what is known, report."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from drano.cli.analysis import analyse, exit_status, fails, render
from drano.cli.console import ERROR, OK, emit, say, write_to
from drano.cli.fix_command import fix_command
from drano.cli.progress_bar import ProgressBar, waiting
from drano.cli.watch import watch
from drano.config.arguments import settings_from
from drano.config.command_parser import UsageError
from drano.config.config_file import ConfigError
from drano.config.settings_text import settings_toml
from drano.frontend.commands.compile_database import cuda_units
from drano.model.file_patterns import matches
from drano.model.report import Report
from drano.model.settings import Config
from drano.model.source_files import sources_of
from drano.model.system_headers import is_system_header
from drano.output.formats.table import FORMATS, Scene
from drano.output.plurals import count
from drano.output.source_lines import Sources, printable
from drano.output.timings import render_timings
from drano.run.driver import absolute
from drano.run.parallel import Processes, default_jobs
from drano.support.version import VERSION
from drano.triage.add_ignores import codes_by_line, with_ignores
from drano.triage.baseline import (
    compare,
    directory_of,
    gone_from,
    read_baseline,
    relative_to,
    render_baseline,
)
from drano.triage.suppress import MAX_BYTES, Read, read_file, reader


def check_command(options: argparse.Namespace) -> int:
    """`drano check`, once or again and again."""
    if not options.paths and options.stdin_filename is None:
        options.paths = _units_of(options)
    if options.show_settings:
        return _show_settings(options)
    if options.fix or options.diff:
        if options.watch or options.stdin_filename is not None or "-" in options.paths:
            raise UsageError("--fix needs files, and cannot be combined with --watch")
        status = fix_command(options)
        if options.diff or status == ERROR:
            return status
    if not options.watch:
        # One report and the process ends: what the collector would look through is in use.
        gc.disable()
        try:
            return _check_once(options, _given_text(options))[1]
        finally:
            gc.enable()
    if options.stdin_filename is not None or "-" in options.paths:
        raise UsageError("--watch cannot be combined with a source from stdin")

    def again() -> tuple[Report, int]:
        try:
            return _check_once(options, {})
        except ConfigError as error:  # the next change may mend it
            say(f"error: {error}")
            return Report((), "", VERSION), ERROR

    return watch(options.paths, again)


def _units_of(options: argparse.Namespace) -> list[str]:
    """The sources that the compilation database compiles as CUDA, but those that are excluded."""
    settings = settings_from(options)
    units = cuda_units(options.compile_commands)
    found = [path for path in units if not _is_excluded(path, settings(path))]
    if not found:
        raise UsageError(f"{options.compile_commands}: contains no CUDA source")
    return found


def _is_excluded(path: str, config: Config) -> bool:
    return matches(config.exclude, config.root, path)


def _given_text(options: argparse.Namespace) -> dict[str, str]:
    """Texts in the place of files: stdin's, under the name that the user gives it."""
    if options.paths == ["-"] and options.stdin_filename is None:
        options.stdin_filename = "stdin.cu"
    if options.stdin_filename is None:
        return {}
    if options.paths not in ([], ["-"]):
        raise UsageError("--stdin-filename does not take a PATH")
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UsageError(f"stdin: more than {MAX_BYTES >> 20} MB")
    options.paths = [options.stdin_filename]
    return {absolute(options.stdin_filename): data.decode("utf-8", "surrogateescape")}


def _check_once(options: argparse.Namespace, texts: dict[str, str]) -> tuple[Report, int]:
    if options.profile is None:
        report = analyse(options.paths, options, texts)
    else:
        # Only here: profiles are seldom given, and take a while to load.
        from drano.dynamic.profiles.measured_costs import (  # noqa: PLC0415 - see above
            block_reads,
            view_of,
            with_measured,
        )
        from drano.dynamic.profiles.profile import read_profile  # noqa: PLC0415 - see above

        profile = read_profile(options.profile)
        options.measured = block_reads(profile)
        options.view = view_of(profile)
        report = with_measured(analyse(options.paths, options, texts), profile)
    if options.show_fixes:
        from drano.cli.fix import offered  # noqa: PLC0415 - loads LLVM

        gc.enable()  # libclang's trees hang in circles, a gigabyte of them in a search for fixes
        report = offered(report, settings_from(options))
    report = _with_confirmations(report, options, texts)
    among = sources_of(report.files)
    report = _with_standing(report, options, reader(texts, among))
    known = sum(finding.baseline == "unchanged" for finding in report.findings)
    if known and not options.quiet:
        say(f"note: {count(known, 'known finding')} omitted")
    if options.write_baseline is not None:
        text = render_baseline(report, options.write_baseline, reader(texts, among))
        write_to(options.write_baseline, text)
        return report, ERROR if fails(report, settings_from(options)) else OK
    if options.add_ignore is not None:
        _add_ignores(report, options, texts)
        return report, ERROR if fails(report, settings_from(options)) else OK
    sources = Sources(overlay=texts, among=among)
    if options.sarif_output is not None:
        write_to(options.sarif_output, FORMATS["sarif"](report, Scene(sources=sources)))
    streamed = options.spool.lines(report) if options.spool else ()
    emit(render(report, options, sources), options, streamed)
    if options.timings:
        print(render_timings(report), end="", file=sys.stderr)
    if fails(report, settings_from(options)):
        return report, ERROR
    return report, exit_status(report.open, options.fail_level, exit_zero=options.exit_zero)


def _with_confirmations(
    report: Report, options: argparse.Namespace, texts: Mapping[str, str]
) -> Report:
    """The report beside compiled code, where there is any: a build directory's is looked for where
    the user has named the directory.
    """
    if texts and (options.confirm or options.cubin):
        raise UsageError("--confirm and --cubin need files, not a source from stdin")
    if texts or not (options.confirm or options.cubin or options.compile_commands):
        return report
    from drano.confirm.gather import Asked, confirmed  # noqa: PLC0415 - for those who ask

    asked = Asked(
        options.cubin, options.compile_commands, options.confirm, options.jobs or default_jobs()
    )
    with waiting("compiling with nvcc", wanted=options.confirm and not options.quiet):
        report, notes = confirmed(report, settings_from(options), asked)
    for note in notes if not options.quiet else ():
        say(f"note: {note}")
    return report


def _add_ignores(report: Report, options: argparse.Namespace, texts: Mapping[str, str]) -> None:
    """Write comments into the files that were named, and others below their directories."""
    if texts:
        raise UsageError("--add-ignore cannot change a source from stdin")
    roots = {str(Path.cwd()), *(str(Path(file.path).parent) for file in report.files)}
    silenced = left = 0
    for path, codes in codes_by_line(report.findings).items():
        if is_system_header(path) or not any(Path(path).is_relative_to(root) for root in roots):
            left += sum(map(len, codes.values()))
            continue
        found = with_ignores(read_file(path), codes, options.add_ignore, path)
        if found.silenced:
            write_to(path, found.content.decode("utf-8", "surrogateescape"))
        silenced, left = silenced + found.silenced, left + found.left
    rest = f"; {count(left, 'finding')} cannot be ignored by a comment" if left else ""
    print(f"Ignored {count(silenced, 'finding')}{rest}.")


def _with_standing(report: Report, options: argparse.Namespace, read: Read) -> Report:
    """The report with what is known marked, or with what has not changed left out."""
    if options.baseline is not None:
        place = directory_of(options.baseline)
        known = read_baseline(options.baseline)
        return compare(report, known, relative_to(place), read, gone_from(place))
    if options.baseline_commit is None and not options.diff_only:
        return report
    first = report.files[0].path if report.files else str(Path.cwd() / "-")
    from drano.run.git_changes import (  # noqa: PLC0415 - for those who ask
        changes_since,
        findings_at,
        known_at,
        only_changed,
    )

    changes = changes_since(options.baseline_commit or "HEAD", str(Path(first).parent))
    for file in report.files:
        if changes.relative(file.path) is None:
            raise UsageError(f"{file.path}: is not in the git checkout {changes.top}")
    if options.diff_only:
        return only_changed(report, changes)
    with (
        ProgressBar(wanted=not options.quiet) as progress,
        findings_at(
            changes,
            report,
            settings_from(options),
            # The old files are somewhere else each time: no later run would find them.
            Processes(options.jobs or default_jobs(), None, progress.on_done),
        ) as old,
    ):
        before = reader({}, sources_of((*old.same, *old.report.files)))
        known = known_at(old, changes, before)
    for path in old.failed:
        say(f"note: {path}: could not be analysed at {options.baseline_commit}")
    return compare(
        report,
        known,
        lambda path: changes.relative(path) or path,
        read,
        gone_from(changes.top),
    )


def _show_settings(options: argparse.Namespace) -> int:
    settings = settings_from(options)
    for path in map(absolute, options.paths):
        source = os.path.join(path, "-") if os.path.isdir(path) else path
        text = settings_toml(settings(source))
        origin = settings.file_for(source) or "no configuration file"
        emit(f"# {printable(path)}: {printable(origin)}\n{text}\n", options)
    return OK
