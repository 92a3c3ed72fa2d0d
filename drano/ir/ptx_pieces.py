"""Inline PTX of several instructions, cut where lanes exchange values.

Means: cub's ``{ .reg .pred p; shfl.sync.up.b32 r0|p, $1, …; @p add.f32 r0, r0, $4; … }`` becomes
the intrinsic of the exchange, and ``asm`` of what stands before and behind it, which only computes;
what its registers hold goes from one to the next as values.
Assumptions: the module as LLVM prints it.
Limits: ``shfl.sync``, ``vote.sync``, ``match.any.sync`` and ``activemask`` without a guard;
straight code in one pair of braces. All other ``asm`` stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from drano.ir.inline_ptx import ASM_CALL, ATTRIBUTES, DEBUG, NUMBER
from drano.ir.text import unescape

_CROSS = re.compile(r"(?:shfl|vote|match|activemask)\.")
_SHUFFLE = re.compile(
    r"shfl\.sync\.(idx|up|down|bfly)\.b32\s+([\w$%]+)(?:\|([\w$%]+))?\s*,(.*)", re.DOTALL
)
# cub has the words of a vote in another order, which assemblers take, too.
_VOTE = re.compile(
    r"vote\.(?:sync\.)?(ballot|any|all|uni)\.(?:sync\.)?(b32|pred)\s+(.*)", re.DOTALL
)
_MATCH = re.compile(r"match\.any\.sync\.(b32|b64)\s+(.*)", re.DOTALL)
_ACTIVE = re.compile(r"activemask\.b32\s+([\w$%]+)")
_REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+(.*)", re.DOTALL)
_TOKEN = re.compile(r"[$%]?[A-Za-z_]\w*|\$\d+")
_WRITTEN = re.compile(r"(?:@!?[\w$%]+\s+)?[a-z][\w.:]*\s+(\{[^}]*\}|[\w$%]+(?:\|[\w$%]+)?)")
_BITS = {"i16": 16, "i32": 32, "i64": 64, "float": 32, "double": 64, "i1": 1}
_LETTERS = {16: "h", 32: "r", 64: "l", 1: "r"}
_SIMPLE = re.compile(r"[busf](16|32|64)")


class _LeftError(Exception):
    """The asm is to stay as it is."""


def in_pieces(text: str) -> str:
    """The module with such ``asm`` cut."""
    if " asm " not in text:
        return text
    declared: dict[str, str] = {}
    count = 0

    def cut(match: re.Match[str]) -> str:
        nonlocal count
        template = unescape(match[3])
        if not match[1] or not _CROSS.search(template):
            return match[0]
        try:
            pieces = _Pieces(match, count)
            lines = pieces.written(template)
        except _LeftError:
            return match[0]
        count += 1
        declared.update(pieces.declared)
        place = DEBUG.search(match[6])
        return "\n".join(f"  {line}{place[0] if place else ''}" for line in lines)

    changed = ASM_CALL.sub(cut, text)
    missing = [line for name, line in declared.items() if f"@{name}(" not in text]
    return "\n".join([changed, *missing, ""]) if missing else changed


@dataclass
class _Pieces:
    """One asm. ``bits``: width of each register, the asm's operands among them; ``values``: what
    registers hold, as integers of their width, where they are set.
    """

    match: re.Match[str]
    number: int
    declared: dict[str, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    bits: dict[str, int] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        result = self.match[2]
        self.results = (
            [part.strip() for part in result.strip("{} ").split(",")]
            if result.startswith("{")
            else [result]
        )
        parts = [part for part in self.match[4].split(",") if part and part[0] != "~"]
        outputs = [part for part in parts if part.startswith("=")]
        given = [ATTRIBUTES.sub("", a.strip()) for a in self.match[5].split(",") if a.strip()]
        inputs = parts[len(outputs) :]
        if len(outputs) != len(self.results) or len(inputs) != len(given):
            raise _LeftError
        for k, type_ in enumerate(self.results):
            self.bits[f"${k}"] = self._width(type_)
        for k, (argument, constraint) in enumerate(zip(given, inputs, strict=True)):
            type_, _, value = argument.partition(" ")
            name = f"${k + len(outputs)}"
            self.bits[name] = self._width(type_)
            self.values[name] = self._as_integer(type_, value)
            if constraint.isdigit():
                self.values[f"${constraint}"] = self.values[name]

    def _width(self, type_: str) -> int:
        if type_ not in _BITS or type_ == "i1":
            raise _LeftError
        return _BITS[type_]

    def _set(self, expression: str) -> str:
        name = f"%drano.piece.{self.number}.{len(self.made)}"
        self.made.append(f"{name} = {expression}")
        return name

    def _as_integer(self, type_: str, value: str) -> str:
        if type_.startswith("i"):
            return value
        return self._set(f"bitcast {type_} {value} to i{_BITS[type_]}")

    # --- statements --------------------------------------------------------------------------

    def written(self, template: str) -> list[str]:
        """The instructions in the asm's place."""
        body = template.strip().removeprefix("{").strip()
        body = body.rstrip("; \n\t").removesuffix("}") if template.strip()[:1] == "{" else body
        statements = [part.strip() for part in body.split(";") if part.strip()]
        if "//" in body or any(s.startswith(("{", "}")) for s in statements):
            raise _LeftError
        rest: list[str] = []
        for statement in statements:
            if found := _REGISTERS.fullmatch(statement):
                self._declare(found[1], found[2])
            else:
                rest.append(statement)
        group: list[str] = []
        for at, statement in enumerate(rest):
            if _CROSS.match(statement):
                self._compute(group, rest[at:])
                group = []
                self._exchange(statement)
            else:
                group.append(statement)
        self._compute(group, [])
        self._finish()
        return self.made

    def _declare(self, type_: str, names: str) -> None:
        simple = _SIMPLE.fullmatch(type_)
        if simple is None and type_ != "pred":
            raise _LeftError
        for name in names.split(","):
            self.bits[name.strip()] = int(simple[1]) if simple else 1

    def _compute(self, group: list[str], later: list[str]) -> None:
        """An asm of statements that only compute."""
        if not group:
            return
        mentioned = [t for s in group for t in _TOKEN.findall(s) if t in self.bits]
        names = list(dict.fromkeys(mentioned))
        written = {
            token
            for s in group
            if (found := _WRITTEN.match(s))
            for token in _TOKEN.findall(found[1])
            if token in self.bits
        }
        wanted = {t for s in later for t in _TOKEN.findall(s)}
        wanted |= {f"${k}" for k in range(len(self.results))}
        outputs = [name for name in names if name in written and name in wanted]
        inputs = [name for name in names if name in self.values]
        if not outputs:
            return
        local = {name: f"drano_r{k}" for k, name in enumerate(names)}
        text = [f".reg .{_reg(self.bits[name])} {local[name]};" for name in names]
        for k, name in enumerate(inputs, len(outputs)):
            text.append(_into(local[name], f"${k}", self.bits[name]))
        text += [_TOKEN.sub(lambda t: local.get(t[0], t[0]), s) + ";" for s in group]
        text += [_out_of(local[name], f"${k}", self.bits[name]) for k, name in enumerate(outputs)]
        self._assembly(" ".join(" ".join(text).split()), outputs, inputs)

    def _assembly(self, text: str, outputs: list[str], inputs: list[str]) -> None:
        letters = [f"={_LETTERS[self.bits[name]]}" for name in outputs]
        letters += [_LETTERS[self.bits[name]] for name in inputs]
        types = [_passed(self.bits[name]) for name in outputs]
        given = []
        for name in inputs:
            value = self.values[name]
            if self.bits[name] == 1:
                value = self._set(f"zext i1 {value} to i32")
            given.append(f"{_passed(self.bits[name])} {value}")
        result = types[0] if len(types) == 1 else "{ " + ", ".join(types) + " }"
        if any(ord(letter) < 32 or letter in '"\\' for letter in text):
            raise _LeftError
        total = self._set(
            f'call {result} asm sideeffect "{{ {text} }}", "{",".join(letters)}"'
            f"({', '.join(given)})"
        )
        for k, name in enumerate(outputs):
            one = total if len(types) == 1 else self._set(f"extractvalue {result} {total}, {k}")
            if self.bits[name] == 1:
                one = self._set(f"icmp ne i32 {one}, 0")
            self.values[name] = one

    # --- exchanges ---------------------------------------------------------------------------

    def _exchange(self, text: str) -> None:
        if found := _SHUFFLE.fullmatch(text):
            a, b, c, mask = self._operands(found[4], 4)
            name = f"shfl.sync.{found[1]}.i32"
            if found[3] is None:
                self._give(found[2], self._call(name, "i32", mask, a, b, c), 32)
                return
            pair = self._call(f"{name}p", "{ i32, i1 }", mask, a, b, c)
            self._give(found[2], self._set(f"extractvalue {{ i32, i1 }} {pair}, 0"), 32)
            self._give(found[3], self._set(f"extractvalue {{ i32, i1 }} {pair}, 1"), 1)
        elif found := _VOTE.fullmatch(text):
            to, condition, mask = (part.strip() for part in self._split(found[3], 3))
            width = 32 if found[2] == "b32" else 1
            given = (self._value(mask, 32), self._value(condition, 1))
            self._give(to, self._call(f"vote.{found[1]}.sync", f"i{width}", *given), width)
        elif found := _MATCH.fullmatch(text):
            to, value, mask = (part.strip() for part in self._split(found[2], 3))
            bits_ = int(found[1][1:])
            given = (self._value(mask, 32), self._value(value, bits_))
            self._give(to, self._call(f"match.any.sync.i{bits_}", "i32", *given), 32)
        elif found := _ACTIVE.fullmatch(text):
            self._give(found[1], self._call("activemask", "i32"), 32)
        else:
            raise _LeftError

    def _split(self, text: str, count: int) -> list[str]:
        parts = text.split(",")
        if len(parts) != count:
            raise _LeftError
        return parts

    def _operands(self, text: str, count: int) -> list[str]:
        return [self._value(part.strip(), 32) for part in self._split(text, count)]

    def _value(self, token: str, bits: int) -> str:
        """An operand with its type."""
        if NUMBER.fullmatch(token) and bits > 1:
            number = int(token.rstrip("U"), 0) & ((1 << bits) - 1)
            return f"i{bits} {number - (1 << bits) if number >> (bits - 1) else number}"
        if self.bits.get(token) != bits or token not in self.values:
            raise _LeftError
        return f"i{bits} {self.values[token]}"

    def _call(self, intrinsic: str, result: str, *given: str) -> str:
        name = f"llvm.nvvm.{intrinsic}"
        types = ", ".join(argument.split(" ", 1)[0] for argument in given)
        self.declared[name] = f"declare {result} @{name}({types})"
        return self._set(f"call {result} @{name}({', '.join(given)})")

    def _give(self, name: str, value: str, bits: int) -> None:
        if self.bits.get(name) != bits:
            raise _LeftError
        self.values[name] = value

    def _finish(self) -> None:
        """The asm's own result."""
        total = "poison"
        for k, type_ in enumerate(self.results):
            value = self.values.get(f"${k}")
            if value is None:
                raise _LeftError
            bits = self.bits[f"${k}"]
            last = k + 1 == len(self.results)
            if len(self.results) == 1:
                self.made.append(f"{self.match[1]} = bitcast i{bits} {value} to {type_}")
                return
            one = self._set(f"bitcast i{bits} {value} to {type_}")
            put = f"insertvalue {self.match[2]} {total}, {type_} {one}, {k}"
            if last:
                self.made.append(f"{self.match[1]} = {put}")
            else:
                total = self._set(put)


def _reg(bits: int) -> str:
    return "pred" if bits == 1 else f"b{bits}"


def _passed(bits: int) -> str:
    return "i32" if bits == 1 else f"i{bits}"


def _into(register: str, operand: str, bits: int) -> str:
    if bits == 1:
        return f"setp.ne.u32 {register}, {operand}, 0;"
    return f"mov.b{bits} {register}, {operand};"


def _out_of(register: str, operand: str, bits: int) -> str:
    if bits == 1:
        return f"selp.u32 {operand}, 1, 0, {register};"
    return f"mov.b{bits} {operand}, {register};"
