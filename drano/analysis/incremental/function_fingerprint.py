"""What the functions of a module say, apart from where they stand, to find those that an edit left
unchanged before they are expanded into their callers.

Means: the printed lines of a function in SSA form without the numbers of metadata and attribute
groups; which of these numbers are the same; what each of them stands for; and, separately, the
places. If the functions of two kernels agree in all this and stand in the same order, LLVM expands
them to the same code: no pass looks at more of a place than whether it differs from another.
Assumptions: LLVM's own printing. Of metadata the analyses read places, the names of variables and
functions, and whether a load is invariant, which is in the text.
Limits: records of variables that only ever hold constants are left out, as nothing reads them, and
so are the places of assembly in the file, in bytes. A function with a string that could be taken
for a number is never the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from drano.ir.llvm_text import TypeTable, bare_name
from drano.ir.model import StructInfo
from drano.ir.prepare.inlining import SplitText
from drano.ir.read.debug_info import DebugInfo
from drano.model.span import Location

_NUMBER = re.compile(r"([!#])\d+")
_NUMBERED = re.compile(r"[!#]\d+")
_QUOTED = re.compile(r'"[^"\n]*[!#]\d[^"\n]*"')
_SYMBOL = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_RECORD = re.compile(r"\s*#dbg_\w+\((.*?), (!\d+), !DI")
_OFFSET = re.compile(r", !srcloc !\d+")
_GROUP = re.compile(r"attributes (#\d+) = (.*)")
_NAMED = ("!DIGlobalVariableExpression", "!DIGlobalVariable")


class Print(Struct, frozen=True):
    """Of a function, a variable or a declaration.

    ``text``: its lines without numbers, None when nothing is the same; ``pattern``: for each number
    in them, the first with which it is the same; ``meanings`` and ``places``: of each that is the
    first; ``refers``: the symbols it names.
    """

    text: str | None
    pattern: tuple[int, ...]
    meanings: tuple[str, ...]
    places: tuple[Location | None, ...]
    refers: frozenset[str]
    lines: int = 0

    def same_but_places(self, other: Print) -> bool:
        """Whether the two agree in all but where they stand."""
        return (
            self.text is not None
            and self.text == other.text
            and self.meanings == other.meanings
            and self.pattern == other.pattern
            and self.refers == other.refers
        )


class ModulePrint(Struct, frozen=True):
    """``symbols``: functions, variables and declarations in the module's order; ``kernels``: the
    names of those; ``structs``: types as they are defined; ``fields``: what is known of them;
    ``held``: whether variables hold device functions, which no kernel need call then.
    """

    symbols: Mapping[str, Print]
    kernels: tuple[str, ...]
    structs: tuple[str, ...]
    fields: Mapping[str, StructInfo]
    held: bool

    def reached(self, name: str) -> tuple[str, ...]:
        """The symbol and all that it refers to, directly or not, in the module's order."""
        seen = {name}
        pending = [name]
        while pending:
            new = self.symbols[pending.pop()].refers - seen
            seen |= new
            pending += [each for each in new if each in self.symbols]
        return tuple(each for each in self.symbols if each in seen)

    def weight(self, name: str) -> int:
        """Lines of all that a kernel reaches."""
        return sum(self.symbols[each].lines for each in self.reached(name))

    def paths(self) -> frozenset[str]:
        """Files that the places are in."""
        places = {id(p): p for one in self.symbols.values() for p in one.places if p is not None}
        return frozenset(
            span.path
            for place in places.values()
            for span in (place.span, *(frame.span for frame in place.inlined_at))
        )


def module_print(split: SplitText, described: Sequence[str]) -> ModulePrint:
    """The fingerprint of a module in SSA form. ``described``: lines whose metadata tell of all
    types.
    """
    debug = DebugInfo(split.rest)
    groups = {match[1]: match[2] for match in map(_GROUP.match, split.rest) if match}
    structs = tuple(line for line in split.rest if line.startswith("%"))
    symbols = {}
    named: set[str] = set()
    for line in split.rest:
        if line.startswith(("@", "declare ")):
            match = _SYMBOL.search(line)
            if match is not None:
                variable = symbols[bare_name(match[0])] = _print([line], debug, groups)
                named |= variable.refers
    for name, function in split.functions.items():
        lines = [function.header, *_telling(function.body)]
        symbols[name] = _print(lines, debug, groups)
    types = TypeTable(structs)
    defined = [types.named(line.partition(" = ")[0]) for line in structs]
    fields = DebugInfo(described).structs(defined) if defined else {}
    kernels = tuple(name for name, function in split.functions.items() if function.is_kernel)
    held = any(name in named and name not in kernels for name in split.functions)
    return ModulePrint(symbols, kernels, structs, fields, held)


def _telling(body: Iterable[str]) -> list[str]:
    """A function's lines without the records of variables that only hold constants."""
    named = set()
    records: dict[int, str] = {}
    lines = list(body)
    for number, line in enumerate(lines):
        if line.startswith("    #dbg_"):
            match = _RECORD.match(line)
            if match is None:
                continue
            records[number] = match[2]
            if "%" in match[1]:
                named.add(match[2])
    if all(variable in named for variable in records.values()):
        return lines
    return [line for n, line in enumerate(lines) if n not in records or records[n] in named]


def _print(lines: list[str], debug: DebugInfo, groups: Mapping[str, str]) -> Print:
    text = "\n".join(lines)
    if "!srcloc" in text:
        text = _OFFSET.sub("", text)
    found = _NUMBERED.findall(text)
    places: list[Location | None] = []
    meanings: list[str] = []
    scopes: dict[tuple[str, ...], None] = {}
    first = list(dict.fromkeys(found))
    for reference in first:
        meaning, place = _meaning(reference, debug, groups)
        meanings.append(meaning)
        places.append(place)
        if meaning == "!DILocation":
            scopes[debug.scopes(reference)] = None
    numbers = {reference: n for n, reference in enumerate(first)}
    pattern = [numbers[reference] for reference in found]
    pattern += [numbers.setdefault(scope, len(numbers)) for nest in scopes for scope in nest]
    quoted = '"' in text and _QUOTED.search(text) is not None
    return Print(
        None if quoted else _NUMBER.sub(r"\1", text),
        tuple(pattern),
        tuple(meanings),
        tuple(places),
        frozenset(map(bare_name, _SYMBOL.findall(text))),
        len(lines),
    )


def _meaning(
    reference: str, debug: DebugInfo, groups: Mapping[str, str]
) -> tuple[str, Location | None]:
    if reference.startswith("#"):
        return groups.get(reference, ""), None
    kind = debug.kind(reference)
    if kind == "!DILocation":
        return kind, debug.location(reference)
    if kind == "!DISubprogram":
        name, place = debug.subprogram(reference)
        return f"{kind} {name}", place
    if kind == "!DILocalVariable":
        return f"{kind} {debug.variable(reference)}", None
    if kind in _NAMED:
        return f"{kind} {debug.global_name(reference)}", None
    return _NUMBER.sub(r"\1", kind), None
