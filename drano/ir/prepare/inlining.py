"""Which device functions to expand into their callers, decided on the text of a module.

Means: everything reachable from a kernel is inlined, except the mathematics library (names in
``__nv_``, whose meaning is known by name), recursive functions, and functions whose expansion
would pass a budget: those remain calls.
Assumptions: the text is LLVM's own printing: one instruction per line, ``define`` and ``}`` at
the start of a line.
Limits: sizes are lines, an upper bound of instructions; names that occur inside string constants
count as references, which only ever keeps a function in the picture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from drano.ir.cfg import strongly_connected_components
from drano.ir.debug_nodes import Nodes
from drano.ir.intrinsics import is_library
from drano.ir.llvm_text import bare_name
from drano.ir.target import KERNEL

FUNCTION_BUDGET = 300_000
"""Lines that one function may grow to by inlining."""
TINY = 8
"""Lines up to which a function is inlined whatever the budget: the headers' wrappers of special
registers, without which no index can be followed."""
MODULE_BUDGET = 1_000_000
"""Lines that all functions which stay may grow to: others are deleted once they are inlined."""
_OWN_LINKAGE = frozenset(
    {"internal", "private", "linkonce", "linkonce_odr", "available_externally"}
)
"""Of functions that every unit that calls them has for itself."""

REFERENCE = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')


class FunctionText(Struct, frozen=True):
    """A defined function as printed: ``header`` its ``define`` line, ``body`` the lines between
    the braces. ``name`` is the symbol, without ``@``, quotes and escapes.
    """

    name: str
    header: str
    body: tuple[str, ...]

    @property
    def is_kernel(self) -> bool:
        """Whether the calling convention is a kernel's."""
        return KERNEL.search(self.header.partition("@")[0]) is not None


class SplitText(Struct, frozen=True):
    """A printed module taken apart. ``rest``: every line outside of function bodies."""

    functions: Mapping[str, FunctionText]
    rest: tuple[str, ...]


def split_module(text: str) -> SplitText:
    """Take LLVM's printing of a module apart, into functions and the rest."""
    functions: dict[str, FunctionText] = {}
    rest: list[str] = []
    lines = text.split("\n")
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        if not line.startswith("define "):
            rest.append(line)
            continue
        start = position
        while position < len(lines) and lines[position] != "}":
            position += 1
        name = first_symbol(line)
        functions[name] = FunctionText(name, line, tuple(lines[start:position]))
        position += 1
    return SplitText(functions, tuple(rest))


_WORD = re.compile(r"%[-\w.$]+")
_SIZE = re.compile(r"(%\S+) = (?:tail )?call [^\n]*@llvm\.nvvm\.read\.ptx\.sreg\.ntid\.")


def guarded_functions(text: str) -> SplitText:
    """Functions of a printed module that compare a size of their blocks with something."""
    nothing: SplitText = SplitText({}, ())
    if "sreg.ntid." not in text:
        return nothing
    split = split_module(text)
    chosen = {}
    for name, function in split.functions.items():
        sizes: set[str] = set()
        for line in function.body:
            if match := _SIZE.search(line):
                sizes.add(match[1])
            elif not sizes or ("ext " not in line and " icmp " not in line):
                continue
            elif sizes.intersection(words := _WORD.findall(line)):
                if " icmp " in line:
                    chosen[name] = function
                    break
                sizes.add(words[0])
    return SplitText(chosen, split.rest) if chosen else nothing


def first_symbol(line: str) -> str:
    """The first symbol of a line, which a ``define``, ``declare`` or variable is of."""
    match = REFERENCE.search(line)
    return bare_name(match[0]) if match else ""


def references(function: FunctionText, among: Mapping[str, FunctionText]) -> Counter[str]:
    """How often ``function`` mentions each of the functions ``among``, calls or not."""
    found: Counter[str] = Counter()
    for line in function.body:
        if "@" in line:
            found.update(REFERENCE.findall(line))
    named = ((bare_name(token), count) for token, count in found.items())
    return Counter({name: count for name, count in named if name in among})


def roots(split: SplitText, *, exported: bool = False) -> tuple[str, ...]:
    """Functions worth reading: kernels and what they still call or take the address of, directly
    or through globals; nothing when there is no kernel. In order of appearance. ``exported``:
    functions that other units may call are roots, too.
    """
    functions = split.functions
    kernels = [f.name for f in functions.values() if f.is_kernel]
    if exported:
        kernels += [f.name for f in functions.values() if is_exported(f)]
    if not kernels:
        return ()
    pending = list(kernels)
    for line in split.rest:
        if line.startswith("@"):
            held = map(bare_name, REFERENCE.findall(line)[1:])
            pending += [name for name in held if name in functions]
    seen = _reached(pending, functions)
    return tuple(name for name in functions if name in seen and not is_library(name))


