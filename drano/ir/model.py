"""The frozen picture of a device module that every analysis reads.

Assumptions: the module is the *prepared* one (device functions inlined, SSA formed, see
``prepare/passes.py``), for ``nvptx64``: pointers are 8 bytes in every address space, little-endian.
Values of a function are numbered densely: ``Local(k)`` is argument or instruction ``k``.
Sizes, strides and offsets are in bytes.

The instruction set is a closed union (``Instruction``): what the reader does not know becomes
``Opaque``, never a guess; a ``match`` over the union ends in ``assert_never``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from drano.ir.written_access import WrittenAccess
from drano.model.span import Location
from drano.support.fast_init import fast_init

# --- types -----------------------------------------------------------------------------------


@fast_init
@dataclass(frozen=True, slots=True)
class VoidType:
    """No value."""


@fast_init
@dataclass(frozen=True, slots=True)
class IntType:
    """``bits`` wide two's complement integer; ``i1`` is a predicate."""

    bits: int


@fast_init
@dataclass(frozen=True, slots=True)
class FloatType:
    """Any floating-point type: half and bfloat 16, float 32, double 64 bits."""

    bits: int


@fast_init
@dataclass(frozen=True, slots=True)
class PointerType:
    """Opaque pointer in ``space`` (a number of ``AddressSpace`` where it is one of them)."""

    space: int = 0


@fast_init
@dataclass(frozen=True, slots=True)
class VectorType:
    """SIMD vector ``<count x element>``."""

    count: int
    element: Type


@fast_init
@dataclass(frozen=True, slots=True)
class ArrayType:
    """``[count x element]``."""

    count: int
    element: Type


@fast_init
@dataclass(frozen=True, slots=True)
class StructType:
    """``name`` is LLVM's (``struct.P``), empty for literal structs; ``offsets`` in bytes."""

    name: str
    elements: tuple[Type, ...]
    offsets: tuple[int, ...]
    size: int
    align: int


Type: TypeAlias = VoidType | IntType | FloatType | PointerType | VectorType | ArrayType | StructType

# --- operands --------------------------------------------------------------------------------


@fast_init
@dataclass(frozen=True, slots=True)
class Local:
    """The argument or instruction numbered ``index`` of the same function."""

    index: int


@fast_init
@dataclass(frozen=True, slots=True)
class IntConst:
    """Two's complement constant; ``value`` is the *signed* reading of the ``bits``."""

    value: int
    bits: int


@fast_init
@dataclass(frozen=True, slots=True)
class FloatConst:
    """A floating constant; its value does not matter to any analysis."""

    bits: int


@fast_init
@dataclass(frozen=True, slots=True)
class NullConst:
    """The null pointer, or an all-zero aggregate."""


@fast_init
@dataclass(frozen=True, slots=True)
class UndefConst:
    """undef or poison: any value, and the program may not depend on it."""


@fast_init
@dataclass(frozen=True, slots=True)
class GlobalAddress:
    """Address of global ``name`` plus ``offset`` bytes (constant GEPs and casts folded in)."""

    name: str
    offset: int = 0


@fast_init
@dataclass(frozen=True, slots=True)
class FunctionAddress:
    """Address of function ``name``."""

    name: str


@fast_init
@dataclass(frozen=True, slots=True)
class VectorConst:
    """Constant vector, array or struct, element by element."""

    elements: tuple[Operand, ...]


@fast_init
@dataclass(frozen=True, slots=True)
class OtherConst:
    """A constant that is none of the above (``text`` says which); uniform, of unknown value."""

    text: str


Operand: TypeAlias = (
    Local
    | IntConst
    | FloatConst
    | NullConst
    | UndefConst
    | GlobalAddress
    | FunctionAddress
    | VectorConst
    | OtherConst
)

