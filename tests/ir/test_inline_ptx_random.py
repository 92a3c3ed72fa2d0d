"""Random inline PTX: what is replaced means the same, and all else is left as it is."""

from __future__ import annotations

import ctypes
import struct

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from drano.ir.prepare.inline_assembly.inline_ptx import without_inline_ptx
from tests.ir.ptx_reference import WORD, exchanged, run_ir, run_ptx

PARAMETERS = "ptr %p, ptr %out, i32 %a, i32 %b, i64 %l, float %x, double %d, i16 %h"
QUICK = settings(max_examples=150, deadline=None, derandomize=True)


def module(body: str) -> str:
    """A function of all parameters with that body."""
    return f"define void @f({PARAMETERS}) {{\n{body}\n  ret void\n}}\n"


def asm(result: str, template: str, constraints: str, arguments: str) -> str:
    """A call, as LLVM prints it."""
    to = "" if result == "void" else "%r = "
    return f'  {to}call {result} asm sideeffect "{template}", "{constraints}"({arguments})'


def parses(text: str) -> bool:
    """Whether it is a valid module."""
    try:
        llvm.parse_assembly(text).verify()
    except RuntimeError:
        return False
    return True


# --- any text at all -------------------------------------------------------------------------

_WORDS = (
    "ld st atom red mov shfl bar barrier membar trap exit cvta match redux activemask vote "
    ".global .shared .shared::cta .sync .u32 .b32 .s32 .f32 .b64 .f64 .u8 .s16 .v2 .v4 .add .cas "
    ".min .inc .exch .idx .bfly .any .cta .volatile .nc .ballot .reg .pred .to .u64 .L1 .relaxed "
    "$0 $1 $2 $3 $4 $9 [$0] [$1] [$1+4] [$2+08] [$1+0x10] {$0,$1} {$1,$0} { } ( ) , , , ; ; @p p | "
    "!p 0 1 07 08 0x1f 0b11 0xffffffff -1 99999999999 4U %laneid %tid.x %clock64 % $$ // /* */ : ! "
    "p|q bra L: _ 0f3F800000 \\22"
)
TOKENS = st.sampled_from(_WORDS.split())
ARGUMENTS = st.lists(
    st.sampled_from(["ptr %p", "i32 %a", "i32 %b", "i32 7", "i64 %l", "float %x", "double %d",
                     "i16 %h", "float 1.000000e+00"]), max_size=5,
)  # fmt: skip
RESULTS = st.sampled_from(
    ["void", "i32", "i64", "float", "double", "i16", "ptr", "{ i32, i32 }", "{ float, i64 }"]
)


@st.composite
def anything(draw: st.DrawFn) -> str:
    """A call of an asm that may be nonsense, but as LLVM could print it."""
    words = draw(st.lists(TOKENS, max_size=14))
    glue = draw(st.lists(st.sampled_from(["", " ", " "]), min_size=14, max_size=14))
    template = "".join(word + between for word, between in zip(words, glue, strict=False))
    result, arguments = draw(RESULTS), draw(ARGUMENTS)
    outputs = 0 if result == "void" else 1 + result.count(",")
    parts = ["=r", "=l"][:outputs]
    parts += [draw(st.sampled_from(["r", "l", "f", "d", "h", "n", "0"])) for _ in arguments]
    return asm(result, template, ",".join(parts), ", ".join(arguments))


@settings(max_examples=500, deadline=None, derandomize=True)
@given(anything())
def test_nonsense_stays_or_becomes_valid(call: str) -> None:
    text = module(call)
    changed = without_inline_ptx(text)
    assert changed == text or parses(changed)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(alphabet=st.characters(codec="ascii"), max_size=60))
def test_any_text_is_borne(template: str) -> None:
    text = module(asm("i32", template, "=r,r,l", "i32 %a, ptr %p"))
    without_inline_ptx(text)


# --- accesses, run as native code ------------------------------------------------------------

