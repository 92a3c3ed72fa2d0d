"""What a function says is told from where it stands."""

from __future__ import annotations

import pytest

from drano.analysis.incremental.function_fingerprint import ModulePrint, module_print
from drano.ir.prepare.passes import formed

TEXT = """target triple = "nvptx64-nvidia-cuda"
%struct.P = type { float, i32 }
@table = addrspace(1) global [4 x i32] zeroinitializer
@other = addrspace(1) global i32 0
declare void @h(i32)
define internal i32 @f(i32 %a) !dbg !12 {
  %r = add i32 %a, 3, !dbg !13
  ret i32 %r
}
define ptx_kernel void @k(ptr %p, i32 %n) #0 !dbg !5 {
  %v = alloca i32, align 4
  store i32 %n, ptr %v, align 4, !dbg !8
  %m = load i32, ptr %v, align 4, !dbg !8
  %at = getelementptr %struct.P, ptr %p, i32 %m, i32 1, !dbg !8
  %x = load i32, ptr %at, align 4, !dbg !9, !invariant.load !10
    #dbg_value(i32 %x, !11, !DIExpression(), !9)
  %y = call i32 @f(i32 %x), !dbg !9
  store i32 %y, ptr addrspace(1) @table, align 4, !dbg !8
  call void asm sideeffect "nop;", ""(), !dbg !9, !srcloc !15
  ret void, !dbg !9
}
define ptx_kernel void @l(ptr %p) {
  store i32 2, ptr %p, align 4
  ret void
}
attributes #0 = { "nvvm.maxntid"="64" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/x")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, unit: !0, type: !6)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 4, column: 2, scope: !5)
!9 = !DILocation(line: 5, column: 3, scope: !5)
!10 = !{}
!11 = !DILocalVariable(name: "value", scope: !5, file: !1, line: 5)
!12 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, unit: !0, type: !6)
!13 = !DILocation(line: 1, column: 9, scope: !12)
!15 = !{i64 2147}
!14 = !DILocalVariable(name: "typed", scope: !5, file: !1, line: 6)
"""


def prints(text: str) -> ModulePrint:
    module = formed(text, "a.ll")
    return module_print(module.printed(), module.split.rest)


def same(text: str, kernel: str = "k") -> bool:
    """Whether the kernel is the same in another module, but for its places."""
    one, other = prints(TEXT), prints(text)
    names = one.reached(kernel)
    return (
        names == other.reached(kernel)
        and all(one.symbols[n].same_but_places(other.symbols[n]) for n in names)
        and (one.structs, one.fields) == (other.structs, other.fields)
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("line: 5, column: 3", "line: 8, column: 3"),
        ("line: 3, unit", "line: 2, unit"),
        ("!13", "!130"),
        ("i64 2147", "i64 2150"),
        ("#0", "#7"),
        ("  store i32 %n", "    #dbg_value(i32 0, !14, !DIExpression(), !9)\n  store i32 %n"),
        ("  %v = alloca", "  %w = alloca i32, align 4\n  store i32 1, ptr %w\n  %v = alloca"),
        ("store i32 2", "store i32 3"),
        ("@other", "@another"),
    ],
)
def test_the_same_at_other_places(old: str, new: str) -> None:
    assert same(TEXT.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name: "value"', 'name: "other"'),
        ("    #dbg_value(i32 %x, !11, !DIExpression(), !9)\n", ""),
        ("  store i32 %n", "    #dbg_value(i32 0, !11, !DIExpression(), !9)\n  store i32 %n"),
        ("  store i32 %n", "    #dbg_value(i32 %n, !14, !DIExpression(), !9)\n  store i32 %n"),
        ("ret void, !dbg !9", "ret void, !dbg !8"),
        ("ret void, !dbg !9", "ret void"),
        ("{ float, i32 }", "{ double, i32 }"),
        (", !invariant.load !10", ""),
        ("add i32 %a, 3", "add i32 %a, 4"),
        ("!13 = !DILocation(line: 1, column: 9, scope: !12)", "!13 = !{}"),
        ("[4 x i32]", "[8 x i32]"),
        ('"nvvm.maxntid"="64"', '"nvvm.maxntid"="32"'),
        ('name: "f"', 'name: "g"'),
        ("ret void, !dbg !9", 'call void asm "x !12", ""()\n  ret void, !dbg !9'),
    ],
)
def test_not_the_same(old: str, new: str) -> None:
    assert TEXT.count(old) >= 1
    assert not same(TEXT.replace(old, new))
    if "struct" not in old and "float" not in old:
        assert same(TEXT.replace(old, new), "l")


def test_a_string_that_could_be_taken_for_a_number_is_never_the_same() -> None:
    text = TEXT.replace("ret void, !dbg !9", 'call void asm "x !12", ""()\n  ret void, !dbg !9')
    one = prints(text).symbols["k"]
    assert not one.same_but_places(one)


def test_places_and_symbols() -> None:
    found = prints(TEXT)
    assert found.kernels == ("k", "l")
    assert set(found.reached("k")) == {"table", "f", "k"}
    assert found.paths() == {"/x/a.cu"}
    assert not found.held
    lines = [place.span.line for place in found.symbols["f"].places if place]
    assert sorted(lines) == [1, 1]
    held = "@where = addrspace(1) global ptr @f\n"
    assert prints(TEXT.replace("declare", held + "declare")).held
