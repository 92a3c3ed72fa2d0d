"""``.file`` and ``.loc`` as LLVM's debug metadata, so that findings name lines of the source.

Means: each place is a ``!DILocation`` in a ``!DISubprogram`` of its function; code that was inlined
has the chain of its calls. What has no line in the source has one in the PTX.
Limits: nvcc gives the column where a statement begins, not that of an access, so columns are used
of LLVM's own back end only: what they point to would not always be what is accessed.
"""

from __future__ import annotations

import os
import re
from typing import Final

from drano.model.symbols import plain_symbol
from drano.ptx.model import Function, Module, Place, Variable
from drano.ptx.writer import NamesOf

_LOCAL = re.compile(r"_ZZ\w*E(\d{1,3})([A-Za-z_]\w*?)(?:_\d+)?\Z", re.ASCII)
_FLAGS: Final = ('!{i32 7, !"Dwarf Version", i32 4}', '!{i32 2, !"Debug Info Version", i32 3}')


class NoLines:
    """Of code that has the place of what it stands for: nothing is attached."""

    def head(self, scope: int) -> str:
        """As of ``DebugLines``."""
        del scope
        return ""

    def function(self, function: Function) -> int:
        """As of ``DebugLines``."""
        del function
        return 0

    def place(self, scope: int, place: Place | None, line: int) -> str:
        """As of ``DebugLines``."""
        del scope, place, line
        return ""

    def loop(self) -> str:
        """As of ``DebugLines``."""
        return ""

    def names(self, function: Function, find: NamesOf) -> tuple[str, ...] | None:
        """As of ``DebugLines``."""
        del function, find
        return None


