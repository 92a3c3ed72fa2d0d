"""Instructions that are not translated: inline PTX, as compilers leave it in device IR.

So all that follows knows them already: an operand in brackets is an access of which nothing is
known but its line, results are unknown.
"""

from __future__ import annotations

from drano.ptx.model import (
    Address,
    Float,
    Instruction,
    Int,
    Name,
    Not,
    Operand,
    Pair,
    Sum,
    Vector,
)
from drano.ptx.opcodes import COMPUTING, TOGETHER
from drano.ptx.operands import has_result
from drano.ptx.types import llvm_bits
from drano.ptx.writer import SINK, Writer

_CONSTRAINTS = {"i1": "b", "i8": "h", "i16": "h", "i32": "r", "i64": "l", "i128": "q",
                "float": "f", "double": "d"}  # fmt: skip
# A special register may be another one at each `mov`.
_PURE = (COMPUTING.keys() | TOGETHER) - {"mov"}


def only_computes(i: Instruction) -> bool:
    """Whether an instruction is a function of its operands."""
    return i.opcode in _PURE and "cc" not in i.modifiers


class _Assembly:
    """Collects the operands of one instruction, as placeholders of its text."""

    def __init__(self, w: Writer, i: Instruction) -> None:
        self.w = w
        self.results: list[tuple[str, str]] = []  # register, type
        self.inputs: list[tuple[str, str]] = []  # value, type
        texts = []
        for place, operand in enumerate(i.operands):
            written = not place and has_result(i) and not isinstance(operand, Address)
            texts.append(self._operand(operand, written=written))
        self.text = f"{i.name} {', '.join(texts)}".strip() + ";"

    def _operand(self, o: Operand, *, written: bool) -> str:
        match o:
            case Name(text) if text == SINK:
                return "_"
            case Name(text) if written:
                self.results.append((text, self.w.slot(text)[1]))
                return f"\0o{len(self.results) - 1}\0"
            case Name(text) if self.w.is_register(text):
                return self._input(*self.w.register(text))
            case Name(text) if text.startswith("%"):
                return text
            case Name(text) if self._is_symbol(text):
                return self._input(*self.w.named(text))
            case Name(text):
                return text
            case Sum(text, offset):
                if self._is_symbol(text):
                    return self._input(*self.w.named(text, offset))
                return f"{text}+{offset}"
            case Not(name):
                return "!" + self._operand(name, written=False)
            case Int(value):
                return str(value)
            case Float(pattern, bits):
                return f"0f{pattern:08X}" if bits == 32 else f"0d{pattern:016X}"
            case Vector(parts):
                return "{" + ", ".join(self._operand(p, written=written) for p in parts) + "}"
            case Pair(first, second):
                one = self._operand(first, written=written)
                return f"{one}|{self._operand(second, written=written)}"
            case Address(base, offset, more):
                inner = [self._operand(base, written=False)]
                if offset:
                    inner[0] += f"+{offset}"
                inner += [self._operand(p, written=False) for p in more]
                return f"[{', '.join(inner)}]"
            case _:
                return ""

    def _is_symbol(self, name: str) -> bool:
        own = name in self.w.slots and not self.w.is_register(name)
        return own or name in self.w.shared.symbols or name in self.w.shared.functions

    def _input(self, value: str, type_: str) -> str:
        if type_.startswith("ptr"):
            bits = 64
            value, type_ = self.w.cast(value, type_, f"i{bits}"), f"i{bits}"
        self.inputs.append((value, type_))
        return f"\0i{len(self.inputs) - 1}\0"


def assembly(w: Writer, i: Instruction) -> None:
    """The instruction as it is, with unknown results."""
    w.left.append(i)
    found = _Assembly(w, i)
    plain = [(name, _plain(type_)) for name, type_ in found.results]
    text = found.text.replace("$", "$$").replace("\\", "").replace('"', "")
    for k in range(len(plain)):
        text = text.replace(f"\0o{k}\0", f"${k}")
    for k in range(len(found.inputs)):
        text = text.replace(f"\0i{k}\0", f"${k + len(plain)}")
    constraints = [f"={_CONSTRAINTS[type_]}" for _, type_ in plain]
    constraints += [_CONSTRAINTS.get(type_, "r") for _, type_ in found.inputs]
    pure = only_computes(i)
    if not pure:
        constraints.append("~{memory}")
    types = [type_ for _, type_ in plain]
    result = "void" if not types else types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"
    given = ", ".join(f"{type_} {value}" for value, type_ in found.inputs)
    effect = "" if pure and plain else "sideeffect "
    call = f'call {result} asm {effect}"{text}", "{",".join(constraints)}"({given})'
    if effect:
        call += w.shared.effects
    if not types:
        w.do(call)
        return
    value = w.let(call)
    for k, (name, type_) in enumerate(plain):
        part = value if len(types) == 1 else w.let(f"extractvalue {result} {value}, {k}")
        w.set(Name(name), part, type_)


def _plain(type_: str) -> str:
    """What inline PTX may give in a register of the type."""
    if type_.startswith("ptr"):
        return "i64"
    return type_ if type_ in _CONSTRAINTS else f"i{llvm_bits(type_)}"
