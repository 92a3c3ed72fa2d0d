"""The commands but `check` and `fix`: each gets its arguments and gives the exit status."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from drano.cli.analysis import analyse, exit_status, fails, render, say_failures
from drano.cli.console import ERROR, FINDINGS, OK, emit, say, use_color
from drano.cli.explain import first_that_reaches, units_of
from drano.cli.init import start
from drano.cli.progress_bar import ProgressBar, waiting
from drano.config.arguments import config_from, settings_from, split_clang_flags
from drano.config.command_parser import UsageError, build_parser
from drano.config.config_file import ConfigFiles
from drano.frontend.commands.compile_database import cuda_units, with_compile_commands
from drano.model.gpus import compiled_gpu, find_gpu
from drano.model.report import Report
from drano.model.settings import AnalysisOptions, Config
from drano.model.source_files import sources_of
from drano.output.explain import MAX_EXPLAINED, render_explanation, render_state
from drano.output.formats.closing import all_accesses
from drano.output.input_problems import note_lines
from drano.output.source_lines import Sources, printable
from drano.rules.pages import all_pages, find_rule, rule_list, rule_page
from drano.run import result_cache
from drano.run.driver import absolute, check
from drano.run.parallel import Processes, default_jobs
from drano.support.cache_directory import cache_dir
from drano.support.errors import IRError
from drano.support.version import VERSION


def capture_command(options: argparse.Namespace) -> int:
    """`drano capture`: run a program, report on what it compiles."""
    from drano.python.capture import capture  # noqa: PLC0415 - loads LLVM

    settings = settings_from(options)
    found = capture(options.program, settings(str(Path.cwd() / "-")), options.keep)
    if found.status:
        say(f"note: the command ended with status {found.status}")
    for text in found.notes:
        say(f"note: {text}")
    if not found.records:
        libraries = "CuPy, CUDA Python, JAX, Numba, PyCUDA, PyTorch, Triton, Warp"
        say(f"error: the command compiled nothing that was recorded ({libraries})")
        return ERROR
    report = found.report
    say_failures(report, options)
    for line in note_lines(report) if not options.quiet else ():
        say(line)
    sources = Sources(overlay=found.texts, among=sources_of(report.files))
    emit(render(report, options, sources), options)
    if any(file.incomplete for file in report.files):
        return ERROR
    return exit_status(report.open, options.fail_level, exit_zero=options.exit_zero)


def dump_state(options: argparse.Namespace) -> int:
    """`drano dump-state`: abstract values of all accesses."""
    report = analyse([options.file], options)
    emit(render_state(all_accesses(report), color=use_color(options)), options)
    return ERROR if fails(report, settings_from(options)) else OK


def explain(options: argparse.Namespace) -> int:
    """`drano explain`: how the addresses of one line come about."""
    path, line, _ = options.place
    units = [options.unit] if options.unit else units_of(path, _database_units(options))
    report, accesses = first_that_reaches(
        options.place, iter(units), lambda unit: analyse([unit], options)
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
    emit(render_explanation(accesses, sources, color=use_color(options), most=shown), options)
    return OK


def _database_units(options: argparse.Namespace) -> list[str]:
    named = options.compile_commands
    return list(cuda_units(named)) if named else []


def doctor(options: argparse.Namespace) -> int:
    """`drano doctor`: what is there to work with."""
    from drano.cli.doctor import examine  # noqa: PLC0415 - loads LLVM

    checks = examine(config_from(options).compile, str(Path.cwd()))
    width = max(len(check.name) for check in checks)
    for item in checks:
        print(f"{item.name:<{width}}  {'ok' if item.ok else 'missing':<8} {printable(item.detail)}")
    return OK if all(item.ok or not item.required for item in checks) else ERROR


def occupancy(options: argparse.Namespace) -> int:
    """`drano occupancy`: what limits the warps of each kernel."""
    from drano.occupancy import report, usage  # noqa: PLC0415 - loads LLVM

    path = absolute(options.file)
    compiled = with_compile_commands(path, settings_from(options)(path).compile)
    name = options.gpu or compiled_gpu(compiled.architecture)
    gpu = find_gpu(name)
    if gpu is None:
        raise UsageError(f"unknown GPU '{name}'; give its compute capability, such as sm_80")
    with waiting(f"compiling {options.file} for {gpu.arch}", wanted=not options.quiet):
        found = usage.unit_usage(path, compiled, gpu)
    if found.problem:
        say(f"error: {path}: {found.problem}")
        return ERROR
    kernels = [kernel for file in analyse([path], options).files for kernel in file.kernels]
    rows = report.kernel_occupancies(found, kernels, gpu, options.dynamic_shared)
    print(report.FORMATS[options.format](path, gpu, found, rows), end="")
    return ERROR if found.not_analysed else OK


def rule(options: argparse.Namespace) -> int:
    """`drano rule`: one rule, or all."""
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


def lsp(options: argparse.Namespace) -> int:
    """`drano lsp`: the language server."""
    # Only here: the protocol's types take longer to load than a small file takes to analyse.
    from drano.lsp.start import serve_stdio, serve_tcp  # noqa: PLC0415 - see above

    return serve_tcp(*options.tcp) if options.tcp else serve_stdio()


def cache(options: argparse.Namespace) -> int:
    """`drano cache`: what is in it, or delete it."""
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


def init(options: argparse.Namespace) -> int:
    """`drano init`: write a drano.toml."""

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


def completion(options: argparse.Namespace) -> int:
    """`drano completion`: a script for a shell."""
    import shtab  # noqa: PLC0415 - hardly ever

    print(shtab.complete(build_parser(), options.shell))
    return OK


def cc(arguments: list[str]) -> int:
    """`drano cc`: compile as nvcc does, and count."""
    from drano.dynamic.compiler.cc import compile_main  # noqa: PLC0415 - loads LLVM

    return compile_main(arguments)


def run_program(arguments: list[str]) -> int:
    """`drano run`: compile and run a program."""
    from drano.dynamic.compiler.run import run_main  # noqa: PLC0415 - loads LLVM

    own, program_arguments = split_clang_flags(arguments)
    return run_main(own, program_arguments)


def validate(options: argparse.Namespace) -> int:
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


def report_command(options: argparse.Namespace) -> int:
    """`drano report`, `profile` and `diff`: what was counted."""
    from drano.dynamic.reports import commands  # noqa: PLC0415 - seldom

    render = {
        "report": commands.report_text,
        "profile": commands.profile_text,
        "diff": commands.diff_text,
    }
    emit(render[options.command](options, VERSION), options)
    return OK


def version(options: argparse.Namespace) -> int:
    """`drano version`."""
    print(f"drano {VERSION}")
    return OK
