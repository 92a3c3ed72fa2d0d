"""Every kind of instruction, operand, global and header, from printed IR."""

from __future__ import annotations

import pytest

from drano.ir import model as m
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.support.errors import IRError

I1, I32, I64 = m.IntType(1), m.IntType(32), m.IntType(64)
FLOAT = m.FloatType(32)


def read(text: str) -> m.Module:
    return read_module(prepare(text, "test.ll", trusted=True), thorough=True)


def kernel(body: str, args: str = "ptr %p, i32 %n", extra: str = "", result: str = "void") -> str:
    head = 'target triple = "nvptx64-nvidia-cuda"'
    return f"{head}\n{extra}\ndefine ptx_kernel {result} @k({args}) {{\n{body}\n}}\n"


def instructions(text: str) -> list[m.Instruction]:
    (function,) = read(text).kernels
    return [i for block in function.blocks for i in block.instructions]


def only(line: str, args: str = "ptr %p, i32 %n", extra: str = "") -> m.Instruction:
    return instructions(kernel(f"  {line}\n  ret void", args, extra))[0]


def test_arithmetic_with_flags():
    found = only("%x = add nuw nsw i32 %n, -7")
    assert found == m.Binary(
        index=2,
        name="x",
        type=I32,
        location=None,
        op="add",
        lhs=m.Local(1),
        rhs=m.IntConst(-7, 32),
        nsw=True,
        nuw=True,
    )
    found = only("%x = or disjoint i32 %n, 1")
    assert isinstance(found, m.Binary) and found.op == "add" and found.nsw and found.nuw
    found = only("%x = lshr exact i32 %n, 1")
    assert isinstance(found, m.Binary) and found.exact
    found = only("%x = fadd fast float %a, 1.5", "float %a")
    assert isinstance(found, m.Binary) and found.rhs == m.FloatConst(32)
    assert isinstance(only("%x = fneg contract float %a", "float %a"), m.Negate)


def test_comparisons():
    found = only("%c = icmp samesign ult i32 %n, 5")
    assert isinstance(found, m.Compare)
    assert (found.predicate, found.type, found.operand_type) == ("ult", I1, I32)
    found = only("%c = fcmp fast olt <2 x float> %v, zeroinitializer", "<2 x float> %v")
    assert isinstance(found, m.Compare) and found.floating
    assert found.type == m.VectorType(2, I1) and found.rhs == m.VectorConst((m.FloatConst(32),) * 2)


def test_casts():
    found = only("%x = zext nneg i32 %n to i64")
    assert isinstance(found, m.Cast)
    assert (found.op, found.source_type, found.type, found.nneg) == ("zext", I32, I64, True)
    found = only("%x = addrspacecast ptr %p to ptr addrspace(1)")
    assert isinstance(found, m.Cast) and found.type == m.PointerType(1)


def test_loads_and_stores():
    found = only(
        "%x = load volatile <3 x float>, ptr addrspace(1) %p, align 4", "ptr addrspace(1) %p"
    )
    assert isinstance(found, m.Load)
    assert (found.space, found.size, found.align, found.volatile) == (1, 12, 4, True)
    found = only("%x = load i32, ptr %p, align 4, !invariant.load !0", extra="!0 = !{}")
    assert isinstance(found, m.Load) and found.invariant and not found.atomic
    found = only('%x = load atomic i32, ptr %p syncscope("device") acquire, align 4')
    assert isinstance(found, m.Load) and found.atomic
    found = only("store i8 -1, ptr %p, align 1")
    assert isinstance(found, m.Store)
    assert (found.value, found.size, found.pointer) == (m.IntConst(-1, 8), 1, m.Local(0))


def test_atomics():
    found = only('%x = atomicrmw fadd ptr %p, float 1.0 syncscope("agent") seq_cst, align 4')
    assert isinstance(found, m.Atomic)
    assert (found.op, found.operands, found.size) == ("fadd", (m.FloatConst(32),), 4)
    found = only("%x = cmpxchg weak volatile ptr %p, i32 0, i32 %n acq_rel monotonic, align 8")
    assert isinstance(found, m.Atomic)
    assert found.op == "cmpxchg" and found.operands == (m.IntConst(0, 32), m.Local(1))
    assert isinstance(found.type, m.StructType) and found.type.elements == (I32, I1)
    assert found.align == 8


