"""Functions with their blocks, variables, and the module that they are in."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from drano.ir.model.instructions import Instruction
from drano.ir.model.types import Type
from drano.ir.written_access import WrittenAccess
from drano.model.span import Location


class Argument(Struct, frozen=True):
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
    multiple: int = 1
    constant: bool = False
    byval_type: Type | None = None


class Block(Struct, frozen=True):
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


class Function(Struct, frozen=True):
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


class GlobalVariable(Struct, frozen=True):
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


class StructInfo(Struct, frozen=True):
    """Field names of a struct, from debug information: for messages."""

    name: str
    fields: tuple[str, ...]


class Module(Struct, frozen=True):
    """One translation unit's device code."""

    path: str
    functions: Mapping[str, Function]
    globals: Mapping[str, GlobalVariable]
    structs: Mapping[str, StructInfo]

    @property
    def kernels(self) -> tuple[Function, ...]:
        """Defined kernels, in order of appearance."""
        return tuple(f for f in self.functions.values() if f.is_kernel and f.blocks)
