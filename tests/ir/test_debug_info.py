"""Places, call chains and names, from clang's metadata and from hostile metadata."""

from __future__ import annotations

import pytest

from drano.frontend.clang import compile_unit
from drano.ir import model as m
from drano.ir.prepare.passes import prepare
from drano.ir.prepare.quarantine import prepared_text
from drano.ir.read.debug_info import DebugInfo, bare_function_name
from drano.ir.read.reader import read_module
from drano.ir.target import AddressSpace
from drano.ir.type_layout import struct_type
from drano.model.settings import CompileOptions
from drano.model.span import Frame, Location, Span
from drano.model.symbols import plain_symbol
from drano.support.errors import IRError

SOURCE = """namespace ns {
struct P { float x; double y; int tag[2]; };
__device__ float inner(const P* p, int i) {
  return p[i].y;
}
__device__ float outer(const P* p, int i) { return inner(p, i) + 1; }
}
extern __shared__ float dynamic[];
template <int N> __global__ void __launch_bounds__(64 * N) run(float* out, const ns::P* points) {
  __shared__ int tile[N][8];
  int lane = threadIdx.x;
  tile[0][lane & 7] = lane;
  out[lane] = ns::outer(points, lane) + dynamic[lane] + tile[0][3];
}
void host() { run<4><<<1, 64>>>(nullptr, nullptr); }
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp("unit") / "points.cu"
    path.write_text(SOURCE)
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    return read_module(prepare(unit.ir, unit.path, trusted=True), thorough=True)


def test_names_and_bounds(module):
    (kernel,) = module.kernels
    assert (kernel.display, kernel.source_name) == ("run<4>", "run")
    assert kernel.max_threads == 256
    assert [a.name for a in kernel.args] == ["out", "points"]
    assert kernel.location.span.line == 9
    assert "lane" in kernel.local_names.values()
    displays = {g.display: g for g in module.globals.values()}
    assert displays["tile"].size == 128 and displays["tile"].space == AddressSpace.SHARED
    assert displays["dynamic"].external_size


def test_inlined_loads_keep_their_call_chain(module):
    (kernel,) = module.kernels
    loads = [i for b in kernel.blocks for i in b.instructions if isinstance(i, m.Load)]
    (load,) = (i for i in loads if i.size == 8)
    path = module.path
    assert load.location == Location(
        Span(path, 4, 15),
        "inner",
        (Frame("outer", Span(path, 6, 52)), Frame("run", Span(path, 13, 15))),
    )


def test_struct_fields(module):
    (info,) = (s for s in module.structs.values() if s.name.endswith("P"))
    assert info.fields == ("x", "y", "tag")


CYCLES = [
    "!5 = distinct !DILocation(line: 1, scope: !2, inlinedAt: !5)",
    "!5 = !DILocation(line: 1, scope: !6)\n!6 = distinct !DILexicalBlock(scope: !6, file: !3)",
]


@pytest.mark.parametrize("cycle", CYCLES)
def test_cyclic_metadata_does_not_hang(cycle):
    text = f"""define void @f() !dbg !2 {{ ret void, !dbg !5 }}
!llvm.module.flags = !{{!9}}
!llvm.dbg.cu = !{{!1}}
!9 = !{{i32 2, !"Debug Info Version", i32 3}}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !3)
!3 = !DIFile(filename: "a.cu", directory: "/x")
!2 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 1, unit: !1)
{cycle}
"""
    with pytest.raises(IRError, match="did not get through this IR in 2 seconds"):
        prepared_text(text, "x.ll", timeout=2)


@pytest.mark.parametrize("cycle", CYCLES)
def test_cyclic_metadata_ends(cycle):
    debug = DebugInfo(['!3 = !DIFile(filename: "a.cu", directory: "/x/../y")', *cycle.split("\n")])
    location = debug.location("!5")
    assert location is not None and len(location.inlined_at) <= 1
    assert debug.location("!99") is None


def test_generated_code_has_the_place_of_its_call():
    debug = DebugInfo(
        [
            '!1 = !DIFile(filename: "sub/../a \\22.cu", directory: "/x")',
            '!2 = distinct !DISubprogram(name: "f<int>", scope: !1, file: !1, line: 3)',
            "!3 = !DILocation(line: 0, scope: !2, inlinedAt: !4)",
            "!4 = distinct !DILocation(line: 7, column: 2, scope: !2)",
            "!5 = !DILocation(line: 0, scope: !2)",
        ]
    )
    assert debug.location("!3") == Location(Span('/x/a ".cu', 7, 2), "f")
    assert debug.location("!5") is None
    assert debug.subprogram("!2")[0] == "f<int>"


def test_static_members_and_padding_are_no_fields():
    debug = DebugInfo(
        [
            '!1 = !DICompositeType(tag: DW_TAG_structure_type, name: "Q", size: 128, elements: !2)',
            "!2 = !{!3, !4, !5}",
            '!3 = !DIDerivedType(tag: DW_TAG_member, name: "s", flags: DIFlagStaticMember)',
            '!4 = !DIDerivedType(tag: DW_TAG_member, name: "a", size: 8)',
            '!5 = !DIDerivedType(tag: DW_TAG_member, name: "b", size: 64, offset: 64)',
        ]
    )
    type_ = struct_type("struct.Q.7", (m.IntType(8), m.IntType(32), m.IntType(64)))
    assert debug.structs([type_])["struct.Q.7"].fields == ("a", "", "b")


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_Z6helperPK1Pi", "helper"),
        ("_ZN2ns3fooEPi", "foo"),
        ("_ZNK1A3getEv", "get"),
        ("_ZL4tile", "tile"),
        ("main", "main"),
        ("_Z99x", "_Z99x"),
        ("_ZplRK1AS1_", "_ZplRK1AS1_"),
    ],
)
def test_plain_symbols(symbol, name):
    assert plain_symbol(symbol) == name


def test_bare_names():
    assert bare_function_name("tr<4>") == "tr"
    assert bare_function_name("operator<") == "operator<"
