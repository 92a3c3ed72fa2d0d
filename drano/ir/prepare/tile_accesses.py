"""Fragments of matrices as the requests that load and store them.

Means: ``@llvm.nvvm.wmma.….load`` and ``store``, ``ldmatrix`` and ``stmatrix`` become functions of
the module that are inlined like any other. Their accesses are those of the hardware. For runs each
element of a ``wmma`` fragment gets into its register; analyses ask nothing that depends on it.

No document says how the elements of a ``wmma`` fragment are spread over the lanes. On an H100, and
in the machine code that ptxas writes for compute capabilities 8.0 to 12.0, they lie as those of
``mma.sync`` do (``tile_products``), eight lines of memory by four lanes in each request: 4 bytes a
lane, 8 where two sums are neighbours in memory, and one byte, or one sum, where neighbours in the
matrix are a line of memory apart. Elements of 16 bits are always read along a line, and transposed
in registers. Products of 8 x 32 are computed as their transposes of 32 x 8.
Source of ``ldmatrix``: PTX ISA, "Warp-level matrix load instruction"; as many lanes as there are
rows access 16 bytes each.
Assumptions: the CUDA guide's for ``load_matrix_sync``: the pointer is aligned to 32 bytes, and a
line of memory to 16; and that a tile's lines span less than 2**31 elements.
Limits: bits and halves of bytes stay as they are, and so does the code for GPUs before 8.0 in
analyses, and ``ldmatrix`` and ``stmatrix`` in runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from drano.ir.prepare.tile_products import DECLARATIONS, LANE, FunctionText, Shape

_DECLARED: Final = re.compile(
    r"^declare (?P<result>[^@\n]*?) ?@llvm\.nvvm\.(?P<name>(?:wmma\.m\d+n\d+k\d+\.(?:load|store)"
    r"|(?:ldmatrix|stmatrix)\.sync)\.[\w.]+)\((?P<given>[^\n()]*(?:\([^\n()]*\)[^\n()]*)*)\)[^\n]*$",
    re.MULTILINE,
)
_FRAGMENT: Final = re.compile(
    r"wmma\.m(?P<m>\d+)n(?P<n>\d+)k(?P<k>\d+)\.(?P<way>load|store)\.(?P<part>[abcd])"
    r"\.(?P<order>row|col)(?P<stride>\.stride)?"
    r"\.(?P<type>f16|bf16|tf32|f32|f64|s8|u8|s32)(?:\.p\d)?"
)
_ROWS: Final = re.compile(
    r"(?P<way>ldmatrix|stmatrix)\.sync\.aligned\.m8n8\.x(?P<count>[124])(?:\.trans)?\.b16(?:\.p\d)?"
)
_TARGET: Final = re.compile(r'"target-cpu"="sm_(\d+)')
_FIRST_TARGET: Final = 80
_SIZES: Final = {"f16": 2, "bf16": 2, "tf32": 4, "f32": 4, "f64": 8, "s8": 1, "u8": 1, "s32": 4}
_SHAPES: Final = {(16, 16, 16), (32, 8, 16), (8, 32, 16), (16, 16, 8), (8, 8, 4)}
_REGISTERS: Final = frozenset({"i32", "float", "double", "<2 x half>"})
_POINTER: Final = re.compile(r"ptr(?: addrspace\(\d+\))?")
_PARAMETER: Final = re.compile(r"(?:<[^>]*>|ptr(?: addrspace\(\d+\))?|\w+)(?=[ ,]|$)")


def with_tile_accesses(text: str, *, executed: bool = False) -> str:
    """The module with such functions defined; the same string where there is nothing to define.
    ``executed``: for a run.
    """
    if "@llvm.nvvm.wmma." not in text and "matrix.sync." not in text:
        return text
    targets = [int(found[1]) for found in _TARGET.finditer(text)]
    modern = all(target >= _FIRST_TARGET for target in targets)
    written: dict[str, str] = {}
    for declared in _DECLARED.finditer(text):
        definition = _definition(declared, modern=modern, executed=executed)
        if definition is not None:
            written[declared["name"]] = definition
    if not written:
        return text
    rest = _DECLARED.sub(lambda found: "" if found["name"] in written else found[0], text)
    for name in sorted(written, key=len, reverse=True):
        rest = re.sub(rf"@llvm\.nvvm\.{re.escape(name)}(?=\()", f"@drano.{name}", rest)
    needed = [*DECLARATIONS, "declare void @llvm.assume(i1)"]
    names = {line: line.partition("@")[2].partition("(")[0] for line in needed}
    lines = [line for line, name in names.items() if not _is_declared(rest, name)]
    return "\n".join([rest, *written.values(), *lines, ""])


def fragment_requests(name: str) -> tuple[int, ...]:
    """Bytes of a lane in each request of a load or store of a fragment, by LLVM's name for it
    without ``llvm.nvvm.``, for compute capability 8.0 and later; none where that is not known.

    >>> fragment_requests("wmma.m16n16k16.load.a.row.stride.f16")
    (4, 4, 4, 4)
    """
    found = _FRAGMENT.fullmatch(name)
    if found is None or tuple(int(found[size]) for size in "mnk") not in _SHAPES:
        return ()
    fragment = _Fragment(["ptr", "i32"], found, executed=False)
    return tuple(piece.size for piece in fragment.pieces())


def _is_declared(text: str, name: str) -> bool:
    return re.search(rf"^declare [^\n]*@{re.escape(name)}\(", text, re.MULTILINE) is not None


def _definition(declared: re.Match[str], *, modern: bool, executed: bool) -> str | None:
    name, result = declared["name"], declared["result"]
    given = [part.strip() for part in declared["given"].split(",")]
    types = [found[0] for part in given if (found := _PARAMETER.match(part))]
    if len(types) != len(given) or not _POINTER.fullmatch(types[0]):
        return None
    moved = types[1:] if result == "void" else [r.strip() for r in result.strip("{} ").split(",")]
    if (rows := _ROWS.fullmatch(name)) is not None:
        if moved != ["i32"] * int(rows["count"]) or (result != "void" and types[1:]):
            return None
        return None if executed else _Rows(types).text_of(name, result, int(rows["count"]))
    found = _FRAGMENT.fullmatch(name)
    if found is None or not (modern or executed):
        return None
    if tuple(int(found[size]) for size in "mnk") not in _SHAPES:
        return None
    behind = types[1:] if result != "void" else types[-1:]
    strided = bool(found["stride"])
    moved = moved[:-1] if result == "void" and strided else moved
    if not _REGISTERS.issuperset(moved) or len(set(moved)) != 1 or (strided and behind != ["i32"]):
        return None
    fragment = _Fragment(types, found, executed=executed)
    fits = (moved[0] == "double") == (fragment.size == 8) and len(moved) >= fragment.words
    return fragment.text_of(name, result) if fits else None


class _Piece(NamedTuple):
    """One request: the line of memory and the byte in it, as values of the function; its width."""

    line: str
    byte: str
    size: int


class _Moves(FunctionText):
    """A function of ``%p0``, a pointer, and more parameters; ``types`` of all."""

    def __init__(self, types: list[str]) -> None:
        super().__init__()
        self.pointer, self.types = types[0], types
        self.parameters = ", ".join(f"{type_} %p{k}" for k, type_ in enumerate(types))

    def words_given(self, types: list[str]) -> list[str]:
        """Parameters behind the pointer as words of 32 or 64 bits."""
        words = []
        for number, type_ in enumerate(types, 1):
            wide = "i64" if type_ == "double" else "i32"
            same = type_ == wide
            name = f"%p{number}"
            words.append(name if same else self.set(f"bitcast {type_} {name} to {wide}"))
        return words

    def give_words(self, result: str, words: list[str]) -> None:
        """Return a register or a structure of them, of these words."""
        types = [part.strip() for part in result.strip("{} ").split(",")]
        wide = "i64" if types[0] == "double" else "i32"
        values = []
        for number, type_ in enumerate(types):
            word = words[number % len(words)]
            values.append(word if type_ == wide else self.set(f"bitcast {wide} {word} to {type_}"))
        self.give(types[0], values)


class _Rows(_Moves):
    """``ldmatrix``, ``stmatrix``: a row of each of the first lanes."""

    def text_of(self, name: str, result: str, count: int) -> str:
        """The definition."""
        lane = self.set(f"call i32 @{LANE}()")
        takes_part = self.set(f"icmp ult i32 {lane}, {8 * count}")
        self.lines += [f"  br i1 {takes_part}, label %row, label %end", "row:"]
        if name.startswith("ld"):
            row = self.set(f"load <4 x i32>, {self.pointer} %p0, align 16")
            words = [self.set(f"extractelement <4 x i32> {row}, i32 {k}") for k in range(count)]
            self.lines += ["  br label %end", "end:"]
            self.give_words(result, [self.set(f"phi i32 [ {w}, %row ], [ 0, %0 ]") for w in words])
        else:
            row = "zeroinitializer"
            for k, word in enumerate(self.words_given(self.types[1:])):
                row = self.set(f"insertelement <4 x i32> {row}, i32 {word}, i32 {k}")
            self.lines.append(f"  store <4 x i32> {row}, {self.pointer} %p0, align 16")
            self.lines += ["  br label %end", "end:", "  ret void"]
        return self.text(name, result, self.parameters)


class _Fragment(_Moves):
    """``wmma.load``, ``wmma.store``: lines of memory are ``%p`` elements apart, the last one."""

    def __init__(self, types: list[str], found: re.Match[str], *, executed: bool) -> None:
        super().__init__(types)
        self.found, self.executed = found, executed
        self.part, self.type, self.order = found["part"], found["type"], found["order"]
        self.size = _SIZES[self.type]
        factor = self.part in "ab"
        self.shape = Shape(
            int(found["m"]), int(found["n"]), int(found["k"]), self.type if factor else "f16"
        )
        self.strided = bool(found["stride"])
        # of what lies along a line of memory and across lines; of 8 x 32 sums, those of 32 x 8
        rows, columns = self.shape.m // 8, self.shape.n // 8
        along = self.order == "row"
        if factor:
            rows, columns = (rows if self.part == "a" else columns), self.shape.depth
            along = (self.part == "a") == along
        elif columns > rows:
            rows, columns, along = columns, rows, not along
        self.rows, self.columns, self.along = rows, columns, along

    def text_of(self, name: str, result: str) -> str:
        """The definition."""
        stride = f"%p{len(self.types) - 1}" if self.strided else str(self._columns())
        if not self.executed:
            self._assume(stride)
        pieces = list(self.pieces())
        registers = self.types[1 : len(self.types) - self.strided]
        if self.found["way"] == "load":
            self.give_words(result, self._in_registers(self._loaded(pieces, stride)))
        else:
            words = self._in_memory(self.words_given(registers))
            for number, piece in enumerate(pieces):
                many = max(1, piece.size // (8 if self.size == 8 else 4))
                self._store(piece, stride, words[number * many : number * many + many])
            self.lines.append("  ret void")
        return self.text(name, result, self.parameters)

    @property
    def words(self) -> int:
        """How many words a lane has of it."""
        each = 1 if self.part in "ab" or self.size == 2 else 2
        return each * self.rows * self.columns

    def _columns(self) -> int:
        rows = {"a": self.shape.m, "b": self.shape.k}.get(self.part, self.shape.m)
        columns = {"a": self.shape.k}.get(self.part, self.shape.n)
        return columns if self.order == "row" else rows

    def _assume(self, stride: str) -> None:
        bundle = f'[ "align"({self.pointer} %p0, i64 32) ]'
        self.lines.append(f"  call void @llvm.assume(i1 true) {bundle}")
        if self.strided and self.size < 16:
            rest = self.set(f"and i32 {stride}, {16 // self.size - 1}")
            whole = self.set(f"icmp eq i32 {rest}, 0")
            self.lines.append(f"  call void @llvm.assume(i1 {whole})")

    def pieces(self) -> Iterator[_Piece]:
        """The requests, as each lane makes them."""
        g, t = self.place()
        size = max(4, self.size) if self.part in "ab" else 2 * self.size
        if self.along:
            yield from self._words(g, t, self.rows, self.columns, size)
        elif self.size == 2:
            yield from self._words(g, t, self.columns, self.rows, size)
        elif self.part in "ab":
            yield from self._apart(g, t)
        else:
            yield from self._sums_apart(g, t)

    @property
    def _turned(self) -> bool:
        """Whether 8 x 8 elements of 16 bits are transposed between memory and registers."""
        return self.size == 2 and not self.along

    def _in_registers(self, words: list[str]) -> list[str]:
        """Words in the order of memory's requests, as the lanes' registers hold them."""
        if not self.executed:
            return words
        if self._turned:
            words = [self._transposed(word) for word in words]
        return [words[k] for k in self._places()]

    def _in_memory(self, words: list[str]) -> list[str]:
        """The inverse."""
        if not self.executed:
            return words
        given = dict(zip(self._places(), words, strict=False))
        words = [given[k] for k in sorted(given)]
        return [self._transposed(word) for word in words] if self._turned else words

    def _places(self) -> list[int]:
        """Which of the words that requests move each register holds. Registers of factors hold
        all rows of a step of the sum, one step after the other; of sums all columns of a row.
        """
        rows, columns = range(self.rows), range(self.columns)
        if self.part in "ab":
            if self.along:
                return [self.columns * h + d for d in columns for h in rows]
            return list(range(self.rows * self.columns))
        if self._turned:
            return [self.rows * c + h for h in rows for c in columns]
        return list(range(self.words))

    def _transposed(self, word: str) -> str:
        """The lane's pair of the transpose of eight lines, of which each lane has a pair."""
        g, t = self.place()
        half = self.set(f"shl i32 {self.set(f'and i32 {g}, 1')}, 4")
        column = self.set(f"lshr i32 {g}, 1")
        line = self.set(f"shl i32 {t}, 3")
        pair = []
        for number in range(2):
            lane = self.set(f"or i32 {self.set(f'or i32 {line}, {4 * number}')}, {column}")
            found = self.set(f"lshr i32 {self.of_lane(word, lane)}, {half}")
            pair.append(self.set(f"and i32 {found}, 65535"))
        return self.set(f"or i32 {pair[0]}, {self.set(f'shl i32 {pair[1]}, 16')}")

    def _words(self, g: str, t: str, across: int, deep: int, size: int) -> Iterator[_Piece]:
        """``size`` bytes of each lane along eight lines, four lanes to a line."""
        start = self.set(f"mul i32 {t}, {size}")
        for h in range(across):
            line = self.set(f"add i32 {g}, {8 * h}")
            for d in range(deep):
                yield _Piece(line, self.set(f"add i32 {start}, {4 * size * d}"), size)

    def _apart(self, g: str, t: str) -> Iterator[_Piece]:
        """Elements of a factor, each in a line of its own."""
        each = self.shape.in_word
        first = self.set(f"mul i32 {t}, {each}")
        for d in range(self.shape.depth):
            for h in range(self.rows):
                byte = self.set(f"mul i32 {self.set(f'add i32 {g}, {8 * h}')}, {self.size}")
                for e in range(each):
                    line = self.set(f"add i32 {first}, {4 * each * d + e}")
                    yield _Piece(line, byte, self.size)

    def _sums_apart(self, g: str, t: str) -> Iterator[_Piece]:
        """Sums, each in a line of its own."""
        first = self.set(f"shl i32 {t}, 1")
        for h in range(self.rows):
            byte = self.set(f"mul i32 {self.set(f'add i32 {g}, {8 * h}')}, {self.size}")
            for c in range(self.columns):
                for e in range(2):
                    line = self.set(f"add i32 {first}, {8 * c + e}")
                    yield _Piece(line, byte, self.size)

    def _at(self, piece: _Piece, stride: str) -> str:
        """Where a request goes."""
        line = self.set(f"mul nsw i32 {piece.line}, {stride}")
        elements = self.set(f"sext i32 {line} to i64")
        start = self.set(f"getelementptr i{8 * self.size}, {self.pointer} %p0, i64 {elements}")
        byte = self.set(f"sext i32 {piece.byte} to i64")
        return self.set(f"getelementptr i8, {self.pointer} {start}, i64 {byte}")

    def _loaded(self, pieces: list[_Piece], stride: str) -> list[str]:
        """All that is loaded, in words."""
        words: list[str] = []
        for piece in pieces:
            at, bits = self._at(piece, stride), 8 * piece.size
            kind = f"i{bits}" if bits < 64 or (self.size == 8 and bits == 64) else ""
            if not kind:
                word = "i64" if self.size == 8 else "i32"
                count = piece.size // (8 if self.size == 8 else 4)
                found = self.set(
                    f"load <{count} x {word}>, {self.pointer} {at}, align {piece.size}"
                )
                words += [
                    self.set(f"extractelement <{count} x {word}> {found}, i32 {k}")
                    for k in range(count)
                ]
                continue
            found = self.set(f"load {kind}, {self.pointer} {at}, align {piece.size}")
            words.append(self.set(f"zext {kind} {found} to i32") if bits < 32 else found)
        if self.size > 1 or len(words) == len(pieces) // 4 or pieces[0].size > 1:
            return words
        return [self._joined(words[k : k + 4]) for k in range(0, len(words), 4)]

    def _joined(self, bytes_: list[str]) -> str:
        whole = bytes_[0]
        for number, byte in enumerate(bytes_[1:], 1):
            whole = self.set(f"or i32 {whole}, {self.set(f'shl i32 {byte}, {8 * number}')}")
        return whole

    def _store(self, piece: _Piece, stride: str, words: list[str]) -> None:
        at = self._at(piece, stride)
        word = "i64" if self.size == 8 else "i32"
        if len(words) == 1:
            self.lines.append(f"  store {word} {words[0]}, {self.pointer} {at}, align {piece.size}")
            return
        vector = f"<{len(words)} x {word}>"
        whole = "poison"
        for k, value in enumerate(words):
            whole = self.set(f"insertelement {vector} {whole}, {word} {value}, i32 {k}")
        self.lines.append(f"  store {vector} {whole}, {self.pointer} {at}, align {piece.size}")
