"""From an instruction printed for the GPU to the same instruction for the CPU, as text.

Means: address spaces, scopes, wrap flags and attribute groups are dropped. Alignments become 1: the
run checks them, and the compiler must not rely on what a faulty program promises. Constants made
from the address of shared memory, which is a value here, become instructions.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from drano.ir import model as m

SPACE = re.compile(r" addrspace\(\d+\)")
_SCOPE = re.compile(r' syncscope\("[^"]*"\)')
_GROUP = re.compile(r" #\d+(?= |$)")
_WRAP = re.compile(r"^(add|sub|mul|shl|trunc|zext|or|uitofp)((?: (?:nsw|nuw|nneg|disjoint))+) ")
_ALIGN = re.compile(r", align \d+")
_EXPRESSION = re.compile(
    r"\b(bitcast|addrspacecast|ptrtoint|inttoptr|trunc|getelementptr|add|sub|xor|ptrtoaddr)"
    r"((?: (?:inbounds|nuw|nusw|nsw|inrange\([^()]*\)))*) \(([^()]*)\)"
)
_ATTRIBUTES = re.compile(
    r"^(?:(?:noundef|nonnull|signext|zeroext|inreg|noalias|nofree|nocapture|readonly|writeonly|"
    r"readnone|returned|immarg|align \d+|\w+\((?:[^()]|\([^()]*\))*\)) )+"
)
_FRESH = re.compile(r"%(?:sh|ce)\.")


def scalar_text(text: str) -> str:
    """The text of one instruction without what only the GPU knows."""
    text = SPACE.sub("", text).replace("addrspacecast", "bitcast")
    text = _GROUP.sub("", text)
    if text.startswith(("load ", "store ")):
        text = text.replace(" volatile", "", 1) if " volatile " in text else text
        if " atomic " not in text:
            return _ALIGN.sub(", align 1", text)
        return _SCOPE.sub("", text)
    if text.startswith(("atomicrmw ", "cmpxchg ", "fence ")):
        text = text.replace(" volatile ", " ", 1)
        return _SCOPE.sub("", text)
    return _WRAP.sub(r"\1 ", text)


def expand_constants(text: str, fresh: Callable[[], str]) -> tuple[list[str], str]:
    """Turn constant expressions that hold a ``%sh.`` or ``%ce.`` name into instructions.

    ``add (i64 ptrtoint (ptr %sh.1 to i64), i64 4)`` gives ``%ce.1 = ptrtoint ptr %sh.1 to i64``,
    ``%ce.2 = add i64 %ce.1, 4`` and the text ``%ce.2``.
    """
    lines: list[str] = []
    while True:
        match = next((e for e in _EXPRESSION.finditer(text) if _FRESH.search(e[3])), None)
        if match is None:
            return lines, text
        name = fresh()
        opcode, inside = match[1], match[3]
        if opcode in ("add", "sub", "xor"):
            left, right = (part.strip() for part in inside.split(","))
            inside = f"{left}, {right.split(' ', 1)[1]}"
        lines.append(f"{name} = {opcode} {inside}")
        text = text[: match.start()] + name + text[match.end() :]


def operand_type(text: str) -> str:
    """The type of a printed operand: ``<2 x half>`` of ``<2 x half> noundef %x``."""
    depth = 0
    for position, character in enumerate(text):
        if character in "<[{(":
            depth += 1
        elif character in ">]})":
            depth -= 1
        elif character == " " and not depth:
            return text[:position]
    return text


def quoted(name: str) -> str:
    """A symbol as LLVM prints it behind its ``@``."""
    if re.fullmatch(r"[-\w.$]+", name, re.ASCII):
        return name
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"
        for byte in name.encode("utf-8", "surrogateescape")
    )
    return f'"{escaped}"'


def operand_value(text: str) -> str:
    """A printed operand without its type and attributes: ``%x`` of ``ptr noundef align 8 %x``."""
    rest = text[len(operand_type(text)) :].strip()
    return _ATTRIBUTES.sub("", rest)


def simple_type(type_: m.Type) -> str | None:
    """LLVM's name of a type that the model tells without doubt; None for the others (the model
    does not tell half from bfloat, nor packed structs from others).
    """
    match type_:
        case m.VoidType():
            return "void"
        case m.IntType(bits):
            return f"i{bits}"
        case m.FloatType(32):
            return "float"
        case m.FloatType(64):
            return "double"
        case m.PointerType():
            return "ptr"
        case m.VectorType(count, element) | m.ArrayType(count, element):
            inner = simple_type(element)
            if inner is None:
                return None
            brackets = "<>" if isinstance(type_, m.VectorType) else "[]"
            return f"{brackets[0]}{count} x {inner}{brackets[1]}"
        case _:
            return None


def constant_text(symbol: str, data: bytes) -> str:
    """The definition of a zero-terminated string."""
    escaped = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)
    return f'{symbol} = private unnamed_addr constant [{len(data) + 1} x i8] c"{escaped}\\00"'
