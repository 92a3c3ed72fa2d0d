"""The command line: commands and exit codes only; the work is ``run.driver``'s and ``output``'s.

Exit status: 0 clean, 1 findings (of ``--fail-level`` or above), 2 an input or an argument that
could not be used, 130 interrupted, 141 the reader of the output went away. Reports go to stdout,
all else to stderr.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from drano import __version__
from drano.cli.explain import first_that_reaches, units_of
from drano.cli.init import StarterError, start
from drano.cli.progress_bar import ProgressBar, waiting
from drano.cli.watch import WatchError, watch
from drano.config.arguments import (
    UsageError,
    build_parser,
    config_from,
    parse,
    settings_from,
    split_clang_flags,
)
from drano.config.config_file import ConfigError, ConfigFiles
from drano.config.settings_text import settings_toml
from drano.dynamic.profiles.profile import ProfileError
from drano.frontend.commands.compile_database import cuda_units
from drano.frontend.sdk.used import sdks_in_use
from drano.frontend.template_instances import base_name
from drano.model.file_patterns import matches
from drano.model.finding import Severity
from drano.model.gpus import find_gpu
from drano.model.report import FileStatus, Report
from drano.model.settings import AnalysisOptions, Config
from drano.model.source_files import sources_of
from drano.model.system_headers import is_system_header
from drano.output.atomic_write import write_whole
from drano.output.cost_text import costliest
from drano.output.entries import GroupBy
from drano.output.explain import MAX_EXPLAINED, render_explanation, render_state
from drano.output.formats.closing import all_accesses
from drano.output.formats.table import FORMATS, Scene
from drano.output.formats.text import TextOptions, instances, not_analysed_text
from drano.output.input_problems import database_lines, failure_line, note_lines, verbose_lines
from drano.output.plurals import count
from drano.output.source_lines import Sources, printable
from drano.output.statistics import render_statistics
from drano.output.timings import render_timings
from drano.rules.pages import all_pages, find_rule, rule_list, rule_page
from drano.run import result_cache
from drano.run.cluster import ClusterError, cluster
from drano.run.driver import absolute, check
from drano.run.git_changes import changes_since, findings_at, known_at, only_changed
from drano.run.git_objects import ChangesError
from drano.run.parallel import Processes, default_jobs
from drano.support.cache_directory import cache_dir
from drano.support.errors import IRError
from drano.triage.add_ignores import codes_by_line, with_ignores
from drano.triage.baseline import (
    BaselineError,
    compare,
    directory_of,
    gone_from,
    read_baseline,
    relative_to,
    render_baseline,
)
from drano.triage.suppress import MAX_BYTES, Read, read_file, reader

_HELP = frozenset({"-h", "--help"})
OK, FINDINGS, ERROR, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
# Formats that have a word for findings that are silenced or known; the others leave them out.
WITH_SILENCED = frozenset({"json", "jsonl", "sarif"})
# Formats that name kernels that were not analysed to whoever reads them; stderr does for the rest.
TEXT_FORMATS = frozenset({"full", "concise"})
_LEVELS = [Severity.NOTE, Severity.WARNING, Severity.ERROR]

# What users can mend; ``str()`` is one line for them.
_PLAIN = (
    UsageError, ConfigError, BaselineError, ChangesError, ClusterError, WatchError, IRError,
    ProfileError, StarterError,
)  # fmt: skip

log = logging.getLogger("drano")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Why a disk or a device takes no more."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. Never lets a traceback through."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except _PLAIN as error:
        say(f"error: {error}")
        return ERROR
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more at exit: give it somewhere to go.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            say(f"error: {error.filename or 'output'}: {error.strerror}")
            return ERROR
        if os.environ.get("DRANO_DEBUG"):
            log.exception("internal error")
        reason = f"{type(error).__name__}: {error}"[:300]
        say(
            f"error: internal error ({reason}); please report it with the traceback "
            "printed by DRANO_DEBUG=1"
        )
        return ERROR


def _run(arguments: list[str]) -> int:
    if sys.stdout is None:
        raise UsageError("stdout is closed")
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets "?" instead of an exception.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if arguments[:1] and arguments[0] in _COMPILERS:
        own, _ = split_clang_flags(arguments)
        if not _HELP.isdisjoint(own):
            parse([arguments[0], "--help"])
        return _COMPILERS[arguments[0]](arguments[1:])
    options = parse(arguments)
    level = [logging.WARNING, logging.INFO, logging.DEBUG][min(options.verbose, 2)]
    logging.basicConfig(level=level, format="drano: %(message)s", stream=sys.stderr)
    status = _COMMANDS[options.command](options)
    sys.stdout.flush()
    return status


def say(message: str) -> None:
    """One line on stderr, with control characters of untrusted text made visible."""
    with contextlib.suppress(OSError):
        print(f"drano: {printable(' '.join(message.splitlines()))}", file=sys.stderr, flush=True)


# --- commands --------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    if not options.paths and options.stdin_filename is None:
        options.paths = _units_of(options)
    if options.show_settings:
        return _show_settings(options)
    if options.fix or options.diff:
        if options.watch or options.stdin_filename is not None or "-" in options.paths:
            raise UsageError("--fix needs files, and cannot be combined with --watch")
        status = _fix(options)
        if options.diff or status == ERROR:
            return status
    if not options.watch:
        # One report and the process ends: what the collector would look through is in use.
        gc.disable()
        return _check_once(options, _given_text(options))[1]
    if options.stdin_filename is not None or "-" in options.paths:
        raise UsageError("--watch cannot be combined with a source from stdin")

    def again() -> tuple[Report, int]:
        try:
            return _check_once(options, {})
        except ConfigError as error:  # the next change may mend it
            say(f"error: {error}")
            return Report((), "", __version__), ERROR

    return watch(options.paths, again)


def _fix(options: argparse.Namespace) -> int:
    """Exit status: 1 when there is a patch to print, 2 when the runs do not agree."""
    from drano.cli.fix import (  # noqa: PLC0415 - loads LLVM
        changes,
        diff,
        sorted_paths,
        suggestions,
        summary,
        verified,
        write,
    )

    runs = getattr(options, "verify", False)
    arguments: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    if runs:
        arguments, options.clang_flags = options.clang_flags, ()
        options.paths, linked = sorted_paths(options.paths)
    report = _analyse(options.paths, options)
    settings = settings_from(options)
    quiet = options.quiet or options.command == "check"
    silent = options.quiet
    found = changes(
        report,
        settings,
        unsafe=options.unsafe_fixes,
        say=(lambda _: None) if silent else say,
    )
    if runs and found.made:
        with waiting("running both versions", wanted=not options.quiet):
            result = verified(report, settings, found, linked, arguments)
        print(result.text, end="", file=sys.stderr)
        if result.against and len(found.made) > 1:
            if not silent:
                say(f"note: {result.against}; each fix is now tried by itself")
            found = changes(
                report,
                settings,
                unsafe=options.unsafe_fixes,
                say=(lambda _: None) if silent else say,
                accepts=lambda now: not verified(report, settings, now, linked, arguments).against,
            )
        elif result.against:
            found = replace(found, units=())
        if not found.made:
            raise UsageError(f"nothing was changed: {result.against}")
    reviewed = getattr(options, "github_review", False)
    if options.diff or reviewed:
        _emit(suggestions(found) if reviewed else diff(found), options)
    else:
        write(found)
    if not quiet:
        say(summary(found, written=not (options.diff or reviewed)))
    if fails(report, settings):
        return ERROR
    return FINDINGS if options.diff and found.made else OK


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
        report = _analyse(options.paths, options, texts)
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
        report = with_measured(_analyse(options.paths, options, texts), profile)
    if options.show_fixes:
        from drano.cli.fix import offered  # noqa: PLC0415 - loads LLVM

        report = offered(report, settings_from(options))
    report = _with_confirmations(report, options, texts)
    among = sources_of(report.files)
    report = _with_standing(report, options, reader(texts, among))
    known = sum(finding.baseline == "unchanged" for finding in report.findings)
    if known and not options.quiet:
        say(f"note: {count(known, 'known finding')} omitted")
    if options.write_baseline is not None:
        text = render_baseline(report, options.write_baseline, reader(texts, among))
        _write(options.write_baseline, text)
        return report, ERROR if fails(report, settings_from(options)) else OK
    if options.add_ignore is not None:
        _add_ignores(report, options, texts)
        return report, ERROR if fails(report, settings_from(options)) else OK
    sources = Sources(overlay=texts, among=among)
    if options.sarif_output is not None:
        _write(options.sarif_output, FORMATS["sarif"](report, Scene(sources=sources)))
    _emit(_render(report, options, sources), options)
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
            _write(path, found.content.decode("utf-8", "surrogateescape"))
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
        _emit(f"# {printable(path)}: {printable(origin)}\n{text}\n", options)
    return OK


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


def _render(report: Report, options: argparse.Namespace, sources: Sources) -> str:
    if options.statistics:
        return render_statistics(report.open)
    text = TextOptions(
        color=_color(options),
        concise=options.output_format == "concise",
        show_all=options.show == "all",
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


def _capture(options: argparse.Namespace) -> int:
    from drano.python.capture import capture  # noqa: PLC0415 - loads LLVM

    settings = settings_from(options)
    found = capture(options.program, settings(str(Path.cwd() / "-")), options.keep)
    if found.status:
        say(f"note: the command ended with status {found.status}")
    if not found.records:
        say("error: the command compiled nothing that was recorded (CuPy, PyTorch, Triton)")
        return ERROR
    report = found.report
    _say_failures(report, options)
    for line in note_lines(report) if not options.quiet else ():
        say(line)
    sources = Sources(overlay=found.texts, among=sources_of(report.files))
    _emit(_render(report, options, sources), options)
    if any(file.incomplete for file in report.files):
        return ERROR
    return exit_status(report.open, options.fail_level, exit_zero=options.exit_zero)


def _dump_state(options: argparse.Namespace) -> int:
    report = _analyse([options.file], options)
    _emit(render_state(all_accesses(report), color=_color(options)), options)
    return ERROR if fails(report, settings_from(options)) else OK


def _explain(options: argparse.Namespace) -> int:
    path, line, _ = options.place
    units = [options.unit] if options.unit else units_of(path, _database_units(options))
    report, accesses = first_that_reaches(
        options.place, iter(units), lambda unit: _analyse([unit], options)
    )
    if not accesses or report is None:
        if report is not None and report.failed:
            return ERROR
        raise UsageError(f"{path}:{line}: no kernel memory access here")
    unit = report.files[0].path
    if unit != absolute(path) and not options.unit and not options.quiet:
        say(f"note: explained as a part of {unit}")
    sources = Sources(among=sources_of(report.files))
    shown = None if options.verbose else MAX_EXPLAINED
    _emit(render_explanation(accesses, sources, color=_color(options), most=shown), options)
    return OK


def _database_units(options: argparse.Namespace) -> list[str]:
    named = options.compile_commands
    return list(cuda_units(named)) if named else []


def _doctor(options: argparse.Namespace) -> int:
    from drano.cli.doctor import examine  # noqa: PLC0415 - loads LLVM

    checks = examine(config_from(options).compile, str(Path.cwd()))
    width = max(len(check.name) for check in checks)
    for item in checks:
        print(f"{item.name:<{width}}  {'ok' if item.ok else 'missing':<8} {printable(item.detail)}")
    return OK if all(item.ok or not item.required for item in checks) else ERROR


def _occupancy(options: argparse.Namespace) -> int:
    from drano.occupancy import report, usage  # noqa: PLC0415 - loads LLVM

    gpu = find_gpu(options.gpu)
    if gpu is None:
        raise UsageError(f"unknown GPU '{options.gpu}'; give its compute capability, such as sm_80")
    path = absolute(options.file)
    with waiting(f"compiling {options.file} for {gpu.arch}", wanted=not options.quiet):
        found = usage.unit_usage(path, config_from(options).compile, gpu)
    if found.problem:
        say(f"error: {path}: {found.problem}")
        return ERROR
    kernels = [kernel for file in _analyse([path], options).files for kernel in file.kernels]
    rows = report.kernel_occupancies(found, kernels, gpu, options.dynamic_shared)
    print(report.FORMATS[options.format](path, gpu, found, rows), end="")
    return OK


def _rule(options: argparse.Namespace) -> int:
    if options.all:
        print(all_pages(), end="")
    elif options.code is None:
        print(rule_list(), end="")
    else:
        rule = find_rule(options.code)
        if rule is None:
            raise UsageError(f"{options.code}: no such rule; `drano rule` lists them")
        print(rule_page(rule), end="")
    return OK


def _lsp(options: argparse.Namespace) -> int:
    # Only here: the protocol's types take longer to load than a small file takes to analyse.
    from drano.lsp.start import serve_stdio, serve_tcp  # noqa: PLC0415 - see above

    return serve_tcp(*options.tcp) if options.tcp else serve_stdio()


def _cache(options: argparse.Namespace) -> int:
    try:
        if options.action == "clean":
            print(f"deleted {result_cache.clean() / 1e6:.1f} MB")
            return OK
        print(f"{cache_dir()}")
        for part in result_cache.usage():
            print(f"{part.name:<8} {part.files:7} files {part.bytes / 1e6:9.1f} MB")
    except IRError as error:
        raise UsageError(str(error)) from error
    return OK


def _init(options: argparse.Namespace) -> int:
    def analyse(paths: Sequence[str], config: Config) -> Report:
        with ProgressBar(wanted=not options.quiet) as progress:
            jobs = Processes(
                options.jobs or default_jobs(), result_cache.ResultCache(), progress.on_done
            )
            files = ConfigFiles(lambda _: config, isolated=True)
            files.databases.roots = tuple(paths)
            return check(paths, files, jobs)

    say(start(absolute(options.directory), analyse, force=options.force))
    return OK


def _completion(options: argparse.Namespace) -> int:
    import shtab  # noqa: PLC0415 - hardly ever

    print(shtab.complete(build_parser(), options.shell))
    return OK


def _cc(arguments: list[str]) -> int:
    from drano.dynamic.compiler.cc import compile_main  # noqa: PLC0415 - loads LLVM

    return compile_main(arguments)


def _run_program(arguments: list[str]) -> int:
    from drano.dynamic.compiler.run import run_main  # noqa: PLC0415 - loads LLVM

    own, program_arguments = split_clang_flags(arguments)
    return run_main(own, program_arguments)


def _validate(options: argparse.Namespace) -> int:
    """Exit status: 1 when the analysis has missed something, 2 when the program failed."""
    from drano.dynamic.compiler.run import profile_of  # noqa: PLC0415 - loads LLVM
    from drano.dynamic.profiles import static_against_measured as facts  # noqa: PLC0415 - loads LLVM
    from drano.dynamic.profiles.measured_costs import view_of  # noqa: PLC0415 - seldom
    from drano.dynamic.profiles.nsight_compute import hardware_lines  # noqa: PLC0415 - seldom
    from drano.dynamic.reports.validate import (  # noqa: PLC0415 - seldom
        comparison_json,
        render_comparison,
    )

    hardware = hardware_lines(options.ncu) if options.ncu else None
    command, profile, status = profile_of(options.compiler_arguments, options.clang_flags)
    if profile is None:
        return ERROR
    counted = AnalysisOptions(view=view_of(profile))
    with waiting("analysing", wanted=True):
        report = check(command.cuda_sources, Config(compile=command.options, analysis=counted))
    comparisons = facts.compare(report, profile)
    if options.format == "json":
        sys.stdout.write(comparison_json(comparisons, hardware))
    else:
        shown = render_comparison(comparisons, show_all=options.show_all, hardware=hardware)
        sys.stdout.write(shown)
    missed = facts.counts(comparisons)[facts.Outcome.MISSED]
    if report.failed or status:
        say(f"note: the program ended with status {status}")
    return FINDINGS if missed else ERROR if report.failed else OK


def _report(options: argparse.Namespace) -> int:
    from drano.dynamic.reports import commands  # noqa: PLC0415 - seldom

    render = {
        "report": commands.report_text,
        "profile": commands.profile_text,
        "diff": commands.diff_text,
    }
    _emit(render[options.command](options, __version__), options)
    return OK


def _version(options: argparse.Namespace) -> int:
    print(f"drano {__version__}")
    return OK


# Commands that take a compiler's command line as it is.
_COMPILERS: Mapping[str, Callable[[list[str]], int]] = {"cc": _cc, "run": _run_program}

_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "check": _check,
    "capture": _capture,
    "explain": _explain,
    "fix": _fix,
    "dump-state": _dump_state,
    "doctor": _doctor,
    "occupancy": _occupancy,
    "rule": _rule,
    "cache": _cache,
    "completion": _completion,
    "init": _init,
    "lsp": _lsp,
    "profile": _report,
    "report": _report,
    "diff": _report,
    "validate": _validate,
    "version": _version,
}


# --- parts of commands -----------------------------------------------------------------------


def _say_failures(report: Report, options: argparse.Namespace) -> None:
    """A line for each file that failed, and for kernels that were not analysed."""
    for file in report.files:
        if file.status is not FileStatus.OK:
            say(f"error: {failure_line(file, hint=not options.verbose)}")
    if not _prints_text(options):
        for kernel, more in instances(report.not_analysed):
            say(f"error: {not_analysed_text(kernel, more)}")


def _analyse(
    paths: Sequence[str], options: argparse.Namespace, texts: Mapping[str, str] | None = None
) -> Report:
    """Run the analysis and say on stderr what went wrong: a line for each file that failed."""
    cache = None if options.no_cache else result_cache.ResultCache()
    alone = len(paths) == 1 and options.command != "check"
    with (
        waiting(f"analysing {paths[0]}" if alone else "", wanted=alone and not options.quiet),
        ProgressBar(wanted=not options.quiet) as progress,
        cluster(options.executor) if options.executor else contextlib.nullcontext() as elsewhere,
    ):
        run = Processes(options.jobs or default_jobs(), cache, progress.on_done, elsewhere)
        if _is_of_findings(options):
            run.keep = lambda report: report.without_accesses
        settings = settings_from(options)
        report = check(paths, settings, run, texts, settings.units_below)
    _say_failures(report, options)
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


def _is_of_findings(options: argparse.Namespace) -> bool:
    """Whether nobody asks for more than findings: `check` in a format for machines."""
    if options.command != "check" or not FORMATS[options.output_format].of_findings:
        return False
    more = (options.show == "all", options.profile, options.confirm, options.cubin, options.fix)
    return not any((*more, options.diff, options.show_fixes, options.compile_commands))


def _prints_text(options: argparse.Namespace) -> bool:
    """Whether the command ends with a report that names what was not analysed to its reader."""
    if options.command != "check" or options.statistics or options.write_baseline is not None:
        return False
    return options.output_format in TEXT_FORMATS


def _emit(text: str, options: argparse.Namespace) -> None:
    path = options.output_file
    if path in (None, "-"):
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        _write(path, text)


def _write(path: str, text: str) -> None:
    try:
        write_whole(path, text)
    except OSError as error:
        raise UsageError(f"{path}: cannot write the report: {error.strerror or error}") from error


def _color(options: argparse.Namespace) -> bool:
    if options.color != "auto":
        return bool(options.color == "always")
    if options.output_file not in (None, "-") or os.environ.get("NO_COLOR"):
        return False
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


if __name__ == "__main__":
    sys.exit(main())
