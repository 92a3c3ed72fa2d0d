"""From PTX text to ``model.Module``: directives, declarations, functions.

Grammar: NVIDIA's "PTX ISA" 9.x, chapters "Syntax", "State Spaces, Types, and Variables",
"Directives". Which instructions there are is not known here: any word with modifiers and operands
is one (``instructions.table`` gives the meaning).
Limits: 64-bit addresses only. Nesting and numbers of declared names are limited; nothing recurses
on the input's depth.
"""

from __future__ import annotations

import re
import struct
import time
from typing import Final

from msgspec.structs import replace

from drano.ptx.constants import constant, integer
from drano.ptx.lexer import Tokens
from drano.ptx.model import Function, Module, Place, PtxError, Reference, Variable
from drano.ptx.statements import Body
from drano.ptx.types import is_type, type_bits

_SPACES: Final = frozenset({"reg", "sreg", "const", "global", "local", "param", "shared", "tex"})
_LINKING: Final = frozenset({".extern", ".visible", ".weak", ".common"})
_HANDLES: Final = frozenset({"texref", "samplerref", "surfref"})
_SHAPES: Final = {
    ".maxntid": 3, ".reqntid": 3, ".maxnreg": 1, ".minnctapersm": 1, ".maxnctapersm": 1,
    ".reqnctapercluster": 3, ".maxclusterrank": 1, ".abi_preserve": 1, ".abi_preserve_control": 1,
}  # fmt: skip
_MARKS: Final = frozenset({".noreturn", ".explicitcluster", ".blocksareclusters", ".unified"})
_MAX_ELEMENTS: Final = 1 << 40
_MAX_INITIAL: Final = 1 << 22
_SECTION_DATA: Final = re.compile(r"\.(b8|b16|b32|b64)\Z")


def parse(text: str, deadline: float | None = None) -> Module:
    """The module. Raises PtxError with the line of what is wrong.

    ``deadline``: of ``time.monotonic``, when to give up.
    """
    return _Parser(text, deadline if deadline is not None else time.monotonic() + 60).module()


