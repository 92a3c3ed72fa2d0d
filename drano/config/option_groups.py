"""Groups of options that several commands take."""

from __future__ import annotations

import argparse

from drano.config.argument_values import (
    assumption,
    block_shape,
    count_value,
    executor,
    instance,
    job_count,
    power_of_two,
    seconds,
)
from drano.model.finding import Severity
from drano.model.settings import Domain, View
from drano.output.entries import GroupBy
from drano.output.formats.table import FORMATS
from drano.output.roofline import DEFAULT, ROOFS
from drano.triage.add_ignores import REASON


def fix_options(parser: argparse.ArgumentParser) -> None:
    """Which fixes are made, and how they are shown."""
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="also make fixes that are not proved to leave the results as they are",
    )
    parser.add_argument(
        "--diff", action="store_true", help="print the changes as a patch instead of making them"
    )


def output_options(parser: argparse.ArgumentParser) -> None:
    """Where reports go, and how much they say."""
    group = parser.add_argument_group("output")
    group.add_argument("--output-file", "-o", metavar="FILE", help="write the report to FILE")
    group.add_argument("--color", choices=["auto", "always", "never"], default="auto")
    group.add_argument("-q", "--quiet", action="store_true", help="print only findings and errors")
    group.add_argument(
        "-v", "--verbose", action="count", default=0, help="print more details (-vv: everything)"
    )


def report_options(parser: argparse.ArgumentParser) -> None:
    """What a report of findings shows, and in which format."""
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
        help="all: show every access, and refuted findings, too",
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
        help="also analyse kernels of system and SDK headers, and report findings there",
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


def compile_options(parser: argparse.ArgumentParser) -> None:
    """How sources are compiled."""
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
        help="import .py files with `# drano: triton` or `# drano: numba` comments by this Python, "
        "to compile kernels",
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
        help="time limit for compiling a file, and for analysing it (default: 300)",
    )


def baseline_options(parser: argparse.ArgumentParser) -> None:
    """Findings that are known already."""
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


def confirm_options(parser: argparse.ArgumentParser) -> None:
    """What findings are held against."""
    group = parser.add_argument_group("confirmation")
    group.add_argument(
        "--confirm",
        action="store_true",
        help="compile sources with findings by nvcc, and mark findings as confirmed or refuted",
    )
    group.add_argument(
        "--cubin",
        action="append",
        default=[],
        metavar="FILE",
        help="mark findings by the code in this object, executable, .cubin, .fatbin or .ptx with "
        "line information",
    )


def running_options(parser: argparse.ArgumentParser) -> None:
    """Processes and time."""
    group = parser.add_argument_group("running")
    group.add_argument(
        "-j",
        "--jobs",
        type=job_count,
        metavar="N",
        help="number of parallel processes (default: number of cores)",
    )
    group.add_argument(
        "--executor",
        type=executor,
        metavar="KIND:ADDRESS",
        help="run on an existing cluster: dask:ADDRESS or ray:ADDRESS",
    )
    group.add_argument(
        "--no-cache", action="store_true", help="ignore cached results and analyse everything again"
    )


def analysis_options(parser: argparse.ArgumentParser) -> None:
    """What is assumed, and how far the analysis goes."""
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
        help="value assumed for NAME in costs and conditions, such as n=4096, p.pitch=8 or "
        "gridDim.x=128",
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
