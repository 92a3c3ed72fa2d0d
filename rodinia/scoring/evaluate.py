"""Everything that the tables, the plots and the page are made of, computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from drano.model.settings import AnalysisOptions, Config, Domain
from rodinia import check
from rodinia.measured import counted, truth
from rodinia.measured.lines import (
    Place,
    accesses_by_line,
    base_name,
    data_dependent_places,
    finding_places,
)
from rodinia.pages import table
from rodinia.programs import run
from rodinia.programs.analyse import UnitResult, analyse
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Manifest
from rodinia.programs.run import RunResult
from rodinia.scoring import score
from rodinia.scoring.claims import Claims, false_alarms, misses
from rodinia.scoring.score import ScoredLine


class Evaluation(Struct, frozen=True):
    """``rows``: per program, the total last. ``points``: (predicted, counted) sectors of a request
    on lines with one prediction. ``pairs``: our counts beside the hardware's, of runs on inputs of
    ``pairs_size``; ``claims``: the paper's misses and false alarms, None without the tables.
    """

    rows: tuple[table.Row, ...]
    scored: dict[str, tuple[ScoredLine, ...]]
    runs: tuple[RunResult, ...]
    pairs: tuple[counted.Explained, ...]
    points: tuple[tuple[float, float], ...]
    claims: Claims | None = None
    pairs_size: Size = Size.SMALL


def evaluate(
    manifest: Manifest,
    cuda: Path,
    work: Path,
    size: Size,
    truth_path: Path | None,
    *,
    jobs: int = 1,
    on_unit: Callable[[UnitResult], None] | None = None,
) -> Evaluation:
    """Static analysis in both domains against what was counted: by the runs that lie in ``work``,
    and, for lines that none of them reached, by the hardware's table. Raises TruthError.
    """
    runs = tuple(run.results(manifest, work, size))
    by_site = _by_site(manifest, cuda, work, size)
    ours = {place: counted.total(sites) for place, sites in by_site.items()}
    # the hardware's inputs are the medium ones: only those are alike in what depends on data
    alike = _by_site(manifest, cuda, work, Size.MEDIUM)
    pairs_size = Size.MEDIUM if alike else size
    alike = alike or by_site
    hardware = truth.read_hardware(truth_path) if truth_path else ()
    theirs = counted.measured(hardware)
    dependent = data_dependent_places(manifest)
    ratios = {place: counts.ratio for place, counts in {**theirs, **ours}.items() if counts.ideal}
    lines = score.counted_lines(manifest, ratios, dependent)

    results = {
        domain: analyse(
            manifest, cuda, Config(analysis=AnalysisOptions(domain=domain)), jobs, on_unit
        )
        for domain in Domain
    }
    warp = results[Domain.WARP]
    found = accesses_by_line(warp, cuda)
    scored = {
        "warp": score.with_findings(score.judge(lines, found), finding_places(warp, cuda)),
        "gpudrano": score.judge(lines, accesses_by_line(results[Domain.GPUDRANO], cuda)),
    }
    original = truth.beside(truth_path, truth.ORIGINAL_FILE) if truth_path else None
    claims = None
    if truth_path and original is not None and original.is_file():
        flags = truth.read_original(original)
        scored["original"] = score.judge_original(manifest, lines, flags, inter=False)
        beside = truth.beside(truth_path, truth.AUTHORS_FILE)
        authors = truth.read_authors(beside) if beside.is_file() else ()
        measured = score.hardware_lines(manifest, hardware, dependent)
        complained = finding_places(warp, cuda)
        claims = Claims(
            misses(manifest, authors, flags, hardware, found, complained),
            false_alarms(manifest, cuda, flags, measured, complained),
        )
    return Evaluation(
        table.rows(manifest, check.rows(warp), warp, scored, runs),
        scored,
        runs,
        tuple(counted.explain(pair, dependent) for pair in counted.pairs(alike, hardware)),
        _points(ours, warp, cuda),
        claims,
        pairs_size,
    )


def _by_site(
    manifest: Manifest, cuda: Path, work: Path, size: Size
) -> dict[Place, dict[counted.Site, counted.Counts]]:
    good = (result for result in run.results(manifest, work, size) if result.good)
    return counted.counts_by_site([run.profile_of(work, size, r.name) for r in good], cuda)


def _points(
    ours: dict[Place, counted.Counts], results: Sequence[UnitResult], cuda: Path
) -> tuple[tuple[float, float], ...]:
    """Lines with one access whose cost is predicted, and what a request of it cost."""
    found = accesses_by_line(results, cuda)
    points = []
    for place, counts in sorted(ours.items()):
        accesses = found.get(place, ())
        sectors = [a.judgement.sectors for a in accesses]
        predicted = {counts.expected for counts in sectors if counts and counts.expected}
        kernels = {base_name(a.kernel) for a in accesses}
        if len(predicted) == 1 and len(kernels) == 1 and counts.requests:
            points.append((predicted.pop(), counts.sectors / counts.requests))
    return tuple(points)
