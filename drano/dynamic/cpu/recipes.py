"""How each instruction is lowered: its role in lock step, and the helper for a call.

Means: a ``Recipe`` is the role of an instruction and, for calls of intrinsics, the name of the
helper (``helpers/lookup.py``) that replaces it, with the operands that it needs of all lanes at
once.
Limits: a call without a recipe is not guessed: ``recipe_of`` raises.
"""

from __future__ import annotations

import hashlib
import re
from enum import Enum, auto
from typing import TypeAlias

from msgspec import Struct

from drano.dynamic.cpu.device_function import FunctionSource, memory_size
from drano.dynamic.cpu.helpers.lookup import has_helper
from drano.dynamic.cpu.helpers.memory import ACCESS_SIZES
from drano.dynamic.cpu.ptx.asm import is_effect, translate
from drano.dynamic.cpu.rewrites.local_bounds import local_place_helper
from drano.dynamic.cpu.rewrites.shared_numbers import SHARED_POINTER
from drano.dynamic.cpu.scheduler.cooperative_groups import GRID_BARRIER
from drano.dynamic.cpu.translated_text import SPACE, operand_type
from drano.dynamic.instrument.counting_calls import ACCESS, ACCESS_RANGE
from drano.dynamic.instrument.measured_sites import LOCAL_PLACE, pointer_space
from drano.dynamic.instrument.printed_instructions import inside_brackets, split_top
from drano.ir import model as m
from drano.ir.llvm_text import unescape
from drano.ir.target import AddressSpace
from drano.ptx.model import PtxError

_PRIVATE = frozenset({AddressSpace.LOCAL, AddressSpace.PARAM})


class Role(Enum):
    """What an instruction may be moved past, and what it needs."""

    PURE = auto()  # a function of its operands
    REPEATED = auto()  # cheap and always the same: computed again wherever it is used
    PRIVATE = auto()  # memory of the thread alone: stays in program order
    MEMORY = auto()  # an access of memory, done for all lanes by a helper
    EFFECT = auto()  # something else is done to the world, lane by lane
    MARK = auto()  # a counting call
    CROSS = auto()  # needs operands of all lanes
    BARRIER = auto()  # lanes wait for others
    STOP = auto()  # the kernel, or the lanes, end here
    DROPPED = auto()  # means nothing here
    PHI = auto()
    END = auto()  # a terminator


class Recipe(Struct, frozen=True):
    """``helper``: what is called in the place of an intrinsic, empty when the text is copied;
    ``arrays``: numbers of the arguments that are needed of all lanes; ``mask``: number of the
    argument that names the lanes which must come together, None when there is none.
    """

    role: Role
    helper: str = ""
    arrays: tuple[int, ...] = ()
    mask: int | None = None


_DROPPED = (
    "llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.experimental.noalias", "llvm.invariant.",
    "llvm.donothing", "llvm.prefetch", "llvm.stackrestore", "llvm.stacksave",
    "llvm.nvvm.nanosleep", "llvm.sideeffect", "llvm.nvvm.prefetch",
)  # fmt: skip
STOPS = frozenset({"llvm.trap", "llvm.ubsantrap", "__assertfail", "llvm.nvvm.exit"})
_ASSEMBLY = re.compile(r'asm (sideeffect )?(?:alignstack )?"([^"]*)", "([^"]*)"\(')
_SREG = "llvm.nvvm.read.ptx.sreg."
_REPEATED_SREGS = ("tid.", "ntid.", "ctaid.", "nctaid.", "laneid", "warpsize", "lanemask", "warpid")
_BARRIERS = ("llvm.nvvm.barrier", "llvm.nvvm.bar.")
_PURE_RECIPE = Recipe(Role.PURE)
_Pure: TypeAlias = m.ValueInstruction | m.Opaque


def recipe_of(source: FunctionSource, i: m.Instruction) -> Recipe:
    """How to lower ``i``; IRError for what this back end does not know."""
    match i:
        case m.Phi():
            return Recipe(Role.PHI)
        case m.Jump() | m.Branch() | m.Switch() | m.Return() | m.Unreachable():
            return Recipe(Role.END)
        case m.Alloca():
            return Recipe(Role.REPEATED)
        case m.Load() | m.Store() | m.Atomic() | m.MemoryFill() | m.MemoryCopy():
            return _memory_recipe(source, i)
        case m.Call(callee="asm"):
            return _assembly_recipe(source, i)
        case m.Call(callee=str(name)):
            return _call_recipe(source, i, name)
        case m.Call():
            return Recipe(Role.MEMORY)
        case m.Opaque(opcode="fence"):
            return Recipe(Role.EFFECT)
        case m.Opaque(opcode="va_arg" | "indirectbr" | "invoke" | "callbr" | "catchswitch"):
            raise source.unsupported(f"instruction {i.opcode}", i.index)
        case _ if isinstance(i, _Pure):
            return _PURE_RECIPE
        case _:
            raise source.unsupported(f"instruction {type(i).__name__}", i.index)


