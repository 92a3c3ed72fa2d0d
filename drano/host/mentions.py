"""Kernels and host functions that host code names other than to launch or call them:
``run(kernel, …)``, ``f = kernel``, ``std::thread(function, …)``.

Each use of such a name has to be followed (``handed_kernels``); otherwise it may lead to launches
and calls of which nothing is known. Functions of CUDA's runtime that only query or set attributes
of a kernel do not launch it.

Limits: a name that a macro pastes together is not seen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from drano.frontend.libclang import Kind, Node, key
from drano.frontend.text.cpp_lexer import identifiers, macros, without_macros
from drano.host.function_bodies import descend, plain_children, strip
from drano.host.launching.handed_kernels import ASKING
from drano.host.launching.launch_syntax import launch_parts

_DECLARED: Final = re.compile(rb"([A-Za-z_]\w*)\s*\(")
_NAMES: Final = frozenset({Kind.DECL_REF, Kind.OVERLOADED_REF})
_NAMED: Final = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.OVERLOADED_REF})


def mention_text(names: frozenset[str]) -> re.Pattern[bytes]:
    """Matches text that may name one of the functions otherwise than before ``<<<`` or ``(``."""
    words = b"|".join(re.escape(os.fsencode(name)) for name in sorted(names))
    arguments = rb"(?:<(?:[^<>;]|<[^<>;]*>)*>\s*)?"
    return re.compile(rb"\b(?:" + words + rb")\b(?!\s*" + arguments + rb"(?:<<<|\())")


def kernel_names(texts: Iterable[bytes]) -> frozenset[str]:
    r"""Names that the texts of a unit may declare kernels by, and some others.

    >>> sorted(kernel_names([b"#define K __global__\nK void __launch_bounds__(32) f(int n);"]))
    ['__launch_bounds__', 'f']
    """
    known = list(texts)
    specifiers, making = {b"__global__"}, set[bytes]()
    for text in known:
        for macro in macros(text):
            if not specifiers.isdisjoint(identifiers(macro.body)):
                specifiers.add(macro.name)
                making |= {macro.name} if macro.parameters else set()
    words = b"|".join(map(re.escape, sorted(specifiers)))
    head = re.compile(rb"\b(" + words + rb")\b([^;{}]*)")
    found: set[bytes] = set()
    for text in known:
        for specifier, rest in head.findall(without_macros(text)):
            found.update(identifiers(rest) if specifier in making else _DECLARED.findall(rest))
    return frozenset(map(os.fsdecode, found))


def mentions(root: Node | None, names: frozenset[str]) -> Iterator[tuple[Node, Any]]:
    """Each place in a function, or in a variable's initialiser, that names one of the
    functions otherwise, with what it names: a declaration, or in templates a set of overloads.
    """
    if root is None:
        return
    harmless: set[int] = set()
    callees: set[int] = set()
    for node, above in descend(root):
        if id(node) in callees:
            continue  # but not what is below it: arguments of a template
        if id(node) in harmless or (above and id(above[0]) in harmless):
            harmless.add(id(node))  # and all below it, as parents come first
        elif node.kind == Kind.CALL:
            harmless.update(map(id, _harmless(node)))
            callees.update(map(id, _called(node)))
        elif node.kind in _NAMES and node.spelling in names:
            named = node.declared() if node.kind == Kind.DECL_REF else node.cursor
            if named is not None and named._kind_id in _NAMED:
                yield node, named


def _harmless(call: Node) -> list[Node]:
    """Parts of a call in which names do not count."""
    if ASKING.fullmatch(call.spelling):
        return call.children
    parts = launch_parts(call)
    if parts is not None:
        return [parts.callee]
    return []


def _called(call: Node) -> list[Node]:
    """The name of what is called."""
    inner = plain_children(call)
    if not inner:
        return [child for child in call.children if child.kind == Kind.OVERLOADED_REF][:1]
    callee, called = strip(inner[0]), call.declared()
    itself = called is None or (callee.kind == Kind.DECL_REF and callee.key == key(called))
    overloads = [child for child in callee.children if child.kind == Kind.OVERLOADED_REF][:1]
    return [callee, *overloads] if itself else []
