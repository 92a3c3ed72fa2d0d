"""The command line's grammar: parsers, the types of their values, and the ``Config`` they make."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from drano import __version__
from drano.analysis.rules import RULES
from drano.config import AnalysisOptions, CompileOptions, Config, Domain
from drano.finding import Severity
from drano.output.formats import FORMATS

MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)


class UsageError(Exception):
    """Arguments that cannot be used; ``str()`` is one line for the user."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of one command; what stands behind ``--`` is ``options.clang_flags``."""
    own, clang_flags = split_clang_flags(arguments)
    options = build_parser().parse_args(own)
    options.clang_flags = clang_flags
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


def config_from(options: argparse.Namespace) -> Config:
    """The run's settings as the command line gives them."""
    compile_options = CompileOptions(
        include_dirs=tuple(options.include_dirs),
        defines=tuple(options.defines),
        undefines=tuple(options.undefines),
        force_includes=tuple(options.force_includes),
        std=options.std,
        arch=options.arch,
        cuda_path=options.cuda_path,
        compile_commands=options.compile_commands,
        stub_missing_headers=options.stub_missing_headers,
        flags=options.clang_flags,
        timeout=options.timeout,
    )
    analysis = AnalysisOptions(
        domain=Domain(options.domain),
        tid_y=options.tid_y,
        block=options.block,
        pointer_alignment=options.pointer_alignment,
    )
    return Config(compile_options, analysis, _codes(options.select), _codes(options.ignore))


def _codes(given: Sequence[str]) -> tuple[str, ...]:
    """Rule codes from ``--select A,B --select C``; each must begin some rule's code."""
    codes = tuple(code.strip().upper() for text in given for code in text.split(",") if code)
    for code in codes:
        if not any(known.startswith(code) for known in RULES):
            raise UsageError(f"{code}: no such rule; the rules are {', '.join(RULES)}")
    return codes


def block_shape(text: str) -> tuple[int, int, int]:
    """A block shape, as CUDA allows them.

    >>> block_shape("256"), block_shape("16,16"), block_shape("8x8x4")
    ((256, 1, 1), (16, 16, 1), (8, 8, 4))
    """
    parts = text.replace("x", ",").split(",")
    if not 1 <= len(parts) <= 3 or not all(p.isascii() and p.isdigit() for p in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is not X[,Y[,Z]] with positive numbers")
    x, y, z = (*(int(part[:9]) for part in parts), 1, 1)[:3]
    if not all(1 <= size <= most for size, most in zip((x, y, z), MAX_BLOCK, strict=True)):
        raise argparse.ArgumentTypeError(f"'{text}': CUDA allows sizes up to 1024, 1024, 64")
    if x * y * z > MAX_THREADS:
        raise argparse.ArgumentTypeError(f"'{text}': more than {MAX_THREADS} threads a block")
    return (x, y, z)


def _place(text: str) -> tuple[str, int, int]:
    """FILE:LINE or FILE:LINE:COLUMN."""
    path, _, last = text.rpartition(":")
    before, _, middle = path.rpartition(":")
    if before and middle.isdigit() and last.isdigit():
        return before, int(middle), int(last)
    if path and last.isdigit():
        return path, int(last), 0
    raise argparse.ArgumentTypeError(f"'{text}' is not FILE:LINE[:COLUMN]")


def _power_of_two(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if value < 1 or value & (value - 1):
        raise argparse.ArgumentTypeError(f"'{text}' is not a power of two")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds")
    return value


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
    checker.add_argument("paths", nargs="+", metavar="PATH", help="source files or directories")
    _output_arguments(checker)
    _report_arguments(checker)
    _compile_arguments(checker)
    _analysis_arguments(checker)

    explain = _command(commands, "explain", "show how an index was derived")
    explain.add_argument("place", type=_place, metavar="FILE:LINE", help="where the access is")
    explain.add_argument(
        "unit", nargs="?", metavar="UNIT", help="the .cu file that includes FILE, if not itself"
    )
    state = _command(commands, "dump-state", "show the state at each access")
    state.add_argument("file", metavar="FILE", help="source file")
    for command in (explain, state):
        _output_arguments(command)
        _compile_arguments(command)
        _analysis_arguments(command)

    doctor = _command(commands, "doctor", "say which tools were found")
    _compile_arguments(doctor)
    _analysis_arguments(doctor)

    rule = _command(commands, "rule", "describe a rule, or list them")
    rule.add_argument("code", nargs="?", metavar="CODE", help="such as DRN001")
    rule.add_argument("--all", action="store_true", help="all pages, as Markdown")
    _command(commands, "version", "print the version")
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser], name: str, summary: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{name}: {summary}.",
        epilog="Arguments behind -- go to clang as they are.",
        allow_abbrev=False,
    )
    parser.set_defaults(command=name)
    return parser