def _assembly_recipe(source: FunctionSource, i: m.Call) -> Recipe:
    """A function made of the PTX; the same PTX with the same types is one function."""
    text = source.text(i.index)
    match = _ASSEMBLY.search(text)
    if match is None:
        raise source.unsupported(text, i.index)
    template = unescape(match[2])
    types = [operand_type(a) for a in split_top(inside_brackets(SPACE.sub("", text)))]
    result = source.type_text(i.index)
    key = "\0".join([template, match[3], result, *types])
    name = f"drano.asm.{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    try:
        if name not in source.assembly:
            source.assembly[name] = translate(name, template, match[3], result, types)
        return Recipe(effect_role(template, sideeffect=bool(match[1])), name)
    except PtxError as error:
        text = f"inline PTX `{template.strip()}` ({error.reason})"
        raise source.unsupported(text, i.index) from None


def effect_role(template: str, *, sideeffect: bool) -> Role:
    """Volatile asm that only computes is still only arithmetic, but its order is kept."""
    return Role.EFFECT if is_effect(template, sideeffect=sideeffect) else Role.PURE


def _memory_recipe(
    source: FunctionSource, i: m.Load | m.Store | m.Atomic | m.MemoryFill | m.MemoryCopy
) -> Recipe:
    pointers = [i.pointer, i.source] if isinstance(i, m.MemoryCopy) else [i.pointer]
    spaces = {
        pointer_space(p, source.definitions, source.function, source.module.globals)
        for p in pointers
    }
    if spaces <= _PRIVATE:
        return Recipe(Role.PRIVATE)
    helper = _access_helper(source, i)
    return Recipe(Role.MEMORY, helper) if helper else Recipe(Role.EFFECT)


def _access_helper(
    source: FunctionSource, i: m.Load | m.Store | m.Atomic | m.MemoryFill | m.MemoryCopy
) -> str:
    """The helper that does the access for all lanes; empty when there is none for the type."""
    match i:
        case m.Load(atomic=False) if i.size in ACCESS_SIZES and i.size == memory_size(i.type):
            return f"drano.load.{i.size}" if i.type != m.IntType(1) else ""
        case m.Store(atomic=False) if i.size in ACCESS_SIZES:
            whole = i.size == memory_size(i.value_type) and i.value_type != m.IntType(1)
            return f"drano.store.{i.size}" if whole else ""
        case m.Atomic(op="cmpxchg", size=size) if size in (1, 2, 4, 8, 16):
            first = i.type.elements[0] if isinstance(i.type, m.StructType) else None
            bits = first.bits if isinstance(first, m.IntType) else 64
            return f"drano.cmpxchg.{'ptr' if isinstance(first, m.PointerType) else f'i{bits}'}"
        case m.Atomic():
            type_ = source.type_text(i.index)
            return f"drano.atomic.{i.op}.{type_}" if type_.isalnum() else ""
        case _:
            return ""


def _call_recipe(source: FunctionSource, i: m.Call, name: str) -> Recipe:
    if name in (ACCESS, ACCESS_RANGE):
        return Recipe(Role.MARK)
    if name == GRID_BARRIER:
        return Recipe(Role.BARRIER)
    if name in STOPS:
        return Recipe(Role.STOP)
    if name.startswith(_DROPPED):
        return Recipe(Role.DROPPED)
    if name.startswith(_SREG):
        helper = "drano.sreg." + name.removeprefix(_SREG)
        if not has_helper(helper):
            raise source.unsupported(f"special register {name.removeprefix(_SREG)}", i.index)
        repeated = name.removeprefix(_SREG).startswith(_REPEATED_SREGS)
        return Recipe(Role.REPEATED if repeated else Role.PURE, helper)
    if name.startswith(_BARRIERS) and not name.startswith("llvm.nvvm.bar.warp"):
        return Recipe(Role.BARRIER)
    if name.startswith("__nv_"):
        return _PURE_RECIPE
    if name.startswith("llvm.nvvm."):
        return _nvvm_recipe(source, i, name.removeprefix("llvm.nvvm."))
    if name.startswith("llvm."):
        return _PURE_RECIPE
    if name == LOCAL_PLACE:
        helper, text = local_place_helper(i.location)
        source.assembly[helper] = text
        return Recipe(Role.PURE, helper)
    if name == SHARED_POINTER:
        return Recipe(Role.PURE, f"drano.call.{name}")
    if has_helper(f"drano.call.{name}"):
        return Recipe(Role.EFFECT, f"drano.call.{name}")
    known = source.module.functions.get(name)
    if (known is not None and known.blocks) or (
        source.relocatable and not name.startswith(("cuda", "__cuda"))
    ):
        return Recipe(Role.MEMORY)
    raise source.unsupported(f"call of {name}, which is not defined", i.index)


_CROSS = re.compile(r"shfl\.sync\.|vote\.|match\.|redux\.sync\.|bar\.warp\.sync|activemask")


def _nvvm_recipe(source: FunctionSource, i: m.Call, name: str) -> Recipe:
    helper = f"drano.nvvm.{name}"
    if not has_helper(helper):
        raise source.unsupported(f"intrinsic llvm.nvvm.{name}", i.index)
    if not _CROSS.match(name):
        return Recipe(
            Role.EFFECT if name.startswith(("membar", "fence", "exit")) else Role.PURE, helper
        )
    if name == "activemask":
        return Recipe(Role.CROSS, helper)
    if name == "bar.warp.sync":
        return Recipe(Role.CROSS, helper, (), 0)
    if name.startswith("redux."):
        return Recipe(Role.CROSS, helper, (0,), 1)
    return Recipe(Role.CROSS, helper, (1,), 0)
