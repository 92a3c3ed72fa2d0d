"""Decoders of what touches memory: loads, stores, atomics, addresses, calls.

Means: one function per opcode; ``llvm.memcpy`` and its kin become ``MemoryCopy``
and ``MemoryFill``.
Assumptions: as in ``instructions.py``: LLVM's own printing, cut before its metadata.
Limits: addresses that are vectors of pointers are opaque.
"""

from __future__ import annotations

from msgspec import Struct

from drano.ir import model as m
from drano.ir.llvm_text import TextError, bare_name, unescape
from drano.ir.read.decoding import VOID, Header, decodes, opaque
from drano.ir.read.operands import GEP_FLAGS, VALUE_WORDS, OperandTokens, step_into, wrap
from drano.ir.type_layout import address_space, alignment, alloc_size, store_size

_MEMORY_FLAGS = frozenset({"atomic", "volatile", "weak"})


@decodes("load")
def load(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``load volatile float, ptr %p, align 4``."""
    flags = t.flags(_MEMORY_FLAGS)
    type_ = t.type()
    pointer_type = t.type()
    return m.Load(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        pointer=t.value(pointer_type),
        space=address_space(pointer_type),
        size=store_size(type_),
        align=t.after("align", 0) or alignment(type_),
        volatile="volatile" in flags,
        atomic="atomic" in flags,
        invariant=h.invariant,
    )


@decodes("store")
def store(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``store float %x, ptr %p, align 4``."""
    flags = t.flags(_MEMORY_FLAGS)
    type_ = t.type()
    value = t.value(type_)
    pointer_type = t.type()
    return m.Store(
        index=h.index,
        name=h.name,
        type=VOID,
        location=h.location,
        pointer=t.value(pointer_type),
        value=value,
        value_type=type_,
        space=address_space(pointer_type),
        size=store_size(type_),
        align=t.after("align", 0) or alignment(type_),
        volatile="volatile" in flags,
        atomic="atomic" in flags,
    )


@decodes("atomicrmw")
def atomicrmw(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``atomicrmw fadd ptr %p, float %x syncscope("device") seq_cst, align 4``."""
    t.flags(_MEMORY_FLAGS)
    operation = t.take()
    pointer_type = t.type()
    pointer = t.value(pointer_type)
    type_ = t.type()
    return m.Atomic(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        op=operation,
        pointer=pointer,
        operands=(t.value(type_),),
        space=address_space(pointer_type),
        size=store_size(type_),
        align=t.after("align", 0) or alignment(type_),
    )


@decodes("cmpxchg")
def cmpxchg(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``cmpxchg ptr %p, i32 %old, i32 %new seq_cst seq_cst, align 4``."""
    t.flags(_MEMORY_FLAGS)
    pointer_type = t.type()
    pointer = t.value(pointer_type)
    type_ = t.type()
    expected = t.value(type_)
    return m.Atomic(
        index=h.index,
        name=h.name,
        type=h.result(),
        location=h.location,
        op=op,
        pointer=pointer,
        operands=(expected, t.value(t.type())),
        space=address_space(pointer_type),
        size=store_size(type_),
        align=t.after("align", 0) or alignment(type_),
    )


@decodes("alloca")
def alloca(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``alloca [4 x i32], align 4``."""
    t.accept("inalloca")
    allocated = t.type()
    size = alloc_size(allocated)
    if t.at_type():
        count = t.value(t.type())
        size = size * count.value if isinstance(count, m.IntConst) and count.value > 0 else 0
    align = t.after("align", 0) or alignment(allocated)
    space = 0
    if "addrspace" in t.items:
        space = t.after("(", 0)
    return m.Alloca(
        index=h.index,
        name=h.name,
        type=m.PointerType(space),
        location=h.location,
        size=size,
        align=align,
    )


@decodes("getelementptr")
def gep(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``getelementptr inbounds %struct.P, ptr %p, i64 %i, i32 2``."""
    t.flags(GEP_FLAGS)
    source = t.type()
    base_type = t.type()
    base = t.value(base_type)
    offset = 0
    steps: list[m.GepStep] = []
    fields: list[tuple[str, int]] = []
    current = source
    first = True
    vectors = isinstance(base_type, m.VectorType)
    while t.at < len(t.items):
        index_type = t.type()
        index = t.value(index_type)
        vectors |= isinstance(index_type, m.VectorType)
        stride: int | None = alloc_size(source)
        if not first:
            struct = current
            current, stride, fixed = step_into(current, index)
            offset += fixed
            if isinstance(struct, m.StructType) and isinstance(index, m.IntConst):
                fields.append((struct.name, index.value))
        first = False
        if stride is None:
            continue
        if isinstance(index, m.IntConst):
            offset += index.value * stride
        else:
            bits = index_type.bits if isinstance(index_type, m.IntType) else 64
            steps.append(m.GepStep(index, bits, stride))
    if vectors:
        return opaque(t, op, h)
    return m.Gep(
        index=h.index,
        name=h.name,
        type=base_type,
        location=h.location,
        base=base,
        offset=wrap(offset, 64),
        steps=tuple(steps),
        source_type=source,
        fields=tuple(fields),
    )


# --- calls -----------------------------------------------------------------------------------


class _Arguments(Struct):
    values: list[m.Operand]
    types: list[m.Type]
    aligns: list[int]


def _argument_attributes(t: OperandTokens) -> int:
    """Take the attributes between an argument's type and its value; its alignment, or 0."""
    align = 0
    while True:
        token = t.peek()
        if not token:
            raise TextError("call ends early")
        if token == "(":
            t.skip_group()
        elif token == "align":
            t.take()
            align = t.integer()
        elif token[0] in "%@<[{-0123456789" or token[:2] == 'c"' or token in VALUE_WORDS:
            return align
        else:
            t.take()


def _metadata_argument(t: OperandTokens) -> m.Operand:
    if t.at_type() and t.peek() != "{":
        t.value(t.type())
        return m.OtherConst("metadata")
    if t.peek() != "{":
        t.take()
    if t.peek() in ("(", "{"):
        t.skip_group()
    return m.OtherConst("metadata")


def _arguments(t: OperandTokens) -> _Arguments:
    found = _Arguments([], [], [])
    t.expect("(")
    while not t.accept(")"):
        if t.accept("metadata"):
            found.values.append(_metadata_argument(t))
            found.types.append(VOID)
            found.aligns.append(0)
            continue
        type_ = t.type()
        align = 0 if t.peek() in t.locals else _argument_attributes(t)
        found.types.append(type_)
        found.aligns.append(align)
        found.values.append(t.value(type_))
    return found


@decodes("call")
def call(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``call float %f(...)``, ``call void asm "…"(…)``, or an intrinsic on memory."""
    while not t.at_type():
        if t.peek() == "(":
            t.skip_group()
        else:
            t.take()
    type_ = t.type()
    if t.peek() == "(":  # the parameter types of a variadic function
        t.skip_group()
    callee: str | None = None
    target: m.Operand | None = None
    text = ""
    if t.accept("asm"):
        callee = "asm"
        strings = []
        while t.peek() != "(":
            token = t.take()
            if token[0] == '"':
                strings.append(unescape(token[1:-1]))
        text = strings[0] if strings else ""
    elif t.peek()[:1] == "@":
        callee = bare_name(t.take())
    else:
        target = t.value(m.PointerType())
        if isinstance(target, m.FunctionAddress):
            callee, target = target.name, None
    arguments = _arguments(t)
    if callee is not None and callee.startswith("llvm.mem"):
        memory = _memory_intrinsic(callee, arguments, h)
        if memory is not None:
            return memory
    if callee is not None and callee.startswith(_MASKED):
        masked = _masked(callee, type_, arguments, h)
        if masked is not None:
            return masked
    return m.Call(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        callee=callee,
        target=target,
        args=tuple(arguments.values),
        arg_types=tuple(arguments.types),
        text=text,
    )


_MASKED = ("llvm.masked.load.", "llvm.masked.store.")


def _masked(callee: str, type_: m.Type, a: _Arguments, h: Header) -> m.Instruction | None:
    """Of elements of a vector that are always the same ones: a load is as wide as all of them, as
    the hardware has no request with gaps; a store with gaps, and elements that the run chooses,
    stay a call.
    """
    mask = a.values[1 if callee.startswith("llvm.masked.load.") else 2]
    bits = (
        [e.value for e in mask.elements if isinstance(e, m.IntConst)]
        if isinstance(mask, m.VectorConst)
        else []
    )
    if not isinstance(mask, m.VectorConst) or len(bits) != len(mask.elements) or not any(bits):
        return None
    if callee.startswith("llvm.masked.load."):
        return m.Load(
            index=h.index, name=h.name, type=type_, location=h.location, pointer=a.values[0],
            space=address_space(a.types[0]), size=store_size(type_),
            align=a.aligns[0] or 1, invariant=h.invariant,
        )  # fmt: skip
    if not all(bits):
        return None
    return m.Store(
        index=h.index, name=h.name, type=VOID, location=h.location, pointer=a.values[1],
        value=a.values[0], value_type=a.types[0], space=address_space(a.types[1]),
        size=store_size(a.types[0]), align=a.aligns[1] or 1,
    )  # fmt: skip


_COPIES = ("llvm.memcpy.p", "llvm.memcpy.inline.p", "llvm.memmove.p")
_FILLS = ("llvm.memset.p", "llvm.memset.inline.p")


def _memory_intrinsic(callee: str, a: _Arguments, h: Header) -> m.Instruction | None:
    if callee.startswith(_COPIES):
        return m.MemoryCopy(
            index=h.index,
            name=h.name,
            type=VOID,
            location=h.location,
            pointer=a.values[0],
            source=a.values[1],
            length=a.values[2],
            pointer_space=address_space(a.types[0]),
            source_space=address_space(a.types[1]),
            pointer_align=a.aligns[0] or 1,
            source_align=a.aligns[1] or 1,
        )
    if callee.startswith(_FILLS):
        return m.MemoryFill(
            index=h.index,
            name=h.name,
            type=VOID,
            location=h.location,
            pointer=a.values[0],
            value=a.values[1],
            length=a.values[2],
            pointer_space=address_space(a.types[0]),
            pointer_align=a.aligns[0] or 1,
        )
    return None
