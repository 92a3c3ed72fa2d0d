"""libclang, reduced to what reading host code needs: parse a file, copy trees, ask constants.

A *tree* is a plain Python copy of a cursor's subtree (``Node``), made in one visit, since asking
libclang cursor by cursor costs ten times as much. Everything here is untyped on libclang's side
(the bindings have no complete types), so the ``Any`` of this package's host side ends here.

Assumptions: libclang and the ``clang`` binary are of one wheel (``lib/libclang.so`` beside
``bin/clang``), so that the resource directory and a PCH written by that clang fit.
Limits: a parse runs in this process and cannot be stopped; sources are read only after the device
compiler, which runs under a time limit, has accepted them.
"""

from __future__ import annotations

from drano.frontend.libclang.kinds import Kind, Unary
from drano.frontend.libclang.parsing import errors, library_path, location, parse, use
from drano.frontend.libclang.questions import (
    bases,
    bit_field,
    children,
    constant,
    constructors,
    declarations,
    fields,
    file_place,
    float_constant,
    is_constant,
    is_device_code,
    is_external,
    is_kernel,
    key,
    passed_kind,
    refers_to_function,
    type_kind,
)
from drano.frontend.libclang.trees import MAX_NODES, Node, tree

__all__ = [
    "Kind",
    "Unary",
    "errors",
    "library_path",
    "location",
    "parse",
    "use",
    "bases",
    "bit_field",
    "children",
    "constant",
    "constructors",
    "declarations",
    "fields",
    "file_place",
    "float_constant",
    "is_constant",
    "is_external",
    "is_device_code",
    "is_kernel",
    "key",
    "passed_kind",
    "refers_to_function",
    "type_kind",
    "MAX_NODES",
    "Node",
    "tree",
]
