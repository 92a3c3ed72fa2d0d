"""Device functions and variables that a unit uses and lacks, and those that others may have of it.

Means: the text of a unit's module. What kernels reach and only a declaration stands for is lacking;
what is defined under a name that a device linker sees is offered, with what it reaches and lacks in
turn.
Assumptions: the text is LLVM's own printing.
Limits: copies of what every unit that calls it has for itself (templates, inline functions) are
not offered. An instance of a template is where the unit's own text, which may be a macro's,
instantiates the template explicitly; clang makes no difference between it and others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from drano.ir.intrinsics import is_library, is_provided
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.inlining import SplitText, is_exported, split_module
from drano.model.report import OfferedCode

_SYMBOL = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_DECLARED = re.compile(r'declare [^@]*(@(?:"[^"]*"|[-\w.$]+))\(')
_VARIABLE = re.compile(
    r'(@(?:"[^"]*"|[-\w.$]+)) = ((?:[a-z_]+(?:\([^)]*\))? )*?)(?:global|constant) '
)
_INSTANTIATION = re.compile(rb"(?<![\w.:>])(?<!extern )template\s+(?!<)[^;{}]{0,4096}")
_TEMPLATE = re.compile(rb"([A-Za-z_]\w*)\s*[<(]", re.ASCII)
_SHARED: Final = "addrspace(3)"
_LLVM: Final = "llvm."
_OWN: Final = frozenset(
    {"internal", "private", "linkonce", "linkonce_odr", "available_externally", "appending"}
)
_NOT_HERE: Final = frozenset({"external", "extern_weak"})


class UnitSymbols(Struct, frozen=True):
    """``lacks``: symbols that kernels reach and the unit does not define; ``offers``: what other
    units may have of it.
    """

    lacks: tuple[str, ...] = ()
    offers: tuple[OfferedCode, ...] = ()


def unit_symbols(ir: str, source: bytes = b"") -> UnitSymbols:
    """Of a module as the compiler printed it. ``source``: the unit's text."""
    split = split_module(ir)
    variables = dict(_variables(split.rest))
    lacking = _declared(split, variables)
    instances = _instantiated(source)
    offered = [
        name
        for name, function in split.functions.items()
        if not (function.is_kernel or is_library(name))
        and (is_exported(function) or any(part in name for part in instances))
    ]
    offered += [n for n, words in variables.items() if not words & (_OWN | _NOT_HERE)]
    if not lacking:
        return UnitSymbols((), tuple(OfferedCode(name) for name in sorted(offered)))
    refers = _references(split)
    kernels = [f.name for f in split.functions.values() if f.is_kernel]
    return UnitSymbols(
        _lacked(kernels, refers, lacking),
        tuple(OfferedCode(name, _lacked([name], refers, lacking)) for name in sorted(offered)),
    )


def _instantiated(source: bytes) -> frozenset[str]:
    """Words of explicit instantiations, as parts of a mangled name of a template's instance.

    >>> _instantiated(b"template float get<float>(int);")
    frozenset({'3getI'})
    """
    found = _INSTANTIATION.findall(source)
    words = (word for statement in found for word in _TEMPLATE.findall(statement))
    return frozenset(f"{len(word)}{word.decode('ascii')}I" for word in words)


def lacked_symbols(ir: str, starts: Iterable[str]) -> frozenset[str]:
    """What functions and variables of a unit reach and the unit does not define."""
    split = split_module(ir)
    declared = _declared(split, dict(_variables(split.rest)))
    return frozenset(_lacked(starts, _references(split), declared)) if declared else frozenset()


def _declared(split: SplitText, variables: Mapping[str, frozenset[str]]) -> set[str]:
    """Functions and variables of the program that are only declared."""
    functions = {bare_name(m[1]) for m in map(_DECLARED.match, split.rest) if m}
    lacking = {n for n in functions if not (n.startswith(_LLVM) or is_provided(n))}
    return lacking | {name for name, words in variables.items() if "external" in words}


def _variables(lines: Iterable[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Variables of a grid, with the words of their linkage."""
    for line in lines:
        match = _VARIABLE.match(line) if line.startswith("@") else None
        if match and _SHARED not in match[2] and not match[1].startswith("@llvm."):
            yield bare_name(match[1]), frozenset(match[2].split())


def _references(split: SplitText) -> Mapping[str, frozenset[str]]:
    """What each function, and each variable's first value, names."""
    found = {}
    for name, function in split.functions.items():
        text = (line for line in function.body if "@" in line)
        found[name] = frozenset(bare_name(t) for line in text for t in _SYMBOL.findall(line))
    for line in split.rest:
        if line.startswith("@") and not line.startswith("@llvm."):
            first, *others = map(bare_name, _SYMBOL.findall(line))
            found[first] = frozenset(others)
    return found


def _lacked(
    starts: Iterable[str], refers: Mapping[str, frozenset[str]], lacking: set[str]
) -> tuple[str, ...]:
    """Those that something reaches from any of ``starts``."""
    seen = set(starts)
    pending = list(seen)
    while pending:
        new = refers.get(pending.pop(), frozenset()) - seen
        seen |= new
        pending += new
    return tuple(sorted(seen & lacking))