def test_addresses():
    struct = "%struct.P = type { i8, [4 x float], <2 x double> }"
    found = only(
        "%x = getelementptr inbounds nuw [2 x %struct.P], ptr %p, i32 %n, i64 1, i32 1, i32 %n",
        extra=struct,
    )
    assert isinstance(found, m.Gep)
    assert found.steps == (
        m.GepStep(m.Local(1), 32, 2 * 48),
        m.GepStep(m.Local(1), 32, 4),
    )
    assert found.offset == 48 + 4
    assert found.fields == (("struct.P", 1),)
    assert isinstance(found.source_type, m.ArrayType)
    found = only("%x = getelementptr i8, ptr %p, i64 -8")
    assert isinstance(found, m.Gep) and found.offset == -8 and not found.steps
    found = only("%x = getelementptr i8, <2 x ptr> %v, i64 1", "<2 x ptr> %v")
    assert isinstance(found, m.Opaque) and found.operands == (m.Local(0),)
    assert found.type == m.VectorType(2, m.PointerType())


def test_packed_structs():
    found = only("%x = getelementptr <{ i8, i32, i8 }>, ptr %p, i32 %n, i32 2")
    assert isinstance(found, m.Gep)
    assert found.steps[0].stride == 6 and found.offset == 5


def test_constant_addresses_fold_through_casts_and_indices():
    tile = "@tile = internal addrspace(3) global [4 x [5 x float]] undef, align 4"
    inner = "getelementptr ([4 x [5 x float]], ptr addrspace(3) @tile, i64 0, i64 2)"
    generic = f"addrspacecast (ptr addrspace(3) {inner} to ptr)"
    outer = f"getelementptr inbounds nuw (float, ptr {generic}, i64 1)"
    found = only(f"store float 0.0, ptr {outer}", extra=tile)
    assert isinstance(found, m.Store)
    assert found.pointer == m.GlobalAddress("tile", 44)
    found = only(
        "store i64 add (i64 ptrtoint (ptr addrspace(3) @tile to i64), i64 16), ptr %p", extra=tile
    )
    assert isinstance(found, m.Store) and found.value == m.GlobalAddress("tile", 16)
    found = only("store ptr inttoptr (i64 4096 to ptr), ptr %p")
    assert isinstance(found, m.Store) and isinstance(found.value, m.OtherConst)


def test_constants():
    found = only("store <4 x i32> <i32 1, i32 poison, i32 -3, i32 4>, ptr %p")
    assert isinstance(found, m.Store)
    assert found.value == m.VectorConst(
        (m.IntConst(1, 32), m.UndefConst(), m.IntConst(-3, 32), m.IntConst(4, 32))
    )
    found = only("store <2 x i8> <i8 3, i8 3>, ptr %p")
    assert isinstance(found, m.Store) and found.value == m.VectorConst((m.IntConst(3, 8),) * 2)
    found = only("%x = select i1 true, ptr null, ptr undef")
    assert isinstance(found, m.Select)
    assert (found.condition, found.if_true) == (m.IntConst(-1, 1), m.NullConst())
    assert found.if_false == m.UndefConst()
    found = only("store half 0xH3C01, ptr %p")
    assert isinstance(found, m.Store) and found.value == m.FloatConst(16)


def test_calls():
    found = only(
        "%r = tail call noundef range(i32 0, 10) i32 (ptr, ...) @f(ptr nonnull align 4 %p, i32 %n)",
        extra="declare i32 @f(ptr, ...)",
    )
    assert isinstance(found, m.Call)
    assert (found.callee, found.args, found.type) == ("f", (m.Local(0), m.Local(1)), I32)
    found = only("%q = call fast nofpclass(nan) float %p(float nofpclass(nan inf) 1.0)")
    assert isinstance(found, m.Call)
    assert (found.callee, found.target, found.args) == (None, m.Local(0), (m.FloatConst(32),))
    found = only('%a = call { i32, i32 } asm sideeffect "mov, !p $0\\0A;", "=r,=r,r"(i32 %n)')
    assert isinstance(found, m.Call)
    assert (found.callee, found.text, found.args) == ("asm", "mov, !p $0\n;", (m.Local(1),))
    found = only("call void @f(ptr byval({ i32, i32 }) align 4 %p)", extra="declare void @f(ptr)")
    assert isinstance(found, m.Call) and found.args == (m.Local(0),)


