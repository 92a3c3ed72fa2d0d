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
    assumption,
    block_shape,
    bytes_value,
    count_value,
    instance,
    place_value,
    power_of_two,
    seconds,
)
from drano.config.config_file import ConfigFiles, load_config
from drano.model.finding import Severity
from drano.model.settings import Config, Domain, View
from drano.output.entries import GroupBy
from drano.output.formats.table import FORMATS
from drano.output.roofline import DEFAULT, ROOFS
from drano.rules import RULES
from drano.run.triton_process import interpreter
from drano.triage.add_ignores import REASON

EXECUTORS = frozenset({"dask", "ray"})
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
    files.databases.roots = (os.getcwd(),)  # noqa: PTH109 - text
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
    _fix_arguments(checker)
    _output_arguments(checker)
    _report_arguments(checker)
    _baseline_arguments(checker)
    _running_arguments(checker)
    _compile_arguments(checker)
    _analysis_arguments(checker)

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
    _fix_arguments(fixer)
    _output_arguments(fixer)
    _running_arguments(fixer)
    _compile_arguments(fixer)
    _analysis_arguments(fixer)

    recorder = _command(
        commands, "capture", "run a Python program, and check the kernels that it compiles"
    )
    recorder.usage = "drano capture [OPTIONS] -- COMMAND [ARGUMENTS]"
    recorder.add_argument(
        "--keep", metavar="DIR", help="keep what the program compiles in this directory"
    )
    _output_arguments(recorder)
    _report_arguments(recorder)
    _running_arguments(recorder)
    _compile_arguments(recorder)
    _analysis_arguments(recorder)

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
        _output_arguments(command)
        _running_arguments(command)
        _compile_arguments(command)
        _analysis_arguments(command)

    doctor = _command(commands, "doctor", "show which tools drano found")
    _compile_arguments(doctor)
    _analysis_arguments(doctor)

    occupancy = _command(
        commands, "occupancy", "show registers, shared memory and occupancy of kernels"
    )
    occupancy.add_argument("file", metavar="FILE", help="source file")
    occupancy.add_argument(
        "--gpu",
        default="sm_80",
        metavar="NAME",
        help="GPU, such as H100, RTX 4090 or sm_86 (default: sm_80)",
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
    _running_arguments(occupancy)
    _compile_arguments(occupancy)
    _analysis_arguments(occupancy)

    rule = _command(commands, "rule", "describe a rule, or list all rules")
    rule.add_argument("code", nargs="?", metavar="CODE", help="rule code, such as DRN001")
    rule.add_argument("--all", action="store_true", help="print all rule pages as Markdown")
    init = _command(commands, "init", "create a drano.toml from a project's contents")
    init.add_argument(
        "directory", nargs="?", default=".", metavar="DIR", help="project directory (default: .)"
    )
    init.add_argument("--force", action="store_true", help="overwrite an existing drano.toml")
    init.add_argument("-q", "--quiet", action="store_true", help="hide progress")
    init.add_argument("-j", "--jobs", type=_jobs, metavar="N", help="number of parallel processes")
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


def _fix_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="also make fixes that are not proved to leave the results as they are",
    )
    parser.add_argument(
        "--diff", action="store_true", help="print the changes as a patch instead of making them"
    )


def _output_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--output-file", "-o", metavar="FILE", help="write the report to FILE")
    group.add_argument("--color", choices=["auto", "always", "never"], default="auto")
    group.add_argument("-q", "--quiet", action="store_true", help="print only findings and errors")
    group.add_argument(
        "-v", "--verbose", action="count", default=0, help="print more details (-vv: everything)"
    )


def _report_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("report")
    group.add_argument(
        "--output-format", "--format", dest="output_format", choices=list(FORMATS), default="full"
    )
    group.add_argument(
        "--sarif-output",
        metavar="FILE",
        help="also write a SARIF report, whatever the output format",
    )
    group.add_argument(
        "--show",
        choices=["findings", "all"],
        default="findings",
        help="all: show every access, not only findings",
    )
    group.add_argument(
        "--profile",
        metavar="FILE",
        help="rank findings by the counts in this profile from drano run",
    )
    group.add_argument(
        "--gpu", choices=list(ROOFS), default=DEFAULT,
        help=f"GPU whose roofline the HTML report shows (default: {DEFAULT})",
    )  # fmt: skip
    group.add_argument(
        "--top", type=count_value, metavar="N", help="show only the N most expensive entries"
    )
    group.add_argument(
        "--group-by",
        choices=[str(by) for by in GroupBy],
        default=str(GroupBy.CAUSE),
        help="list entries under kernels or files; cause: only the most expensive first (default)",
    )
    group.add_argument(
        "--statistics",
        action="store_true",
        help="show the number of findings per rule instead of the findings",
    )
    group.add_argument(
        "--system-headers",
        action=argparse.BooleanOptionalAction,
        help="also report findings in system and SDK headers",
    )
    group.add_argument("--timings", action="store_true", help="print timings to stderr")
    group.add_argument(
        "--exit-zero", action="store_true", help="exit with status 0 even if there are findings"
    )
    group.add_argument(
        "--allow-not-analysed",
        action=argparse.BooleanOptionalAction,
        help="do not fail on kernels and files that do not compile",
    )
    group.add_argument(
        "--fail-level",
        choices=[str(level) for level in Severity],
        default="warning",
        help="fail on findings of at least this severity (default: warning)",
    )


