"""Loads, stores and atomics. Source: PTX ISA, "Data Movement and Conversion Instructions: ld, st",
"Parallel Synchronization and Communication Instructions: atom, red".

Means: one instruction is one access of the width that PTX names, aligned to it, as the hardware
demands. Hints for caches say nothing of where an access goes.
"""

from __future__ import annotations

import re
from typing import Final

from drano.model.nvptx import AddressSpace
from drano.ptx.instructions.registry import handles, last_type
from drano.ptx.model import Address, Instruction, Int, Name, Operand, Vector
from drano.ptx.types import is_float, is_signed, llvm_bits, llvm_type, type_bits
from drano.ptx.writer import SINK, UnknownError, Writer, pointer_type

_SPACES: Final = {
    "global": AddressSpace.GLOBAL, "shared": AddressSpace.SHARED,
    "shared::cta": AddressSpace.SHARED, "shared::cluster": AddressSpace.SHARED_CLUSTER,
    "const": AddressSpace.CONSTANT, "local": AddressSpace.LOCAL,
}  # fmt: skip
_PARAM: Final = frozenset({"param", "param::entry", "param::func"})
_ORDERED: Final = frozenset({"volatile", "relaxed", "acquire", "release", "mmio"})
_HINT: Final = re.compile(
    r"(?:weak|unified|cta|cluster|gpu|sys|ca|cg|cs|lu|cv|wb|wt|nc|L[12]::\w+(?:::\w+)*|"
    r"level::\w+|v[248]|const\[\d+\])\Z"
)
_BITS: Final = frozenset({"b8", "b16", "b32", "b64", "b128"})
_OPERATIONS: Final = {
    "add": "add", "and": "and", "or": "or", "xor": "xor", "exch": "xchg", "inc": "uinc_wrap",
    "dec": "udec_wrap", "min": "min", "max": "max",
}  # fmt: skip


def place(w: Writer, o: Operand, space: int) -> tuple[str, str]:
    """The pointer of an access, and its type."""
    if not isinstance(o, Address) or o.more:
        raise UnknownError
    kind = pointer_type(space)
    if isinstance(o.base, Int):
        return w.value(Int(o.base.value + o.offset), kind), kind
    if not isinstance(o.base, Name):
        raise UnknownError
    if w.is_register(o.base.text):
        base, have = w.register(o.base.text)
        if have.startswith("ptr") and _same_number(have, kind):
            base = w.moved(base, have, o.offset)
            return w.cast(base, have, kind), kind
        base = w.cast(base, have, kind) if have != kind else base
        return w.moved(base, kind, o.offset), kind
    base, have = w.named(o.base.text, o.offset)
    return (w.cast(base, have, kind), kind) if _same_number(have, kind) else (base, have)


def _same_number(have: str, kind: str) -> bool:
    """Whether one is a cast of the other, and means the same address."""
    return have == kind or "ptr" in (have, kind)


def state_space(i: Instruction) -> int:
    """The state space that an access names, or the generic one."""
    spaces = [_SPACES[m] for m in i.modifiers if m in _SPACES]
    if len(spaces) > 1:
        raise UnknownError
    return spaces[0] if spaces else AddressSpace.GENERIC


def _volatile(w: Writer, i: Instruction) -> str:
    return "volatile " if w.shared.volatile or _ORDERED & set(i.modifiers) else ""


def _width(i: Instruction) -> int:
    return next((int(m[1:]) for m in i.modifiers if m in ("v2", "v4", "v8")), 1)


def _checked(i: Instruction) -> None:
    """Raises UnknownError where a modifier is not known."""
    for m in i.modifiers[:-1]:
        if m not in _SPACES and m not in _ORDERED and m not in _PARAM and not _HINT.match(m):
            raise UnknownError


