"""``python -m tests.analysis.warp.fuzz PROGRAMS [SEED [VIEW]]``: figures over many random kernels.

Prints how many programs and requests were compared, how many were refuted, and how often the
number of sectors was exact; then the shortest kernel of each kind of failure, not shrunk (the test
of the same name shrinks).
"""

from __future__ import annotations

import sys
import time
import traceback

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from drano.analysis.blocks.block_shapes import Dim
from drano.model.settings import View
from tests.analysis.warp.fuzz.harness import SHAPES, check
from tests.analysis.warp.fuzz.programs import kernels
from tests.analysis.warp.fuzz.requests import Tested

CHUNK = 100


def main() -> int:
    """Exit status 1 when something was refuted."""
    programs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    view = View(sys.argv[3]) if len(sys.argv) > 3 else View.WRITTEN
    total, count, skipped, started = Tested(), 0, 0, time.process_time()
    failures: dict[str, tuple[str, str]] = {}

    for chunk in range(-(-programs // CHUNK)):

        @settings(
            max_examples=CHUNK, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @seed(first + chunk)
        @given(kernels(), st.sampled_from(SHAPES), st.integers(0, 1 << 20))
        def one(text: str, shape: Dim | None, number: int) -> None:
            nonlocal total, count, skipped
            count += 1
            try:
                total = total + check(text, shape, number, view)
            except NotImplementedError:
                if view is View.WRITTEN:  # the optimiser may make what is not simulated
                    raise
                skipped += 1
            except Exception as error:  # a crash counts as much as a wrong answer
                place = traceback.extract_tb(error.__traceback__)[-1]
                kind = f"{type(error).__name__} at {place.filename}:{place.lineno}"
                found = (text, f"{error}\nblock {shape}, seed {number}")
                failures[kind] = min(failures.get(kind, found), found, key=lambda f: len(f[0]))

        one()
        exact = 100 * total.exact / max(total.requests, 1)
        spent = time.process_time() - started
        print(
            f"{count} programs, {total.requests} requests, {len(failures)} kinds refuted, "
            f"{skipped} not simulated, "
            f"sectors exact in {exact:.1f} %, {spent:.0f} s: {total}",
            flush=True,
        )
    for kind, (text, message) in failures.items():
        print(f"--- {kind}\n{message}\n{text}")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
