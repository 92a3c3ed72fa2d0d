"""Random programs of two units: a kernel and what launches it in one, its callers in the other.

Of ``ACROSS`` the first text is of a header that both include, the second one of the unit with the
kernel, the third of the other unit, the last one a statement there. Marks are those of
``programs``.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from drano.host.cross_unit import told
from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import LaunchSite
from drano.run.driver import check
from drano.run.other_units.told_elsewhere import told_elsewhere
from tests.host.fuzz.held import LIBRARY, NOTE, Tally, compared, ran
from tests.host.fuzz.programs import WAYS, filled

_PAIR: Final = "struct S$ { float *d; int n; };"
_SHARED: Final = "extern float *g$; struct H$ { float *d; }; extern H$ h$;"
_CLASS: Final = "struct L$ { float *d; L$(float *p); void set(float *p); void go(int n); };"

_GO: Final = "void go$(float *p, int n) { KERNEL<<<1, 32>>>(p, n); }"
_GIVEN: Final = "void go$(float *, int);"

ACROSS: Final = (
    ("", _GO, _GIVEN,
     "go$(P, s); go$(P, x);"),
    ("", "void go$(float *p, int n, int b) { KERNEL<<<1, b>>>(p, n); }",
     "void go$(float *, int, int);", "go$(P, s, x); go$(P, C, 64);"),
    ("", "static void in$(float *p, int n) { float *q = p; KERNEL<<<1, 32>>>(q, n); }"
     " void go$(float *p, int n) { in$(p, n); }", _GIVEN, "go$(P, s);"),
    ("", "void go$(float *&p, int n) { KERNEL<<<1, 32>>>(p, n); p += 4; }",
     "void go$(float *&, int);", "go$(P, s); go$(P, 1);"),
    ("", "void go$(float **p, int n) { KERNEL<<<1, 32>>>(p[1], n); }",
     "void go$(float **, int);", "float *a$[2] = {P, P + C}; go$(a$, s);"),
    ("", "void go$(size_t p, int n) { KERNEL<<<1, 32>>>((float *)p, n); }",
     "void go$(size_t, int);", "go$((size_t)P, s);"),
    (_PAIR, "void go$(S$ t) { KERNEL<<<1, 32>>>(t.d, t.n); }", "void go$(S$);",
     "S$ t${P, s}; go$(t$); t$.d += 3; go$(t$);"),
    (_PAIR, "void go$(const S$ &t) { KERNEL<<<1, 32>>>(t.d, t.n); }",
     "void go$(const S$ &);", "go$({P, s}); go$({P + 1, C});"),
    (_PAIR, "void go$(S$ *t) { KERNEL<<<1, 32>>>(t->d, t->n); }",
     "void go$(S$ *);", "S$ t${P, s}; go$(&t$); t$.d += 2; go$(&t$);"),
    ("", "template <class T> void go$(T *p, int n) { KERNEL<<<1, 32>>>(p, n); }"
     " template void go$<float>(float *, int);", "template <class T> void go$(T *, int);",
     "go$(P, s);"),
    ("", "void go$(float *p, int n) { if (n > 40) return; KERNEL<<<1, 32>>>(p, n);"
     " go$(p, 2 * n + 1); }",
     _GIVEN, "go$(P, s & 31);"),
    ("", _GO, _GIVEN,
     "void (*f$)(float *, int) = go$; f$(P, s);"),
    ("", "void go$(float *p, int n, int b = 64) { KERNEL<<<1, b>>>(p, n); }",
     "void go$(float *, int, int = 64);", "go$(P, s); go$(P, 1, x);"),
    ("", "void go$(float *p, int n) { void *a[] = {&p, &n};"
     " cudaLaunchKernel((void *)KERNEL, dim3(1), dim3(32), a, 0, 0); }",
     _GIVEN, "go$(P, s);"),
    ("", "", "", "KERNEL<<<1, x>>>(P, s); KERNEL<<<2, 32>>>(P, 1);"),
    ("", "float *up$(float *p) { return p + C; }", "float *up$(float *);",
     "KERNEL<<<1, 32>>>(up$(P), s);"),
    ("", "void up$(float **p) { *p += C; }", "void up$(float **);",
     "up$(&P); KERNEL<<<1, 32>>>(P, s);"),
    ("", "void up$(float *&p, int &n) { p += C; n++; }", "void up$(float *&, int &);",
     "up$(P, s); KERNEL<<<1, 32>>>(P, s);"),
    (_PAIR, "S$ up$(float *p) { return {p + C, 3}; }", "S$ up$(float *);",
     "S$ t$ = up$(P); KERNEL<<<1, 32>>>(t$.d, t$.n);"),
    (_SHARED, "float *g$; H$ h$; void go$(int n) { KERNEL<<<1, 32>>>(g$, n);"
     " KERNEL<<<1, 32>>>(h$.d, n); }", "void go$(int);", "g$ = P; h$.d = P + C; go$(s);"),
    ("", "float *g$; void go$(int n) { KERNEL<<<1, 32>>>(g$, n); }",
     "extern float *g$; void go$(int);", "g$ = P + C; go$(s);"),
    ("", "float *g$[3]; void go$(int n) { KERNEL<<<1, 32>>>(g$[2], n); }",
     "extern float *g$[3]; void go$(int);", "g$[2] = P; go$(s); g$[2] += 1; go$(s);"),
    (_CLASS, "void L$::go(int n) { KERNEL<<<1, 32>>>(d, n); }",
     "L$::L$(float *p) : d(p) {} void L$::set(float *p) { d = p + 1; }",
     "L$ l$(P); l$.go(s); l$.set(P); l$.go(1);"),
    (_CLASS, "L$::L$(float *p) : d(p) {} void L$::set(float *p) { d = p + 1; }",
     "void L$::go(int n) { KERNEL<<<1, 32>>>(d, n); }",
     "L$ l$(P); l$.go(s); l$.set(P); l$.go(1);"),
    ("", "int size$ = 32; void go$(float *p) { KERNEL<<<1, size$>>>(p, size$); }",
     "extern int size$; void go$(float *);", "go$(P); size$ = 64; go$(P);"),
    ("", "void go$(float *p, dim3 b, int n) { KERNEL<<<b.x, b>>>(p, n); }",
     "void go$(float *, dim3, int);", "dim3 b$(x, 2); go$(P, b$, s); b$.y = 1; go$(P, b$, C);"),
)  # fmt: skip
_INCLUDE: Final = '#include "shared.h"\n'
_HEADER: Final = "int any();\nvoid start_again(unsigned number);\n"


class Parted(Struct, frozen=True):
    """A program: its texts of the header, with the kernel, and with the entry, ``run()``."""

    number: int
    header: str
    text: str
    caller: str


class _Drawing(Struct):
    number: int
    rng: random.Random
    uses: int = 0
    texts: list[list[str]] = field(default_factory=lambda: [[], [], [], []])

    def use(self, way: Sequence[str]) -> None:
        """Add the texts of a way, each to its place."""
        self.uses += 1
        done = filled(way, self.number, self.uses, self.rng)
        for text, place in zip(done, self.texts[4 - len(way) :], strict=True):
            place.append(text)


def parted(number: int, rng: random.Random) -> Parted:
    """A program of some ways and one or two calls across its units."""
    drawing = _Drawing(number, rng)
    for _ in range(rng.randint(1, 2)):
        for _ in range(rng.randint(0, 3)):
            drawing.use(rng.choice(WAYS))
        drawing.use(rng.choice(ACROSS))
    shared, own, declared, said = drawing.texts
    kernel = f"__global__ void kernel{number}(float *a, int n)"
    start = ", ".join(f"{name} = {rng.choice([1, 8, 16, 32])}" for name in "sxy")
    body = "\n  ".join(said)
    caller = (
        f"{kernel};\n" + "\n".join(filter(None, declared)) + f"\nvoid run{number}() {{\n"
        f"  int {start};\n  float *p;\n  cudaMalloc(&p, 1 << 16);\n  {body}\n}}\n"
    )
    text = f"{kernel} {{ note({number}, a, n); }}\n" + "\n".join(filter(None, own))
    return Parted(number, "\n".join(filter(None, shared)), text, caller)


def held_apart(programs: Sequence[Parted], folder: Path) -> Tally:
    """What drano reads of two units of such programs, held against a run of both."""
    units = folder / "unit.cu", folder / "caller.cu"
    calls = "".join(
        f"  for (unsigned n = 0; n < 4; n++) {{ start_again(n); run{p.number}(); }}\n"
        for p in programs
    )
    header = "\n".join(p.header for p in programs)
    (folder / "shared.h").write_text(f"#pragma once\n{_HEADER}{header}\n")
    # The library is the callers': to read it takes longer than all else.
    units[0].write_text(_INCLUDE + NOTE + "\n".join(p.text for p in programs) + "\n")
    callers = "\n".join(p.caller for p in programs)
    units[1].write_text(f"{LIBRARY}{_INCLUDE}{callers}\nint main() {{\n{calls}}}\n")
    reports = {file.path: file for file in check([str(unit) for unit in units]).files}
    sites: dict[str, list[LaunchSite]] = defaultdict(list)
    texts = told_elsewhere(reports, {}).get(str(units[0]), ())
    elsewhere = told(texts)
    own = unit_launches(str(units[0]), CompileOptions(), told=elsewhere.about_host)
    for site in (*own.sites, *elsewhere.launches):
        sites[site.kernel_name].append(site)
    return compared([p.number for p in programs], sites, ran(units), lambda n: _text(programs, n))


def _text(programs: Sequence[Parted], number: int) -> str:
    (program,) = (p for p in programs if p.number == number)
    return f"{program.header}\n--- kernel\n{program.text}\n--- caller\n{program.caller}"