SIZES = {"i16": 16, "i32": 32, "i64": 64, "float": 32, "double": 64}
GIVEN = {
    "%a": 0x89ABCDEF, "%b": 0x01020304, "%l": 0xFEDCBA9876543210, "%x": 0x40490FDB,
    "%d": 0x400921FB54442D18, "%h": 0x8001,
}  # fmt: skip
TYPES = {"%a": "i32", "%b": "i32", "%l": "i64", "%x": "float", "%d": "double", "%h": "i16"}
LETTERS = {"i16": "h", "i32": "r", "i64": "l", "float": "f", "double": "d"}
MEMORY = bytes((37 * k + 129) & 0xFF for k in range(64))
HINTS = st.sampled_from(["", ".global", ".global.cs", ".volatile", ".relaxed.gpu.global", ".weak"])


class Case(Struct, frozen=True):
    """A call, and what it leaves in memory and gives, as bytes."""

    call: str
    result: str
    memory: bytes
    given: bytes


# The ways in which PTX has a number.
LITERALS = st.sampled_from(["{}", "0x{:x}", "0b{:b}", "0{:o}", "{}U"])


@st.composite
def loads(draw: st.DrawFn) -> Case:
    sign, bits = draw(st.sampled_from(["u", "s", "b"])), draw(st.sampled_from([8, 16, 32, 64]))
    count = draw(st.sampled_from([1, 1, 2, 4])) if bits < 64 else draw(st.sampled_from([1, 2]))
    fitting = [t for t in ("i16", "i32", "i64") if SIZES[t] >= bits]
    fitting += [t for t in ("float", "double") if SIZES[t] == bits]
    types = [draw(st.sampled_from(fitting)) for _ in range(count)]
    offset = count * bits // 8 * draw(st.integers(0, 3))
    vector = f".v{count}" if count > 1 else ""
    to = ", ".join(f"${k}" for k in range(count))
    to = f"{{{to}}}" if count > 1 else to
    place = f"[${count} + {draw(LITERALS).format(offset)}]" if offset else f"[${count}]"
    template = f"ld{draw(HINTS)}{vector}.{sign}{bits} {to}, {place};"
    constraints = ",".join([*("=" + LETTERS[t] for t in types), "l"])
    result = types[0] if count == 1 else f"{{ {', '.join(types)} }}"
    given = b""
    for k, type_ in enumerate(types):
        start = offset + k * bits // 8
        number = int.from_bytes(MEMORY[start : start + bits // 8], "little", signed=sign == "s")
        size = SIZES[type_] // 8
        given += b"\0" * (-len(given) % size) + (number & ((1 << 8 * size) - 1)).to_bytes(
            size, "little"
        )
    return Case(asm(result, template, constraints, "ptr %p"), result, MEMORY, given)


@st.composite
def stores(draw: st.DrawFn) -> Case:
    bits, count = draw(st.sampled_from([8, 16, 32, 64])), draw(st.sampled_from([1, 1, 2]))
    fitting = [
        n for n, t in TYPES.items() if SIZES[t] >= bits and (t[0] == "i" or SIZES[t] == bits)
    ]
    names = [draw(st.sampled_from([*fitting, ""])) for _ in range(count)]
    values = [GIVEN[n] if n else draw(st.integers(0, (1 << bits) - 1)) for n in names]
    registers = [n for n in names if n]
    tokens, taken = [], 0
    for name, value in zip(names, values, strict=True):
        taken += bool(name)
        tokens.append(f"${taken}" if name else draw(LITERALS).format(value))
    vector = ".v2" if count > 1 else ""
    source = f"{{{tokens[0]}, {tokens[1]}}}" if count > 1 else tokens[0]
    template = f"st{draw(HINTS)}{vector}.b{bits} [$0], {source};"
    constraints = ",".join(["l", *(LETTERS[TYPES[n]] for n in registers)])
    arguments = ", ".join(["ptr %p", *(f"{TYPES[n]} {n}" for n in registers)])
    size = bits // 8
    written = b"".join((v & ((1 << bits) - 1)).to_bytes(size, "little") for v in values)
    return Case(
        asm("void", template, constraints, arguments), "void",
        written + MEMORY[len(written) :], b"",
    )  # fmt: skip


def signed(number: int, bits: int) -> int:
    """The integer that those bits are, with a sign."""
    return number - (1 << bits) if number >> (bits - 1) else number


@st.composite
def atomics(draw: st.DrawFn) -> Case:
    bits = draw(st.sampled_from([32, 64]))
    operation, sign = draw(
        st.sampled_from(["add.u", "add.s", "min.u", "min.s", "max.u", "max.s", "and.b", "or.b",
                         "xor.b", "exch.b", "inc.u", "dec.u", "cas.b", "add.f"])
    ).split(".")  # fmt: skip
    old = int.from_bytes(MEMORY[: bits // 8], "little")
    type_ = {32: "i32", 64: "i64"}[bits]
    value = GIVEN["%b" if bits == 32 else "%l"]
    names = ["%b" if bits == 32 else "%l"]
    if operation in ("inc", "dec") and bits == 64:
        operation, sign = "xor", "b"
    top = (1 << bits) - 1
    a, b = (signed(old, bits), signed(value, bits)) if sign == "s" else (old, value)
    if sign == "f":
        names = ["%x" if bits == 32 else "%d"]
        type_, pack = ("float", "<f") if bits == 32 else ("double", "<d")
        was = struct.unpack(pack, MEMORY[: bits // 8])[0]
        by = struct.unpack(pack, GIVEN[names[0]].to_bytes(bits // 8, "little"))[0]
        new = int.from_bytes(struct.pack(pack, was + by), "little")
    elif operation == "cas":
        names = names * 2
        new = value if old == value else old
    else:
        new = {
            "add": old + value, "min": min(a, b), "max": max(a, b), "and": old & value,
            "or": old | value, "xor": old ^ value, "exch": value,
            "inc": 0 if old >= value else old + 1,
            "dec": value if old == 0 or old > value else old - 1,
        }[operation] & top  # fmt: skip
    reduce = operation not in ("exch", "cas") and draw(st.booleans())
    first = 0 if reduce else 1
    tokens = ", ".join(f"${first + 1 + k}" for k in range(len(names)))
    hints = draw(st.sampled_from([".global", ".relaxed.sys.global", ""]))
    to = "" if reduce else "$0, "
    template = (
        f"{'red' if reduce else 'atom'}{hints}.{operation}.{sign}{bits} {to}[${first}], {tokens};"
    )
    letters = ["l", *(LETTERS[TYPES[n]] for n in names)]
    constraints = ",".join(letters if reduce else ["=" + LETTERS[type_], *letters])
    arguments = ", ".join(["ptr %p", *(f"{TYPES[n]} {n}" for n in names)])
    result = "void" if reduce else type_
    given = b"" if reduce else MEMORY[: bits // 8]
    memory = new.to_bytes(bits // 8, "little") + MEMORY[bits // 8 :]
    return Case(asm(result, template, constraints, arguments), result, memory, given)


def run_native(text: str) -> tuple[bytes, bytes]:
    """Memory, and what was put out, after ``f`` has run on this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    parsed = llvm.parse_assembly(text)
    parsed.verify()
    memory, out = _aligned(MEMORY), _aligned(b"\0" * 64)
    with llvm.create_mcjit_compiler(parsed, machine) as engine:
        engine.finalize_object()
        kind = ctypes.CFUNCTYPE(
            None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32,
            ctypes.c_uint64, ctypes.c_float, ctypes.c_double, ctypes.c_uint16,
        )  # fmt: skip
        kind(engine.get_function_address("f"))(
            memory[1], out[1], GIVEN["%a"], GIVEN["%b"], GIVEN["%l"],
            struct.unpack("<f", GIVEN["%x"].to_bytes(4, "little"))[0],
            struct.unpack("<d", GIVEN["%d"].to_bytes(8, "little"))[0], GIVEN["%h"],
        )  # fmt: skip
    return ctypes.string_at(memory[1], 64), ctypes.string_at(out[1], 64)


def _aligned(content: bytes) -> tuple[object, int]:
    """A buffer, and the address in it, a multiple of 64, where the content lies."""
    buffer = ctypes.create_string_buffer(len(content) + 64)
    address = -(-ctypes.addressof(buffer) // 64) * 64
    ctypes.memmove(address, content, len(content))
    return buffer, address


@QUICK
@given(st.one_of(loads(), stores(), atomics()))
def test_accesses_do_what_the_instruction_does(case: Case) -> None:
    put = "" if case.result == "void" else f"\n  store {case.result} %r, ptr %out"
    text = without_inline_ptx(module(case.call + put))
    assert " asm " not in text, case.call
    memory, out = run_native(text)
    assert memory == case.memory
    assert out[: len(case.given)] == case.given


def stays(text: str) -> bool:
    """Whether the module stays, but for lanes that may end in what stays."""
    return (
        without_inline_ptx(text).replace("  call void @drano.ptx.ends.may()\n", "").startswith(text)
    )


@pytest.mark.parametrize(
    ("result", "template", "constraints", "arguments"),
    [
        # What the table has not.
        ("void", "st.async.weak.shared::cluster.b32 [$0], $1;", "l,r", "ptr %p, i32 %a"),
        ("void", "red.async.relaxed.cluster.add.u32 [$0], $1;", "l,r", "ptr %p, i32 %a"),
        ("i32", "mov.u32 $0, %nothing;", "=r", ""),
        ("i32", "vadd.s32.s32.s32 $0, $1.b0, $1.b1;", "=r,r", "i32 %a"),
        # What is not the asm's alone.
        ("i32", "{ .shared .b32 s; ld.shared.u32 $0, [s]; }", "=r", ""),
        ("i32", "ld.global.u32 $0, [elsewhere];", "=r", ""),
        ("i32", "ld.param.u32 $0, [f_param_0];", "=r", ""),
        ("i32", "mov.u32 $0, 1; } .func other() {", "=r", ""),
        ("i32", "addc.u32 $0, $1, $1;", "=r,r", "i32 %a"),
        # Numbers that are none, and operands that are not there.
        ("i32", "shfl.sync.bfly.b32 $0, $1, 08, 31, -1;", "=r,r", "i32 %a"),
        ("i32", "mov.u32 $0, $7;", "=r", ""),
        ("i64", "mov.u32 $0, 1;", "=r", ""),
        ("i32", "add.u32 $0, $1, 1;", "=r,r", "i16 %h"),
        ("void", "st.global.u32 [$0], $1;", "l,r", "ptr %p, i16 %h"),
        ("i32", "mov.u32 $0, 1;", "=r,*m", "ptr %p"),
        # Commas that are missing, or too many.
        ("void", "bar.sync 0 64;", "", ""),
        ("void", "bar.sync 0, 64,;", "", ""),
        ("void", "st.global.u32 [$0] $1;", "l,r", "ptr %p, i32 %a"),
        ("i32", "shfl.sync.idx.b32 $0|p, $1, 0, 31, -1;", "=r,r", "i32 %a"),
        # No instruction.
        ("i32", "", "=r,0", "i32 %a"),
        ("i32", "// mov.u32 $0, 1;", "=r", ""),
    ],
)
def test_what_is_not_understood_stays(
    result: str, template: str, constraints: str, arguments: str
) -> None:
    text = module(asm(result, template, constraints, arguments))
    assert stays(text)


def test_numbers_are_read_as_ptx_has_them() -> None:
    call = asm("i32", "ld.global.u32 $0, [$1+010];", "=r,l", "ptr %p")
    assert "i64 8" in without_inline_ptx(module(call))


def test_a_carry_between_two_asm_leaves_both() -> None:
    first = asm("i32", "add.cc.u32 $0, $1, $1;", "=r,r", "i32 %a")
    second = asm("i32", "addc.u32 $0, $1, 0;", "=r,r", "i32 %a").replace("%r", "%s")
    assert stays(module(f"{first}\n{second}"))
    assert not stays(module(first))


# --- lanes that look at each other -----------------------------------------------------------

_NAMES = {
    "activemask": "activemask.b32 $0;",
    "match.any.sync.i32": "match.any.sync.b32 $0, {0}, {1};",
    "redux.sync.umin": "redux.sync.min.u32 $0, {0}, {1};",
    "redux.sync.add": "redux.sync.add.s32 $0, {0}, {1};",
    "shfl.sync.up.i32": "shfl.sync.up.b32 $0, {0}, {1}, {2}, {3};",
    "shfl.sync.idx.i32": "shfl.sync.idx.b32 $0, {0}, {1}, {2}, {3};",
}
# Where the intrinsic wants what the instruction has.
_ORDER = {"match": (1, 0), "redux": (0, 1), "shfl": (3, 0, 1, 2), "activemask": ()}


@QUICK
@given(st.sampled_from(sorted(_NAMES)), st.data())
def test_lane_instructions_ask_for_the_same(name: str, data: st.DataObject) -> None:
    order = _ORDER[name.split(".", maxsplit=1)[0]]
    registers, tokens, expected = [], [], {}
    for k in range(len(order)):
        if data.draw(st.booleans()):
            registers.append(data.draw(st.sampled_from(["%a", "%b"])))
            tokens.append(f"${len(registers)}")
            expected[k] = registers[-1]
        else:
            number = data.draw(st.integers(0, WORD))
            tokens.append(data.draw(LITERALS).format(number))
            expected[k] = str(signed(number, 32))
    arguments = ", ".join(f"i32 {register}" for register in registers)
    constraints = ",".join(["=r", *("r" for _ in registers)])
    call = asm("i32", _NAMES[name].format(*tokens), constraints, arguments)
    text = without_inline_ptx(module(call))
    given_ = ", ".join(f"i32 {expected[k]}" for k in order)
    assert f"%r = call i32 @llvm.nvvm.{name}({given_})" in text
    assert parses(text)


@st.composite
def straight_lines(draw: st.DrawFn) -> tuple[list[str], bool]:
    """Statements over ``$0`` (given), ``$1`` and ``$2`` (inputs), own registers and predicates;
    and whether ``$0`` is an input, too.
    """
    tied = draw(st.booleans())
    words = ["$1", "$2", *(["$0"] if tied else [])]
    flags: list[str] = []
    statements = [".reg .b32 t0, t1, t2, t3", ".reg .pred p0, p1, p2, p3"]
    for _ in range(draw(st.integers(1, 7))):
        source = st.sampled_from([*words, "3", "0x10"])
        to = draw(st.sampled_from(["t0", "t1", "t2", "t3", "$0"]))
        kind = draw(st.sampled_from(["binary", "setp", "selp", "mov", "shfl", "shfl", "ballot"]))
        if kind == "setp":
            to = draw(st.sampled_from(["p0", "p1", "p2"]))
            operation = draw(st.sampled_from(["ne", "lt"]))
            statements.append(f"setp.{operation}.u32 {to}, {draw(source)}, {draw(source)}")
            flags.append(to)
            continue
        guard = ""
        computes = kind not in ("shfl", "ballot")
        if computes and to in words and flags and draw(st.booleans()):
            guard = f"@{draw(st.sampled_from(['', '!']))}{draw(st.sampled_from(flags))} "
        if kind == "shfl":
            mode = draw(st.sampled_from(["up", "down", "idx", "bfly"]))
            own = st.sampled_from(["$1", "$2", "5", *(["$0"] if tied else [])])
            flag = draw(st.sampled_from(["", "|p3", " | p0"]))
            statements.append(
                f"{guard}shfl.sync.{mode}.b32 {to}{flag}, {draw(source)}, {draw(own)}, 31, "
                f"{draw(own)}"
            )
            flags += [flag.strip(" |")] if flag and not guard else []
        elif kind == "ballot" and flags:
            flag = draw(st.sampled_from(flags))
            statements.append(f"{guard}vote.sync.ballot.b32 {to}, {flag}, {draw(source)}")
        elif kind == "selp" and flags:
            flag = draw(st.sampled_from(flags))
            statements.append(f"{guard}selp.b32 {to}, {draw(source)}, {draw(source)}, {flag}")
        elif kind == "mov":
            statements.append(f"{guard}mov.b32 {to}, {draw(source)}")
        else:
            operation = draw(st.sampled_from(["add.u32", "sub.u32", "xor.b32", "mul.lo.u32"]))
            statements.append(f"{guard}{operation} {to}, {draw(source)}, {draw(source)}")
        words.append(to)
    statements.append(f"add.u32 $0, {draw(st.sampled_from(words))}, 1")
    return statements, tied


@settings(max_examples=400, deadline=None, derandomize=True)
@given(straight_lines())
def test_several_instructions_mean_what_they_meant(program: tuple[list[str], bool]) -> None:
    statements, tied = program
    template = "{ " + "; ".join(statements) + "; }"
    constraints, arguments = "=r,r,r", "i32 %a, i32 %b"
    registers = {"$1": GIVEN["%a"], "$2": GIVEN["%b"]}
    if tied:
        constraints, arguments = "=r,r,r,0", "i32 %a, i32 %b, i32 77"
        registers["$0"] = 77
    text = module(asm("i32", template, constraints, arguments))
    changed = without_inline_ptx(text)
    assert " asm " not in changed
    run_ptx(statements, registers, exchanged)
    body = changed[changed.index("{\n") + 2 : changed.index("  ret void")].splitlines()
    values = {"%a": GIVEN["%a"], "%b": GIVEN["%b"]}
    run_ir(body, values, exchanged)
    assert values["%r"] == registers["$0"]
    assert parses(changed)


@pytest.mark.parametrize(
    ("template", "branches"),
    [
        (
            "{ .reg .pred p; setp.ne.u32 p, $1, 0; @p bra D;"
            " shfl.sync.idx.b32 $0, $1, 0, 31, -1; D: }",
            1,
        ),
        ("{ .reg .pred p; setp.ne.u32 p, $1, 0; @p exit; activemask.b32 $0; }", 1),
        ("{ .reg .pred p; setp.ne.u32 p, $1, 0; @p shfl.sync.idx.b32 $0, $1, 0, 31, -1; }", 1),
        ("{ .reg .pred p; setp.ne.u32 p, $1, 0; @p div.u32 $0, $1, $2; }", 1),
        ("{ .reg .pred p; setp.ne.u32 p, $1, 0; @p ld.global.u32 $0, [$3]; }", 1),
        ("{ .reg .pred p; setp.ne.u32 p, $1, 0; @p sub.u32 $0, $1, $2; }", 0),
        ("{ { .reg .b32 t; mov.b32 t, $1; shfl.sync.idx.b32 $0, t, 0, 31, -1; } }", 0),
        ("{ add.u32 $1, $1, 1; shfl.sync.idx.b32 $0, $1, $0, 31, -1; }", 0),
    ],
)  # fmt: skip
def test_what_only_some_lanes_may_do_is_behind_a_branch(template: str, branches: int) -> None:
    text = module(asm("i32", template, "=r,r,0,l", "i32 %a, i32 %b, ptr %p"))
    changed = without_inline_ptx(text)
    assert " asm " not in changed
    assert parses(changed)
    assert changed.count("br i1 ") == branches