def _output_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--output-file", "-o", metavar="FILE", help="write the report there")
    group.add_argument("--color", choices=["auto", "always", "never"], default="auto")
    group.add_argument("-q", "--quiet", action="store_true", help="only findings and errors")
    group.add_argument("-v", "--verbose", action="count", default=0, help="say more (-vv: all)")


def _report_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("report")
    group.add_argument("--output-format", choices=list(FORMATS), default="full")
    group.add_argument(
        "--sarif-output", metavar="FILE", help="write a SARIF report, too, whatever the format"
    )
    group.add_argument(
        "--show",
        choices=["findings", "all"],
        default="findings",
        help="all: every access, not only findings",
    )
    group.add_argument("--timings", action="store_true", help="where the time went, on stderr")
    group.add_argument("--exit-zero", action="store_true", help="findings do not fail the run")
    group.add_argument(
        "--fail-level",
        choices=[str(level) for level in Severity],
        default="warning",
        help="lesser findings do not fail the run (warning)",
    )


def _compile_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("compilation")
    group.add_argument("-I", dest="include_dirs", action="append", default=[], metavar="DIR")
    group.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]")
    group.add_argument("-U", dest="undefines", action="append", default=[], metavar="NAME")
    group.add_argument(
        "-include", dest="force_includes", action="append", default=[], metavar="FILE"
    )
    group.add_argument("-std", "--std", metavar="STANDARD", help="such as c++17")
    group.add_argument(
        "--cuda-gpu-arch",
        "-arch",
        dest="arch",
        default="sm_70",
        metavar="SM",
        help="virtual device to compile for (sm_70)",
    )
    group.add_argument("--cuda-path", metavar="DIR", help="CUDA SDK to use instead of our headers")
    group.add_argument(
        "-p", dest="compile_commands", metavar="DIR", help="directory of compile_commands.json"
    )
    group.add_argument(
        "--stub-missing-headers",
        action="store_true",
        help="treat headers that are not found as empty",
    )
    group.add_argument(
        "--timeout", type=_seconds, default=60.0, metavar="SECONDS", help="for one file (60)"
    )


def _analysis_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("analysis")
    group.add_argument(
        "--domain",
        choices=[str(domain) for domain in Domain],
        default="warp",
        help="warp: lane by lane; gpudrano: the paper's (warp)",
    )
    group.add_argument(
        "--tid-y", action="store_true", help="gpudrano: the variant with threadIdx.y"
    )
    group.add_argument(
        "--block",
        type=block_shape,
        metavar="X[,Y[,Z]]",
        help="block shape of kernels whose launch is not seen",
    )
    group.add_argument(
        "--pointer-alignment",
        type=_power_of_two,
        default=256,
        metavar="BYTES",
        help="alignment of kernels' pointer parameters (256)",
    )
    group.add_argument(
        "--select", action="append", default=[], metavar="CODES", help="only these rules, by prefix"
    )
    group.add_argument(
        "--ignore", action="append", default=[], metavar="CODES", help="not these rules, by prefix"
    )
