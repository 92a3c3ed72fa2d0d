"""Command line of the harness: arguments, exit codes.

0 done; 1 the comparison with the original found a line that it cannot explain; 2 a unit failed, or
bad input.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console
from rich.progress import Progress, TextColumn

from drano.model.settings import Domain
from rodinia import check, fixes_command, options, score_command, wavefronts_command
from rodinia.measured import counted, truth
from rodinia.measured.lines import Sources, accesses_by_line, data_dependent_places
from rodinia.measured.truth import TruthError
from rodinia.pages import page, plots, runs_report, show, table
from rodinia.programs import inputs, manifest, run
from rodinia.programs.manifest import Manifest, ManifestError
from rodinia.programs.suite import analysed, failures, rows_of
from rodinia.scoring import by_rule, compare, ranking
from rodinia.scoring.evaluate import Evaluation, evaluate


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; bad input is one line on standard error and status 2."""
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except (ManifestError, TruthError) as error:
        problem = str(error)
    except BrokenPipeError:
        # The reader has seen enough; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        problem = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except KeyboardInterrupt:
        return 130
    print(f"rodinia: error: {problem}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rodinia", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("check", help="analyse every unit and print the table of programs")
    options.common(one)
    one.add_argument("--domain", type=Domain, choices=list(Domain), default=Domain.WARP)
    one.set_defaults(run=_check)

    two = commands.add_parser(
        "compare-original", help="the paper's domain beside the flags of the original pass"
    )
    options.common(two)
    options.truth_table(two, truth.ORIGINAL_FILE)
    two.add_argument("--mode", type=compare.Mode, choices=list(compare.Mode), default="intra")
    two.add_argument(
        "--units",
        choices=("authors", "all"),
        default="authors",
        help="only the units that the authors' Makefile builds, or all (default: authors)",
    )
    two.add_argument("--list", action="store_true", help="print each line that differs")
    two.add_argument(
        "--confirmed",
        type=Path,
        metavar="FILE",
        help="the authors' dynamic results (default: the table beside --truth, if it is there)",
    )
    two.set_defaults(run=_compare)

    score_command.add(commands)

    four = commands.add_parser("inputs", help="write the programs' inputs")
    options.work(four)
    four.set_defaults(run=_inputs)

    five = commands.add_parser(
        "run", help="build and run the programs on the CPU, with their accesses counted"
    )
    options.common(five)
    options.work(five)
    five.add_argument("--truth", type=Path, metavar="FILE", help="compare with these counts")
    five.add_argument("--timeout", type=float, default=600.0, metavar="SECONDS")
    five.add_argument("--list", action="store_true", help="print each line that differs")
    five.set_defaults(run=_run)

    six = commands.add_parser("fetch", help="clone the suite at the manifest's commit")
    six.add_argument("--home", type=Path, required=True, help="where to")
    six.add_argument("--manifest", type=Path, default=manifest.DEFAULT)
    six.set_defaults(run=_fetch)

    seven = commands.add_parser("table", help="the paper's table, with what was counted")
    options.common(seven)
    options.work(seven)
    seven.add_argument("--truth", type=Path, metavar="FILE", help="the hardware's counts, too")
    seven.add_argument("--format", choices=("markdown", "csv", "html"), default="markdown")
    seven.set_defaults(run=_table)

    eight = commands.add_parser("plots", help="the same as pictures")
    nine = commands.add_parser("all", help="inputs, runs, table, plots, and a page of them")
    for last in (eight, nine):
        options.common(last)
        options.work(last)
        last.add_argument("--truth", type=Path, metavar="FILE", help="the hardware's counts, too")
        last.add_argument(
            "--out", type=Path, default=Path("rodinia-results"), metavar="DIR",
            help="what is made is written there (default: rodinia-results)",
        )  # fmt: skip
    nine.add_argument("--page", type=Path, metavar="FILE", help="the page (default: below --out)")
    fixes_command.arguments(nine)
    eight.set_defaults(run=_plots)
    nine.set_defaults(run=_all)

    ten = commands.add_parser("wavefronts", help="bank conflicts against measured wavefronts")
    options.common(ten)
    options.truth_table(ten, truth.HARDWARE_FILE)
    wavefronts_command.arguments(ten)
    ten.set_defaults(run=_wavefronts)
    eleven = commands.add_parser(
        "counts", help="the counts of runs that are there against the hardware's, line by line"
    )
    options.common(eleven)
    options.work(eleven)
    options.truth_table(eleven, truth.HARDWARE_FILE)
    eleven.add_argument("--list", action="store_true", help="print each line that differs")
    eleven.set_defaults(run=_counts)

    twelve = commands.add_parser("ranking", help="the order by cost against measured excess")
    options.common(twelve)
    options.work(twelve)
    twelve.add_argument(
        "--truth", type=Path, metavar="FILE",
        help=f"{truth.HARDWARE_FILE}, or its directory; without it: the counts of runs",
    )  # fmt: skip
    twelve.set_defaults(run=_ranking)
    thirteen = commands.add_parser("rules", help="what each rule finds, and how often it is wrong")
    options.common(thirteen)
    options.truth_table(thirteen, truth.HARDWARE_FILE)
    thirteen.add_argument("--list", action="store_true", help="print each false alarm")
    thirteen.set_defaults(run=_rules)
    fixes_command.add(commands)
    return parser


def _check(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    results, wall = analysed(arguments, chosen, cuda, arguments.domain)
    if arguments.json:
        show.write_json(arguments.json, check.as_json(results, arguments.domain, wall))
    return check.report(options.console(), results, arguments.domain, wall)


def _compare(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    flags = truth.read_original(arguments.truth)
    beside = arguments.confirmed or truth.beside(arguments.truth, truth.AUTHORS_FILE)
    wanted = arguments.confirmed or beside.is_file()
    dynamic = truth.read_authors(beside) if wanted else ()
    mode = compare.Mode(arguments.mode)
    only_theirs = arguments.units == "authors"
    if only_theirs:
        kept = (
            replace(p, units=tuple(u for u in p.units if u.in_authors_makefile))
            for p in chosen.programs
        )
        chosen = replace(chosen, programs=tuple(kept))
    results, _wall = analysed(arguments, chosen, cuda, Domain.GPUDRANO)
    lines = compare.compare_units(chosen, results, cuda, flags, mode, only_theirs, dynamic)
    if arguments.json:
        show.write_json(arguments.json, compare.as_json(chosen, lines, mode))
    title = f"Lines flagged: original ({mode}) and domain gpudrano, {arguments.units} units"
    sources = Sources(cuda) if arguments.list else None
    compare.report(options.console(), chosen, lines, title, sources)
    return failures(results) or int(bool(compare.unexplained(lines)))


def _inputs(arguments: argparse.Namespace) -> int:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"{arguments.size} inputs", total=None)
        place = inputs.make(
            arguments.work / "inputs",
            arguments.size,
            lambda name: progress.update(task, description=f"{arguments.size} inputs: {name}"),
        )
    print(place)
    return 0


def _fetch(arguments: argparse.Namespace) -> int:
    manifest.fetch(arguments.home, manifest.load(arguments.manifest))
    return 0


def _evaluate(arguments: argparse.Namespace, chosen: Manifest, cuda: Path) -> Evaluation:
    errors = Console(stderr=True)
    with Progress(console=errors, disable=not errors.is_terminal) as progress:
        task = progress.add_task("analyse", total=chosen.units * len(Domain))
        return evaluate(
            chosen, cuda, arguments.work, arguments.size, arguments.truth, jobs=arguments.jobs,
            on_unit=lambda _: progress.update(task, advance=1),
        )  # fmt: skip


def _table(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    rows = _evaluate(arguments, chosen, cuda).rows
    body = [*map(table.cells, rows), table.paper_cells(chosen)]
    print(_tables(arguments.format, body), end="")
    return 0


def _tables(kind: str, body: Sequence[Sequence[show.Cell]]) -> str:
    if kind == "csv":
        return table.as_csv(table.HEADINGS, body)
    if kind == "html":
        return table.as_html("Rodinia", table.HEADINGS, body)
    return table.markdown(table.HEADINGS, body)


def _plots(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    evaluation = _evaluate(arguments, chosen, cuda)
    for path in plots.write(arguments.out, evaluation.rows[:-1], evaluation.points):
        print(path)
    return 0


def _all(arguments: argparse.Namespace) -> int:
    """From nothing to the page; what was done before an interruption is not done again."""
    if not arguments.home.exists():
        manifest.fetch(arguments.home, manifest.load(arguments.manifest))
    chosen, cuda = options.load(arguments)
    _, warning = manifest.check_home(arguments.home, chosen)
    status = _inputs(arguments)
    arguments.list = False
    status = max(status, _run(arguments))
    outcomes = fixes_command.measure(arguments, chosen, cuda)
    evaluation = _evaluate(arguments, chosen, cuda)
    out: Path = arguments.out
    body = [*map(table.cells, evaluation.rows), table.paper_cells(chosen)]
    for kind in ("csv", "html"):
        show.write_text(out / f"table.{kind}", _tables(kind, body))
    pictures = plots.write(out / "plots", evaluation.rows[:-1], evaluation.points)
    place: Path = arguments.page or out / "rodinia.md"
    text = page.page(
        chosen, evaluation, arguments.size, pictures, place.parent, fixes=outcomes, warning=warning
    )
    show.write_text(place, text)
    print(place)
    return status


def _run(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    runs = sum(len(program.runs) for program in chosen.programs)
    columns = (*Progress.get_default_columns(), TextColumn("{task.fields[run]}"))
    errors = Console(stderr=True)
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as progress:
        task = progress.add_task("run", total=runs, run="")
        done = run.run_all(
            chosen, cuda, arguments.work, arguments.size, timeout=arguments.timeout,
            jobs=arguments.jobs,
            on_run=lambda result: progress.update(task, advance=1, run=result.name),
        )  # fmt: skip
    pairs = _explained(arguments, chosen, cuda) if arguments.truth else ()
    if arguments.json:
        show.write_json(arguments.json, runs_report.as_json(done, pairs))
    runs_report.report(options.console(), done, pairs, listed=arguments.list)
    return 0 if all(result.good for result in done) else 2


def _explained(
    arguments: argparse.Namespace, chosen: Manifest, cuda: Path
) -> tuple[counted.Explained, ...]:
    """Lines of the runs that are there beside the hardware's."""
    profiles = wavefronts_command.good_profiles(chosen, arguments.work, arguments.size)
    rows = rows_of(chosen, truth.read_hardware(arguments.truth))
    dependent = data_dependent_places(chosen)
    found = counted.pairs(counted.counts_by_site(profiles, cuda), rows)
    return tuple(counted.explain(pair, dependent) for pair in found)


def _counts(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    lines = _explained(arguments, chosen, cuda)
    if arguments.json:
        show.write_json(arguments.json, runs_report.as_json((), lines))
    runs_report.report_counts(options.console(), lines, listed=arguments.list)
    return 0


def _wavefronts(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    rows = [row for row in rows_of(chosen, truth.read_hardware(arguments.truth)) if row.wavefronts]
    used = {row.file.split("/", 1)[0] for row in rows}
    kept = tuple(p for p in chosen.programs if p.directory.split("/", 1)[0] in used)
    chosen = replace(chosen, programs=kept)
    results, _wall = analysed(arguments, chosen, cuda, Domain.WARP)
    wavefronts_command.tables(arguments, chosen, cuda, results, rows)
    return failures(results)


def _rules(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    rows = rows_of(chosen, truth.read_hardware(arguments.truth))
    results, _wall = analysed(arguments, chosen, cuda, Domain.WARP, by_rule.EXTRA)
    found = by_rule.by_rule(results, rows, cuda)
    if arguments.json:
        show.write_json(arguments.json, by_rule.as_json(found))
    by_rule.report(options.console(), found, listed=arguments.list)
    return failures(results)


def _ranking(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    results, _wall = analysed(arguments, chosen, cuda, Domain.WARP)
    accesses = accesses_by_line(results, cuda)
    if arguments.truth:
        rows = rows_of(chosen, truth.read_hardware(arguments.truth))
        found = ranking.rankings(rows, accesses)
    else:
        profiles = wavefronts_command.good_profiles(chosen, arguments.work, arguments.size)
        runs = ((place.parent.name, counted.counts([place], cuda)) for place in profiles)
        found = ranking.own_rankings(runs, accesses)
    if arguments.json:
        show.write_json(arguments.json, ranking.as_json(found))
    ranking.report(options.console(), found)
    return failures(results)


if __name__ == "__main__":
    sys.exit(main())
