"""Host programs that are run, held against what drano reads of their launches."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import LaunchSite, Shifted
from tests.host.fuzz.programs import Program

LIBRARY = """#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <csetjmp>
#include <bitset>
#include <charconv>
#include <complex>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <variant>
#include <thread>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>
"""
NOTE = """#include <cstdio>
__device__ void note(int number, float *a, int n) {
  bool first = !(threadIdx.x | threadIdx.y | threadIdx.z | blockIdx.x | blockIdx.y | blockIdx.z);
  if (first) {
    printf("%d %u %u %u %u %u %u %u %d\\n", number, gridDim.x, gridDim.y, gridDim.z, blockDim.x,
           blockDim.y, blockDim.z, (unsigned)((size_t)a % 256), n);
  }
}
"""
_UNIT = "int any();\nvoid start_again(unsigned number);\n" + NOTE
# Of another unit, so that drano can't know what it answers.
_CHANCE = """static unsigned state;
void start_again(unsigned number) { state = number * 7919; }
int any() { state = state * 1664525u + 1013904223u; return (state >> 16) % 4; }
"""


class Launched(Struct, frozen=True):
    """What one launch was given. ``place``: the pointer's, modulo 256."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    place: int
    number: int


class Tally(Struct):
    """How much was compared, and how much of it was known."""

    programs: int = 0
    launches: int = 0
    shapes: int = 0
    numbers: int = 0
    places: int = 0
    refuted: list[str] = field(default_factory=list)


def unit_text(programs: Sequence[Program], library: str = LIBRARY) -> str:
    """The unit of several programs."""
    calls = "".join(
        f"  for (unsigned n = 0; n < 4; n++) {{ start_again(n); run{p.number}(); }}\n"
        for p in programs
    )
    return library + _UNIT + "\n".join(p.text for p in programs) + f"\nint main() {{\n{calls}}}\n"


def ran(units: Sequence[Path]) -> dict[int, list[Launched]]:
    """What each program's kernel was launched with, by ``drano run``."""
    chance = units[0].with_name("chance.cpp")
    chance.write_text(_CHANCE)
    command = [
        sys.executable,
        "-m",
        "drano",
        "run",
        "--no-count",
        "-w",
        "-fwrapv",
        *(unit.name for unit in units),
        chance.name,
    ]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, timeout=300, cwd=chance.parent, check=True
    )
    found: dict[int, list[Launched]] = defaultdict(list)
    for line in done.stdout.splitlines():
        number, *values = map(int, line.split())
        grid, block = tuple(values[0:3]), tuple(values[3:6])
        found[number].append(Launched(grid, block, values[6], values[7]))
    return found


def held(
    programs: Sequence[Program],
    folder: Path,
    run: Sequence[Program] | None = None,
    library: str = LIBRARY,
) -> Tally:
    """The programs of one unit; ``run``: what is run in their place; ``library``: what they
    include, which is most of what they take to compile.
    """
    source = folder / "unit.cu"
    source.write_text(unit_text(programs, library))
    read = unit_launches(str(source), CompileOptions())
    sites: dict[str, list[LaunchSite]] = defaultdict(list)
    for site in read.sites:
        sites[site.kernel_name].append(site)
    if run:
        source.write_text(unit_text(run, library))
    texts = {program.number: program.text for program in programs}
    return compared(list(texts), sites, ran([source]), texts.__getitem__)


def compared(
    numbers: Sequence[int],
    sites: Mapping[str, Sequence[LaunchSite]],
    launched: Mapping[int, Sequence[Launched]],
    text: Callable[[int], str],
) -> Tally:
    """What is known of the kernels of some programs, held against what they were launched with."""
    tally = Tally(len(numbers))
    for number in numbers:
        known = sites[f"kernel{number}"]
        for launch in sorted(set(launched[number]), key=str):
            tally.launches += 1
            problem = _refuted(known, launch)
            if problem:
                tally.refuted.append(f"{launch}: {problem}\n{text(number)}")
        certain = [s for s in known if not any(other.named for other in known)]
        tally.shapes += sum(None not in site.block for site in certain)
        tally.numbers += sum(isinstance(site.arguments[1], int) for site in certain)
        tally.places += sum(not isinstance(site.arguments[0], Shifted) for site in certain)
    return tally


def _refuted(known: Sequence[LaunchSite], launch: Launched) -> str:
    """Why no launch that drano knows can be this one; "" where one can, or none is claimed."""
    if any(site.named for site in known):
        return ""
    reasons = [list(_against(site, launch)) for site in known]
    if any(not reason for reason in reasons):
        return ""
    return " / ".join(map(", ".join, reasons)) or "no launch is known"


def _against(site: LaunchSite, launch: Launched) -> Iterator[str]:
    for name, claim, actual in (
        ("grid", site.grid, launch.grid), ("block", site.block, launch.block),
    ):  # fmt: skip
        if any(c is not None and c % 2**32 != a for c, a in zip(claim, actual, strict=True)):
            yield f"{name} {claim}"
    pointer, number = site.arguments[:2]
    unit = pointer.unit if isinstance(pointer, Shifted) else 256
    if launch.place % min(unit, 256):
        yield f"pointer {pointer}"
    if isinstance(number, int) and number != launch.number:
        yield f"number {number}"
