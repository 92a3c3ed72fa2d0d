"""The command line's grammar: parsers, the types of their values, and the ``Config`` they make."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Sequence
from typing import Any, NoReturn

from drano import __version__
from drano.config.argument_values import (
    address,
    bytes_value,
    job_count,
    place_value,
)
from drano.config.config_file import ConfigFiles, load_config
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
from drano.model.settings import Config, Domain, View
from drano.output.roofline import DEFAULT, ROOFS
from drano.rules import RULES
from drano.run.annotated_kernels import interpreter

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


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of one command; what stands behind ``--`` is ``options.clang_flags``, for
    ``capture`` the command to run, ``options.program``.
    """
    own, clang_flags = split_clang_flags(arguments)
    options = build_parser().parse_args(own)
    options.clang_flags = clang_flags
    if options.command == "capture":
        if not clang_flags:
            raise UsageError("capture needs a command: drano capture -- python script.py")
        options.program, options.clang_flags = list(clang_flags), ()
    given = options.command != "check" or options.paths or options.stdin_filename is not None
    if not given and options.compile_commands is None:
        raise UsageError("the following arguments are required: PATH (see drano check --help)")
    options.verbose = getattr(options, "verbose", 0)
    return options


def split_clang_flags(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Our arguments, and what stands behind ``--``.

    >>> split_clang_flags(["check", "a.cu", "--", "-O1"])
    (['check', 'a.cu'], ('-O1',))
    """
    if "--" not in arguments:
        return list(arguments), ()
    at = arguments.index("--")
    return list(arguments[:at]), tuple(arguments[at + 1 :])


def settings_from(options: argparse.Namespace) -> ConfigFiles:
    """The settings of each source: the command line over the nearest configuration file."""
    only = None if options.config is None else os.path.abspath(options.config)
    files = ConfigFiles(lambda base: config_from(options, base), only, options.isolated)
    files.databases.roots = (os.getcwd(),)
    if only is not None:
        if options.isolated:
            raise UsageError("--config and --isolated cannot be combined")
        load_config(only)
    return files


def config_from(options: argparse.Namespace, base: Config | None = None) -> Config:
    """The settings that the command line gives, over those of ``base``.

    Single values replace the file's; include directories are searched before the file's, macros
    and flags come behind them; ``--select`` replaces all that the file says of rules to use, and
    what ``--extend-select`` names the file does not ignore.
    """
    base = base or Config()
    old, given = base.compile, options
    compile_options = _given(
        old,
        include_dirs=(*given.include_dirs, *old.include_dirs),
        defines=(*old.defines, *given.defines),
        undefines=(*old.undefines, *given.undefines),
        force_includes=(*old.force_includes, *given.force_includes),
        std=given.std,
        arch=given.arch,
        cuda_path=given.cuda_path,
        tools_path=given.cuda_path or (old.cuda_path if _is_trusted(given, base.root) else None),
        compile_commands=given.compile_commands,
        instantiate=(*old.instantiate, *given.instantiate),
        find_commands=given.find_commands,
        stub_missing_headers=given.stub_missing_headers,
        triton_python=given.compile_triton and interpreter(given.compile_triton),
        flags=(*old.flags, *given.clang_flags),
        timeout=given.timeout,
    )
    analysis = _given(
        base.analysis,
        domain=None if given.domain is None else Domain(given.domain),
        view=None if given.view is None else View(given.view),
        tid_y=given.tid_y,
        block=given.block,
        pointer_alignment=given.pointer_alignment,
        assume=(*base.analysis.assume, *given.assume),
        measured=getattr(given, "measured", None),
        derive_all=given.command == "explain" or getattr(given, "show", None) == "all" or None,
    )
    select, ignore = _codes(given.select), _codes(given.ignore)
    extend = _codes(given.extend_select)
    if select:
        base = dataclasses.replace(base, select=select, extend_select=(), ignore=())
    kept = (code for code in base.ignore if not code.startswith(extend))
    base = _given(
        base,
        allow_not_analysed=getattr(given, "allow_not_analysed", None),
        system_headers=getattr(given, "system_headers", None),
    )
    return dataclasses.replace(
        base,
        compile=compile_options,
        analysis=analysis,
        extend_select=(*base.extend_select, *extend),
        ignore=(*kept, *ignore),
    )


def _is_trusted(options: argparse.Namespace, root: str) -> bool:
    """Whether programs that the configuration file in ``root`` names may be run: as the user says
    now, or has said of a directory once and for all.
    """
    named = os.environ.get("DRANO_TRUST", "").split(os.pathsep)
    trusted = (os.path.realpath(name) for name in named if name)
    real = os.path.realpath(root or os.sep)
    return options.trust or any(os.path.commonpath([real, name]) == name for name in trusted)


def _given(old: Any, **values: Any) -> Any:
    """``old`` with those values that are not None."""
    return dataclasses.replace(old, **{k: v for k, v in values.items() if v is not None})


def _codes(given: Sequence[str]) -> tuple[str, ...]:
    """Rule codes from ``--select A,B --select C``; each must begin some rule's code."""
    codes = tuple(code.strip().upper() for text in given for code in text.split(",") if code)
    for code in codes:
        if not any(known.startswith(code) for known in RULES):
            raise UsageError(f"{code}: no such rule; known rules: {', '.join(RULES)}")
    return codes


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands; ``options.command`` is the command's name."""
    parser = _Parser(
        prog="drano",
        description="Find uncoalesced memory accesses in CUDA kernels, without a GPU or an SDK.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"drano {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

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
    state = _command(commands, "dump-state", "show the analysis state at each access")
    state.add_argument("file", metavar="FILE", help="source file")
    for command in (explain, state):
        output_options(command)
        running_options(command)
        compile_options(command)
        analysis_options(command)

    doctor = _command(commands, "doctor", "show which tools drano found")
    compile_options(doctor)
    analysis_options(doctor)

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

    rule = _command(commands, "rule", "describe a rule, or list all rules")
    rule.add_argument("code", nargs="?", metavar="CODE", help="rule code, such as DRN001")
    rule.add_argument("--all", action="store_true", help="print all rule pages as Markdown")
    init = _command(commands, "init", "create a drano.toml from a project's contents")
    init.add_argument(
        "directory", nargs="?", default=".", metavar="DIR", help="project directory (default: .)"
    )
    init.add_argument("--force", action="store_true", help="overwrite an existing drano.toml")
    init.add_argument("-q", "--quiet", action="store_true", help="hide progress")
    init.add_argument(
        "-j", "--jobs", type=job_count, metavar="N", help="number of parallel processes"
    )
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
    cache = _command(commands, "cache", "show or delete the cache")
    cache.add_argument("action", choices=["info", "clean"])
    completion = _command(commands, "completion", "print a shell completion script")
    completion.add_argument("shell", choices=["bash", "zsh", "tcsh"])
    for name, summary in (
        ("cc", "compile like nvcc, for CPU or GPU (--device), and count memory accesses"),
        ("run", "compile and run a program: SOURCE... [FLAGS] [-- ARGUMENTS]"),
    ):  # these take a compiler's command line, which the command line's grammar must not touch
        compiler = commands.add_parser(
            name, help=summary, description=f"{name}: {summary}.", usage=_COMPILER_USAGE[name],
            epilog=_COMPILER_FLAGS, formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        compiler.set_defaults(command=name)
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
    differ = _profile_command(commands, "diff", "compare two profiles or two JSON reports")
    differ.add_argument("base", metavar="BASE")
    differ.add_argument("new", metavar="NEW")
    differ.add_argument(
        *_FORMAT, dest="format", choices=["text", "json", "markdown"], default="text"
    )
    profile = _profile_command(
        commands, "profile", "merge profiles of several runs, or import one from Nsight Compute"
    )
    profile.add_argument("action", choices=["merge", "import-ncu"])
    profile.add_argument("profiles", nargs="+", metavar="PROFILE")
    _command(commands, "version", "print the version")
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser], name: str, summary: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{name}: {summary}.",
        epilog="Arguments after -- are passed to clang unchanged.",
        allow_abbrev=False,
    )
    parser.set_defaults(command=name)
    return parser


def _profile_command(
    commands: argparse._SubParsersAction[_Parser], name: str, summary: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name, help=summary, description=f"{name}: {summary}.", allow_abbrev=False
    )
    parser.set_defaults(command=name)
    parser.add_argument("--output-file", "-o", metavar="FILE", help="write the output to FILE")
    return parser
