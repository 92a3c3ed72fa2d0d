"""``python -m rodinia score``: its arguments, and whose verdicts are judged."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from drano.model.settings import Domain
from rodinia import options
from rodinia.measured import authors, truth
from rodinia.measured.lines import Sources, accesses_by_line, data_dependent_places, finding_places
from rodinia.pages import show
from rodinia.programs.analyse import UnitResult
from rodinia.programs.manifest import Manifest
from rodinia.programs.suite import analysed, failures, rows_of
from rodinia.scoring import score, scoreboard
from rodinia.scoring.sectors import compare_sectors

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add(commands: Commands) -> None:
    """The command among the others."""
    parser = commands.add_parser("score", help="verdicts against measured sectors")
    options.common(parser)
    options.truth_table(parser, truth.HARDWARE_FILE)
    parser.add_argument("--domain", choices=(*map(str, Domain), "both"), default="both")
    parser.add_argument(
        "--other",
        action="append",
        type=options.named_file,
        default=[],
        metavar="NAME=FILE",
        help="another tool's verdicts: a table of file, line, verdict (repeatable)",
    )
    parser.add_argument(
        "--list",
        type=score.Kind,
        choices=list(score.Kind),
        help="print the lines of one kind, with source, measurement and our reason",
    )
    parser.set_defaults(run=_score)


def _score(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    rows = rows_of(chosen, truth.read_hardware(arguments.truth))
    dependent = data_dependent_places(chosen)
    hardware = score.hardware_lines(chosen, rows, dependent)
    log = _authors_log(arguments, chosen)
    logged = log.lines()
    judged: list[scoreboard.Judged] = []
    status = 0
    domains = list(Domain) if arguments.domain == "both" else [Domain(arguments.domain)]
    for domain in domains:
        results, _wall = analysed(arguments, chosen, cuda, domain)
        status = max(status, failures(results))
        judged += _judged(domain, results, cuda, rows, hardware, logged, log)
    analyses = [
        *judged,
        *_original(arguments, chosen, hardware, logged),
        *_others(arguments, hardware, logged),
    ]
    if arguments.json:
        show.write_json(arguments.json, scoreboard.as_json(chosen, analyses))
    console = options.console()
    scoreboard.report(console, chosen, analyses)
    if arguments.list:
        for analysis in judged:
            scoreboard.print_list(console, analysis, arguments.list, Sources(cuda))
    return status


def _judged(
    domain: Domain,
    results: Sequence[UnitResult],
    cuda: Path,
    rows: Sequence[truth.HardwareRow],
    hardware: tuple[score.TruthLine, ...],
    logged: dict[str, tuple[score.TruthLine, ...]],
    log: authors.Log,
) -> list[scoreboard.Judged]:
    """One domain's verdicts; for the warp domain also what its rules complain of."""
    found = accesses_by_line(results, cuda)
    verdicts = scoreboard.Judged(
        name=str(domain),
        hardware=score.judge(hardware, found),
        authors={run: score.judge(lines, found) for run, lines in logged.items()},
        accesses=found,
    )
    if domain is not Domain.WARP:
        return [verdicts]
    complained = finding_places(results, cuda)
    with_findings = replace(
        verdicts,
        name=f"{domain}, any finding",
        hardware=score.with_findings(verdicts.hardware, complained),
        authors={
            run: score.with_findings(lines, complained) for run, lines in verdicts.authors.items()
        },
    )
    sectors = compare_sectors(score.global_rows(rows), found)
    return [replace(verdicts, sectors=sectors, in_lines=log.in_lines(found)), with_findings]


def _authors_log(arguments: argparse.Namespace, chosen: Manifest) -> authors.Log:
    """Empty where it does not lie beside the hardware's table."""
    path = truth.beside(arguments.truth, truth.AUTHORS_FILE)
    rows = tuple(truth.read_authors(path)) if path.is_file() else ()
    return authors.Log(chosen, rows, data_dependent_places(chosen))


def _others(
    arguments: argparse.Namespace,
    hardware: tuple[score.TruthLine, ...],
    logged: dict[str, tuple[score.TruthLine, ...]],
) -> list[scoreboard.Judged]:
    """Other tools as further analyses."""
    found = []
    for name, path in arguments.other:
        verdicts = truth.read_verdicts(path)
        found.append(
            scoreboard.Judged(
                name=name,
                hardware=score.judge_other(hardware, verdicts),
                authors={run: score.judge_other(lines, verdicts) for run, lines in logged.items()},
                accesses={},
            )
        )
    return found


def _original(
    arguments: argparse.Namespace,
    chosen: Manifest,
    hardware: tuple[score.TruthLine, ...],
    logged: dict[str, tuple[score.TruthLine, ...]],
) -> list[scoreboard.Judged]:
    """The original pass as further analyses, where its table lies beside the hardware's."""
    path = truth.beside(arguments.truth, truth.ORIGINAL_FILE)
    if not path.is_file():
        return []
    flags = truth.read_original(path)
    return [
        scoreboard.Judged(
            name=f"original, {mode}",
            hardware=score.judge_original(chosen, hardware, flags, inter),
            authors={
                run: score.judge_original(chosen, lines, flags, inter)
                for run, lines in logged.items()
            },
            accesses={},
        )
        for mode, inter in (("intra", False), ("inter", True))
    ]
