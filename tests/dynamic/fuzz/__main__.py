"""``python -m tests.dynamic.fuzz [--count N] [--seed S] [--batch B]``: many random CUDA kernels.

Each is compiled, analysed by both domains, and run on the CPU; prints figures as it goes. A kernel
that refutes an analysis is shrunk and kept in ``found``, which the tests run from then on. Exit
status 1 when there was one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from drano.model.settings import View
from tests.dynamic.fuzz.batch import Worker, source_of
from tests.dynamic.fuzz.claims import Tally
from tests.dynamic.fuzz.kernel import Kernel
from tests.dynamic.fuzz.programs import kernels

FOUND = Path(__file__).with_name("found")
_CHUNK = 100


def drawn(first: int, of: SearchStrategy[Kernel] | None = None) -> Iterator[Kernel]:
    """Different kernels, endlessly; the same ones for the same seed."""
    known: set[str] = set()
    for number in count(first):
        chunk = _chunk(number, kernels() if of is None else of)
        for kernel in chunk:
            text = kernel.text("k")
            if text not in known:
                known.add(text)
                yield kernel


def _chunk(number: int, of: SearchStrategy[Kernel]) -> list[Kernel]:
    found: list[Kernel] = []

    @settings(
        max_examples=_CHUNK, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @seed(number)
    @given(of)
    def one(kernel: Kernel) -> None:
        found.append(kernel)

    one()
    return found


def main() -> int:
    """Exit status 1 when something was refuted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":", 1)[1].strip())
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=40, help="kernels in a translation unit")
    parser.add_argument("--view", type=View, choices=list(View), default=View.COMPILED)
    options = parser.parse_args()
    total, done, refuted, started = Tally(), 0, 0, time.monotonic()
    stream = islice(drawn(options.seed), options.count)
    with Worker(options.view) as worker:
        while batch := list(islice(stream, options.batch)):
            tally, wrong = worker.check(batch, options.seed)
            total.add(tally)
            done += len(batch)
            refuted += len(wrong)
            for number, problems in wrong.items():
                _keep(worker, batch[number], options.seed, problems)
            print(
                f"{done} kernels, {refuted} refute the analysis; {total.requests} requests, sectors"
                f" exact in {100 * total.exact / max(1, total.requests):.1f} %; {total.accesses} "
                f"accesses, {total.decided} verdicts, {total.patterns} patterns; "
                f"{time.monotonic() - started:.0f} s",
                flush=True,
            )
    return int(refuted > 0)


def _keep(worker: Worker, kernel: Kernel, number: int, problems: list[str]) -> None:
    print("\n".join(["refuted:", *(problem[:600] for problem in problems[:6])]), flush=True)
    small = worker.shrunk(kernel, number)
    problems = worker.check([small], number)[1].get(0, problems)
    source = source_of([small], number)
    FOUND.mkdir(exist_ok=True)
    place = next(p for n in count() if not (p := FOUND / f"found{n:02}.cu").exists())
    told = "".join(f"// {line}\n" for problem in problems for line in problem.splitlines())
    place.write_text(told + source)
    print(f"shrunk: {place}\n{small.text('k000')}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
