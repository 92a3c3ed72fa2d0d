"""Kernels that hold nothing but code of files that nobody asks about: CUB's sort, Thrust's copy.

Means: by the debug information of a module as the compiler printed it. A kernel is foreign if it
and every function that it may reach, by calls, addresses or variables, is of a foreign file; a
functor, a lambda or a variable of the user's makes it their own: what it writes there other kernels
may read. Foreign kernels stop being kernels, so that
what only they need is dropped before anything is optimised.
Assumptions: an access is of the file of the function that it is written in.
Limits: functions without a place are taken for the user's, but for what comes with the compiler.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from drano.ir.debug_nodes import debug_files, debug_functions, place_of
from drano.ir.intrinsics import is_provided
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.inlining import (
    REFERENCE,
    SplitText,
    first_symbol,
    split_module,
)
from drano.ir.target import KERNEL
from drano.model.system_headers import is_system_header

_VARIABLE = re.compile(r"@[^\n]* = (?!.*\baddrspace\(3\))[^\n\"]*\bglobal\b")
_EXPRESSION = re.compile(r"!(\d+) = (?:distinct )?!DIGlobalVariableExpression\(var: !(\d+)")
_GLOBAL = re.compile(r"!(\d+) = (?:distinct )?!DIGlobalVariable\(.*?\bfile: !(\d+)")


class OwnKernels(Struct, frozen=True):
    """``ir``: the module with its own kernels; ``foreign``: symbols of the others."""

    ir: str
    foreign: frozenset[str] = frozenset()


def with_own_kernels(ir: str, is_foreign: Callable[[str], bool]) -> OwnKernels:
    """The compiler's module without kernels of files that are foreign, by their paths."""
    files = {number: os.path.normpath(path) for number, path in debug_files(ir).items()}
    foreign_files = {number for number, path in files.items() if is_foreign(path)}
    if not foreign_files:
        return OwnKernels(ir)
    split = split_module(ir)
    places = debug_functions(split.rest)
    at = {name: places.get(place_of(f.header)) for name, f in split.functions.items()}
    file_of = {name: "" if place is None else place.file for name, place in at.items()}
    suspects = {
        name
        for name, function in split.functions.items()
        if function.is_kernel and file_of[name] in foreign_files
    }
    if not suspects:
        return OwnKernels(ir)
    others = foreign_files | {number for number, path in files.items() if is_system_header(path)}
    written = {name for name, file in file_of.items() if file not in others}
    own = _reaching_own(split, written | _own_variables(split, others))
    foreign = frozenset(suspects - own)
    return OwnKernels(_demoted(ir, foreign), foreign)


def _own_variables(split: SplitText, others: set[str]) -> set[str]:
    """Variables that last from kernel to kernel, and are not of files of others."""
    variable_of = {m[1]: m[2] for line in split.rest if (m := _EXPRESSION.match(line)) is not None}
    file_of = {m[1]: m[2] for line in split.rest if (m := _GLOBAL.match(line)) is not None}
    own = set()
    for line in split.rest:
        if line.startswith("@") and _VARIABLE.match(line) is not None:
            variable = variable_of.get(place_of(line), "")
            if file_of.get(variable, "") not in others:
                own.add(first_symbol(line))
    return own


def _reaching_own(split: SplitText, written: set[str]) -> set[str]:
    """Functions and variables from which the user's code is reached, and that code: ``written``
    and what other units define.
    """
    users: dict[str, list[str]] = {}
    for name, lines in _holders(split):
        for used in {bare_name(token) for line in lines for token in REFERENCE.findall(line)}:
            users.setdefault(used, []).append(name)
    own = {name for name in written if _is_users(name)}
    declared = (line for line in split.rest if line.startswith("declare "))
    own |= {name for line in declared if _is_users(name := first_symbol(line))}
    pending = list(own)
    while pending:
        more = [user for user in users.get(pending.pop(), ()) if user not in own]
        own.update(more)
        pending += more
    return own


def _is_users(name: str) -> bool:
    """Whether a function without a place may be the user's."""
    return not (name.startswith("llvm.") or is_provided(name))


def _holders(split: SplitText) -> Iterable[tuple[str, Iterable[str]]]:
    """Who mentions what: functions with their lines, variables with their values."""
    for name, function in split.functions.items():
        yield name, [line for line in function.body if "@" in line]
    for line in split.rest:
        if line.startswith("@"):
            yield first_symbol(line), (line.partition(" = ")[2],)


def _demoted(ir: str, kernels: frozenset[str]) -> str:
    if not kernels:
        return ir
    lines = ir.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("define ") and first_symbol(line) in kernels:
            before, at, after = line.partition("@")
            lines[number] = KERNEL.sub("", before).replace("  ", " ") + at + after
    return "\n".join(lines)
