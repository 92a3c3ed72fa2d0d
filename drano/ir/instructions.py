"""One printed instruction to one frozen ``model`` instruction: a small function per opcode.

Means: ``decode`` looks the opcode up in an explicit table; what is not in it becomes ``Opaque``
with the locals that it mentions.
Assumptions: the line is LLVM's own printing, cut before its metadata attachments, and names of
all values of the function are known (a phi may refer forward).
Limits: vectors of pointers in a ``getelementptr`` give ``Opaque``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from drano.ir import model as m
from drano.ir.layout import address_space, alignment, alloc_size, store_size
from drano.ir.operands import GEP_FLAGS, VALUE_WORDS, OperandTokens, step_into, wrap
from drano.ir.text import TextError, bare_name, unescape
from drano.span import Location

_FLAGS = frozenset(
    "nsw nuw exact disjoint nneg samesign fast nnan ninf nsz arcp contract afn reassoc".split()
)
_VOID = m.VoidType()
_BOOL = m.IntType(1)
MAX_MASK = 1 << 12


class Header(NamedTuple):
    """What every instruction has. ``blocks``: block numbers by label; ``result``: the type of an
    opcode that is not in the table, as LLVM tells it.
    """

    index: int
    name: str
    location: Location | None
    blocks: Mapping[str, int]
    invariant: bool
    result: Callable[[], m.Type]


Decoder = Callable[[OperandTokens, str, Header], m.Instruction]


def _block(t: OperandTokens, h: Header) -> int:
    token = t.take()
    if token not in h.blocks:
        raise TextError(f"unknown block {token[:40]!r}")
    return h.blocks[token]


def _binary(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    flags = t.flags(_FLAGS)
    type_ = t.type()
    return m.Binary(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        op=op,
        lhs=t.value(type_),
        rhs=t.value(type_),
        nsw="nsw" in flags,
        nuw="nuw" in flags,
        exact="exact" in flags,
        disjoint="disjoint" in flags,
    )


def _negate(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    t.flags(_FLAGS)
    type_ = t.type()
    return m.Negate(
        index=h.index, name=h.name, type=type_, location=h.location, value=t.value(type_)
    )


def _compare(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    t.flags(_FLAGS)
    predicate = t.take()
    type_ = t.type()
    result: m.Type = _BOOL
    if isinstance(type_, m.VectorType):
        result = m.VectorType(type_.count, _BOOL)
    return m.Compare(
        index=h.index,
        name=h.name,
        type=result,
        location=h.location,
        predicate=predicate,
        lhs=t.value(type_),
        rhs=t.value(type_),
        operand_type=type_,
        floating=op == "fcmp",
    )


def _cast(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    flags = t.flags(_FLAGS)
    source = t.type()
    value = t.value(source)
    t.expect("to")
    return m.Cast(
        index=h.index,
        name=h.name,
        type=t.type(),
        location=h.location,
        op=op,
        value=value,
        source_type=source,
        nneg="nneg" in flags,
        nsw="nsw" in flags,
        nuw="nuw" in flags,
    )


_MEMORY_FLAGS = frozenset({"atomic", "volatile", "weak"})


def _load(t: OperandTokens, op: str, h: Header) -> m.Instruction:
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


def _store(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    flags = t.flags(_MEMORY_FLAGS)
    type_ = t.type()
    value = t.value(type_)
    pointer_type = t.type()
    return m.Store(
        index=h.index,
        name=h.name,
        type=_VOID,
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


def _atomicrmw(t: OperandTokens, op: str, h: Header) -> m.Instruction:
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


def _cmpxchg(t: OperandTokens, op: str, h: Header) -> m.Instruction:
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


def _alloca(t: OperandTokens, op: str, h: Header) -> m.Instruction:
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
        allocated=allocated,
        size=size,
        align=align,
    )


def _gep(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    flags = t.flags(GEP_FLAGS)
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
        return _opaque(t, op, h)
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
        inbounds="inbounds" in flags,
    )


def _phi(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    t.flags(_FLAGS)
    type_ = t.type()
    incoming = []
    while t.accept("["):
        value = t.value(type_)
        incoming.append((value, _block(t, h)))
        t.expect("]")
    return m.Phi(
        index=h.index, name=h.name, type=type_, location=h.location, incoming=tuple(incoming)
    )


def _select(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    t.flags(_FLAGS)
    condition = t.value(t.type())
    type_ = t.type()
    if_true = t.value(type_)
    return m.Select(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        condition=condition,
        if_true=if_true,
        if_false=t.value(t.type()),
    )


# --- calls -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Arguments:
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
            found.types.append(_VOID)
            found.aligns.append(0)
            continue
        type_ = t.type()
        align = 0 if t.peek() in t.locals else _argument_attributes(t)
        found.types.append(type_)
        found.aligns.append(align)
        found.values.append(t.value(type_))
    return found


def _call(t: OperandTokens, op: str, h: Header) -> m.Instruction:
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


_COPIES = ("llvm.memcpy.p", "llvm.memcpy.inline.p", "llvm.memmove.p")
_FILLS = ("llvm.memset.p", "llvm.memset.inline.p")


def _memory_intrinsic(callee: str, a: _Arguments, h: Header) -> m.Instruction | None:
    if callee.startswith(_COPIES):
        return m.MemoryCopy(
            index=h.index,
            name=h.name,
            type=_VOID,
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
            type=_VOID,
            location=h.location,
            pointer=a.values[0],
            value=a.values[1],
            length=a.values[2],
            pointer_space=address_space(a.types[0]),
            pointer_align=a.aligns[0] or 1,
        )
    return None


# --- aggregates and vectors ------------------------------------------------------------------


def _indices(t: OperandTokens) -> tuple[int, ...]:
    indices = []
    while t.at < len(t.items):
        indices.append(t.integer())
    return tuple(indices)


def _extract_value(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    type_ = t.type()
    aggregate = t.value(type_)
    indices = _indices(t)
    for index in indices:
        type_, _, _ = step_into(type_, m.IntConst(index, 32))
    return m.ExtractValue(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        aggregate=aggregate,
        indices=indices,
    )


def _insert_value(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    type_ = t.type()
    aggregate = t.value(type_)
    return m.InsertValue(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        aggregate=aggregate,
        value=t.value(t.type()),
        indices=_indices(t),
    )


def _extract_element(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    type_ = t.type()
    return m.ExtractElement(
        index=h.index,
        name=h.name,
        type=type_.element if isinstance(type_, m.VectorType) else type_,
        location=h.location,
        vector=t.value(type_),
        element=t.value(t.type()),
    )


def _insert_element(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    type_ = t.type()
    return m.InsertElement(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        vector=t.value(type_),
        value=t.value(t.type()),
        element=t.value(t.type()),
    )


def _shuffle_vector(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    type_ = t.type()
    lhs = t.value(type_)
    rhs = t.value(t.type())
    mask_type = t.type()
    mask = t.value(mask_type)
    if not isinstance(mask_type, m.VectorType) or not isinstance(type_, m.VectorType):
        raise TextError("shufflevector of no vectors")
    if mask_type.count > MAX_MASK:
        return _opaque(t, op, h)
    picks = (-1,) * mask_type.count
    if isinstance(mask, m.NullConst):
        picks = (0,) * mask_type.count
    elif isinstance(mask, m.VectorConst):
        picks = tuple(e.value if isinstance(e, m.IntConst) else -1 for e in mask.elements)
    return m.ShuffleVector(
        index=h.index,
        name=h.name,
        type=m.VectorType(mask_type.count, type_.element),
        location=h.location,
        lhs=lhs,
        rhs=rhs,
        mask=picks,
    )


def _freeze(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    type_ = t.type()
    return m.Freeze(
        index=h.index, name=h.name, type=type_, location=h.location, value=t.value(type_)
    )


# --- terminators -----------------------------------------------------------------------------


def _branch(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    if t.accept("label"):
        return m.Jump(
            index=h.index, name=h.name, type=_VOID, location=h.location, target=_block(t, h)
        )
    condition = t.value(t.type())
    t.expect("label")
    if_true = _block(t, h)
    t.expect("label")
    return m.Branch(
        index=h.index,
        name=h.name,
        type=_VOID,
        location=h.location,
        condition=condition,
        if_true=if_true,
        if_false=_block(t, h),
    )


def _switch(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    type_ = t.type()
    value = t.value(type_)
    t.expect("label")
    default = _block(t, h)
    t.expect("[")
    cases = []
    while not t.accept("]"):
        case = t.value(t.type())
        t.expect("label")
        if not isinstance(case, m.IntConst):
            raise TextError("switch case is no number")
        cases.append((case.value, _block(t, h)))
    return m.Switch(
        index=h.index,
        name=h.name,
        type=_VOID,
        location=h.location,
        value=value,
        bits=type_.bits if isinstance(type_, m.IntType) else 64,
        default=default,
        cases=tuple(cases),
    )


def _return(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    type_ = t.type()
    value = None if isinstance(type_, m.VoidType) else t.value(type_)
    return m.Return(index=h.index, name=h.name, type=_VOID, location=h.location, value=value)


def _unreachable(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    return m.Unreachable(index=h.index, name=h.name, type=_VOID, location=h.location)


def _opaque(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    operands = tuple(t.locals[token] for token in t.items if token in t.locals)
    return m.Opaque(
        index=h.index,
        name=h.name,
        type=h.result(),
        location=h.location,
        opcode=op,
        operands=operands,
    )


_BINARIES = (
    "add sub mul shl lshr ashr and or xor sdiv udiv srem urem fadd fsub fmul fdiv frem".split()
)
_CASTS = (
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast"
    " addrspacecast".split()
)

DECODERS: Mapping[str, Decoder] = {
    **dict.fromkeys(_BINARIES, _binary),
    **dict.fromkeys(_CASTS, _cast),
    "fneg": _negate,
    "icmp": _compare,
    "fcmp": _compare,
    "load": _load,
    "store": _store,
    "atomicrmw": _atomicrmw,
    "cmpxchg": _cmpxchg,
    "alloca": _alloca,
    "getelementptr": _gep,
    "phi": _phi,
    "select": _select,
    "call": _call,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle_vector,
    "freeze": _freeze,
    "br": _branch,
    "switch": _switch,
    "ret": _return,
    "unreachable": _unreachable,
}


def decode(tokens: OperandTokens, opcode: str, header: Header) -> m.Instruction:
    """The instruction whose operands come next in ``tokens``; TextError if they make no sense."""
    return DECODERS.get(opcode, _opaque)(tokens, opcode, header)


def successors(instruction: m.Instruction, opaque_targets: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The blocks that control may go to after ``instruction``, without repetition."""
    match instruction:
        case m.Jump(target=target):
            return (target,)
        case m.Branch(if_true=if_true, if_false=if_false):
            return (if_true,) if if_true == if_false else (if_true, if_false)
        case m.Switch(default=default, cases=cases):
            return tuple(dict.fromkeys((default, *(block for _, block in cases))))
        case m.Opaque():
            return opaque_targets
        case _:
            return ()
