"""Random host programs: launch shapes and arguments on their ways to a kernel.

A program is a kernel of its own, helper functions, and a function that changes three integers and a
pointer in random ways before it launches. The kernel notes what it is given.

In the templates ``$`` is the program's number with that of the use, ``V`` one of the integers,
``W`` another one, ``C`` a number, ``P`` the pointer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from msgspec import Struct

_PAIR = "struct S$ { float *d; int n; };"
# (declarations, statement)
WAYS: tuple[tuple[str, str], ...] = (
    ("", "V = C;"),
    ("", "V += C;"),
    ("", "V = W + C;"),
    ("", "V = W * 2 % 64;"),
    ("", "V++; --W;"),
    ("", "if (any()) V = C;"),
    ("", "if (V > C) W = C; else V = 3;"),
    ("", "V = any() ? C : W;"),
    ("", "V = V > W ? C : any();"),
    ("", "V = (any() ? C : any()) + (V > W ? C : any());"),
    ("", "for (int i$ = 0; i$ < 3; i$++) V += i$;"),
    ("", "for (int i$ = any(); i$ > 0; i$ -= 2) V = C;"),
    ("", "while (V > 40) V /= 2;"),
    ("", "do { V += 1; } while (any() > 2);"),
    ("", "switch (V % 3) { case 0: V = C; case 1: W = C; break; default: V += 1; }"),
    ("", "{ int V = C; (void)V; }"),
    ("", "int &r$ = V; r$ = C;"),
    ("", "int *q$ = &V; *q$ = C; q$ = &W; *q$ += 1;"),
    ("", "int a$[3] = {V, C, W}; a$[1] = W; V = a$[1];"),
    ("", "int a$[2] = {1, C}; a$[any() & 1] = 5; V = a$[1];"),
    ("", "std::swap(V, W);"),
    ("", "V = std::min(W, C); W = std::max(V, 2);"),
    ("", "const_cast<int &>(std::min(V, W)) = C;"),
    ("", "std::tie(V, W) = std::make_tuple(C, 7);"),
    ("", "auto t$ = std::tie(V, W); std::get<0>(t$) = C;"),
    ("", "V = std::exchange(W, C);"),
    ("", "std::vector<int> v${V, C}; v$[0] = C; V = v$[0] + v$.size();"),
    ("", "std::vector<int *> v${&V, &W}; *v$[any() & 1] = C;"),
    ("", "std::vector<std::reference_wrapper<int>> v${V, W}; for (int &e : v$) e += C;"),
    ("", "for (int *e$ : {&V, &W}) *e$ += 1;"),
    ("", "auto f$ = [&] { V = C; }; f$();"),
    ("", "auto f$ = [&](int n) { V = n; return W; }; W = f$(C);"),
    ("", "auto f$ = [V]() mutable { V = C; return V; }; f$(); W = f$();"),
    ("", "std::function<void()> f$ = [&V] { V += C; }; if (any() > 1) f$();"),
    ("", "std::function<int(int)> f$ = [&](int n) { return n ? f$(n - 1) : (V = C); }; f$(2);"),
    ("", "int n$[] = {1, 2}; for (int e : n$) V += e;"),
    ("", "std::memcpy(&V, &W, sizeof(int));"),
    ("", "unsigned char b$ = V + 200; W = b$;"),
    ("", "V = (V, W, C);"),
    ("", "V = int(W * 1.5f);"),
    ("", "V = sizeof(float) * C;"),
    ("", "try { if (any()) throw C; } catch (int n) { V = n; }"),
    ("", "std::pair<int, int> p$(V, W); auto &[a$, b$] = p$; a$ = C; V = p$.first;"),
    ("", "auto l$ = {C, 9}; V = *l$.begin();"),
    ("", "std::array<int, 2> a${C, 2}; std::get<1>(a$) = 4; V = a$[any() & 1];"),
    ("", "int *h$ = new int(C); V = *h$; *h$ = 1; delete h$;"),
    ("", "std::unique_ptr<int> h$(new int(C)); *h$ += 1; V = *h$;"),
    ("", "goto out$; V = C; out$: W += 1;"),
    ("void set$(int &x) { x = C; }", "set$(V);"),
    ("void set$(int *x) { *x = C; }", "set$(&V);"),
    ("void set$(int *x, int n) { x[n] = C; }", "int a$[3] = {1, 2, 3}; set$(a$, 1); V = a$[1];"),
    ("void set$(int x) { x = C; }", "set$(V);"),
    ("int get$(int x) { return x + C; }", "V = get$(W);"),
    ("int get$(int x) { if (x > 9) return x; return C; }", "V = get$(V);"),
    ("int &pick$(int &x, int &y) { return any() ? x : y; }", "pick$(V, W) = C;"),
    ("int &pick$(int &x, int &y) { return x > y ? x : y; }", "pick$(V, W) = C;"),
    ("int *pick$(int *x) { return x; }", "*pick$(&V) = C;"),
    ("int g$ = C; void set$() { g$ = 5; }", "if (any() > 1) set$(); V = g$;"),
    ("static int g$ = C;", "V = g$; g$ = W;"),
    ("int *g$; void set$() { *g$ = C; }", "g$ = &V; set$();"),
    ("int next$() { static int n = C; return n++; }", "V = next$(); W = next$();"),
    ("template <int N> int get$() { return N; }", "V = get$<C>();"),
    ("template <class T> void set$(T &&x) { x = C; }", "set$(V);"),
    ("template <class F> void call$(F f) { f(C); }", "call$([&](int n) { V = n; });"),
    ("void call$(void (*f)(int &), int &x) { f(x); }", "call$([](int &x) { x = C; }, V);"),
    ("struct S$ { int n = C; void set() { n = 5; } };", "S$ s$; if (any()) s$.set(); V = s$.n;"),
    ("struct S$ { int &n; void set() { n = C; } };", "S$ s${V}; s$.set();"),
    ("struct S$ { int n; S$(int x) : n(x) {} ~S$() {} };", "S$ s$(C), t$ = s$; t$.n++; V = s$.n;"),
    ("struct S$ { int *n; ~S$() { *n = C; } };", "{ S$ s${&V}; }"),
    ("struct S$ { int n; operator int() const { return n + 1; } };", "S$ s${C}; V = s$;"),
    ("struct S$ { int n; S$ &operator=(int x) { n = x * 2; return *this; } };",
     "S$ s$; s$ = C; V = s$.n;"),
    ("struct B$ { virtual int get() { return C; } }; struct D$ : B$ { int get() override"
     " { return 2; } };", "D$ d$; B$ &b$ = d$; V = b$.get();"),
    ("union U$ { int n; unsigned u; };", "U$ u$; u$.n = C; u$.u += 1; V = u$.n;"),
    ("int down$(int n) { return n > 0 ? down$(n - 1) : C; }", "V = down$(3);"),
    ("void down$(int n, int &x) { if (n) { x += 1; down$(n - 1, x); } }", "down$(any(), V);"),
    ("enum { E$ = C };", "V = E$;"),
    ("constexpr int k$ = C;", "V = k$ * 2;"),
    ("int sum$(std::initializer_list<int> l) { int s = 0; for (int e : l) s += e; return s; }",
     "V = sum$({C, 2, W});"),
    ("void set$(int x = C, int *y = nullptr) { if (y) *y = x; }", "set$(); set$(3, &V);"),
    # lambdas called where they stand
    ("", "[&] { V = C; }();"),
    ("", "V = [=] { return W + C; }();"),
    ("", "V = [=]() mutable { V += C; W = 3; return V + W; }();"),
    ("", "V = [m = W * 2]() mutable { m += C; return m; }();"),
    ("", "[](int &x, int y) { x = y; }(V, C);"),
    ("", "[](auto *x) { *x += C; }(&V);"),
    ("", "[&r = V] { r += C; }();"),
    ("", "std::invoke([&](int &x) { x = W; W = C; }, V);"),
    ("", "for (int i$ = 0; i$ < 3; i$++) [&] { static int k$ = 0; V = ++k$; }();"),
    ("", "auto f$ = [&] { V += 1; }; [&] { f$(); if (any()) f$(); }();"),
    ("", "if (any()) [&] { V = C; }(); else [&] { W = V; }();"),
    ("", "[&] { P += C; }();"),
    ("", "P = [](float *q) { return q + C; }(P);"),
    ("", "P = [q = P + 1]() mutable { return q += C; }();"),
    # structures by value
    (_PAIR, "S$ t${P, V}; t$.n += C; W = t$.n;"),
    (_PAIR, "S$ t${P, V}, u$ = t$; u$.n = C; u$.d += 4; V = t$.n; P = any() ? t$.d : u$.d;"),
    (_PAIR, "S$ t${P, V}, u${P + 2, C}; if (any()) t$ = u$; V = t$.n; P = t$.d;"),
    (_PAIR, "S$ t${P, V}; t$ = {}; t$.d = P; t$.n = C; std::swap(t$.n, W);"),
    (_PAIR, "S$ t${P, V}; auto [d$, n$] = t$; d$ += 3; n$ = C; P = d$; V = n$; W = t$.n;"),
    (_PAIR, "S$ t${P, V}; auto &[d$, n$] = t$; d$ += 3; n$ = C; P = t$.d; W = t$.n;"),
    (_PAIR, "S$ a$[2] = {{P, V}, {P + 1, C}}; a$[0] = a$[any() & 1]; V = a$[0].n; P = a$[0].d;"),
    (_PAIR, "std::vector<S$> v${{P, V}}; v$[0].n = C; v$.back().d += 1; P = v$[0].d; W = v$[0].n;"),
    (_PAIR, "S$ t${P, V}; int *q$ = &t$.n; *q$ = C; W = t$.n;"),
    (_PAIR, "S$ t${P, V}; [t$]() mutable { t$.n = C; t$.d++; }(); W = t$.n; P = t$.d;"),
    (_PAIR, "S$ t${P, V}; [&] { t$.n = C; t$.d++; }(); W = t$.n; P = t$.d;"),
    (_PAIR, "S$ t${P, V}; (any() ? t$.n : W) = C; V = t$.n;"),
    (_PAIR + " void f$(S$ t) { t.n = C; t.d++; }", "S$ t${P, V}; f$(t$); W = t$.n; P = t$.d;"),
    (_PAIR + " void f$(S$ &t) { t.n = C; t.d++; }", "S$ t${P, V}; f$(t$); W = t$.n; P = t$.d;"),
    (_PAIR + " void f$(S$ *t) { t->n = C; t->d++; }", "S$ t${P, V}; f$(&t$); W = t$.n; P = t$.d;"),
    (_PAIR + " S$ f$(S$ t) { t.n += C; t.d += 4; return t; }",
     "S$ t${P, V}, u$ = f$(t$); V = t$.n; W = u$.n; P = any() ? t$.d : u$.d;"),
    (_PAIR + " S$ f$(float *p, int n) { if (n > C) return {p + 1, n}; return {p, 2}; }",
     "S$ t$ = f$(P, V); W = t$.n; P = t$.d;"),
    (_PAIR + " int f$(const S$ &t) { return t.n + C; }",
     "S$ t${P, V}; V = f$(t$); W = f$({P, 3});"),
    (_PAIR + " S$ g$; void f$(S$ t) { g$ = t; }", "f$({P + 1, C}); P = g$.d; V = g$.n;"),
    (_PAIR + " struct W$ { S$ s; int n; };",
     "W$ w${{P, V}, C}; w$.s.n = w$.n; V = w$.s.n; P = w$.s.d;"),
    # member functions
    ("struct S$ { int n; int next() { return n += C; } };", "S$ t${V}; V = t$.next(); W = t$.n;"),
    ("struct S$ { int n; S$ &set(int m) { n = m; return *this; } };",
     "S$ t${V}; t$.set(C).set(t$.n + 1); V = t$.n;"),
    ("struct S$ { int n; void set(int &m) const { m = n; } };", "S$ t${C}; t$.set(V); W = t$.n;"),
    ("struct S$ { float *d; S$(float *p, int n) : d(p) { move(n); } void move(int n) { d += n; }"
     " };",
     "S$ t$(P, C); P = t$.d;"),
    ("struct S$ { int n = C; static int c; void f() { c += n; } }; int S$::c = 1;",
     "S$ t$, u$; t$.f(); u$.c++; V = t$.c;"),
    ("struct B$ { int n = C; void up() { n++; } }; struct D$ : B$ { int n = 2; };",
     "D$ t$; t$.up(); V = t$.n; W = t$.B$::n;"),
    ("struct S$ { unsigned n : 4; int m : 5; };",
     "S$ t${}; t$.n = V + C; t$.m = C; V = t$.n; W = t$.m;"),
    ("int g$ = C; struct S$ { ~S$() { g$ += 3; } };", "{ S$ t$; g$ = V; } W = g$;"),
    ("int g$ = C; int set$() { return g$ = 7; } struct S$ { int n = set$(); };",
     "g$ = 2; { S$ t${}; } V = g$;"),
    ("", "P += 64;"),
    ("", "P = P + C;"),
    ("", "P++;"),
    ("", "P += 32 * any();"),
    ("", "float *&r$ = P; r$ += 8;"),
    ("", "float **q$ = &P; *q$ += C;"),
    ("", "if (any()) P += 2;"),
    ("", "P = &P[16];"),
    ("", "std::vector<float *> v${P}; v$[0] += 4; P = v$[0];"),
    ("", "float *a$[2] = {P, P + 3}; P = a$[any() & 1];"),
    ("", "P = (float *)((char *)P + 64);"),
    ("", "P = (float *)((size_t)P + 4 * C);"),
    ("", "auto f$ = [&] { P += 24; }; f$();"),
    ("", "for (int i$ = 0; i$ < any(); i$++) P += 8;"),
    ("float *move$(float *p) { return p + C; }", "P = move$(P);"),
    ("float *move$(float *p, int n) { return n ? move$(p + 8, n - 1) : p; }", "P = move$(P, 2);"),
    ("void move$(float *&p) { p += C; }", "move$(P);"),
    ("void move$(float **p) { *p += 16; }", "move$(&P);"),
    ("struct S$ { float *d; void move() { d += C; } };", "S$ s${P}; s$.move(); P = s$.d;"),
    ("struct S$ { float *d; float *at(int n) { return d + n; } };", "S$ s${P}; P = s$.at(C);"),
    ("struct S$ { float *d; }; void move$(S$ *s) { s->d += 12; }",
     "S$ s${P}; move$(&s$); P = s$.d;"),
    ("struct S$ { float *d; S$ operator+(int n) const { return {d + n}; } };",
     "S$ s${P}; P = (s$ + C).d;"),
    ("template <class T> T *move$(T *p) { return p + sizeof(T); }", "P = move$(P);"),
)  # fmt: skip

# how it is launched: (declarations, statement); KERNEL is the kernel, s x y its numbers
LAUNCHES: tuple[tuple[str, str], ...] = (
    ("", "KERNEL<<<2, x>>>(P, s);"),
    ("", "KERNEL<<<dim3(y, 2), dim3(x, y)>>>(P, s);"),
    ("", "dim3 b$(x, y); KERNEL<<<1, b$>>>(P, s);"),
    ("", "dim3 b$(x); b$.y = y; KERNEL<<<1, b$>>>(P, s);"),
    ("", "dim3 b${}; dim3 &c$ = b$; c$.x = x; KERNEL<<<y, b$>>>(P, s);"),
    ("", "KERNEL<<<1, 32>>>(P, s); s *= 2; KERNEL<<<1, 32>>>(P, s);"),
    ("", "for (int i$ = 0; i$ < 2; i$++) { KERNEL<<<1, x>>>(P + i$ * 8, s + i$); }"),
    ("", "if (any()) { KERNEL<<<1, x>>>(P, s); } else { KERNEL<<<1, 64>>>(P, 1); }"),
    ("", "auto go$ = [=](int n) { KERNEL<<<1, x>>>(P, n); }; go$(s); go$(4);"),
    ("", "auto go$ = [&] { KERNEL<<<1, x>>>(P, s); }; go$(); s = C; P += 1; go$();"),
    ("", "void (*k$)(float *, int) = KERNEL; k$<<<1, x>>>(P, s);"
     " KERNEL<<<1, 32>>>(P, 1);"),
    ("void go$(float *p, int n, int b) { KERNEL<<<1, b>>>(p, n); }",
     "go$(P, s, x); go$(P, C, 64);"),
    ("void go$(float *p, int n) { if (n > 40) return; KERNEL<<<1, 32>>>(p, n);"
     " go$(p + 1, n * 2 + 1); }", "go$(P, s & 31);"),
    ("void go$(float *p, int n); void og$(float *p, int n) { if (n > 0) go$(p, n - 3); }"
     " void go$(float *p, int n) { KERNEL<<<1, 32>>>(p, n); og$(p, n); }",
     "go$(P, s & 15);"),
    ("template <void (*K)(float *, int)> void go$(float *p, int n) { K<<<1, 32>>>(p, n); }",
     "KERNEL<<<1, 32>>>(P, 1); go$<KERNEL>(P, s);"),
    ("template <class K> void go$(K k, float *p, int n) { k<<<1, 64>>>(p, n); }",
     "KERNEL<<<1, 32>>>(P, 1); go$(KERNEL, P, s);"),
    ("template <int B> void go$(float *p, int n) { KERNEL<<<1, B>>>(p, n); }",
     "go$<32>(P, s); go$<C>(P, 1);"),
    ("struct L$ { int b; float *p; void go(int n) const { KERNEL<<<1, b>>>(p, n); } };",
     "L$ l${x, P}; l$.go(s);"),
    ("struct L$ { L$(float *p, int n) { KERNEL<<<1, 32>>>(p, n); } };",
     "L$ l$(P, s), m${P, 1};"),
    ("void go$(float *p, const int &n, int &b) { b++; KERNEL<<<1, b>>>(p, n); }",
     "go$(P, s, x); go$(P, x, x);"),
    (_PAIR + " void go$(S$ t) { KERNEL<<<1, 32>>>(t.d, t.n); }",
     "S$ t${P, s}; go$(t$); t$.n = C; t$.d++; go$(t$);"),
    (_PAIR + " void go$(const S$ &t, int b) { KERNEL<<<1, b>>>(t.d, t.n); }",
     "go$({P, s}, x); go$({P + 1, C}, 32);"),
    ("struct S$ { float *d; int n; void go() { KERNEL<<<1, n>>>(d, n); n = C; d += 2; } };",
     "S$ t${P, x}; t$.go(); t$.go();"),
    ("", "[&] { KERNEL<<<1, x>>>(P, s); }(); s = C;"
     " [=] { KERNEL<<<y, 32>>>(P, s); }();"),
    ("", "[](float *q, int n) { KERNEL<<<1, n>>>(q, n); }(P + C, x);"),
    ("", "[b = dim3(x, 2), q = P]() mutable { b.x = C; KERNEL<<<1, b>>>(q, 3); }();"),
    ("void (*g$)(float *, int); void go$(float *p, int n) { g$(p, n); }"
     " void real$(float *p, int n) { KERNEL<<<1, 32>>>(p, n); }",
     "g$ = real$; go$(P, s); real$(P, 1);"),
    ("void go$(float *p, int n, dim3 b = dim3(C)) { KERNEL<<<1, b>>>(p, n); }",
     "go$(P, s); go$(P, 1, x);"),
)  # fmt: skip


class Program(Struct, frozen=True):
    """One kernel with all that leads to it; ``run()`` is its entry."""

    number: int
    text: str


def filled(way: Sequence[str], number: int, use: int, rng: random.Random) -> list[str]:
    """The texts of a way, with names and numbers for its marks; the last one is a statement."""
    one, other = rng.sample(["s", "x", "y"], 2)
    count = str(rng.choice([1, 2, 3, 5, 8, 16, 20, 32, 33, 64]))
    done = []
    for at, text in enumerate(way, 1):
        full = text.replace("$", f"{number}_{use}").replace("KERNEL", f"kernel{number}")
        if at == len(way):
            full = re.sub(r"\bV\b", one, full)
            full = re.sub(r"\bW\b", other, full)
            full = re.sub(r"\bP\b", "p", full)
        done.append(re.sub(r"\bC\b", count, full))
    return done


def drawn(number: int, rng: random.Random) -> Program:
    """A program of some ways and one or two launches."""
    declared: list[str] = []
    said: list[str] = []
    uses = iter(range(1000))

    def use(way: tuple[str, str]) -> None:
        for text, place in zip(filled(way, number, next(uses), rng), (declared, said), strict=True):
            place.append(text)

    for _ in range(rng.randint(1, 6)):
        use(rng.choice(WAYS))
    use(rng.choice(LAUNCHES))
    if rng.random() < 0.2:
        use(rng.choice(WAYS))
        use(rng.choice(LAUNCHES))
    start = ", ".join(f"{name} = {rng.choice([1, 8, 16, 32])}" for name in "sxy")
    body = "\n  ".join(said)
    text = "\n".join(
        [
            f"__global__ void kernel{number}(float *a, int n) {{ note({number}, a, n); }}",
            *filter(None, declared),
            f"void run{number}() {{\n  int {start};\n  float *p;\n"
            f"  cudaMalloc(&p, 1 << 16);\n  {body}\n}}",
        ]
    )
    return Program(number, text)
