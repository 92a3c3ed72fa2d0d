"""Kernels that the driver looks up by name: ``cuModuleGetFunction(&f, module, "name")``.

What such a handle launches is known if the name is a literal and the handle a local variable that
is used only for launches and more such calls. Any other string of the unit that may be a name
stands for a kernel that may be launched in ways unknown.
Assumption: a string that is put together at run time names no kernel of the run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from drano.frontend.libclang import Kind, Node, Unary, key
from drano.frontend.text import cpp_lexer
from drano.host.arithmetic import Place
from drano.host.function_bodies import handle_place, plain_children, preorder, strip
from drano.host.launching.launch_syntax import handle_name, launch_parts, takes_handle

DRIVER_TEXT: Final = re.compile(
    rb"\bcu(?:Launch(?:Cooperative)?Kernel|ModuleGetFunction|Library(?:GetKernel|EnumerateKernels)"
    rb"|KernelGetFunction|ModuleEnumerateFunctions|FuncGet\w+|GraphAddKernelNode)"
)
_ASKING: Final = re.compile(r"cuFunc(?:Get|Set)\w+|cuOccupancy\w+")


def names_in(texts: Mapping[str, bytes]) -> Iterator[tuple[str, Place]]:
    """Each literal that may be a function's name, and where it stands."""
    for file, text in texts.items():
        for token in cpp_lexer.tokens(text, {cpp_lexer.Kind.STRING}):
            name = cpp_lexer.string_content(token.text)
            if cpp_lexer.NAME.fullmatch(name) and not _is_linkage(text, token.start):
                yield os.fsdecode(name), (file, token.start)


def _is_linkage(text: bytes, place: int) -> bool:
    """Whether the string there is that of ``extern "C"``."""
    return text[max(0, place - 80) : place].rstrip().endswith(b"extern")


def followed_names(root: Node | None) -> Iterator[Place]:
    """Where the names stand whose handles a function does nothing with but launch."""
    if root is None:
        return
    asked: dict[int, list[Node]] = {}
    harmless: set[int] = set()
    uses: list[Node] = []
    for node in preorder(root):
        if node.kind == Kind.CALL:
            harmless.update(map(id, _harmless(node)))
            place = handle_place(node)
            if place is not None and _is_local(place) and handle_name(node) is not None:
                asked.setdefault(place.key, []).append(node)
        elif node.kind == Kind.DECL_REF:
            uses.append(node)
    escaping = {use.key for use in uses if id(use) not in harmless}
    for variable, calls in asked.items():
        if variable not in escaping:
            for call in calls:
                start = strip(plain_children(call)[3]).cursor.extent.start
                yield start.file.name if start.file is not None else "", int(start.offset)


def _harmless(call: Node) -> Iterator[Node]:
    """Names of handles in a call that leads to nothing unknown."""
    parts = launch_parts(call)
    if parts is not None and parts.handle:
        yield strip(parts.callee)
    elif takes_handle(call):
        place = handle_place(call)
        if place is not None:
            yield place
    elif _ASKING.fullmatch(call.spelling):
        for part in plain_children(call)[1:]:
            inner = strip(part)
            if inner.kind != Kind.UNARY or inner.unary != Unary.ADDRESS:
                yield inner


def _is_local(place: Node) -> bool:
    declared: Any = place.declared() if place.kind == Kind.DECL_REF else None
    if declared is None or declared._kind_id != Kind.VAR:
        return False
    static = str(declared.storage_class) == "StorageClass.STATIC"
    owner = declared.semantic_parent
    functions = {Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR, Kind.FUNCTION_TEMPLATE}
    return not static and owner is not None and owner._kind_id in functions and key(declared) != 0
