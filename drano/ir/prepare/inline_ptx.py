"""Inline PTX that is one instruction LLVM has: said as that instruction, before all passes.

Means: ``asm("ld.global.cs.f32 %0, [%1];" …)`` becomes a load, ``shfl.sync``, ``bar.sync``, special
registers, ``red`` and ``atom`` the intrinsics and atomics that CUDA's own functions give. So the
analyses see the access, the lane or the barrier, and a run executes it as any other.
Assumptions: the module as LLVM prints it.
Limits: one instruction in one ``asm`` (see ``inline_ptx_cut.py`` for shuffles and votes among
several); accesses of global or generic addresses; a cache hint is dropped. All other ``asm`` stays
as it is, and so does what ptxas would not take: other operands, registers of another width, a
result that the instruction does not give.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from drano.ir.llvm_text import unescape
from drano.ir.prepare.inline_ptx_cut import Assembly, cut, is_cut
from drano.ir.prepare.inline_ptx_ends import call_of, may_end, with_definitions
from drano.ir.prepare.inline_ptx_guards import with_guards
from drano.ir.prepare.inline_ptx_operands import number, operands, plain_access
from drano.ir.target import SPECIAL_REGISTER, AddressSpace

ASM_CALL = re.compile(
    r"^  (?:(%\S+) = )?(?:tail |musttail |notail )?call (?:[a-z]+ )*?"
    r"(void|i\d+|float|double|ptr|\{[^{}]*\}) asm (?:sideeffect )?"
    r'"([^"]*)", "([^"]*)"\(((?:[^()]|\(\d+\))*)\)(?: #\d+)?((?:, ![\w.]+ !\d+)*)$',
    re.MULTILINE,
)
_INSTRUCTION = re.compile(r"([a-z]\w*)((?:\.[\w:]+)*)\s*(.*)", re.DOTALL)
_ADDRESS = re.compile(r"\[\s*(\$\d+)\s*(?:\+\s*(-?\w+)\s*)?\]")
ATTRIBUTES = re.compile(r" (?:noundef|nonnull|signext|zeroext|align \d+)(?= )")
_TYPE = re.compile(r"([busf])(8|16|32|64)")
DEBUG = re.compile(r", !dbg !\d+")
_REGISTERS = {
    **{name: name for name in ("laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid", "clock",
                                "envreg1", "envreg2")},
    **{f"lanemask_{kind}": f"lanemask.{kind}" for kind in ("eq", "lt", "le", "gt", "ge")},
    **{f"{name}.{axis}": f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid")
       for axis in "xyz"},
}  # fmt: skip
_WIDE_REGISTERS = frozenset({"clock64", "globaltimer"})
_ORDERED = frozenset({"volatile", "relaxed", "acquire", "release", "mmio"})
_REDUX = {"add.u32": "add", "add.s32": "add", "min.s32": "min", "min.u32": "umin",
          "max.s32": "max", "max.u32": "umax", "and.b32": "and", "or.b32": "or",
          "xor.b32": "xor"}  # fmt: skip
_ATOMICS = {"add": "add", "and": "and", "or": "or", "xor": "xor", "exch": "xchg",
            "inc": "uinc_wrap", "dec": "udec_wrap"}  # fmt: skip
# The types that an operation has; the others have bits only.
_SIGNS = {"add": "usf", "min": "us", "max": "us", "inc": "u", "dec": "u"}
_OPERATIONS = frozenset({*_ATOMICS, "min", "max", "cas"})
_MOVES = {"b32": 32, "u32": 32, "s32": 32, "b64": 64, "u64": 64, "s64": 64}
_SPACES = {
    "shared": AddressSpace.SHARED, "global": AddressSpace.GLOBAL,
    "constant": AddressSpace.CONSTANT, "local": AddressSpace.LOCAL,
}  # fmt: skip
_CONVERSION = re.compile(
    r"^  (%[-\w.$]+) = (?:tail )?call [^@\n]*@__nv_cvta_(generic|shared|global|constant|local)_to_"
    r"(generic|shared|global|constant|local)_impl\((?:ptr|i64)(?: [a-z]+)* (%[-\w.$]+)\)"
    r"(?: #\d+)?((?:, ![\w.]+ !\d+)*)$",
    re.MULTILINE,
)
_SHARED = frozenset({"shared", "shared::cta"})
_COPIED = {"ca": (4, 8, 16), "cg": (16,)}  # bytes that a cp.async copies
_SIZES = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "float": 32, "double": 64}


class _NotOneError(Exception):
    """The asm is to stay as it is."""


def without_inline_ptx(text: str) -> str:
    """The module with such ``asm`` replaced; the same string where there is none."""
    if "@__nv_cvta_" in text:
        text = _CONVERSION.sub(_converted, text)
    if " asm " not in text:
        return text
    text = with_guards(text)
    declared: dict[str, str] = {}
    count = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal count
        place = DEBUG.search(match[6])
        try:
            writer = _Writer(match, count)
            lines = writer.lines()
        except _NotOneError:
            ending = f"\n  {call_of('may')}"
            if not may_end(unescape(match[3])) or text.startswith(ending, match.end()):
                return match[0]
            count += 1
            return f"{match[0]}{ending}{place[0] if place else ''}"
        count += 1
        declared.update(writer.declared)
        return "\n".join(f"  {line}{place[0] if place else ''}" for line in lines)

    changed = ASM_CALL.sub(replaced, text)
    if not count:
        return text
    missing = [line for name, line in declared.items() if f"@{name}(" not in text]
    return with_definitions("\n".join([changed, *missing, ""]) if missing else changed)


def _converted(match: re.Match[str]) -> str:
    """A pointer as a number of one space, or such a number as a generic pointer: what nvcc knows
    by the name of a function.
    """
    result, source, target, value, behind = match.groups()
    space = _SPACES[source if target == "generic" else target]
    if target == "generic":
        lines = (
            f"{result}.of = inttoptr i64 {value} to ptr addrspace({space})",
            f"{result} = addrspacecast ptr addrspace({space}) {result}.of to ptr",
        )
    else:
        lines = (
            f"{result}.in = addrspacecast ptr {value} to ptr addrspace({space})",
            f"{result} = ptrtoint ptr addrspace({space}) {result}.in to i64",
        )
    return "\n".join(f"  {line}{behind}" for line in lines)


@dataclass
class _Writer:
    """One asm. ``declared``: intrinsics that it needs, by name."""

    match: re.Match[str]
    number: int
    declared: dict[str, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    operands: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.result, self.type = self.match[1] or "", self.match[2]
        parts = [part for part in self.match[4].split(",") if part and part[0] != "~"]
        outputs = sum(part.startswith("=") for part in parts)
        given = [ATTRIBUTES.sub("", a.strip()) for a in self.match[5].split(",") if a.strip()]
        if len(parts) - outputs != len(given):
            raise _NotOneError
        for k, (argument, constraint) in enumerate(zip(given, parts[outputs:], strict=True)):
            type_, value = _typed(argument)
            self.operands[f"${k + outputs}"] = (type_, value)
            if constraint.isdigit():
                self.operands[f"${constraint}"] = (type_, value)

    # --- writing -----------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """The instructions in its place."""
        template = unescape(self.match[3]).strip()
        if "//" in template or '"' in template:
            raise _NotOneError
        inside = template[1:-1] if template[:1] == "{" and template[-1:] == "}" else template
        statements = [part for part in (part.strip() for part in inside.split(";")) if part]
        if len(statements) > 1 and is_cut(template):
            self._cut(statements)
            return self.made
        if len(statements) != 1:
            raise _NotOneError
        found = _INSTRUCTION.fullmatch(statements[0])
        if found is None:
            raise _NotOneError
        mods = found[2].lstrip(".").split(".") if found[2] else []
        tokens = operands(found[3])
        if tokens is None:
            raise _NotOneError
        self._instruction(found[1], mods, tokens)
        return self.made

    def _cut(self, statements: list[str]) -> None:
        """Several instructions, of which some are between lanes."""
        parts = [part for part in self.match[4].split(",") if part]
        types = [] if self.type == "void" else self._results()
        outputs = list(zip([p for p in parts if p[0] == "="], types, strict=True))
        inputs = [
            (p, *self.operands[f"${k + len(outputs)}"])
            for k, p in enumerate(p for p in parts if p[0] not in "=~")
        ]
        clobbers = tuple(p for p in parts if p[0] == "~")
        asm = Assembly(tuple(statements), tuple(outputs), tuple(inputs), clobbers)

        def operand(token: str) -> str:
            if token[:1] == "$" and int(token[1:]) < len(outputs):
                raise KeyError(token)  # it may have been written since
            try:
                return self._value(token, "i32")
            except _NotOneError:
                raise KeyError(token) from None

        def call(name: str, result: str, arguments: tuple[str, ...]) -> str:
            return self._set(self._intrinsic(f"llvm.nvvm.{name}", result, *arguments))

        rest = cut(asm, operand, self._set, call)
        if rest is None:
            raise _NotOneError
        self._finish(rest.text(self.type))

    def _set(self, expression: str) -> str:
        name = f"%drano.ptx.{self.number}.{len(self.made)}"
        self.made.append(f"{name} = {expression}")
        return name

    def _finish(self, expression: str) -> None:
        self.made.append(f"{self.result} = {expression}" if self.result else expression)

    def _call(self, intrinsic: str, result: str, *arguments: str) -> None:
        """The result of ``llvm.nvvm.…``, as what the asm gives."""
        if (result == "void") != (self.type == "void"):
            raise _NotOneError
        name = intrinsic if intrinsic.startswith("llvm.") else f"llvm.nvvm.{intrinsic}"
        call = self._intrinsic(name, result, *arguments)
        if result == self.type:
            self._finish(call)
            return
        if _SIZES.get(result) != _SIZES.get(self.type, -1):
            raise _NotOneError
        self._finish(f"bitcast {result} {self._set(call)} to {self.type}")

    def _intrinsic(self, name: str, result: str, *arguments: str) -> str:
        types = ", ".join(argument.rpartition(" ")[0] for argument in arguments)
        self.declared[name] = f"declare {result} @{name}({types})"
        return f"call {result} @{name}({', '.join(arguments)})"

    def _value(self, token: str, type_: str, *, narrowed: bool = False) -> str:
        """An operand of that type: a number, or a value of its size; ``narrowed``: or a larger."""
        literal = number(token)
        if literal is not None and type_.startswith("i"):
            bits = int(type_[1:])
            if not -(1 << (bits - 1)) <= literal < 1 << bits:
                raise _NotOneError
            return str(literal - (1 << bits) if literal >> (bits - 1) > 0 else literal)
        given, value = self.operands.get(token, ("", ""))
        if given == type_:
            return value
        if (given, type_) == ("ptr", "i64"):
            return self._set(f"ptrtoint ptr {value} to i64")
        size, wanted = _SIZES.get(given), _SIZES.get(type_)
        if size is None or wanted is None:
            raise _NotOneError
        if narrowed and size > wanted and given.startswith("i") and type_.startswith("i"):
            return self._set(f"trunc {given} {value} to {type_}")
        if size != wanted:
            raise _NotOneError
        return self._set(f"bitcast {given} {value} to {type_}")

    def _constant(self, token: str) -> int | None:
        """A number, written out or passed in."""
        literal = number(token)
        return literal if literal is not None else number(self.operands.get(token, ("", ""))[1])

    def _gives(self, token: str) -> bool:
        """Whether that is the one register that the asm gives."""
        return token == "$0" and self.type != "void"

    # --- instructions ------------------------------------------------------------------------

    def _instruction(self, opcode: str, mods: list[str], ops: list[str]) -> None:
        match opcode, mods, ops:
            case "mov", [type_], [to, name] if name[:1] == "%" and self._gives(to):
                self._register(name.removeprefix("%"), _MOVES.get(type_, 0))
            case (
                "shfl",
                ["sync", ("idx" | "up" | "down" | "bfly") as mode, "b32"],
                [to, a, b, c, k],
            ) if self._gives(to):
                self._shuffle(mode, a, b, c, k)
            case "activemask", ["b32"], [to] if self._gives(to):
                self._call("activemask", "i32")
            case "match", ["any", "sync", ("b32" | "b64") as size], [to, a, mask] if self._gives(
                to
            ):
                type_ = f"i{size[1:]}"
                given = f"i32 {self._value(mask, 'i32')}", f"{type_} {self._value(a, type_)}"
                self._call(f"match.any.sync.{type_}", "i32", *given)
            case "shf", [("l" | "r") as to_where, ("wrap" | "clamp") as end, "b32"], [
                to, low, high, by,
            ] if self._gives(to):  # fmt: skip
                self._funnel(to_where, end, low, high, by)
            case "bfind", ["shiftamt", "u32"], [to, a] if self._gives(to):
                self._leading_zeros(self._value(a, "i32"))
            case "redux", ["sync", *rest], [to, a, mask] if ".".join(
                rest
            ) in _REDUX and self._gives(to):
                given = f"i32 {self._value(a, 'i32')}", f"i32 {self._value(mask, 'i32')}"
                self._call(f"redux.sync.{_REDUX['.'.join(rest)]}", "i32", *given)
            case (("bar" | "barrier"), [*rest], _):
                self._barrier([mod for mod in rest if mod not in ("cta", "aligned")], ops)
            case "membar", [("cta" | "gl" | "sys") as scope], []:
                self._call(f"membar.{scope}", "void")
            case ((("trap" | "exit") as how), [], []) if self.type == "void":
                self._finish(call_of(how))
            case (("prefetch" | "prefetchu"), _, _) if self.type == "void":
                self.made = []
            case "cvta", ["to", "global", "u64"] | ["global", "u64"], [to, a] if (
                self.type == "i64" and self._gives(to)
            ):
                self._finish(f"add i64 {self._value(a, 'i64')}, 0")
            case "cp", ["async", ("ca" | "cg") as cache, shared, "global", *hints], [
                to,
                source,
                size,
                *read,
            ] if shared in _SHARED and plain_access(hints):
                self._copy(cache, to, source, size, read)
            case "cp", ["async", "commit_group"], []:
                self._call("cp.async.commit.group", "void")
            case "cp", ["async", "wait_all"], []:
                self._call("cp.async.wait.all", "void")
            case "cp", ["async", "wait_group"], [pending]:
                count = self._constant(pending)  # ``"n"(…)`` of any type
                if count is None:
                    raise _NotOneError
                self._call("cp.async.wait.group", "void", f"i32 {count}")
            case (("ld" | "st" | "atom" | "red"), _, _):
                self._access(opcode, mods, ops)
            case _:
                raise _NotOneError

    def _funnel(self, to_where: str, end: str, low: str, high: str, by: str) -> None:
        count = self._constant(by)
        if end == "clamp" and (count is None or not 0 <= count < 32):
            raise _NotOneError
        values = [f"i32 {self._value(token, 'i32')}" for token in (high, low, by)]
        self._call(f"llvm.fsh{to_where}.i32", "i32", *values)

    def _leading_zeros(self, value: str) -> None:
        """``bfind.shiftamt``: how far to shift so that the highest bit is set; -1 of 0."""
        count = self._set(self._intrinsic("llvm.ctlz.i32", "i32", f"i32 {value}", "i1 false"))
        none = self._set(f"icmp eq i32 {value}, 0")
        self._give(f"select i1 {none}, i32 -1, i32 {count}", "i32")

    def _copy(self, cache: str, to: str, source: str, size: str, read: list[str]) -> None:
        """``cp.async``; ``read``: how many of the bytes, the rest is filled with zeros."""
        places = [_ADDRESS.fullmatch(token) for token in (to, source)]
        width = self._constant(size)
        if places[0] is None or places[1] is None or len(read) > 1 or width not in _COPIED[cache]:
            raise _NotOneError
        arguments = [
            self._pointer(places[0], AddressSpace.SHARED),
            self._pointer(places[1], AddressSpace.GLOBAL),
        ]
        if read and self._constant(read[0]) != width:
            arguments.append(f"i32 {self._value(read[0], 'i32', narrowed=True)}")
        ending = ".s" if len(arguments) > 2 else ""
        self._call(f"cp.async.{cache}.shared.global.{width}{ending}", "void", *arguments)

    def _register(self, name: str, bits: int) -> None:
        if name in _WIDE_REGISTERS and bits == 64:
            self._call(SPECIAL_REGISTER + name, "i64")
        elif name in _REGISTERS and bits == 32:
            self._call(SPECIAL_REGISTER + _REGISTERS[name], "i32")
        else:
            raise _NotOneError

    def _shuffle(self, mode: str, a: str, b: str, c: str, mask: str) -> None:
        floats = self.type == "float" and self.operands.get(a, ("",))[0] == "float"
        type_ = "float" if floats else "i32"
        self._call(
            f"shfl.sync.{mode}.{'f32' if floats else 'i32'}", type_,
            f"i32 {self._value(mask, 'i32')}", f"{type_} {self._value(a, type_)}",
            f"i32 {self._value(b, 'i32')}", f"i32 {self._value(c, 'i32')}",
        )  # fmt: skip

    def _barrier(self, mods: list[str], ops: list[str]) -> None:
        values = [f"i32 {self._value(op, 'i32')}" for op in ops]
        match mods, len(values):
            case ["warp", "sync"], 1:
                self._call("bar.warp.sync", "void", *values)
            case ["sync"], 1:
                self._call("barrier.cta.sync.aligned.all", "void", *values)
            case ["sync"], 2:
                self._call("barrier.cta.sync.aligned.count", "void", *values)
            case ["arrive"], 2:
                self._call("barrier.cta.arrive.aligned.count", "void", *values)
            case _:
                raise _NotOneError

    # --- accesses ----------------------------------------------------------------------------

    def _access(self, opcode: str, mods: list[str], ops: list[str]) -> None:
        type_ = _TYPE.fullmatch(mods[-1]) if mods else None
        if "L2::cache_hint" in mods and opcode in ("ld", "st"):
            ops = ops[:2]  # the policy behind
        wide = [mod for mod in mods[:-1] if mod in ("v2", "v4", "v8") and opcode in ("ld", "st")]
        count = int(wide[0][1:]) if len(wide) == 1 else 1
        known = _OPERATIONS if opcode in ("atom", "red") else frozenset(wide[:1])
        place = 1 if opcode in ("ld", "atom") else 0
        address = _ADDRESS.fullmatch(ops[place]) if len(ops) > place else None
        if type_ is None or address is None or not plain_access(mods[:-1], known):
            raise _NotOneError
        if (opcode in ("st", "red")) != (self.type == "void"):
            raise _NotOneError
        bits = int(type_[2])
        space = AddressSpace.GLOBAL if "global" in mods else AddressSpace.GENERIC
        pointer = self._pointer(address, space)
        volatile = " volatile" if _ORDERED.intersection(mods) else ""
        match opcode:
            case "ld" if len(ops) == 2:
                self._load(f"load{volatile}", type_[1], bits, count, pointer, _parts(ops[0]))
            case "st" if len(ops) == 2:
                tokens = _parts(ops[1])
                if len(tokens) != count:
                    raise _NotOneError
                self._store(f"store{volatile}", bits, tokens, pointer)
            case "atom" if not self._gives(ops[0]):
                raise _NotOneError
            case "atom" | "red":
                self._atomic(mods, type_[1], bits, ops[place + 1 :], pointer)
            case _:
                raise _NotOneError

    def _pointer(self, address: re.Match[str], space: AddressSpace) -> str:
        """The printed pointer, with its type. Addresses of shared memory are numbers of it."""
        given, value = self.operands.get(address[1], ("", ""))
        type_ = f"ptr addrspace({space:d})" if space else "ptr"
        if given == type_:
            pass
        elif space is AddressSpace.SHARED and given in ("i32", "i64"):
            value = self._set(f"inttoptr {given} {value} to {type_}")
        elif given == "i64":
            value = self._set(f"inttoptr i64 {value} to ptr")
        elif given != "ptr":
            raise _NotOneError
        if space is AddressSpace.GLOBAL and given != type_:
            value = self._set(f"addrspacecast ptr {value} to {type_}")
        if address[2]:
            offset = number(address[2])
            if offset is None:
                raise _NotOneError
            value = self._set(f"getelementptr i8, {type_} {value}, i64 {offset}")
        return f"{type_} {value}"

    def _results(self) -> list[str]:
        if self.type.startswith("{"):
            return [part.strip() for part in self.type.strip("{} ").split(",")]
        return [self.type]

    def _load(
        self, load: str, sign: str, bits: int, count: int, pointer: str, to: list[str]
    ) -> None:
        results = self._results()
        if len(results) != count or not self.result or to != [f"${k}" for k in range(count)]:
            raise _NotOneError
        whole = f"i{bits}" if count == 1 else f"<{count} x i{bits}>"
        loaded = self._set(f"{load} {whole}, {pointer}, align {count * bits // 8}")
        if count == 1:
            self._finish(self._widened(loaded, sign, bits, results[0]))
            return
        total = "poison"
        for k, type_ in enumerate(results):
            element = self._set(f"extractelement {whole} {loaded}, i64 {k}")
            element = self._set(self._widened(element, sign, bits, type_))
            put = f"insertvalue {self.type} {total}, {type_} {element}, {k}"
            if k + 1 < count:
                total = self._set(put)
            else:
                self._finish(put)

    def _widened(self, value: str, sign: str, bits: int, type_: str) -> str:
        """An expression that is ``value`` as the asm's output is."""
        size = _SIZES.get(type_, 0)
        if size < bits or (size > bits and not type_.startswith("i")):
            raise _NotOneError
        if size == bits:
            return f"bitcast i{bits} {value} to {type_}"
        return f"{'sext' if sign == 's' else 'zext'} i{bits} {value} to {type_}"

    def _store(self, store: str, bits: int, tokens: list[str], pointer: str) -> None:
        values = [self._value(token, f"i{bits}", narrowed=True) for token in tokens]
        align = len(values) * bits // 8
        if len(values) == 1:
            self._finish(f"{store} i{bits} {values[0]}, {pointer}, align {align}")
            return
        vector, total = f"<{len(values)} x i{bits}>", "poison"
        for k, value in enumerate(values):
            total = self._set(f"insertelement {vector} {total}, i{bits} {value}, i64 {k}")
        self._finish(f"{store} {vector} {total}, {pointer}, align {align}")

    def _atomic(
        self, mods: list[str], sign: str, bits: int, tokens: list[str], pointer: str
    ) -> None:
        names = [mod for mod in mods[:-1] if mod in _OPERATIONS]
        if len(names) != 1 or bits < 32 or sign not in _SIGNS.get(names[0], "b"):
            raise _NotOneError
        type_ = f"i{bits}"
        if names[0] == "cas" and len(tokens) == 2:
            old, new = (self._value(token, type_) for token in tokens)
            pair = self._set(
                f"cmpxchg {pointer}, {type_} {old}, {type_} {new} monotonic monotonic, "
                f"align {bits // 8}"
            )
            self._give(f"extractvalue {{ {type_}, i1 }} {pair}, 0", type_)
            return
        if names[0] == "cas" or len(tokens) != 1:
            raise _NotOneError
        operation = _ATOMICS.get(names[0]) or f"{'' if sign == 's' else 'u'}{names[0]}"
        if sign == "f":
            operation, type_ = "fadd", "float" if bits == 32 else "double"
        value = self._value(tokens[0], type_)
        self._give(
            f"atomicrmw {operation} {pointer}, {type_} {value} monotonic, align {bits // 8}", type_
        )

    def _give(self, expression: str, type_: str) -> None:
        """The asm's result, where it has one."""
        if self.type == "void":
            self._set(expression)
        elif self.type == type_:
            self._finish(expression)
        elif _SIZES.get(self.type) == _SIZES[type_]:
            self._finish(f"bitcast {type_} {self._set(expression)} to {self.type}")
        else:
            raise _NotOneError


def _typed(argument: str) -> tuple[str, str]:
    """Type and value; an address space is part of the type."""
    pointer, found, value = argument.partition(") ")
    if found and pointer.startswith("ptr addrspace("):
        return f"{pointer})", value
    type_, _, value = argument.partition(" ")
    return type_, value


def _parts(token: str) -> list[str]:
    """The registers of a vector, or the one that it is."""
    return [part.strip() for part in token.strip("{} ").split(",")]