def test_memory_intrinsics():
    found = only(
        "call void @llvm.memcpy.p0.p3.i64"
        "(ptr align 4 %p, ptr addrspace(3) align 8 @s, i64 16, i1 false)",
        extra="@s = addrspace(3) global [16 x i8] undef\n"
        "declare void @llvm.memcpy.p0.p3.i64(ptr, ptr addrspace(3), i64, i1)",
    )
    assert isinstance(found, m.MemoryCopy)
    assert (found.source, found.length) == (m.GlobalAddress("s"), m.IntConst(16, 64))
    assert (found.source_space, found.pointer_align, found.source_align) == (3, 4, 8)
    found = only(
        "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)",
        extra="declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    )
    assert isinstance(found, m.MemoryFill) and found.pointer_align == 1


def test_aggregates_and_vectors():
    body = """
  %s = insertvalue { i32, [2 x float] } poison, i32 %n, 0
  %f = extractvalue { i32, [2 x float] } %s, 1, 1
  %v = insertelement <2 x i32> poison, i32 %n, i32 0
  %w = shufflevector <2 x i32> %v, <2 x i32> poison, <3 x i32> zeroinitializer
  %u = shufflevector <3 x i32> %w, <3 x i32> %w, <2 x i32> <i32 5, i32 poison>
  %e = extractelement <2 x i32> %u, i32 %n
  %z = freeze i32 %e
  ret void"""
    found = instructions(kernel(body))
    assert isinstance(found[1], m.ExtractValue) and found[1].type == FLOAT
    assert isinstance(found[0], m.InsertValue) and found[0].indices == (0,)
    assert isinstance(found[2], m.InsertElement) and found[2].element == m.IntConst(0, 32)
    assert isinstance(found[3], m.ShuffleVector) and found[3].mask == (0, 0, 0)
    assert found[3].type == m.VectorType(3, I32)
    assert isinstance(found[4], m.ShuffleVector) and found[4].mask == (5, -1)
    assert isinstance(found[5], m.ExtractElement) and found[5].element == m.Local(1)
    assert isinstance(found[6], m.Freeze)


def test_control_flow():
    body = """entry:
  switch i32 %n, label %other [ i32 1, label %one
    i32 -2, label %other ]
one:
  br label %join
other:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %join, label %"odd name"
"odd name":
  unreachable
join:
  %x = phi i32 [ 5, %one ], [ %y, %other ], [ %y, %join ]
  %y = add i32 %x, 1
  br i1 %d, label %join, label %end
end:
  ret void"""
    (function,) = read(kernel(body.replace("%y, %other", "%n, %other"), "i32 %n, i1 %d")).kernels
    blocks = function.blocks
    assert [b.name for b in blocks] == ["entry", "one", "other", "odd name", "join", "end"]
    first = blocks[0].terminator
    assert isinstance(first, m.Switch)
    assert (first.default, first.cases, first.bits) == (2, ((1, 1), (-2, 2)), 32)
    assert blocks[0].successors == (2, 1)
    assert blocks[2].terminator == m.Branch(
        index=5,
        name="",
        type=m.VoidType(),
        location=None,
        condition=m.Local(4),
        if_true=4,
        if_false=3,
    )
    phi = blocks[4].instructions[0]
    assert isinstance(phi, m.Phi)
    assert phi.incoming == ((m.IntConst(5, 32), 1), (m.Local(0), 2), (m.Local(phi.index + 1), 4))
    assert blocks[4].predecessors == (1, 2, 4)
    assert isinstance(blocks[3].terminator, m.Unreachable)
    numbers = [i.index for b in blocks for i in b.instructions]
    assert numbers == list(range(2, function.value_count))


def test_stack_slots_and_fences():
    use = "\n  store volatile ptr addrspace(5) %a, ptr %p"
    found = only("%a = alloca [4 x i32], i32 3, align 16, addrspace(5)" + use)
    assert isinstance(found, m.Alloca)
    assert (found.size, found.align, found.type) == (48, 16, m.PointerType(5))
    found = only("%a = alloca float, i32 %n" + use.replace(" addrspace(5)", ""))
    assert isinstance(found, m.Alloca) and found.size == 0
    found = only('fence syncscope("device") seq_cst')
    assert isinstance(found, m.Opaque) and found.opcode == "fence"


def test_a_type_longer_than_what_is_read_of_an_initialiser():
    many = 9000
    types = ", ".join(["{ i32, i32 }"] * many)
    values = ", ".join(["{ i32, i32 } { i32 1, i32 2 }"] * many)
    (found,) = read(
        f"@t = addrspace(4) constant <{{ {types} }}> <{{ {values} }}>, align 8\n"
    ).globals.values()
    assert (found.size, found.align, found.initializer) == (8 * many, 8, None)


def test_globals():
    text = kernel(
        "  store i32 0, ptr addrspace(3) @dyn\n  ret void",
        extra="""@dyn = external addrspace(3) global [0 x i32], align 16
@table = constant [2 x [2 x i16]] [[2 x i16] [i16 1, i16 -2], [2 x i16] zeroinitializer]
@text = unnamed_addr constant [3 x i8] c"a\\22\\FF"
@one = addrspace(4) externally_initialized global i32 5, align 4
@"odd name" = addrspace(1) global { i8, ptr } zeroinitializer
@big = constant [100000 x i32] zeroinitializer""",
    )
    found = read(text).globals
    assert found["dyn"].external_size and found["dyn"].align == 16 and found["dyn"].space == 3
    assert found["table"].initializer == (1, -2, 0, 0)
    assert found["text"].initializer == (97, 34, -1)
    assert found["one"].initializer is None and found["one"].space == 4
    assert found["odd name"].size == 16 and not found["odd name"].external_size
    assert found["big"].size == 400_000 and found["big"].initializer is None


def test_headers():
    text = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @"a b"(ptr noalias noundef readonly align 16 captures(none) %out,
                              ptr byval(%struct.P) align 8 %p) #0 { ret void }
define void @old(i32 %n) { ret void }
%struct.P = type { double, i8 }
attributes #0 = { "nvvm.maxntid"="64,4" "nvvm.reqntid"="32,2,1" }
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @old, !"kernel", i32 1}
!1 = !{ptr @old, !"maxntidx", i32 128}
"""
    first, second = read(text).kernels
    assert first.name == "a b"
    out, p = first.args
    assert (out.align, out.name) == (16, "out")
    assert (p.byval_size, p.align) == (16, 8)
    assert (first.max_threads, first.required_threads) == (256, (32, 2, 1))
    assert (second.name, second.max_threads, second.required_threads) == ("old", 128, None)


def test_unnamed_values_and_functions_without_debug_information():
    text = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @_ZN2ns3fooEPi(ptr %0) {
  %2 = load i32, ptr %0
  br label %3
3:
  store i32 %2, ptr %0
  ret void
}"""
    (function,) = read(text).kernels
    assert (function.display, function.source_name) == ("foo", "foo")
    assert function.location is None and function.local_names == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("garbage", "line 1: expected top-level entity"),
        ("define void @f() {", "not valid LLVM IR"),
        ("define i32 @f() {\n  ret void\n}", "line 2"),
        ("define void @f() { ret void }\0", "NUL"),
        ('target triple = "x86_64-linux"', "not for nvptx64"),
        ("@g = external global \udc80", "UTF-8"),
        ("@g = global " + "[1 x " * 150 + "i8" + "]" * 150 + " undef", "nested too deeply"),
        ("%a = type { %a }\n@g = global %a undef", "recursive"),
    ],
)
def test_bad_text_is_one_line(text, reason):
    with pytest.raises(IRError) as caught:
        read(text)
    message = str(caught.value)
    assert message.startswith("test.ll: ") and reason in message
    assert "\n" not in message


def test_truncated_text_never_escapes_as_another_error():
    whole = kernel(
        '  %x = load i32, ptr %p, align 4, !dbg !3\n  call void asm "a", "r"(i32 %x)\n  ret void'
    )
    for length in range(0, len(whole), 3):
        try:
            read(whole[:length])
        except IRError as error:
            assert "\n" not in str(error)


def test_module_without_kernels_has_no_functions():
    assert read("define void @f() { ret void }").functions == {}