class DebugLines:
    """The metadata of one module, numbered as it is asked for; node 0 is an empty one."""

    def __init__(self, module: Module, path: str, before: DebugLines | None = None) -> None:
        """``before``: of a module that becomes one with this one; its nodes are these, too."""
        self._module = module
        self._path = path
        self._nodes: list[str] = before._nodes if before else ["!{}"]
        self._known: dict[str, int] = {}
        self._units: list[int] = before._units if before else []
        self._places: dict[tuple[int, Place], int | None] = {}
        self._files: dict[int, int] = {}
        self._own = self._file_node(path)
        self._routine = self._node("!DISubroutineType(types: !0)")
        self._unit = self._distinct(
            f"!DICompileUnit(language: DW_LANG_C_plus_plus, file: !{self._own}, "
            'producer: "ptx", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)'
        )
        self._units.append(self._unit)

    def _node(self, text: str) -> int:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = len(self._nodes)
            self._nodes.append(text)
        return known

    def _distinct(self, text: str) -> int:
        self._nodes.append(f"distinct {text}")
        return len(self._nodes) - 1

    def _file_node(self, name: str) -> int:
        directory = os.path.dirname(self._path)
        return self._node(
            f'!DIFile(filename: "{_quoted(name)}", directory: "{_quoted(directory)}")'
        )

    def _file(self, number: int) -> int:
        known = self._files.get(number)
        if known is None:
            name = self._module.files.get(number)
            known = self._files[number] = self._own if name is None else self._file_node(name)
        return known

    def variable(self, v: Variable) -> str:
        """The attachment to a variable: what it is called in the source."""
        type_ = self._node('!DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)')
        node = self._distinct(
            f'!DIGlobalVariable(name: "{_quoted(local_name(v.name))}", scope: !{self._unit}, '
            f"file: !{self._own}, line: {v.line}, type: !{type_}, isLocal: true, "
            "isDefinition: true)"
        )
        expression = self._node("!DIExpression()")
        whole = self._node(f"!DIGlobalVariableExpression(var: !{node}, expr: !{expression})")
        return f", !dbg !{whole}"

    def names(self, function: Function, find: NamesOf) -> tuple[str, ...] | None:
        """What the parameters of a kernel are called in its source."""
        place = function.place
        if not function.kernel:
            return None
        source = self._module.files.get(place.file, "") if place else ""
        line = place.line if place else 0
        return find(source, function.name, line, len(function.parameters))

    def loop(self) -> str:
        """The attachment to a branch that goes back: who made PTX has unrolled what is to be."""
        disabled = self._node('!{!"llvm.loop.unroll.disable"}')
        number = len(self._nodes)
        self._nodes.append(f"distinct !{{!{number}, !{disabled}}}")
        return f", !llvm.loop !{number}"

    # --- functions and places ----------------------------------------------------------------

    def head(self, scope: int) -> str:
        """The attachment to a function."""
        return f" !dbg !{scope}"

    def function(self, function: Function) -> int:
        """The node of a function."""
        place = function.place
        file = self._file(place.file) if place else self._own
        line = place.line if place else function.line
        return self._subprogram(function.name, file, line)

    def _subprogram(self, name: str, file: int, line: int) -> int:
        display = _quoted(plain_symbol(name))
        return self._distinct(
            f'!DISubprogram(name: "{display}", linkageName: "{_quoted(name)}", scope: !{file}, '
            f"file: !{file}, line: {line}, type: !{self._routine}, "
            f"spFlags: DISPFlagDefinition, unit: !{self._unit})"
        )

    def place(self, scope: int, place: Place | None, line: int) -> str:
        """The attachment to an instruction: of its place, else of its ``line`` in the PTX."""
        number = None if place is None else self._location(scope, place)
        if number is None:
            file = self._node(f"!DILexicalBlockFile(scope: !{scope}, file: !{self._own}, "
                              "discriminator: 0)")  # fmt: skip
            number = self._node(f"!DILocation(line: {line}, column: 0, scope: !{file})")
        return f", !dbg !{number}"

    def _location(self, scope: int, place: Place) -> int | None:
        """The node of a place, in the function with the node ``scope``."""
        key = (scope, place)
        if key not in self._places:
            self._places[key] = self._located(scope, place)
        return self._places[key]

    def _located(self, scope: int, place: Place) -> int | None:
        if place.inlined_at is None:
            if not 0 < place.line < 1 << 32:
                return None
            return self._in(scope, place, "")
        outer = self._location(scope, place.inlined_at)
        if outer is None or not 0 < place.line < 1 << 32:
            return outer
        name = self._inlined_name(place)
        key = f"inlined {name} {place.file}"
        inner = self._known.get(key)
        if inner is None:
            inner = self._known[key] = self._subprogram(name, self._file(place.file), place.line)
        return self._in(inner, place, f", inlinedAt: !{self._at(outer)}")

    def _in(self, scope: int, place: Place, behind: str) -> int:
        """A place in a function, whose file need not be the function's."""
        file = self._file(place.file)
        if f"file: !{file}," not in self._nodes[scope]:
            scope = self._node(f"!DILexicalBlockFile(scope: !{scope}, file: !{file}, "
                               "discriminator: 0)")  # fmt: skip
        column = place.column if self._module.columns and place.column < 65536 else 0
        return self._node(
            f"!DILocation(line: {place.line}, column: {column}, scope: !{scope}{behind})"
        )

    def _at(self, call: int) -> int:
        """A call's place as a node that is no other's, as LLVM wants it of inlined code."""
        key = f"call {call}"
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._distinct(self._nodes[call])
        return known

    def _inlined_name(self, place: Place) -> str:
        label, offset = place.function
        text = self._module.strings.get(label, b"")[offset:].split(b"\0", 1)[0]
        return text.decode("utf-8", "replace") or "inlined function"

    def lines(self) -> list[str]:
        """All nodes, with what names them."""
        flags = [self._node(text) for text in _FLAGS]
        return [
            f"!llvm.dbg.cu = !{{{', '.join(f'!{unit}' for unit in self._units)}}}",
            f"!llvm.module.flags = !{{!{flags[0]}, !{flags[1]}}}",
            *(f"!{k} = {text}" for k, text in enumerate(self._nodes)),
        ]


def local_name(name: str) -> str:
    """What the source calls a variable, by its mangled name.

    >>> local_name("_ZZ6kernelPfE4tile"), local_name("tile~1"), local_name("_ZN2ns4dataE")
    ('tile', 'tile', 'data')
    """
    name = name.partition("~")[0]
    local = _LOCAL.match(name)
    if local and len(local[2]) == int(local[1]):
        return local[2]
    return plain_symbol(name)


def _quoted(text: str) -> str:
    """As in LLVM's strings."""
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"
        for byte in text.encode("utf-8", "surrogateescape")
    )
