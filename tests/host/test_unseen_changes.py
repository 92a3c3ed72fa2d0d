"""Values and pointers that host code changes where no plain assignment or call shows it.

Each program is run, and what drano reads of its launch is held against what the run launched.
"""

from __future__ import annotations

from pathlib import Path

from tests.host.fuzz.held import held
from tests.host.fuzz.programs import Program

X = " KERNEL<<<1, x>>>(p, s);"
G = " KERNEL<<<1, g$>>>(p, s);"
D = " KERNEL<<<1, 32>>>(t.d, s);"
INT = "static int g$ = 16; "
SET = INT + "int set$() { return g$ = 64; } "
GUARD = INT + "struct G$ { ~G$() { g$ = 64; } }; "
S = "struct S$ { float *d; int n; }; "
VECTOR = "#include <vector>\n"
LIBRARY = (
    f"#include <algorithm>\n#include <csetjmp>\n#include <csignal>\n#include <memory>\n{VECTOR}"
)

# (declarations, statements)
NUMBERS = [
    # variables that outlive the function
    (GUARD, "{ G$ t; g$ = 32; }" + G),
    (GUARD, "std::unique_ptr<G$> t(new G$); g$ = 32; t.reset();" + G),
    (GUARD, "{ std::unique_ptr<G$> t(new G$); g$ = 32; }" + G),
    (GUARD, "{ std::vector<G$> t(1); g$ = 32; }" + G),
    (GUARD, "G$ *t = new G$; g$ = 32; delete t;" + G),
    (INT + "void set$(int) { g$ = 64; }", "signal(SIGUSR1, set$); g$ = 32; raise(SIGUSR1);" + G),
    ("static volatile int g$ = 16; void set$(int) { g$ = 64; }",
     "signal(SIGUSR1, set$); g$ = 32; raise(SIGUSR1);" + G),
    (INT + "struct O$ { int n; bool operator<(const O$ &q) const { g$ = 64; return n < q.n; } };",
     "O$ o[2] = {{2}, {1}}; g$ = 32; std::sort(o, o + 2);" + G),
    (INT + "struct O$ { O$() { g$ = 64; } };", "std::vector<O$> v; g$ = 32; v.resize(3);" + G),
    (INT + "struct O$ { O$() { g$ = 64; } };", "g$ = 32; auto t = std::make_unique<O$>();" + G),
    (INT + "struct O$ { int n[2]; int *begin() { g$ = 64; return n; } int *end() { return n; } };",
     "O$ o; g$ = 32; for (int q : o) {}" + G),
    (SET + "struct W$ { int n = set$(); };", "g$ = 32; W$ q{};" + G),
    (SET, "g$ = 32; auto f = [n = set$()] { return n; };" + G),
    ("static int g$ = 16; int &r$ = g$;", "g$ = 32; r$ = 64;" + G),
    ("struct T$ { int n; } t$; T$ &u$ = t$;",
     "t$.n = 32; u$.n = 64; KERNEL<<<1, t$.n>>>(p, s);"),
    ("", "thread_local int n = 1; n++; s = n;" + X),
    ("static jmp_buf j$;",
     "if (!setjmp(j$)) { x = 64; longjmp(j$, 1); } else {" + X + " }"),
    # names for others
    ("", "int &r = x; r = 64; x = 5; s = r;" + X),
    (INT, "int &r = g$; r = 7; g$ = 5; s = r;" + X),
    (SET, "int &r = g$; r = 7; set$(); s = r;" + X),
    (GUARD + "int &get$() { return g$; }", "int &r = get$(); r = 7; { G$ t; } s = r;" + X),
    (SET + "void go$(int &n, float *p) { n = 32; set$(); KERNEL<<<1, n>>>(p, n); }",
     "go$(g$, p);"),
    ("struct T$ { int n; void go(float *p) { f(n, p); }"
     " void f(int &m, float *p) { m = 3; n = 64; KERNEL<<<1, m>>>(p, m); } };",
     "T$ t{x}; t.go(p);"),
    # members
    ("struct B$ { int n = 32; }; struct S$ : B$ { int n = 3; S$() { B$::n = 64; } };",
     "S$ t; KERNEL<<<1, t.n>>>(p, t.B$::n);"),
    ("struct B$ { int n = 32; }; struct S$ : B$ { int n = 3; };",
     "S$ t; t.n = 4; t.B$::n = 64; KERNEL<<<1, t.n>>>(p, t.B$::n);"),
    ("struct S$ { static int c; }; int S$::c = 16;",
     "S$ t, u; t.c = 16; u.c = 64; KERNEL<<<1, t.c>>>(p, s);"),
    ("", "struct { unsigned n : 4; } q; q.n = 19; s = q.n;" + X),
    ("", "struct { int n : 4; } q{}; q.n = 8; s = q.n;" + X),
    ("", "struct { int n : 4; } q{7}; s = ++q.n;" + X),
    ("", "struct { unsigned n : 4; } q = {19}; s = q.n;" + X),
    ("struct S$ { unsigned n : 4; S$(int m) : n(m) {} };", "S$ q(19); s = q.n;" + X),
    ("struct S$ { mutable int n; void f() const { n = 64; } };",
     "S$ t{1}; t.n = 16; t.f(); KERNEL<<<1, t.n>>>(p, s);"),
    ("struct S$ { mutable int n; S$(int m) : n(m) {} }; void f$(const S$ &t) { t.n = 64; }",
     "S$ t(16); f$(t); KERNEL<<<1, t.n>>>(p, s);"),
    # what is called is computed
    ("struct S$ { int n; void f() { n = 64; } };",
     "S$ t{x}; void (S$::*m)() = &S$::f; (t.*m)(); x = t.n;" + X),
    ("void f$() {}", "void (*t[])() = {f$, f$}; t[x++ & 1]();" + X),
    # what runs only sometimes
    ("", "int n = any() ?: (x = 64);" + X),
]  # fmt: skip