def _reached(
    start: Iterable[str], functions: Mapping[str, FunctionText], *, library: bool = False
) -> set[str]:
    """Functions by name, and those that they mention; ``library``: that its functions do as well"""
    seen: set[str] = set()
    pending = list(start)
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            if library or not is_library(name):
                pending += references(functions[name], functions)
    return seen


def part_text(split: SplitText, kernels: Iterable[str], nodes: Nodes) -> str:
    """A printed module with some kernels, and what they reach, as text; others are declared.
    ``nodes``: of its other lines.
    """
    functions = split.functions
    seen = _reached(kernels, functions, library=True)
    held = (functions[name] for name in functions if name in seen)
    lines = nodes.lines_for("\n".join((f.header, *f.body)) for f in held)
    for name, function in functions.items():
        if name in seen:
            lines += (function.header, *function.body, "}")
        else:
            symbol = REFERENCE.search(function.header)
            lines.append(f"declare void {symbol[0]}()" if symbol else "")
    return "\n".join(lines)


def is_exported(function: FunctionText) -> bool:
    """Whether other units may call a function by its name."""
    return not function.is_kernel and has_outside_linkage(function)


def has_outside_linkage(function: FunctionText) -> bool:
    """Whether other units may know a function or kernel by its name."""
    return not _OWN_LINKAGE & set(function.header.partition("@")[0].split())


class Expansion(Struct, frozen=True):
    """``chosen``: functions to inline everywhere; ``sizes``: lines of those that remain, then."""

    chosen: frozenset[str]
    sizes: Mapping[str, int]


def inlinable(
    split: SplitText,
    *,
    exported: bool = False,
    waits: re.Pattern[str] | None = None,
    parted: bool = False,
) -> Expansion:
    """What to inline: functions reachable from a kernel, not recursive, within budget.

    ``waits``: what a line has where threads wait for each other, for a compiler, which cannot call
    functions that do: those are inlined whatever their size, if all fits in the module's budget.
    ``parted``: kernels will not all be expanded at once, so that there is none for the module.
    """
    functions = {name: split.functions[name] for name in roots(split, exported=exported)}
    calls = {name: references(function, functions) for name, function in functions.items()}
    names = list(functions)
    number = {name: k for k, name in enumerate(names)}
    graph = [[number[callee] for callee in calls[name]] for name in names]
    components = strongly_connected_components(graph)
    order = [names[k] for component in components for k in component]
    recursive = {names[k] for c in components if len(c) > 1 for k in c}
    recursive |= {name for name in names if name in calls[name]}
    kernels = {name for name in names if functions[name].is_kernel}
    candidates = frozenset(names) - recursive - kernels
    sizes = {name: len(function.body) for name, function in functions.items()}
    waiting: set[str] = set()
    if waits:
        for name in order:
            if calls[name].keys() & waiting or any(map(waits.search, functions[name].body)):
                waiting.add(name)
    budget = FUNCTION_BUDGET
    while True:
        chosen, expanded = _within(order, sizes, calls, candidates, budget, waiting)
        left = {name: lines for name, lines in expanded.items() if name not in chosen}
        if parted or sum(left.values()) <= MODULE_BUDGET:
            return Expansion(chosen, left)
        if not budget:
            return inlinable(split, exported=exported) if waits else Expansion(chosen, left)
        budget //= 4


def _within(
    callees_first: Iterable[str],
    sizes: Mapping[str, int],
    calls: Mapping[str, Counter[str]],
    candidates: frozenset[str],
    budget: int,
    kept: Collection[str],
) -> tuple[frozenset[str], dict[str, int]]:
    """The candidates that may be inlined so that no function passes ``budget`` by it, and the
    size of each function after that. Where a function would pass it, its largest parts go first,
    but none that is ``kept``.
    """
    chosen = set(candidates)
    expanded: dict[str, int] = {}
    for name in callees_first:
        parts = {c: n * expanded[c] for c, n in calls[name].items() if c in chosen and c != name}
        total = sizes[name] + sum(parts.values())
        for callee in sorted(parts, key=lambda c: (-parts[c], c)):
            if total <= budget:
                break
            if expanded[callee] <= TINY or callee in kept:
                continue
            chosen.discard(callee)
            total -= parts[callee]
        expanded[name] = total
    return frozenset(chosen), expanded
