"""Kernels as they are without counting, beside those that count.

Means: ``K_drano_plain`` is a copy of the kernel for launches that need no counting on the GPU. It
has shared variables of its own: counting takes the addresses of the originals, after which LLVM no
longer knows that nothing else points there.
Assumptions: the kernels call only LLVM's own functions and the library's (``replay.repeatable``),
so nobody else has to find what is in their shared variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from drano.dynamic.cpu.translated_text import quoted
from drano.dynamic.cpu.variables import mentioned, shared_names
from drano.dynamic.gpu.counting.counting_calls import renamed
from drano.dynamic.gpu.replay.repeatable import PLAIN
from drano.dynamic.instrument.printed_instructions import GLOBAL_TOKEN
from drano.ir import model as m
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.passes import PreparedModule

# What belongs to the one definition, and to those that other units may know.
_ATTACHED = re.compile(r", (?:!dbg !\d+|comdat(?:\(\$[^)]*\))?)")
_OWN = re.compile(r"= (?:dso_local |local_unnamed_addr |unnamed_addr )*(?:internal|private) ")


def plain_kernels(prepared: PreparedModule, module: m.Module, names: Iterable[str]) -> list[str]:
    """Lines of IR: the copies of the kernels ``names`` and their variables."""
    known = {
        bare_name(match[0]): line
        for line in prepared.split.rest
        if (match := GLOBAL_TOKEN.match(line)) is not None and _OWN.search(line)
    }
    shared = shared_names(module) & known.keys()
    lines: list[str] = []
    copied: set[str] = set()
    for name in names:
        function = renamed(prepared.split.functions[name], name + PLAIN)
        used = mentioned(function.body, shared)
        body = [_of_its_own(line, used) for line in function.body]
        lines += [function.header, *body, "}"]
        copied |= used
    definitions = [_of_its_own(_ATTACHED.sub("", known[name]), copied) for name in sorted(copied)]
    return [*definitions, *lines]


def _of_its_own(line: str, names: set[str]) -> str:
    """The line with copies of the variables ``names`` in their place."""

    def copy(match: re.Match[str]) -> str:
        name = bare_name(match[0])
        return f"@{quoted(name + PLAIN)}" if name in names else match[0]

    return GLOBAL_TOKEN.sub(copy, line) if names and "@" in line else line
