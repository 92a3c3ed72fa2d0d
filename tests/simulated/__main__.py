"""``python -m tests.simulated [--write]``: what drano says of the corpus."""

from __future__ import annotations

import sys

from drano.model.settings import View
from tests.simulated.claims import held
from tests.simulated.remarks import SOURCES, write


def main() -> int:
    accesses = exact = wrong = open_ = 0
    for path in SOURCES:
        outcomes = {view: held(path, view) for view in View}
        for view, found in outcomes.items():
            print(
                f"{path.stem}, {view}: {found.accesses} accesses, {found.exact} exact,"
                f" {len(found.unknown)} lines unknown, {len(found.wrong)} wrong"
            )
            print(*(f"  {problem}\n" for problem in found.wrong), sep="", end="")
            accesses, exact = accesses + found.accesses, exact + found.exact
            wrong, open_ = wrong + len(found.wrong), open_ + len(found.unknown)
        if "--write" in sys.argv:
            write(path, {view: found.unknown for view, found in outcomes.items()})
    print(f"{accesses} accesses, {exact} exact, {open_} lines unknown, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