class _Parser:
    """Reads one module; used once."""

    def __init__(self, text: str, deadline: float) -> None:
        self.tokens = Tokens(text, deadline)
        self.version = self.target = ""
        self.functions: dict[str, Function] = {}
        self.variables: dict[str, Variable] = {}
        self.files: dict[int, str] = {}
        self.strings: dict[str, bytes] = {}
        self.aliases: dict[str, str] = {}
        self.place: Place | None = None
        self.columns = "LLVM NVPTX Back-End" in text[:2000]

    def module(self) -> Module:
        """All of it."""
        while self.tokens.text:
            self._item()
        if not self.version:
            raise PtxError(1, "no PTX: it has no .version")
        return Module(
            self.version, self.target, tuple(self.functions.values()),
            tuple(self.variables.values()), self.files, self.strings, self.aliases, self.columns,
        )  # fmt: skip

    # --- directives --------------------------------------------------------------------------

    def _item(self) -> None:
        t = self.tokens
        line = t.line
        match t.text:
            case ".version":
                t.take()
                self.version = t.take()
                if not re.fullmatch(r"\d+\.\d+", self.version):
                    raise PtxError(line, "no PTX: .version has no number")
            case _ if not self.version:
                raise PtxError(line, "no PTX: it does not begin with .version")
            case ".target":
                t.take()
                self.target = t.word("an architecture")
                while t.accept(","):
                    t.word("a property of the target")
            case ".address_size":
                t.take()
                if t.take() != "64":
                    raise PtxError(line, "PTX with 32-bit addresses is not read")
            case ".file":
                self._file()
            case ".loc":
                self.place = self._loc()
            case ".section":
                self._section()
            case ".pragma":
                self._until_semicolon()
            case ".alias":
                t.take()
                name = t.word("a function's name")
                t.expect(",")
                self.aliases[name] = t.word("a function's name")
                t.expect(";")
            case "@@":
                while t.text and t.line == line:
                    t.take()
            case ";":
                t.take()
            case _:
                self._declaration()

    def _file(self) -> None:
        t = self.tokens
        line = t.line
        t.expect(".file")
        number = self._number()
        names = []
        while t.kind == "string" and t.line == line:
            names.append(t.take()[1:-1])
        if not names:
            raise t.unexpected("a file's name")
        while t.accept(","):
            self._number()
        name = names[-1]
        if len(names) > 1 and not name.startswith("/"):
            name = f"{names[0].rstrip('/')}/{name}"
        self.files[number] = name

    def _loc(self) -> Place:
        t = self.tokens
        t.expect(".loc")
        file, line, column = self._number(), self._number(), self._number()
        if not t.accept(","):
            return Place(file, line, column)
        if t.take() != "function_name":
            raise t.unexpected("function_name")
        label = t.word("a label")
        offset = self._number() if t.accept("+") else 0
        t.expect(",")
        if t.take() != "inlined_at":
            raise t.unexpected("inlined_at")
        at = Place(self._number(), self._number(), self._number())
        return Place(file, line, column, (label, offset), at)

    def _section(self) -> None:
        """Contents of a debug section: of use are the strings behind labels."""
        t = self.tokens
        t.expect(".section")
        t.take()
        t.expect("{")
        label, data = "", bytearray()
        wide: str = "b8"
        depth = 1
        while depth:
            if not t.text:
                raise t.unexpected("'}'")
            token, kind = t.text, t.kind
            t.at += 1
            if token == "{":
                depth += 1
            elif token == "}":
                depth -= 1
            elif kind == "word" and t.text == ":":
                t.at += 1
                self._keep(label, data)
                label, data = token, bytearray()
            elif found := _SECTION_DATA.match(token):
                wide = found[1]
            elif kind == "int" and wide == "b8":
                data.append(int(token.rstrip("U"), 0) & 255)
        self._keep(label, data)

    def _keep(self, label: str, data: bytearray) -> None:
        if label and data:
            self.strings[label] = bytes(data)

    def _until_semicolon(self) -> None:
        t = self.tokens
        while t.text and t.text != ";":
            t.take()
        t.expect(";")

    def _number(self) -> int:
        t = self.tokens
        negative = t.accept("-")
        if t.kind != "int":
            raise t.unexpected("a number")
        value = integer(t.take())
        return -value if negative else value

    # --- declarations ------------------------------------------------------------------------

    def _declaration(self) -> None:
        t = self.tokens
        line = t.line
        linking = set()
        while t.text in _LINKING:
            linking.add(t.take())
        external = ".extern" in linking
        if t.text == ".attribute":
            self._attribute()
        if t.text in (".entry", ".func"):
            self._function(external=external)
        elif t.kind == "dot" and t.text[1:].split("::")[0] in _SPACES:
            for variable in self.variables_here(external=external):
                self.variables[variable.name] = variable
        else:
            raise PtxError(line, f"no PTX: unknown directive '{t.text[:40]}'")

    def _attribute(self) -> None:
        t = self.tokens
        t.expect(".attribute")
        t.expect("(")
        while t.text and not t.accept(")"):
            t.take()

    def variables_here(self, *, external: bool = False) -> list[Variable]:
        """``.shared .align 4 .b8 tile[64], other[64];`` with its semicolon."""
        first = self.variable(external=external)
        found = [first]
        while self.tokens.accept(","):
            found.append(self._named(replace(first, count=None, initial=None)))
        self.tokens.expect(";")
        return found

    def variable(self, *, external: bool = False) -> Variable:
        """One variable with its space: a declaration's first, a parameter."""
        t = self.tokens
        line = t.line
        if t.kind != "dot":
            raise t.unexpected("a state space")
        space = t.take()[1:].split("::")[0]
        if space not in _SPACES:
            raise PtxError(line, f"no PTX: unknown state space '.{space[:40]}'")
        type_, vector, align, pointer = "", 1, 0, False
        while t.kind == "dot":
            word = t.take()[1:]
            if word == "align":
                align = self._number()
            elif word in ("v2", "v4", "v8"):
                vector = int(word[1:])
            elif word == "ptr":
                pointer = True
            elif word == "attribute":
                t.at -= 1
                self._attribute()
            elif word in _HANDLES:
                type_ = "b64"
                space = "global" if space == "tex" else space
            elif is_type(word):
                type_ = word
            elif word.split("::")[0] not in ("const", "global", "local", "shared", "param"):
                raise PtxError(line, f"no PTX: unknown type '.{word[:40]}'")
        if not type_:
            raise t.unexpected("a type")
        if align < 0 or align & (align - 1) or align > 1 << 20:
            raise PtxError(line, f"no PTX: an alignment of {align}")
        shape = Variable(
            "", space, type_, line, vector, align=align, pointer=pointer, external=external
        )
        return self._named(shape)

    def _named(self, shape: Variable) -> Variable:
        t = self.tokens
        name = "_" if t.text in (",", ")", "[") else t.word("a name")
        count = shape.count
        if t.accept("<"):
            count = self._number()
            t.expect(">")
            return replace(shape, name=name + "<", count=count)
        while t.accept("["):
            size = 0 if t.text == "]" else constant(t)
            t.expect("]")
            count = size if count is None else count * size
            if not 0 <= count <= _MAX_ELEMENTS:
                raise PtxError(t.line, f"no PTX: an array of {count} elements")
        initial = self._initial(shape) if t.accept("=") else None
        if initial is not None and count == 0:
            count = len(initial)
        return replace(shape, name=name, count=count, initial=initial)

    def _initial(self, shape: Variable) -> tuple[int | Reference, ...]:
        """What a variable is set to; nested braces are one list."""
        t = self.tokens
        found: list[int | Reference] = []
        depth = 0
        while True:
            if t.accept("{"):
                depth += 1
            elif t.accept("}"):
                depth -= 1
            elif not (depth and t.accept(",")):
                found.append(self._element(shape))
                if len(found) > _MAX_INITIAL:
                    raise PtxError(t.line, "too large: an initial value of 4 million elements")
            if depth <= 0:
                return tuple(found)

    def _element(self, shape: Variable) -> int | Reference:
        t = self.tokens
        if t.kind == "float":
            return _pattern(t.take(), type_bits(shape.type))
        if t.text == "-" and t.kinds[t.at + 1] == "float":
            t.take()
            bits = type_bits(shape.type)
            return _pattern(t.take(), bits) ^ (1 << (bits - 1))
        masked = t.kind == "int" and t.texts[t.at + 1] == "("
        if masked:
            t.take()
            t.expect("(")
        if t.kind != "word":
            return constant(t)
        name, generic = t.take(), False
        if name == "generic" and t.accept("("):
            name, generic = t.word("a variable's name"), True
            t.expect(")")
        offset = 0
        if t.text in ("+", "-"):
            offset = constant(t, behind=True)
        if masked:
            t.expect(")")
        return Reference(name, offset, generic)

    # --- functions ---------------------------------------------------------------------------

    def _function(self, *, external: bool) -> None:
        t = self.tokens
        line = t.line
        kernel = t.take() == ".entry"
        if t.text == ".attribute":
            self._attribute()
        results: tuple[Variable, ...] = ()
        if not kernel and t.text == "(":
            results = self.parameters()
        name = t.word("a function's name")
        parameters = self.parameters() if t.text == "(" else ()
        shapes: dict[str, tuple[int, ...]] = {}
        while t.kind == "dot":
            word = t.text
            if word == ".pragma":
                self._until_semicolon()
            elif word in _SHAPES:
                t.take()
                shapes[word[1:]] = self._shape(_SHAPES[word])
            elif word in _MARKS:
                t.take()
                shapes[word[1:]] = ()
            else:
                raise PtxError(t.line, f"no PTX: unknown directive '{word[:40]}'")
        function = Function(
            name, kernel, line, parameters, results, None, shapes=shapes, external=external
        )
        if t.text == "{":
            if name in self.functions and self.functions[name].body is not None:
                raise PtxError(line, f"no PTX: function {name[:100]} is defined twice")
            self.functions[name] = Body(self, function).read()
            return
        t.accept(";")
        self.functions.setdefault(name, function)

    def _shape(self, most: int) -> tuple[int, ...]:
        numbers = [self._number()]
        while len(numbers) < most and self.tokens.accept(","):
            numbers.append(self._number())
        return tuple(numbers)

    def parameters(self) -> tuple[Variable, ...]:
        """``(.param .u64 a, .param .align 8 .b8 b[16])``."""
        t = self.tokens
        t.expect("(")
        found: list[Variable] = []
        while not t.accept(")"):
            if found:
                t.expect(",")
            found.append(self.variable())
            if found[-1].name != "_" and found[-1].name in {v.name for v in found[:-1]}:
                raise PtxError(t.line, f"no PTX: {found[-1].name[:100]} is declared twice")
        return tuple(found)

    def loc(self) -> Place:
        """A ``.loc`` in a function."""
        return self._loc()

    def file(self) -> None:
        """A ``.file`` in a function."""
        self._file()

    def skip_pragma(self) -> None:
        """A ``.pragma`` in a function."""
        self._until_semicolon()


def _pattern(token: str, bits: int) -> int:
    """The bits of a floating-point literal, for a variable of ``bits``."""
    if token[:2] in ("0f", "0F") or token[:2] in ("0d", "0D"):
        return int(token[2:], 16)
    value = float(token)
    if bits == 64:
        return int.from_bytes(struct.pack("<d", value), "little")
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return 0x7F800000
