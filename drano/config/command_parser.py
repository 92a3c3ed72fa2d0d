"""The parser of each command's arguments.

Assumption: a command line names its command first; ``drano --help`` and completions ask for all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import NoReturn, TypeAlias

from drano.config.argument_values import (
    address,
    bytes_value,
    job_count,
    place_value,
)
from drano.config.option_groups import (
    analysis_options,
    baseline_options,
    compile_options,
    confirm_options,
    fix_options,
    output_options,
    report_options,
    running_options,
)
from drano.output.roofline import DEFAULT, ROOFS
from drano.support.version import VERSION

_FORMAT = ("--format", "--output-format")
_NCU = "also show Nsight Compute measurements: its source page as CSV, or an .ncu-rep file"

_COMPILER_USAGE = {
    "cc": "drano cc SOURCE... [FLAGS]",
    "run": "drano run SOURCE... [FLAGS] [-- ARGUMENTS]",
}
_COMPILER_FLAGS = """\
flags: those of nvcc, gcc and clang (-c, -o, -I, -D, -O, -std, -arch, -l, -Xcompiler, ...), and
  --device cpu|gpu    where the program runs (default: cpu)
  --as-written        count the accesses of the source, not those left after optimisation
  --cuda-path DIR     CUDA SDK to use instead of the bundled headers
  --histogram         GPU: also count how many sectors requests touch
  --operations        GPU: also count instructions by class
  --sample 1/N        GPU: count one launch of N
  --no-count          build without counting
  -v, --dryrun        show what is done, or would be

