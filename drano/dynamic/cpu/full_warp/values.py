"""Values of a full warp as SSA values: lane 0's scalar and all lanes' vector, generated on demand.

Means: while all 32 lanes are active there is no mask to test, and values need not go through the
frame. ``first`` gives the scalar of lane 0, which is enough for a uniform value and for the address
of an access whose lanes are at proved distances; ``every`` gives the vector. An instruction is
generated in a form when that form is first needed; one without a vector form is a loop over the
lanes, which LLVM vectorises.
Limits: a value that is no scalar, or an instruction with effects, raises ``NotFullError``: its node
has no full-warp form.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.context import FunctionContext
from drano.dynamic.cpu.device_function import memory_align
from drano.dynamic.cpu.instructions import InstructionWriter
from drano.dynamic.cpu.recipes import Role
from drano.dynamic.cpu.translated_text import operand_type, operand_value, scalar_text
from drano.dynamic.instrument.printed_instructions import inside_brackets, split_top
from drano.ir import model as m

SCALARS = frozenset({"i1", "i8", "i16", "i32", "i64", "float", "double", "half", "bfloat", "ptr"})
_TYPE = r"(i\d+|float|double|half|bfloat|ptr)"
_ONE = re.compile(rf"^((?:[a-z_]+ )+){_TYPE} (\S.*)$", re.DOTALL)
_CAST = re.compile(rf"^((?:[a-z]+ )+){_TYPE} (\S+) to {_TYPE}$")
_CALL = re.compile(
    r"^(?:(?:tail|musttail|notail) )?call ((?:[a-z]+ )*?)(?:noundef )?(\S+) "
    r"@llvm\.([a-z0-9]+)\.(\w+)\("
)
_VECTOR_CALLS = frozenset(
    {
        "fma", "fmuladd", "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "minnum",
        "maxnum", "minimum", "maximum", "copysign", "smax", "smin", "umax", "umin", "ctpop", "fshl",
        "fshr", "bswap", "bitreverse", "canonicalize",
    }
)  # fmt: skip
_SUFFIXES = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double"}
_STEPS = ", ".join(f"i32 {lane}" for lane in range(32))


_SAME = ("ntid", "ctaid", "nctaid", "warpsize", "warpid")
"""Special registers that the lanes of a warp agree on."""


class NotFullError(Exception):
    """The node has no form for full warps."""


def vector_of(type_: str) -> str:
    """The type of all lanes' values. Raises NotFullError: LLVM has no vectors of vectors."""
    if type_[0] in "<[{%":
        raise NotFullError(type_)
    return f"<32 x {type_}>"