def _compile_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("compilation")
    group.add_argument("-I", dest="include_dirs", action="append", default=[], metavar="DIR")
    group.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]")
    group.add_argument("-U", dest="undefines", action="append", default=[], metavar="NAME")
    group.add_argument(
        "-include", dest="force_includes", action="append", default=[], metavar="FILE"
    )
    group.add_argument("-std", "--std", metavar="STANDARD", help="C++ standard, such as c++17")
    group.add_argument(
        "--cuda-gpu-arch",
        "-arch",
        dest="arch",
        metavar="SM",
        help="GPU architecture to compile for (default: sm_90)",
    )
    group.add_argument(
        "--cuda-path", metavar="DIR", help="CUDA SDK to use instead of the bundled headers"
    )
    group.add_argument(
        "-p",
        dest="compile_commands",
        metavar="DIR",
        help="directory containing compile_commands.json",
    )
    group.add_argument(
        "--no-compile-commands",
        dest="find_commands",
        action="store_false",
        default=None,
        help="do not search for compile_commands.json",
    )
    group.add_argument(
        "--compile-triton",
        metavar="PYTHON",
        help="import .py files with `# drano: triton` comments by this Python, to compile kernels",
    )
    group.add_argument(
        "--stub-missing-headers",
        action=argparse.BooleanOptionalAction,
        help="no effect: drano always continues without missing headers",
    )
    group.add_argument(
        "--instantiate",
        type=instance,
        action="append",
        default=[],
        metavar="NAME<ARGS>",
        help="kernel template instance to analyse, such as 'k<float, 4>'",
    )
    group.add_argument(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help="time limit for compiling a file, and for analysing it (default: 60)",
    )


def _baseline_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("known findings")
    known = group.add_mutually_exclusive_group()
    known.add_argument("--baseline", metavar="FILE", help="ignore findings listed in this file")
    known.add_argument(
        "--baseline-commit",
        metavar="REF",
        help="ignore findings already present at this git commit",
    )
    known.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="write a baseline of the findings to FILE instead of a report",
    )
    group.add_argument(
        "--add-ignore",
        nargs="?",
        const=REASON,
        metavar="REASON",
        help="add a comment that ignores it to each line with a finding, instead of a report",
    )
    group.add_argument(
        "--diff-only",
        action="store_true",
        help="report only on lines changed since the --baseline-commit (default: HEAD)",
    )


def _running_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("running")
    group.add_argument(
        "-j",
        "--jobs",
        type=_jobs,
        metavar="N",
        help="number of parallel processes (default: number of cores)",
    )
    group.add_argument(
        "--executor",
        type=_executor,
        metavar="KIND:ADDRESS",
        help="run on an existing cluster: dask:ADDRESS or ray:ADDRESS",
    )
    group.add_argument(
        "--no-cache", action="store_true", help="ignore cached results and analyse everything again"
    )


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:9]) <= 1024:
        raise argparse.ArgumentTypeError(f"'{text}' is not a valid number of processes")
    return int(text)


def _executor(text: str) -> str:
    kind, _, address = text.partition(":")
    if kind not in EXECUTORS or not address:
        raise argparse.ArgumentTypeError(f"'{text}' is not dask:ADDRESS or ray:ADDRESS")
    return text


def _analysis_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("analysis")
    group.add_argument(
        "--domain",
        choices=[str(domain) for domain in Domain],
        help="warp: lane by lane; gpudrano: as in the paper (default: warp)",
    )
    views = group.add_mutually_exclusive_group()
    views.add_argument(
        "--as-written",
        dest="view",
        action="store_const",
        const=str(View.WRITTEN),
        help="judge loads and stores as they appear in the source",
    )
    views.add_argument(
        "--as-compiled",
        dest="view",
        action="store_const",
        const=str(View.COMPILED),
        help="judge the requests left after compiler optimisation",
    )
    group.add_argument(
        "--tid-y",
        action=argparse.BooleanOptionalAction,
        help="gpudrano: use the variant that models threadIdx.y",
    )
    group.add_argument(
        "--block",
        type=block_shape,
        metavar="X[,Y[,Z]]",
        help="block shape for kernels without a visible launch",
    )
    group.add_argument(
        "--pointer-alignment",
        type=power_of_two,
        metavar="BYTES",
        help="alignment of kernel pointer parameters (default: 256)",
    )
    group.add_argument(
        "--assume",
        type=assumption,
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="value assumed for NAME in costs and conditions, such as n=4096 or gridDim.x=128",
    )
    group.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="CODES",
        help="enable only these rules, by code prefix",
    )
    group.add_argument(
        "--extend-select",
        action="append",
        default=[],
        metavar="CODES",
        help="also enable these rules, by code prefix",
    )
    group.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="CODES",
        help="disable these rules, by code prefix",
    )
    group = parser.add_argument_group("configuration")
    group.add_argument(
        "--config", metavar="FILE", help="use this file instead of the nearest drano.toml"
    )
    group.add_argument("--isolated", action="store_true", help="ignore all configuration files")
    group.add_argument(
        "--trust",
        action="store_true",
        help="run programs of the CUDA SDK that a configuration file names",
    )