@handles("ld", "ldu")
def _load(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    _checked(i)
    if not 2 <= len(i.operands) <= 3:
        raise UnknownError
    count = _width(i)
    bits = type_bits(type_)
    kind = _kind(w, i, type_, count)
    whole = kind if count == 1 else f"<{count} x {kind}>"
    space = state_space(i)
    size = count * bits // 8
    if _PARAM & set(i.modifiers):
        pointer, where, volatile, extra = *_parameter(w, i.operands[1]), "", ""
    else:
        pointer, where = place(w, i.operands[1], space)
        volatile = _volatile(w, i)
        constant = "nc" in i.modifiers or space == AddressSpace.CONSTANT or i.opcode == "ldu"
        extra = w.shared.constant if constant and not volatile else ""
    found = w.let(f"load {volatile}{whole}, {where} {pointer}, align {max(1, size)}{extra}")
    to = _one(i.operands[0], count)
    if count == 1:
        w.set(to, found, kind, signed=is_signed(type_))
        return
    if not isinstance(to, Vector) or len(to.parts) != count:
        raise UnknownError
    for k, part in enumerate(to.parts):
        if part != Name(SINK):
            piece = w.let(f"extractelement {whole} {found}, i32 {k}")
            w.set(part, piece, kind, signed=is_signed(type_))


def _kind(w: Writer, i: Instruction, type_: str, count: int) -> str:
    """What a load gives: an address, where its register is one of a generic pointer."""
    kind = f"i{type_bits(type_)}" if type_ in _BITS else llvm_type(type_)
    if type_ == "pred" or kind.startswith("<"):
        raise UnknownError
    to = _one(i.operands[0], count)
    if type_bits(type_) == 64 and count == 1 and isinstance(to, Name) and w.is_register(to.text):
        return "ptr" if w.slot(to.text)[1] == "ptr" else kind
    if type_ in ("b32", "b64") and count == 1 and isinstance(to, Name) and w.is_register(to.text):
        have = w.slot(to.text)[1]
        return have if have in ("float", "double") and llvm_bits(have) == type_bits(type_) else kind
    return kind


def _one(o: Operand, count: int) -> Operand:
    """``{%r1}``, as Triton has it, is ``%r1``."""
    alone = count == 1 and isinstance(o, Vector) and len(o.parts) == 1
    return o.parts[0] if alone and isinstance(o, Vector) else o


def _parameter(w: Writer, o: Operand) -> tuple[str, str]:
    """Where a parameter is: of a kernel, or of a call that is being prepared."""
    if not isinstance(o, Address) or not isinstance(o.base, Name):
        raise UnknownError
    if w.is_register(o.base.text):
        return place(w, o, AddressSpace.GENERIC)
    return w.named(o.base.text, o.offset)


@handles("st")
def _store(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    _checked(i)
    if not 2 <= len(i.operands) <= 3:
        raise UnknownError
    count = _width(i)
    value = _one(i.operands[1], count)
    kind = f"i{type_bits(type_)}" if type_ in _BITS else llvm_type(type_)
    if kind.startswith("<") or type_ == "pred":
        raise UnknownError
    if count == 1 and type_ in ("b32", "b64", "u64", "s64", "u32"):
        kind = _stored(w, value, kind)
    whole = kind
    if count == 1:
        given = w.value(value, kind)
    else:
        if not isinstance(value, Vector) or len(value.parts) != count:
            raise UnknownError
        whole = f"<{count} x {kind}>"
        given = "poison"
        for k, part in enumerate(value.parts):
            one = f"{kind} {w.value(part, kind)}"
            given = w.let(f"insertelement {whole} {given}, {one}, i32 {k}")
    if _PARAM & set(i.modifiers):
        pointer, where, volatile = *_parameter(w, i.operands[0]), ""
    else:
        pointer, where = place(w, i.operands[0], state_space(i))
        volatile = _volatile(w, i)
    size = max(1, count * type_bits(type_) // 8)
    w.do(f"store {volatile}{whole} {given}, {where} {pointer}, align {size}")


def _stored(w: Writer, o: Operand, kind: str) -> str:
    """The type of a register that is stored, where it has the size."""
    if isinstance(o, Name) and w.is_register(o.text):
        have = w.slot(o.text)[1]
        if have in ("float", "double", "ptr") and llvm_bits(have) == llvm_bits(kind):
            return have
    return kind


@handles("atom", "red")
def _atomic(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    names = [m for m in i.modifiers[:-1] if m in _OPERATIONS or m == "cas"]
    others = [m for m in i.modifiers[:-1] if m not in _OPERATIONS and m != "cas"]
    ordered = _ORDERED | {"acq_rel", "noftz"}
    if len(names) != 1 or any(m not in _SPACES and m not in ordered and not _HINT.match(m)
                              for m in others) or _width(i) > 1:  # fmt: skip
        raise UnknownError
    ops = i.operands if i.opcode == "atom" else (Name(SINK), *i.operands)
    to, address, *given = ops
    kind = llvm_type(type_)
    bits = type_bits(type_)
    scope = _scope(i)
    size = bits // 8
    if names == ["cas"]:
        if len(given) not in (2, 3) or not kind.startswith("i") or bits > 64:
            raise UnknownError
        pointer, where = place(w, address, state_space(i))
        old, new = w.value(given[0], kind), w.value(given[1], kind)
        pair = w.let(
            f"cmpxchg {where} {pointer}, {kind} {old}, {kind} {new}{scope} monotonic monotonic, "
            f"align {size}"
        )
        w.set(to, w.let(f"extractvalue {{ {kind}, i1 }} {pair}, 0"), kind)
        return
    if len(given) not in (1, 2) or bits > 64 or (kind.startswith("<") and names != ["add"]):
        raise UnknownError
    operation = _operation(names[0], type_)
    pointer, where = place(w, address, state_space(i))
    value = w.value(given[0], kind)
    found = w.let(
        f"atomicrmw {operation} {where} {pointer}, {kind} {value}{scope} monotonic, align {size}"
    )
    w.set(to, found, kind)


def _operation(name: str, type_: str) -> str:
    if is_float(type_) or type_ in ("f16x2", "bf16x2"):
        known = {"add": "fadd", "min": "fmin", "max": "fmax"}.get(name)
        if known is None:
            raise UnknownError
        return known
    if name in ("min", "max"):
        return name if is_signed(type_) else f"u{name}"
    return _OPERATIONS[name]


def _scope(i: Instruction) -> str:
    if "sys" in i.modifiers:
        return ""
    if "cta" in i.modifiers:
        return ' syncscope("block")'
    return ' syncscope("cluster")' if "cluster" in i.modifiers else ' syncscope("device")'


@handles("prefetch", "prefetchu", "applypriority", "discard")
def _prefetch(w: Writer, i: Instruction) -> None:
    """What only speaks to the caches is no access."""
    del w
    if i.opcode == "discard":
        raise UnknownError


@handles("cp")
def _copy(w: Writer, i: Instruction) -> None:
    """``cp.async`` between global and shared memory; bulk copies are inline PTX."""
    mods = i.modifiers
    match mods[:2]:
        case ("async", "commit_group") if len(mods) == 2:
            w.call("llvm.nvvm.cp.async.commit.group", "void")
            return
        case ("async", "wait_all") if len(mods) == 2:
            w.call("llvm.nvvm.cp.async.wait.all", "void")
            return
        case ("async", "wait_group") if len(mods) == 2 and isinstance(i.operands[0], Int):
            w.call("llvm.nvvm.cp.async.wait.group", "void", f"i32 {i.operands[0].value & 0xFFFF}")
            return
        case ("async", ("ca" | "cg") as cache):
            pass
        case _:
            raise UnknownError
    rest = [m for m in mods[2:] if not _HINT.match(m)]
    if rest not in (["shared", "global"], ["shared::cta", "global"]) or len(i.operands) < 3:
        raise UnknownError
    target, source, size, *more = i.operands
    if not isinstance(size, Int) or size.value not in {"ca": (4, 8, 16), "cg": (16,)}[cache]:
        raise UnknownError
    hinted = any("cache_hint" in m for m in mods)
    more = more[:-1] if hinted else more  # the policy of caches
    if len(more) > 1:
        raise UnknownError
    if more == [size]:
        more = []
    part = ""
    if more and _is_number(w, more[0]):
        part = w.value(more[0], "i32")
    elif more:  # a predicate: nothing is read where it holds
        reads = w.let(f"xor i1 {w.value(more[0], 'i1')}, true")
        part = w.let(f"select i1 {reads}, i32 {size.value}, i32 0")
    to, to_type = place(w, target, AddressSpace.SHARED)
    from_, from_type = place(w, source, AddressSpace.GLOBAL)
    name = f"llvm.nvvm.cp.async.{cache}.shared.global.{size.value}"
    given = [f"{to_type} {to}", f"{from_type} {from_}"]
    if part:
        w.call(f"{name}.s", "void", *given, f"i32 {part}")
    else:
        w.call(name, "void", *given)


def _is_number(w: Writer, o: Operand) -> bool:
    if isinstance(o, Int):
        return True
    return isinstance(o, Name) and w.is_register(o.text) and w.slot(o.text)[1] != "i1"