# --- instructions ----------------------------------------------------------------------------


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class _Base:
    """``index``: its number as a value; ``name``: LLVM's name; ``location``: None if generated."""

    index: int
    name: str
    type: Type
    location: Location | None


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(_Base):
    """``op``: add sub mul shl lshr ashr and or xor sdiv udiv srem urem fadd fsub fmul fdiv frem."""

    op: str
    lhs: Operand
    rhs: Operand
    nsw: bool = False
    nuw: bool = False
    exact: bool = False


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Negate(_Base):
    """``fneg``."""

    value: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(_Base):
    """icmp (``floating`` False; predicate eq ne slt sle sgt sge ult ule ugt uge) or fcmp.

    ``operand_type`` is the type compared (an IntType, PointerType, FloatType or a vector).
    """

    predicate: str
    lhs: Operand
    rhs: Operand
    operand_type: Type
    floating: bool


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(_Base):
    """``op``: trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr
    bitcast addrspacecast. ``nneg``: zext of a value known not negative.
    """

    op: str
    value: Operand
    source_type: Type
    nneg: bool = False
    nsw: bool = False
    nuw: bool = False


@fast_init
@dataclass(frozen=True, slots=True)
class GepStep:
    """``index * stride`` bytes; ``index`` is sign-extended from ``index_bits`` to 64."""

    index: Operand
    index_bits: int
    stride: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Gep(_Base):
    """getelementptr: base + ``offset`` + sum of the steps (constant steps are in ``offset``).

    ``source_type`` is the GEP's source element type, ``fields`` the struct fields walked
    through: (struct name, field number) pairs, outermost first, for messages.
    """

    base: Operand
    offset: int
    steps: tuple[GepStep, ...]
    source_type: Type
    fields: tuple[tuple[str, int], ...]
    inbounds: bool


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Load(_Base):
    """``type`` is what is loaded, ``size`` its bytes in memory."""

    pointer: Operand
    space: int
    size: int
    align: int
    volatile: bool = False
    atomic: bool = False
    invariant: bool = False


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Store(_Base):
    """``type`` is void."""

    pointer: Operand
    value: Operand
    value_type: Type
    space: int
    size: int
    align: int
    volatile: bool = False
    atomic: bool = False


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Atomic(_Base):
    """atomicrmw or cmpxchg (``op``: add, fadd, xchg, …, cmpxchg)."""

    op: str
    pointer: Operand
    operands: tuple[Operand, ...]
    space: int
    size: int
    align: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCopy(_Base):
    """llvm.memcpy / memmove: ``length`` bytes from ``source`` to ``pointer``, per thread."""

    pointer: Operand
    source: Operand
    length: Operand
    pointer_space: int
    source_space: int
    pointer_align: int
    source_align: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFill(_Base):
    """llvm.memset."""

    pointer: Operand
    value: Operand
    length: Operand
    pointer_space: int
    pointer_align: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Phi(_Base):
    """``incoming``: (value, index of the predecessor block), one per CFG edge."""

    incoming: tuple[tuple[Operand, int], ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Select(_Base):
    """``condition ? if_true : if_false``."""

    condition: Operand
    if_true: Operand
    if_false: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Call(_Base):
    """A call that was not inlined. ``callee`` is the symbol, None for an indirect call
    (then ``target`` is the pointer); inline assembly has ``callee`` "asm" and ``text``.
    """

    callee: str | None
    target: Operand | None
    args: tuple[Operand, ...]
    arg_types: tuple[Type, ...]
    text: str = ""


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Alloca(_Base):
    """Stack slot of ``size`` bytes of ``allocated`` (0: size unknown)."""

    allocated: Type
    size: int
    align: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractValue(_Base):
    """Field of a struct or array value."""

    aggregate: Operand
    indices: tuple[int, ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class InsertValue(_Base):
    """Aggregate with one field replaced."""

    aggregate: Operand
    value: Operand
    indices: tuple[int, ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractElement(_Base):
    """Element of a vector."""

    vector: Operand
    element: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class InsertElement(_Base):
    """Vector with one element replaced."""

    vector: Operand
    value: Operand
    element: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleVector(_Base):
    """``mask`` picks from lhs ++ rhs; -1 is undefined."""

    lhs: Operand
    rhs: Operand
    mask: tuple[int, ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze(_Base):
    """``freeze``: the same value, made definite."""

    value: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Opaque(_Base):
    """An instruction the reader does not know; its result may be anything."""

    opcode: str
    operands: tuple[Operand, ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Jump(_Base):
    """Unconditional branch to block ``target``."""

    target: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(_Base):
    """Conditional branch to block ``if_true`` or ``if_false``."""

    condition: Operand
    if_true: int
    if_false: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(_Base):
    """``cases``: (value, block); anything else goes to ``default``."""

    value: Operand
    bits: int
    default: int
    cases: tuple[tuple[int, int], ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Return(_Base):
    """``value`` is None for void."""

    value: Operand | None


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable(_Base):
    """Never executed (trap, exit)."""


Terminator: TypeAlias = Jump | Branch | Switch | Return | Unreachable

Instruction: TypeAlias = (
    Binary
    | Negate
    | Compare
    | Cast
    | Gep
    | Load
    | Store
    | Atomic
    | MemoryCopy
    | MemoryFill
    | Phi
    | Select
    | Call
    | Alloca
    | ExtractValue
    | InsertValue
    | ExtractElement
    | InsertElement
    | ShuffleVector
    | Freeze
    | Opaque
    | Terminator
)

# --- functions and modules -------------------------------------------------------------------


@fast_init
@dataclass(frozen=True, slots=True)
class Argument:
    """``byval_size``: bytes of a struct passed in parameter space, 0 otherwise; ``byval_type``: its
    type; ``constant``: nothing is written through the pointer, nor kept of it.
    ``name`` is the parameter's name in the source where the compiler kept it; ``multiple``: what
    an integer is a multiple of, or the bytes that a pointer is aligned to, 1: not known.
    """

    index: int
    name: str
    type: Type
    byval_size: int = 0
    align: int = 0
    noalias: bool = False
    multiple: int = 1
    constant: bool = False
    byval_type: Type | None = None


@fast_init
@dataclass(frozen=True, slots=True)
class Block:
    """``instructions`` ends with the terminator; ``predecessors`` without repetition."""

    index: int
    name: str
    instructions: tuple[Instruction, ...]
    predecessors: tuple[int, ...]
    successors: tuple[int, ...]

    @property
    def terminator(self) -> Instruction:
        """The last instruction."""
        return self.instructions[-1]


@fast_init
@dataclass(frozen=True, slots=True)
class Function:
    """``blocks[0]`` is the entry; empty for a declaration. ``name`` is the mangled symbol,
    ``display`` the short demangled one (``tr<4>``), ``source_name`` the bare one (``tr``).

    ``max_threads``: ``__launch_bounds__``'s threads per block (product), or None;
    ``required_threads`` the exact shape when the source demands one (reqntid); ``told_threads``:
    the sizes outside of which it accesses nothing (``block_guards``). ``cluster``: the blocks that
    each element of a launch's grid stands for. ``local_names``: source variable name of a value
    (from debug records), where one is known. ``origins``: of optimised code, the accesses as
    written whose work an instruction does; ``removed``: those of which nothing is left.
    """

    name: str
    display: str
    source_name: str
    is_kernel: bool
    args: tuple[Argument, ...]
    blocks: tuple[Block, ...]
    value_count: int
    location: Location | None
    max_threads: int | None
    required_threads: tuple[int, int, int] | None
    local_names: Mapping[int, str]
    origins: Mapping[int, tuple[WrittenAccess, ...]]
    told_threads: tuple[int | None, int | None, int | None] = (None, None, None)
    cluster: tuple[int, int, int] = (1, 1, 1)
    removed: tuple[WrittenAccess, ...] = ()


@fast_init
@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """A module-level variable; ``external_size``: ``extern __shared__`` (size set at launch).

    ``initializer``: constant integers, element by element, when the
    variable is a constant array of integers small enough to keep; None otherwise.
    ``refers``: symbols whose addresses it holds from the beginning.
    """

    name: str
    display: str
    space: int
    type: Type
    size: int
    align: int
    constant: bool
    external_size: bool
    initializer: tuple[int, ...] | None = None
    refers: tuple[str, ...] = ()


@fast_init
@dataclass(frozen=True, slots=True)
class StructInfo:
    """Field names of a struct, from debug information: for messages."""

    name: str
    fields: tuple[str, ...]


@fast_init
@dataclass(frozen=True, slots=True)
class Module:
    """One translation unit's device code."""

    path: str
    functions: Mapping[str, Function]
    globals: Mapping[str, GlobalVariable]
    structs: Mapping[str, StructInfo]

    @property
    def kernels(self) -> tuple[Function, ...]:
        """Defined kernels, in order of appearance."""
        return tuple(f for f in self.functions.values() if f.is_kernel and f.blocks)
