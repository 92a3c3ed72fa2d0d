"""Functions whose text an edit left the same are not read again, and are what a reader says."""

from __future__ import annotations

import pytest

from drano.ir import model as m
from drano.ir import reader
from drano.ir.prepare import prepare
from drano.ir.reader import read_module
from drano.ir.rereading import Readings

TEXT = """target triple = "nvptx64-nvidia-cuda"
%struct.P = type { float, i32 }
define ptx_kernel void @k(ptr %p, i32 %n) !dbg !5 {
  %at = getelementptr %struct.P, ptr %p, i32 %n, i32 1, !dbg !8
  %x = load i32, ptr %at, align 4, !dbg !9, !invariant.load !10
    #dbg_value(i32 %x, !11, !DIExpression(), !9)
  switch i32 %x, label %end [
    i32 1, label %one
  ], !dbg !9
one:
  store i32 2, ptr %at, align 4, !dbg !8
  br label %end
end:
  ret void
}
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
"""


def read(text: str, memory: Readings | None = None) -> m.Module:
    return read_module(prepare(text, "a.ll", trusted=True), memory=memory)


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("line: 5, column: 3", "line: 8, column: 3", False),
        ("line: 3, unit", "line: 2, unit", False),
        ('name: "value"', 'name: "other"', False),
        ("    #dbg_value(i32 %x, !11, !DIExpression(), !9)\n", "", False),
        ("!8\n  br", "!9\n  br", False),
        (", !dbg !8\n  br", "\n  br", True),
        ("  ret void", "  call void @g()\n  ret void\n}\ndefine void @g() {\n  ret void", False),
        ("{ float, i32 }", "{ double, i32 }", True),
        (", !invariant.load !10", "", True),
        ("store i32 2", "store i32 3", True),
        ("i32 1, label", "i32 7, label", True),
        ("i32 %n)", "i32 signext %n)", True),
    ],
)
def test_what_is_given_again_is_what_a_reader_says(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, again: bool
) -> None:
    decoded: list[str] = []
    decode = reader.decode
    monkeypatch.setattr(reader, "decode", lambda *a: decoded.append(a[1]) or decode(*a))
    memory = Readings()
    assert read(TEXT, memory) == read(TEXT)
    assert TEXT.count(old) == 1
    text = TEXT.replace(old, new)
    expected = read(text)
    for _ in range(2):  # also from what was itself given again
        decoded.clear()
        assert read(text, memory) == expected
        assert bool(decoded) == again
        again = False


def test_a_string_that_could_be_metadata() -> None:
    text = TEXT.replace(
        "  br label %end", '  call void asm sideeffect "bra !7;", ""()\n  br label %end'
    )
    memory = Readings()
    assert read(text, memory) == read(text)
    other = text.replace("bra !7", "bra !8")
    assert read(other, memory) == read(other) != read(text)
