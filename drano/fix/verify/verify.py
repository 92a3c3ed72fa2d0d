"""``drano fix --verify``: both versions built and run, compared, and what each kernel takes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.profiles.display_names import first_argument
from drano.fix.edit import Relaid
from drano.fix.verify.compare import LINE, differences
from drano.fix.verify.mirror import in_mirror, mirror, mirrored
from drano.fix.verify.observe import Observed, build_program, failed, observe
from drano.fix.verify.relaid import as_before
from drano.model.settings import CompileOptions

SECONDS: Final = 300.0
_RUNS: Final = 8


class Program(Struct, frozen=True):
    """How a program is built and run. ``sources``: all that are linked; ``files``: what they are
    made of, as far as known; ``words``: further words for the compiler; ``inputs``: what is linked
    into the directory that it runs in, one of its own then; ``environment``: of the run.
    """

    sources: tuple[str, ...]
    files: tuple[str, ...]
    words: tuple[str, ...]
    arguments: tuple[str, ...]
    include_dirs: tuple[str, ...] = ()
    seconds: float = SECONDS
    inputs: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()


class Row(Struct, frozen=True):
    """What one kernel takes, before and after."""

    kernel: str
    sectors: tuple[int, int]
    wavefronts: tuple[int, int]


class Verified(Struct, frozen=True):
    """``against``: what speaks against the fixes, [] where all agrees; ``rows``: of the kernels
    whose numbers differ; ``races``: conflicts that both versions have.
    """

    against: tuple[str, ...]
    rows: tuple[Row, ...]
    races: int = 0

    @property
    def agrees(self) -> bool:
        """Whether nothing speaks against the fixes."""
        return not self.against


def compiler_words(options: CompileOptions) -> tuple[str, ...]:
    """What a compiler is told of the settings, include directories apart."""
    return (
        *(f"-D{name}" for name in options.defines),
        *(f"-U{name}" for name in options.undefines),
        *(word for name in options.force_includes for word in ("-include", name)),
        *((f"-std={options.std}",) if options.std else ()),
        *((f"-arch={options.arch}",) if options.arch else ()),
    )


def verify(
    program: Program,
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    *,
    rounds: bool = False,
    unused: Sequence[str] = (),
    relaid: Sequence[Relaid] = (),
) -> Verified:
    """Compare the program with the texts ``before`` and ``after``. Runs it three times, or more
    often where its output is not steady. ``unused``: pointers to arrays whose content need not be
    the same; ``relaid``: arrays whose bytes have other places.
    """
    with tempfile.TemporaryDirectory(prefix="drano-verify-") as directory:
        built: list[tuple[Path, str]] = []
        for name, texts in (("a", before), ("b", after)):
            built.append(_built(program, Path(directory) / name, texts))
        runs = [_observed(program, *built[0])]
        second = runs[0]
        if not runs[0].problem:
            runs.append(_observed(program, *built[0]))
            second = _same_paths(_observed(program, *built[1]), directory)
        while True:
            same = [_without(_same_paths(run, directory), unused) for run in runs]
            last = _without(second, unused)
            last = replace(last, state=as_before(same[0].state, last.state, relaid))
            against = differences(same[0], same[1:], last, rounds=rounds)
            unsure = len(against) == 1 and against[0].startswith(LINE)
            if not unsure or len(runs) >= _RUNS:
                break
            runs.append(_observed(program, *built[0]))
    first = runs[0]
    rows = _rows(first, second)
    if not against:
        against = [
            f"{row.kernel} takes more: {row.sectors[0]} → {row.sectors[1]} sectors, "
            f"{row.wavefronts[0]} → {row.wavefronts[1]} wavefronts"
            for row in rows
            if sum(pair[1] for pair in (row.sectors, row.wavefronts))
            > sum(pair[0] for pair in (row.sectors, row.wavefronts))
        ]
    return Verified(tuple(against), rows, len(first.races & second.races))


def _built(program: Program, root: Path, texts: Mapping[str, bytes]) -> tuple[Path, str]:
    root.mkdir()
    absolute = {os.path.abspath(path): text for path, text in texts.items()}
    mirror(root, [*program.sources, *program.files], absolute)
    sources = [mirrored(root, source) for source in program.sources]
    folders = [*program.include_dirs]
    words = [*(f"-I{folder}" for folder in folders), *program.words]
    place = root / "program"
    return place, build_program([*sources, *in_mirror(root, words, folders)], place)


def _observed(program: Program, place: Path, problem: str) -> Observed:
    if problem:
        return failed(problem)
    return observe(
        place, program.arguments, program.seconds, program.inputs, dict(program.environment)
    )


def _same_paths(run: Observed, directory: str) -> Observed:
    """Programs that print their own path, or their sources', print another one each time."""
    output = run.output
    for name in ("a", "b"):
        output = output.replace(os.fsencode(f"{directory}/{name}/"), b"/")
    return replace(run, output=output)


def _without(run: Observed, unused: Sequence[str]) -> Observed:
    kept = (one for one in run.state if first_argument(one.name) not in unused)
    return replace(run, state=tuple(kept)) if unused else run


def _rows(first: Observed, second: Observed) -> tuple[Row, ...]:
    one, other = first.traffic(), second.traffic()
    rows = []
    for kernel in sorted(one.keys() | other.keys()):
        old, new = one.get(kernel, (0, 0)), other.get(kernel, (0, 0))
        if old != new:
            rows.append(Row(kernel, (old[0], new[0]), (old[1], new[1])))
    return tuple(rows)


def table(rows: Sequence[Row]) -> str:
    """The numbers of the kernels that differ, as text."""
    if not rows:
        return ""
    width = max(len("kernel"), *(len(row.kernel) for row in rows))
    lines = [f"{'kernel':<{width}}  {'sectors':>28}  {'wavefronts':>28}"]
    for row in rows:
        cells = (f"{a} → {b}" if a != b else str(a) for a, b in (row.sectors, row.wavefronts))
        lines.append(f"{row.kernel:<{width}}  " + "  ".join(f"{cell:>28}" for cell in cells))
    return "\n".join(lines) + "\n"
