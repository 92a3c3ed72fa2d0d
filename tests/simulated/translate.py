"""From kernels, written in the C that CUDA and C share, to Python generators, one a thread.

The C standard's semantics, by its own words: integers are promoted and converted, and wrap around
where they are unsigned; signed overflow, shifts past a width and indices past an array's end are
errors of the corpus, and raise. A scalar variable is a Python variable, a structure or array of
a thread's own a list; all other memory has addresses. Nothing here is drano's.

Limits: no address of a variable is taken, no switch, no goto; one load and one store of memory
on a line.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast, c_parser

from tests.simulated import builtins
from tests.simulated.conversions import (
    CorpusError,
    get_item,
    holds,
    in_range,
    listed,
    set_item,
    shift,
)
from tests.simulated.expressions import Expressions, Scope
from tests.simulated.lanes import CONSTANT, GLOBAL, SHARED, Body, Thread
from tests.simulated.types import (
    INT,
    UINT,
    Array,
    CType,
    Float,
    Struct,
    struct,
    wrapped,
)

_VECTORS = {
    name + str(count): struct(name + str(count), [(c, base, 0) for c in "xyzw"[:count]])
    for name, base in (("float", Float(4)), ("int", INT), ("double", Float(8)), ("uint", UINT))
    for count in (2, 3, 4)
}
_HEAD = "typedef _Bool bool; typedef unsigned uint; " + " ".join(
    "typedef struct {"
    + "".join(
        f"{'float' if m.type == Float(4) else 'double' if m.type == Float(8) else 'int'} {m.name};"
        for m in t.members
    )
    + f"}} {name};"
    for name, t in _VECTORS.items()
)
_WORDS = {
    "__global__": "", "__device__": "", "__forceinline__": "", "__noinline__": "", "inline": "",
    "__restrict__": "", "__shared__": "register", "__constant__": "static", "true": "1",
    "false": "0",
}  # fmt: skip


class ExitThread(Exception):  # noqa: N818 - no error
    """``exit;`` of PTX."""


@dataclass(frozen=True)
class Kernel:
    """A kernel that can be run; ``structs`` of its parameters are lists of members."""

    name: str
    parameters: tuple[tuple[str, CType], ...]
    run: Callable[..., Body]


class Translator(Expressions):
    """One source file. ``constants``: what its initialised variables hold, by address."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.constants: dict[int, Any] = {}
        self.kernels: dict[str, Kernel] = {}
        self._wanted = set(re.findall(r"__global__\s+void\s+(\w+)", text))
        plain = re.sub(r"//[^\n]*|#[^\n]*", "", text)
        for word, other in _WORDS.items():
            plain = re.sub(rf"\b{word}\b", other, plain)
        tree = c_parser.CParser().parse(_HEAD + plain)
        self._lines: list[str] = []
        self._indent = 0
        self._windows = {"static": CONSTANT, "register": SHARED, "": GLOBAL + (1 << 36)}
        self._places: dict[tuple[int, str], int] = {}
        for node in tree.ext:
            self._external(node)
        space: dict[str, Any] = {
            "W": wrapped, "OK": in_range, "DIV": builtins.divided, "MOD": builtins.remainder,
            "SHIFT": shift, "SET": set_item, "COPY": copy.deepcopy, "PURE": builtins.PURE,
            "MASKS": builtins.LANE_MASKS, "ATOMIC": builtins.ATOMIC, "TYPES": self._type_table(),
            "ExitThread": ExitThread, "GET": get_item, "HOLDS": holds,
        }  # fmt: skip
        exec("\n".join(self._lines), space)
        for name, parameters in self.signatures.items():
            if name in self._wanted:
                self.kernels[name] = Kernel(name, parameters, _kernel(space["F_" + name]))

    # --- declarations ------------------------------------------------------------------------

    def _external(self, node: c_ast.Node) -> None:
        if isinstance(node, c_ast.Typedef):
            self.types[node.name] = _VECTORS.get(node.name) or self.type_of(node.type, node.name)
        elif isinstance(node, c_ast.FuncDef):
            self._function(node)
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            self.functions[node.name] = self.type_of(node.type.type)
        elif isinstance(node, c_ast.Decl):
            self._variable(node)
        else:
            raise CorpusError(f"{node.coord}: {type(node).__name__}")

    def _variable(self, node: c_ast.Decl) -> None:
        """A variable that has an address."""
        type_ = self.type_of(node.type)
        values = listed(node.init)
        if isinstance(type_, Array) and not type_.count:
            type_ = Array(type_.of, len(values))
        window = (node.storage or [""])[0]
        address = -(-self._windows[window] // 256) * 256
        self._windows[window] = address + type_.size
        self.scopes[-1].names[node.name] = (str(address), type_, True)
        inner = type_
        while isinstance(inner, Array):
            inner = inner.of
        for number in range(type_.size // inner.size) if node.init is not None else ():
            value = values[number] if number < len(values) else 0
            self.constants[address + number * inner.size] = value

    def _function(self, node: c_ast.FuncDef) -> None:
        declared = node.decl.type
        parameters = tuple(
            (p.name, self.type_of(p.type)) for p in (declared.args.params if declared.args else ())
            if p.name
        )  # fmt: skip
        name = node.decl.name
        self._result = self.functions[name] = self.type_of(declared.type)
        self.signatures[name] = parameters
        with self._scope():
            texts = [self._declare(n, t) for n, t in parameters]
            self._emit(f"def F_{name}({', '.join(['T', 'site', *texts])}):")
            self._indent += 1
            self._emit("T.path.append(site); depth = len(T.path) - 1")
            self._emit("try:")
            self._indent += 1
            self._emit("if False: yield")
            self._statement(node.body)
            self._indent -= 1
            self._emit("finally: del T.path[depth:]")
            self._indent -= 1

    def _declare(self, name: str, type_: CType) -> str:
        text = f"v_{name}_{next(self.fresh)}"
        self.scopes[-1].names[name] = (text, type_, False)
        return text

    @contextmanager
    def _scope(self) -> Iterator[None]:
        self.scopes.append(Scope())
        yield
        self.scopes.pop()

    def _emit(self, text: str) -> None:
        self._lines.append("  " * self._indent + text)

    def _type_table(self) -> list[CType]:
        return list(self.table)

    # --- statements --------------------------------------------------------------------------

    def _statement(self, node: c_ast.Node | None) -> None:
        if node is None or isinstance(node, c_ast.EmptyStatement):
            return
        name = f"_do_{type(node).__name__.lower()}"
        if hasattr(self, name):
            getattr(self, name)(node)
        else:
            self._emit(self.rvalue(node)[0])

    def _do_compound(self, node: c_ast.Compound) -> None:
        with self._scope():
            for item in node.block_items or ():
                self._statement(item)

    def _do_decllist(self, node: c_ast.DeclList) -> None:
        for decl in node.decls:
            self._statement(decl)

    def _do_decl(self, node: c_ast.Decl) -> None:
        if "register" in node.storage or "static" in node.storage:
            scopes, self.scopes = self.scopes, [self.scopes[-1]]
            self._variable(node)
            self.scopes = scopes
            return
        type_ = self.type_of(node.type)
        if isinstance(type_, Array | Struct):
            if isinstance(type_, Array) and not type_.count:
                type_ = Array(type_.of, len(node.init.exprs))
            if node.init is None or isinstance(node.init, c_ast.InitList):
                value = self._list(type_, node.init)
            else:
                value = f"COPY({self.rvalue(node.init)[0]})"
        elif node.init is None:
            value = "None"
        else:
            value = self.converted(node.init, type_)
        self._emit(f"{self._declare(node.name, type_)} = {value}")

    def _list(self, type_: CType, init: c_ast.InitList | None) -> str:
        given = [] if init is None else list(init.exprs)
        kinds = (
            [type_.of] * type_.count if isinstance(type_, Array)
            else [m.type for m in type_.members] if isinstance(type_, Struct) else []
        )  # fmt: skip
        texts = []
        for n, kind in enumerate(kinds):
            part = given[n] if n < len(given) else None
            if isinstance(kind, Array | Struct):
                texts.append(self._list(kind, part))
            elif part is None:
                texts.append("0" if given else "None")
            else:
                texts.append(self.converted(part, kind))
        return f"[{', '.join(texts)}]"

    def _do_if(self, node: c_ast.If) -> None:
        self._emit(f"if {self.rvalue(node.cond)[0]}:")
        self._block(node.iftrue)
        if node.iffalse is not None:
            self._emit("else:")
            self._block(node.iffalse)

    def _block(self, node: c_ast.Node | None) -> None:
        self._indent += 1
        self._emit("pass")
        with self._scope():
            self._statement(node)
        self._indent -= 1

    def _loop(self, cond: c_ast.Node | None, step: c_ast.Node | None, body: c_ast.Node) -> None:
        """``continue`` of Python goes to the step, too: it stands at the beginning."""
        depth, first = f"d{next(self.fresh)}", f"f{next(self.fresh)}"
        self._emit(f"{depth} = len(T.path); T.path.append(0); {first} = True")
        self._emit("while True:")
        self._indent += 1
        self._emit(f"del T.path[{depth} + 1:]")
        if step is not None:
            self._emit(f"if not {first}: {self.rvalue(step)[0]}")
        self._emit(f"T.path[{depth}] += 1")
        if cond is not None:
            self._emit(f"if not ({self.rvalue(cond)[0]}): break")
        self._emit(f"{first} = False")
        self._indent -= 1
        self._block(body)
        self._emit(f"del T.path[{depth}:]")

    def _do_for(self, node: c_ast.For) -> None:
        with self._scope():
            self._statement(node.init)
            self._loop(node.cond, node.next, node.stmt)

    def _do_while(self, node: c_ast.While) -> None:
        self._loop(node.cond, None, node.stmt)

    def _do_dowhile(self, node: c_ast.DoWhile) -> None:
        first, depth = f"f{next(self.fresh)}", f"d{next(self.fresh)}"
        self._emit(f"{depth} = len(T.path); T.path.append(0); {first} = True")
        self._emit("while True:")
        self._indent += 1
        self._emit(f"del T.path[{depth} + 1:]")
        self._emit(f"if not {first} and not ({self.rvalue(node.cond)[0]}): break")
        self._emit(f"{first} = False; T.path[{depth}] += 1")
        self._indent -= 1
        self._block(node.stmt)
        self._emit(f"del T.path[{depth}:]")

    def _do_return(self, node: c_ast.Return) -> None:
        if node.expr is None:
            self._emit("return")
        else:
            self._emit(f"return {self.converted(node.expr, self._result)}")

    def _do_break(self, _node: c_ast.Node) -> None:
        self._emit("break")

    def _do_continue(self, _node: c_ast.Node) -> None:
        self._emit("continue")


def _kernel(function: Callable[..., Body]) -> Callable[..., Body]:
    def run(thread: Thread, *arguments: Any) -> Body:
        try:
            yield from function(thread, 0, *map(copy.deepcopy, arguments))
        except ExitThread:
            return

    return run
