"""Host programs that are run, held against what drano reads of their launches."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from drano.host.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import LaunchSite, Shifted
from tests.host.fuzz.programs import Program

_LIBRARY = """#include <algorithm>
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
_FOR_DRANO = _LIBRARY + "int any();\n"
_FOR_RUN = (
    _LIBRARY
    + """#include <cstdio>
#define __global__
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
static unsigned state;
int any() { state = state * 1664525u + 1013904223u; return (state >> 16) % 4; }
static struct { int x; } threadIdx;
template <class T> void cudaMalloc(T **p, size_t n) { *p = (T *)aligned_alloc(256, n); }
struct Note {
  void *kernel; dim3 grid, block;
  void operator()(float *p, int n) const {
    printf("%p %u %u %u %u %u %u %zu %d\\n", kernel, grid.x, grid.y, grid.z, block.x, block.y,
           block.z, (size_t)p % 256, n);
  }
};
template <class K> Note note(K k, dim3 grid, dim3 block) { return {(void *)k, grid, block}; }
"""
)
_LAUNCH = re.compile(r"LAUNCH\((\w+), (.*?), ([\w.>\[\]-]+(?:\([^()]*\))?), (\([^;]*\))\);")


@dataclass(frozen=True)
class Launched:
    """What one launch was given. ``place``: the pointer's, modulo 256."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    place: int
    number: int


@dataclass
class Tally:
    """How much was compared, and how much of it was known."""

    programs: int = 0
    launches: int = 0
    shapes: int = 0
    numbers: int = 0
    places: int = 0
    refuted: list[str] = field(default_factory=list)


def for_drano(programs: Sequence[Program]) -> str:
    """The unit as CUDA."""
    text = "\n".join(p.text for p in programs)
    return _FOR_DRANO + _LAUNCH.sub(r"\1<<<\2, \3>>>\4;", text) + "\n" + _main(programs)


def for_run(programs: Sequence[Program]) -> str:
    """The unit as a program for this machine that notes its launches."""
    text = "\n".join(p.text for p in programs)
    return _FOR_RUN + _LAUNCH.sub(r"note(\1, \2, \3)\4;", text) + "\n" + _main(programs, names=True)


def _main(programs: Sequence[Program], *, names: bool = False) -> str:
    lines = []
    for p in programs:
        if names:
            lines.append(f'  printf("= {p.number} %p\\n", (void *)kernel{p.number});')
            lines.append(
                f"  for (unsigned n = 0; n < 4; n++) {{ state = n * 7919; run{p.number}(); }}"
            )
        else:
            lines.append(f"  run{p.number}();")
    return "int main() {\n" + "\n".join(lines) + "\n}\n"


def ran(programs: Sequence[Program], folder: Path) -> dict[int, list[Launched]]:
    """What each program's kernel was launched with."""
    source, binary = folder / "run.cpp", folder / "run"
    source.write_text(for_run(programs))
    subprocess.run(
        ["g++", "-std=c++17", "-O0", "-w", "-fwrapv", str(source), "-o", str(binary)], check=True
    )
    done = subprocess.run([binary], check=True, capture_output=True, text=True, timeout=60)
    found: dict[int, list[Launched]] = defaultdict(list)
    number = -1
    for line in done.stdout.splitlines():
        words = line.split()
        if words[0] == "=":
            number = int(words[1])
            continue
        values = tuple(map(int, words[1:]))
        found[number].append(Launched(values[0:3], values[3:6], values[6], values[7]))
    return found


def held(programs: Sequence[Program], folder: Path, run: Sequence[Program] | None = None) -> Tally:
    """The programs of one unit; ``run``: what is run in their place."""
    source = folder / "unit.cu"
    source.write_text(for_drano(programs))
    read = unit_launches(str(source), CompileOptions())
    sites: dict[str, list[LaunchSite]] = defaultdict(list)
    for site in read.sites:
        sites[site.kernel_name].append(site)
    launched = ran(run or programs, folder)
    tally = Tally(len(programs))
    for program in programs:
        known = sites[f"kernel{program.number}"]
        for launch in sorted(set(launched[program.number]), key=str):
            tally.launches += 1
            problem = _refuted(known, launch)
            if problem:
                tally.refuted.append(f"{launch}: {problem}\n{program.text}")
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