class FullValues(InstructionWriter):
    """Writes values into the lines of a step function. ``cached`` results hold in one node;
    ``saved`` and ``restored`` bracket what is written on one of several ways.
    """

    lane = "0"
    mask = "-1"

    def __init__(
        self,
        context: FunctionContext,
        preamble: dict[str, str],
        emit: Callable[[str], None],
        fresh: Callable[[], str],
    ) -> None:
        super().__init__(context)
        self.preamble = preamble
        self._emit = emit
        self._name = fresh
        self.reset()

    def reset(self) -> None:
        """Forget what other nodes have made."""
        self.scalars: dict[int, str] = {}
        self.vectors: dict[int, str] = {}
        self.uniform: set[int] = set()
        self.here: set[int] = set()

    def saved(self) -> tuple[dict[int, str], dict[int, str]]:
        """What has a name here."""
        return dict(self.scalars), dict(self.vectors)

    def restore(self, state: tuple[dict[int, str], dict[int, str]]) -> None:
        """Know only what had a name there."""
        self.scalars, self.vectors = dict(state[0]), dict(state[1])

    def emit(self, line: str) -> None:
        """Add an instruction."""
        self._emit(line)

    def set(self, expression: str) -> str:
        """Add an instruction with a new name."""
        name = self._name()
        self._emit(f"{name} = {expression}")
        return name

    def _fresh(self) -> str:
        return self._name().replace("%t.", "%ce.v")

    # --- what is known -----------------------------------------------------------------------

    def value(self, value: int) -> str:
        """Lane 0's, as the operands of copied instructions."""
        return self.first(value)

    def define(self, value: int, *, scalar: str = "", vector: str = "") -> None:
        """The value of an access, a phi: a scalar alone is the same in all lanes."""
        if vector:
            self.vectors[value] = vector
        if scalar:
            self.scalars[value] = scalar
        if scalar and not vector:
            self.uniform.add(value)

    def is_uniform(self, value: int) -> bool:
        """Whether the value is known to be the same in all lanes."""
        if value < len(self.source.function.args):
            return value not in self.plan.allocas
        if value in self.plan.repeated:
            register = self.plan.recipes[value].helper.removeprefix("drano.sreg.")
            return register.startswith(_SAME)
        return value in self.uniform

    def arithmetic(self, values: Iterable[int]) -> None:
        """The next instructions of the node that only compute: they can be asked for from now."""
        for value in values:
            recipe = self.plan.recipes[value]
            if recipe.role is not Role.PURE:
                raise NotFullError(recipe.role.name)
            i = self.source.definitions[value]
            if isinstance(i, m.Call) and _writes(i):
                raise NotFullError(i.callee)
            self.here.add(value)
            made = recipe.helper and not recipe.helper.startswith(("drano.nvvm.", "drano.sreg.n"))
            if made or isinstance(i, m.Freeze):
                continue
            if all(self.is_uniform(v) for v in self.source.locals_of(value)):
                self.uniform.add(value)

    def _is_here(self, value: int) -> bool:
        return value in self.plan.repeated or value in self.here

    def _operands_first(self, value: int, known: Mapping[int, str]) -> Iterable[int]:
        """``value`` and what it is computed from here, operands first, without what is known."""
        seen: set[int] = set()
        stack = [(value, False)]
        while stack:
            at, left = stack.pop()
            if left:
                yield at
                continue
            if at in seen or at in known:
                continue
            seen.add(at)
            stack.append((at, True))
            if at in self.here:
                stack += [(v, False) for v in self.source.locals_of(at)]

    def type_text(self, value: int) -> str:
        """The scalar type of a value."""
        type_ = self.source.type_text(value)
        if type_ not in SCALARS:
            raise NotFullError(type_)
        return type_

    # --- lane 0 ------------------------------------------------------------------------------

    def first(self, value: int) -> str:
        """Lane 0's value."""
        if value not in self.scalars:
            for each in self._operands_first(value, self.scalars):
                self.scalars[each] = self._first(each)
        return self.scalars[value]

    def _first(self, value: int) -> str:
        if value < len(self.source.function.args):
            if value in self.plan.allocas:
                raise NotFullError("parameter that is changed")
            return self.argument(value)
        if value in self.vectors:
            vector = vector_of(self.type_text(value))
            return self.set(f"extractelement {vector} {self.vectors[value]}, i64 0")
        if not self._is_here(value):
            return self._load_first(value)
        i = self.source.definitions[value]
        self._require_pure(i)
        if isinstance(i, m.Alloca):
            self.prepare(self.context.local_lines())
            return self.set(
                f"getelementptr inbounds i8, ptr %local, i64 {self.plan.allocas[value]}"
            )
        return self.set(self.scalar(i))

    def _require_pure(self, i: m.Instruction) -> None:
        recipe = self.plan.recipes[i.index]
        if recipe.role not in (Role.PURE, Role.REPEATED) or recipe.arrays:
            raise NotFullError(type(i).__name__)
        if "clock" in recipe.helper or "globaltimer" in recipe.helper:
            raise NotFullError(recipe.helper)
        self.type_text(i.index)

    def _place(self, value: int) -> str:
        slot = self.plan.slots.get(value)
        if slot is None:
            raise NotFullError("value without a place")
        return self.set(f"getelementptr inbounds i8, ptr %frame, i64 {slot.offset}")

    def _load_first(self, value: int) -> str:
        type_ = self.type_text(value)
        memory = "i8" if type_ == "i1" else type_
        loaded = self.set(f"load {memory}, ptr {self._place(value)}, align 1")
        return self.set(f"trunc i8 {loaded} to i1") if type_ == "i1" else loaded

    # --- all lanes ---------------------------------------------------------------------------

    def every(self, value: int) -> str:
        """All lanes' values."""
        if value not in self.vectors:
            for each in self._operands_first(value, self.vectors):
                if each == value or not self.is_uniform(each):
                    self.vectors[each] = self._every(each)
        return self.vectors[value]

    def splat(self, type_: str, scalar: str) -> str:
        """The same in all lanes."""
        vector = vector_of(type_)
        one = self.set(f"insertelement {vector} poison, {type_} {scalar}, i64 0")
        return self.set(
            f"shufflevector {vector} {one}, {vector} poison, <32 x i32> zeroinitializer"
        )

    def _every(self, value: int) -> str:
        if self.is_uniform(value):
            return self.splat(self.type_text(value), self.first(value))
        if not self._is_here(value):
            return self.load_every(value)
        i = self.source.definitions[value]
        self._require_pure(i)
        if isinstance(i, m.Alloca):
            return self._alloca(value)
        special = self._register(self.plan.recipes[value].helper)
        return special or self._elementwise(i) or self._mapped(i)

    def load_every(self, value: int) -> str:
        """What the frame holds of a value."""
        type_ = self.type_text(value)
        memory = "i8" if type_ == "i1" else type_
        align = 32 if type_ == "i1" else max(32, memory_align(self.source.type_of(value)))
        loaded = self.set(f"load {vector_of(memory)}, ptr {self._place(value)}, align {align}")
        if type_ != "i1":
            return loaded
        return self.set(f"icmp ne <32 x i8> {loaded}, zeroinitializer")

    def keep(self, value: int, vector: str) -> None:
        """Write all lanes' values into the frame."""
        type_ = self.type_text(value)
        if type_ == "i1":
            vector = self.set(f"zext <32 x i1> {vector} to <32 x i8>")
            type_ = "i8"
        self.emit(f"store {vector_of(type_)} {vector}, ptr {self._place(value)}, align 32")

    def operand_vector(self, text: str, type_: str) -> str:
        """An operand, printed without its type, of all lanes."""
        number = self.source.printed.numbers.get(text)
        if number is not None:
            return self.every(number)
        scalar = operand_value(self.operand(f"{type_} {text}"))
        return self.splat(type_, scalar)

    def operand_is_uniform(self, operand: m.Operand) -> bool:
        """Whether all lanes agree on it."""
        return not isinstance(operand, m.Local) or self.is_uniform(operand.index)

    def _alloca(self, value: int) -> str:
        self.prepare(self.context.local_lines())
        size = self.context.local_bytes
        offset = self.plan.allocas[value]
        places = ", ".join(f"i64 {lane * size + offset}" for lane in range(32))
        return self.set(f"getelementptr inbounds i8, ptr %local, <32 x i64> <{places}>")

    def _register(self, helper: str) -> str:
        """Special registers that differ from lane to lane."""
        if helper == "drano.sreg.laneid":
            return f"<{_STEPS}>"
        axis = helper.removeprefix("drano.sreg.tid.")
        if axis not in ("x", "y", "z"):
            return ""
        at = self.set(
            f"getelementptr inbounds i8, ptr %w, i64 {abi.TID_X + 128 * 'xyz'.index(axis)}"
        )
        return self.set(f"load <32 x i32>, ptr {at}, align 4, !invariant.load !9")

    # --- instructions ------------------------------------------------------------------------

    def _elementwise(self, i: m.Instruction) -> str:
        """The same instruction on vectors; empty when there is none."""
        text = scalar_text(self.source.text(i.index))
        recipe = self.plan.recipes[i.index]
        if recipe.helper or self._special(i) is not None:
            return ""
        parts = split_top(text)
        match i:
            case m.Cast():
                found = _CAST.match(text)
                if found is None:
                    return ""
                value = self.operand_vector(found[3], found[2])
                return self.set(f"{found[1]}{vector_of(found[2])} {value} to {vector_of(found[4])}")
            case m.Select():
                return self._select(parts)
            case m.Gep():
                return self._gep(parts)
            case m.Call():
                return self._intrinsic(text)
            case m.Freeze() | m.Binary() | m.Compare() | m.Negate():
                found = _ONE.match(parts[0])
                if found is None:
                    return ""
                values = [self.operand_vector(found[3], found[2])]
                values += [self.operand_vector(part, found[2]) for part in parts[1:]]
                return self.set(f"{found[1]}{vector_of(found[2])} {', '.join(values)}")
            case _:
                return ""

    def _select(self, parts: list[str]) -> str:
        found = _ONE.match(parts[0])
        if found is None or found[2] != "i1" or len(parts) != 3:
            return ""
        type_ = operand_type(parts[1])
        if type_ not in SCALARS:
            return ""
        condition = self.operand_vector(found[3], "i1")
        values = [self.operand_vector(operand_value(part), type_) for part in parts[1:]]
        vector = vector_of(type_)
        return self.set(
            f"{found[1]}<32 x i1> {condition}, {vector} {values[0]}, {vector} {values[1]}"
        )

    def _gep(self, parts: list[str]) -> str:
        operands = []
        for part in parts[1:]:
            type_, value = operand_type(part), operand_value(part)
            number = self.source.printed.numbers.get(value)
            if type_ not in SCALARS:
                return ""
            if number is not None and not self.is_uniform(number):
                operands.append(f"{vector_of(type_)} {self.every(number)}")
            else:
                operands.append(f"{type_} {operand_value(self.operand(f'{type_} {value}'))}")
        return self.set(f"{parts[0]}, {', '.join(operands)}")

    def _intrinsic(self, text: str) -> str:
        found = _CALL.match(text)
        if found is None or found[3] not in _VECTOR_CALLS:
            return ""
        flags, result, name, suffix = found.groups()
        type_ = _SUFFIXES.get(suffix, suffix)
        if type_ != result or type_ not in SCALARS:
            return ""
        arguments = split_top(inside_brackets(text))
        if any(operand_type(argument) != type_ for argument in arguments):
            return ""
        vector = vector_of(type_)
        values = [
            f"{vector} {self.operand_vector(operand_value(argument), type_)}"
            for argument in arguments
        ]
        return self.set(f"call {flags}{vector} @llvm.{name}.v32{suffix}({', '.join(values)})")

    def _mapped(self, i: m.Instruction) -> str:
        """A function of all lanes that does the instruction for each, among those of inline PTX."""
        type_ = self.type_text(i.index)
        numbers = self.source.locals_of(i.index)
        writer = _MapWriter(self.context, self.preamble, {v: k for k, v in enumerate(numbers)})
        body = writer.scalar(i)
        given = [("ptr", "%w")]
        for number in numbers:
            each = not self.is_uniform(number)
            name = self.every(number) if each else self.first(number)
            scalar = self.type_text(number)
            given.append((vector_of(scalar) if each else scalar, name))
        text = _map_text(type_, [kind for kind, _ in given[1:]], writer, body)
        name = f"drano.map.{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        self.source.assembly[name] = text.replace("@NAME", f"@{name}")
        arguments = ", ".join(f"{kind} {value}" for kind, value in given)
        return self.set(f"call {vector_of(type_)} @{name}({arguments})")


