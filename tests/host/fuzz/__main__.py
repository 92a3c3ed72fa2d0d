"""``python -m tests.host.fuzz [--count 5000] [--seed 0] [--apart]``."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.host.fuzz.apart import held_apart, parted
from tests.host.fuzz.held import Tally, held
from tests.host.fuzz.programs import drawn

UNIT = 100


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--apart", action="store_true", help="programs of two units")
    options = parser.parse_args()
    total = Tally()
    for start in range(0, options.count, UNIT):
        rng = random.Random(options.seed * 1_000_003 + start)
        size = min(UNIT, options.count - start)
        with tempfile.TemporaryDirectory() as folder:
            if options.apart:
                tally = held_apart([parted(start + n, rng) for n in range(size)], Path(folder))
            else:
                tally = held([drawn(start + n, rng) for n in range(size)], Path(folder))
        for name in ("programs", "launches", "shapes", "numbers", "places"):
            setattr(total, name, getattr(total, name) + getattr(tally, name))
        for problem in tally.refuted:
            print(problem, flush=True)
        total.refuted += tally.refuted
    print(
        f"{total.programs} programs, {total.launches} launches: {total.shapes} shapes,"
        f" {total.numbers} numbers, {total.places} places known; {len(total.refuted)} refuted"
    )
    return bool(total.refuted)


if __name__ == "__main__":
    sys.exit(main())