environment: DRANO_PROFILE=FILE names the profile (default: drano-profile.json)"""


class UsageError(Exception):
    """Arguments that cannot be used; ``str()`` is one line for the user."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands, or, as that takes 20 ms less, of one if ``command`` is one's
    name; ``options.command`` is the command's name.
    """
    parser = _Parser(
        prog="drano",
        description="Find uncoalesced memory accesses in CUDA kernels, without a GPU or an SDK.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"drano {VERSION}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, add in _COMMANDS.items():
        if command not in _COMMANDS or command == name:
            add(commands)
    return parser


def _add_check(commands: _Commands) -> None:
    checker = _command(commands, "check", "analyse CUDA sources")
    checker.add_argument(
        "paths", nargs="*", metavar="PATH", help="source files or directories; -: read stdin"
    )
    checker.add_argument(
        "--show-settings", action="store_true", help="print the settings of each PATH and exit"
    )
    checker.add_argument(
        "--stdin-filename",
        metavar="FILE",
        help="read the source from stdin, as if it were this file",
    )
    checker.add_argument("--watch", action="store_true", help="check again whenever a file changes")
    checker.add_argument(
        "--fix", action="store_true", help="mend findings first, as drano fix does"
    )
    checker.add_argument(
        "--show-fixes",
        action="store_true",
        help="look for fixes and say of each finding what is offered, without changing anything",
    )
    fix_options(checker)
    output_options(checker)
    report_options(checker)
    baseline_options(checker)
    confirm_options(checker)
    running_options(checker)
    compile_options(checker)
    analysis_options(checker)


def _add_fix(commands: _Commands) -> None:
    fixer = _command(commands, "fix", "mend findings where the result is proved to be better")
    fixer.add_argument("paths", nargs="+", metavar="PATH", help="source files or directories")
    fixer.add_argument(
        "--verify",
        action="store_true",
        help="build and run both versions on the CPU before anything is written; arguments after "
        "-- are the program's",
    )
    fixer.add_argument(
        "--github-review",
        action="store_true",
        help="print the changes as suggestions of a review on GitHub instead of making them",
    )
    fix_options(fixer)
    output_options(fixer)
    running_options(fixer)
    compile_options(fixer)
    analysis_options(fixer)


def _add_capture(commands: _Commands) -> None:
    recorder = _command(
        commands, "capture", "run a Python program, and check the kernels that it compiles"
    )
    recorder.usage = "drano capture [OPTIONS] -- COMMAND [ARGUMENTS]"
    recorder.add_argument(
        "--keep", metavar="DIR", help="keep what the program compiles in this directory"
    )
    output_options(recorder)
    report_options(recorder)
    running_options(recorder)
    compile_options(recorder)
    analysis_options(recorder)


def _add_explain(commands: _Commands) -> None:
    explain = _command(commands, "explain", "show how drano derived an index")
    explain.add_argument(
        "place", type=place_value, metavar="FILE:LINE", help="location of the access"
    )
    explain.add_argument(
        "unit",
        nargs="?",
        metavar="UNIT",
        help="the .cu file that includes FILE, if FILE is a header",
    )
    _inner(explain)


def _add_dump_state(commands: _Commands) -> None:
    state = _command(commands, "dump-state", "show the analysis state at each access")
    state.add_argument("file", metavar="FILE", help="source file")
    _inner(state)


def _add_doctor(commands: _Commands) -> None:
    doctor = _command(commands, "doctor", "show which tools drano found")
    compile_options(doctor)
    analysis_options(doctor)


def _add_occupancy(commands: _Commands) -> None:
    occupancy = _command(
        commands, "occupancy", "show registers, shared memory and occupancy of kernels"
    )
    occupancy.add_argument("file", metavar="FILE", help="source file")
    occupancy.add_argument(
        "--gpu",
        metavar="NAME",
        help="GPU, such as H100, RTX 4090 or sm_86 (default: what is compiled for)",
    )
    occupancy.add_argument(
        "--dynamic-shared", type=bytes_value, default=0, metavar="BYTES",
        help="dynamic shared memory per block",
    )  # fmt: skip
    occupancy.add_argument(
        *_FORMAT, choices=["text", "table", "json"], default="text", dest="format",
        help="table: a line for each kernel",
    )  # fmt: skip
    occupancy.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    running_options(occupancy)
    compile_options(occupancy)
    analysis_options(occupancy)


def _add_rule(commands: _Commands) -> None:
    rule = _command(commands, "rule", "describe a rule, or list all rules")
    rule.add_argument("code", nargs="?", metavar="CODE", help="rule code, such as DRN001")
    rule.add_argument("--all", action="store_true", help="print all rule pages as Markdown")


def _add_init(commands: _Commands) -> None:
    init = _command(commands, "init", "create a drano.toml from a project's contents")
    init.add_argument(
        "directory", nargs="?", default=".", metavar="DIR", help="project directory (default: .)"
    )
    init.add_argument("--force", action="store_true", help="overwrite an existing drano.toml")
    init.add_argument("-q", "--quiet", action="store_true", help="hide progress")
    init.add_argument(
        "-j", "--jobs", type=job_count, metavar="N", help="number of parallel processes"
    )


def _add_lsp(commands: _Commands) -> None:
    server = _command(commands, "lsp", "run the language server on stdin and stdout")
    server.add_argument(
        "--stdio",
        action="store_true",
        help="accepted for clients that pass it; this is the default",
    )
    server.add_argument(
        "--tcp",
        type=address,
        metavar="HOST:PORT",
        help="listen on this address instead of stdin and stdout",
    )


def _add_cache(commands: _Commands) -> None:
    cache = _command(commands, "cache", "show or delete the cache")
    cache.add_argument("action", choices=["info", "clean"])


def _add_completion(commands: _Commands) -> None:
    completion = _command(commands, "completion", "print a shell completion script")
    completion.add_argument("shell", choices=["bash", "zsh", "tcsh"])


def _add_cc(commands: _Commands) -> None:
    _compiler(
        commands, "cc", "compile like nvcc, for CPU or GPU (--device), and count memory accesses"
    )


def _add_run(commands: _Commands) -> None:
    _compiler(commands, "run", "compile and run a program: SOURCE... [FLAGS] [-- ARGUMENTS]")


def _add_validate(commands: _Commands) -> None:
    validate = commands.add_parser(
        "validate",
        help="compare the analysis with counts from a run",
        description="Build and run a program, and compare its counts with the analysis.",
        allow_abbrev=False,
    )
    validate.set_defaults(command="validate")
    validate.add_argument(*_FORMAT, dest="format", choices=["text", "json"], default="text")
    validate.add_argument("--show-all", action="store_true", help="also show accesses that agree")
    validate.add_argument("--ncu", metavar="FILE", help=_NCU)
    validate.add_argument(
        "compiler_arguments",
        nargs=argparse.REMAINDER,
        metavar="SOURCE... [FLAGS] [-- ARGUMENTS]",
        help="as for drano run",
    )


def _add_report(commands: _Commands) -> None:
    reporter = _profile_command(commands, "report", "show the counts of runs")
    reporter.add_argument("profiles", nargs="*", metavar="PROFILE", help="drano-profile.json")
    reporter.add_argument(
        *_FORMAT, dest="format", choices=["text", "json", "html", "sarif"], default="text"
    )
    reporter.add_argument("--ncu", metavar="FILE", help=_NCU)
    reporter.add_argument(
        "--gpu", choices=list(ROOFS), default=DEFAULT,
        help=f"GPU whose roofline is shown (default: {DEFAULT})",
    )  # fmt: skip
    reporter.add_argument(
        "--tree",
        action="store_true",
        help="show a tree of kernels, calls, loops and lines, and a list of functions",
    )
    reporter.add_argument(
        "--importance", type=float, default=0.001, metavar="SHARE",
        help="hide tree nodes that move less than this share of all bytes (default: 0.001)",
    )  # fmt: skip


def _add_diff(commands: _Commands) -> None:
    differ = _profile_command(commands, "diff", "compare two profiles or two JSON reports")
    differ.add_argument("base", metavar="BASE")
    differ.add_argument("new", metavar="NEW")
    differ.add_argument(
        *_FORMAT, dest="format", choices=["text", "json", "markdown"], default="text"
    )


def _add_profile(commands: _Commands) -> None:
    profile = _profile_command(
        commands, "profile", "merge profiles of several runs, or import one from Nsight Compute"
    )
    profile.add_argument("action", choices=["merge", "import-ncu"])
    profile.add_argument("profiles", nargs="+", metavar="PROFILE")


def _add_version(commands: _Commands) -> None:
    _command(commands, "version", "print the version")


_COMMANDS: Mapping[str, Callable[[_Commands], None]] = {
    "check": _add_check,
    "fix": _add_fix,
    "capture": _add_capture,
    "explain": _add_explain,
    "dump-state": _add_dump_state,
    "doctor": _add_doctor,
    "occupancy": _add_occupancy,
    "rule": _add_rule,
    "init": _add_init,
    "lsp": _add_lsp,
    "cache": _add_cache,
    "completion": _add_completion,
    "cc": _add_cc,
    "run": _add_run,
    "validate": _add_validate,
    "report": _add_report,
    "diff": _add_diff,
    "profile": _add_profile,
    "version": _add_version,
}


def _inner(parser: argparse.ArgumentParser) -> None:
    """Of commands that show what the analysis is built on."""
    output_options(parser)
    running_options(parser)
    compile_options(parser)
    analysis_options(parser)


def _compiler(commands: _Commands, name: str, summary: str) -> None:
    """A command that takes a compiler's command line, which this grammar must not touch."""
    parser = commands.add_parser(
        name, help=summary, description=f"{name}: {summary}.", usage=_COMPILER_USAGE[name],
        epilog=_COMPILER_FLAGS, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.set_defaults(command=name)


def _command(commands: _Commands, name: str, summary: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{name}: {summary}.",
        epilog="Arguments after -- are passed to clang unchanged.",
        allow_abbrev=False,
    )
    parser.set_defaults(command=name)
    return parser


def _profile_command(commands: _Commands, name: str, summary: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name, help=summary, description=f"{name}: {summary}.", allow_abbrev=False
    )
    parser.set_defaults(command=name)
    parser.add_argument("--output-file", "-o", metavar="FILE", help="write the output to FILE")
    return parser