def _writes(call: m.Call) -> bool:
    """Whether a function of the mathematics library gives results through pointers."""
    pointers = any(isinstance(type_, m.PointerType) for type_ in call.arg_types)
    return isinstance(call.type, m.VoidType) or pointers


class _MapWriter(InstructionWriter):
    """Writes one instruction whose operands are a function's parameters."""

    def __init__(
        self, context: FunctionContext, outside: dict[str, str], places: dict[int, int]
    ) -> None:
        super().__init__(context)
        self.places = places
        self.inside: list[str] = []
        self.outside = outside

    def emit(self, line: str) -> None:
        """Add an instruction to the loop."""
        self.inside.append(line)

    def value(self, value: int) -> str:
        """A parameter's element."""
        return f"%x.{self.places[value]}"


def _map_text(type_: str, given: Iterable[str], writer: _MapWriter, body: str) -> str:
    parameters, entry, loop = ["ptr %w"], list(writer.preamble.values()), []
    for k, kind in enumerate(given):
        if not kind.startswith("<"):
            parameters.append(f"{kind} %x.{k}")
            continue
        scalar = kind.removeprefix("<32 x ").removesuffix(">")
        memory = "i8" if scalar == "i1" else scalar
        parameters.append(f"{kind} %g.{k}")
        value = f"%g.{k}"
        if scalar == "i1":
            entry.append(f"%z.{k} = zext <32 x i1> %g.{k} to <32 x i8>")
            value = f"%z.{k}"
        entry.append(f"%a.{k} = alloca {vector_of(memory)}, align 64")
        entry.append(f"store {vector_of(memory)} {value}, ptr %a.{k}, align 64")
        loop.append(f"%p.{k} = getelementptr inbounds {memory}, ptr %a.{k}, i64 %v.lane")
        target = f"%y.{k}" if scalar == "i1" else f"%x.{k}"
        loop.append(f"{target} = load {memory}, ptr %p.{k}, align 1, !llvm.access.group !0")
        if scalar == "i1":
            loop.append(f"%x.{k} = trunc i8 %y.{k} to i1")
    memory = "i8" if type_ == "i1" else type_
    entry.append(f"%r = alloca {vector_of(memory)}, align 64")
    loop += writer.inside
    group = ", !llvm.access.group !0" if " call " in f" {body}" else ""
    loop.append(f"%v.r = {body}{group}")
    result = "%v.r"
    if type_ == "i1":
        loop.append("%v.rz = zext i1 %v.r to i8")
        result = "%v.rz"
    loop.append(f"%v.q = getelementptr inbounds {memory}, ptr %r, i64 %v.lane")
    loop.append(f"store {memory} {result}, ptr %v.q, align 1, !llvm.access.group !0")
    end = [f"%v.all = load {vector_of(memory)}, ptr %r, align 64"]
    if type_ == "i1":
        end.append("%v.bits = icmp ne <32 x i8> %v.all, zeroinitializer")
    end.append(f"ret {vector_of(type_)} {'%v.bits' if type_ == 'i1' else '%v.all'}")
    lines = "\n".join(
        [
            "entry:", *(f"  {line}" for line in entry), "  br label %loop", "loop:",
            "  %v.lane = phi i64 [ 0, %entry ], [ %v.next, %loop ]",
            "  %v.mask = add i32 -1, 0", *(f"  {line}" for line in loop),
            "  %v.next = add nuw nsw i64 %v.lane, 1", "  %v.more = icmp ult i64 %v.next, 32",
            "  br i1 %v.more, label %loop, label %exit, !llvm.loop !1", "exit:",
            *(f"  {line}" for line in end),
        ]
    )  # fmt: skip
    return f"define internal {vector_of(type_)} @NAME({', '.join(parameters)}) #0 {{\n{lines}\n}}\n"