POINTERS = [
    (S, "S$ t{p, 1}; auto [d, n] = t; d++; KERNEL<<<1, 32>>>(d, s);"),
    (S, "S$ t{p, 1}; auto &[d, n] = t; d++;" + D),
    (S + "void f$(float *&q) { q++; }", "S$ t{p, 1}; auto &[d, n] = t; f$(d);" + D),
    (S, "S$ v[2] = {{p, 1}, {p, 2}}; for (auto &[d, n] : v) d += n; S$ t = v[0];" + D),
    ("static float *g$; void h$() { g$++; }", "g$ = p; h$(); KERNEL<<<1, x>>>(g$, s);"),
    ("static float *g$; float *&r$ = g$;", "g$ = p; r$++; KERNEL<<<1, x>>>(g$, s);"),
    ("float *g$; struct G$ { ~G$() { g$++; } };",
     "g$ = p; { G$ t; } KERNEL<<<1, 32>>>(g$, s);"),
    ("float *g$; void h$(float *q) { g$ = q; }", "h$(p + 1); KERNEL<<<1, 32>>>(g$, s);"),
    ("float *g$[2]; void h$() { KERNEL<<<1, 32>>>(g$[1], 3); }",
     "g$[0] = p; g$[1] = p + 1; h$();"),
    ("std::vector<float *> g$; void h$() { KERNEL<<<1, 32>>>(g$[1], 3); }",
     "g$ = {p, p + 1}; h$();"),
    ("float *&h$() { static float *k; return k; }",
     "h$() = p; h$()++; KERNEL<<<1, 32>>>(h$(), 3);"),
    ("void h$(size_t v) { float *q = (float *)v; KERNEL<<<1, 32>>>(q, 3); }",
     "h$((size_t)(p + 1));"),
    ("void h$(std::vector<float *> v) { for (float *q : v) { KERNEL<<<1, 32>>>(q, 3); } }",
     "h$({p + 1, p});"),
    (S + "void set$(S$ &s, float *d) { s.d = d; }", "S$ t{p, 1}; set$(t, p + 1);" + D),
    ("struct S$ { float *d; void init(float *q) { set(q); } void set(float *q) { this->d = q; }"
     " void go() { KERNEL<<<1, 32>>>(d, 3); } };", "S$ t; t.init(p + 1); t.go();"),
    ("struct S$ { float *d; void operator++() { ++d; }"
     " void go() { KERNEL<<<1, 32>>>(d, 3); } };", "S$ t; t.d = p; ++t; t.go();"),
]  # fmt: skip

# Of these all is known: what changes a variable does so in plain sight.
KNOWN = [
    (INT, "g$ = 32;" + G),
    (INT + "int get$() { return g$; }", "x = get$(); g$ = 32;" + G),
    ("struct S$ { int n, m; };", "S$ t{x, s}; t.n = 64; KERNEL<<<1, t.n>>>(p, t.m);"),
    ("", "struct { unsigned n : 4; } q; q.n = 15; s = q.n;" + X),
    ("static float *g$;", "g$ = p; KERNEL<<<1, x>>>(g$, s);"),
]


def program(number: int, way: tuple[str, str]) -> Program:
    declared, said = (
        text.replace("KERNEL", f"kernel{number}").replace("$", str(number)) for text in way
    )
    text = (
        f"__global__ void kernel{number}(float *a, int n) {{ note({number}, a, n); }}\n"
        f"{declared}\nvoid run{number}() {{\n  int s = 8, x = 16;\n"
        f"  float *p;\n  cudaMalloc(&p, 1 << 16);\n  {said}\n}}"
    )
    return Program(number, text)


def test_numbers_that_change_unseen_are_not_known(tmp_path: Path) -> None:
    tally = held([program(n, way) for n, way in enumerate(NUMBERS)], tmp_path, library=LIBRARY)
    assert tally.refuted == []
    assert tally.launches >= len(NUMBERS)


def test_pointers_that_move_unseen_are_not_known(tmp_path: Path) -> None:
    tally = held([program(n, way) for n, way in enumerate(POINTERS)], tmp_path, library=VECTOR)
    assert tally.refuted == []
    assert tally.launches >= len(POINTERS)


def test_what_changes_in_plain_sight_is_known(tmp_path: Path) -> None:
    tally = held([program(n, way) for n, way in enumerate(KNOWN)], tmp_path, library="")
    assert tally.refuted == []
    assert min(tally.shapes, tally.numbers, tally.places) == len(KNOWN)
