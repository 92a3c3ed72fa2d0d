"""Headers that protobuf's compiler would make of a project's ``.proto`` files."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from drano.frontend.headers.protobuf import cpp
from drano.frontend.headers.protobuf.made import made_headers
from drano.frontend.headers.protobuf.schema import NotProtoError, schema_of
from drano.model.settings import CompileOptions, Config
from drano.output.input_problems import run_notes
from drano.run.driver import check

TYPES = """syntax = "proto2";  // of all files
package net.common;
enum Kind { option allow_alias = true; kInvalid = 0; kFloat = 2 [deprecated = true]; kLow = -1; }
"""
LAYER = r"""syntax = "proto2";
package net;
import public "common/types.proto";
import "google/protobuf/any.proto";
option java_package = "net.{}";
message Layer {
  enum Pool { MAX = 0; AVE = 1; }
  message Size {
    optional int64 width = 1 [default = 3, (rule) = { text: "]};" }];
  }
  reserved 2, 15 to 20; extensions 100 to max;
  required string name = 1;
  repeated int32 dim = 3 [packed = true];
  repeated Size size = 4;
  optional Size outer_size2x = 5;
  optional Pool pool = 6 [default = MAX];
  optional common.Kind kind = 7;
  map<string, Size> sizes = 8;
  optional .google.protobuf.Any any = 9;
  optional bool delete = 10;
  oneof shape { float radius = 11; Layer inner = 12; }
  repeated group Part = 13 { optional bytes data = 1; }
  extend Layer { optional int32 more = 100; }
}
service S { rpc Do(Layer) returns (Layer) { option deadline = 3; } }
"""
SOURCE = """
#include "layer.pb.h"
__global__ void copy(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
template <net::common::Kind kind, net::Layer_Pool pool> __global__ void strided(float *a) {
  a[threadIdx.x * (kind == net::common::kFloat && pool == net::Layer::AVE ? 32 : 1)] = 0;
}
void go(net::Layer &l, float *a) {
  l.set_name("l");
  l.mutable_name()->clear();
  l.add_dim(l.dim(0) + (int)l.dim_size());
  for (long n : l.dim()) l.set_dim(0, n);
  l.add_size()->set_width(l.size(0).width());
  for (const net::Layer::Size &s : l.size()) l.mutable_outer_size2x()->CopyFrom(s);
  int number = net::Layer::kOuterSize2XFieldNumber;
  if (!l.has_kind() && net::common::Kind_IsValid(number)) l.set_kind(net::common::Kind_MAX);
  (*l.mutable_sizes())["x"] = l.sizes().at("y");
  l.set_delete_(true);
  if (l.shape_case() == net::Layer::kRadius) l.mutable_inner()->set_radius(1.5f);
  l.add_part()->set_data("d");
  std::string all = l.DebugString() + net::Layer_Pool_Name(l.pool());
  copy<<<1, 32>>>(a, a);
  strided<net::common::kFloat, net::Layer::AVE><<<1, 32>>>(a);
}
"""


def project(place: Path, layer: str = LAYER) -> Path:
    (place / ".git").mkdir()
    (place / "common").mkdir()
    (place / "common" / "types.proto").write_text(TYPES)
    (place / "layer.proto").write_text(layer)
    (place / "a.cu").write_text(SOURCE)
    return place / "a.cu"


def test_doctests() -> None:
    assert doctest.testmod(cpp).failed == 0


def test_kernels_have_the_numbers_of_enumerations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = check([str(project(tmp_path))])
    (file,) = report.files
    assert not file.not_analysed and not file.host_errors
    assert {kernel.name.partition("<")[0] for kernel in file.kernels} == {"copy", "strided"}
    (finding,) = file.findings
    assert "128 bytes" in finding.message
    monkeypatch.chdir(tmp_path)
    said = "declared what protobuf makes of layer.proto: -I names a build's own, -p the build"
    assert said in run_notes(report)


def test_messages_of_an_installed_protobuf(tmp_path: Path) -> None:
    """It has them define what is not declared here, which costs host code alone."""
    source = project(tmp_path)
    text = "namespace google { namespace protobuf {\n%s\n}}\n"
    declared = {
        "message": "class Descriptor; class EnumDescriptor;\n"
        "class Message { public: virtual void own() = 0; };",
        "map": "template <class K, class V> class Map;",
        "repeated_field": "template <class T> class RepeatedField;\n"
        "template <class T> class RepeatedPtrField;",
    }
    installed = tmp_path / "installed" / "google" / "protobuf"
    installed.mkdir(parents=True)
    for name, what in declared.items():
        (installed / f"{name}.h").write_text(f"#pragma once\n#include <string>\n{text % what}")
    source.write_text(source.read_text() + "void make() { net::Layer l; l.own(); }\n")
    options = CompileOptions(flags=("-isystem", str(tmp_path / "installed")))
    (file,) = check([str(source)], Config(compile=options)).files
    assert file.host_errors and not file.not_analysed
    assert len(file.findings) == 1


def test_what_is_declared() -> None:
    schema = schema_of(LAYER)
    assert schema.imports == ("common/types.proto", "google/protobuf/any.proto")
    (layer,) = schema.messages
    fields = {field.name: field for field in layer.fields}
    assert [field.number for field in layer.fields] == [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert fields["radius"].oneof == fields["inner"].oneof == "shape" and not fields["part"].oneof
    assert fields["part"].type == "Part" and fields["part"].repeated
    assert fields["sizes"].key == "string" and fields["sizes"].type == "Size"
    assert [message.name for message in layer.messages] == ["Size", "Part"]


@pytest.mark.parametrize(
    "text",
    [
        "int x;",
        "message M {",
        "message M { int32 a 1; }",
        "message M { int32 a = b; }",
        "enum E { A = ; }",
        "message M " + "{ message M " * 100 + "}" * 101,
        ";" * 600_000,
    ],
)
def test_what_is_no_schema(text: str) -> None:
    with pytest.raises(NotProtoError):
        schema_of(text)


def test_imports_that_lead_elsewhere_are_left_out(tmp_path: Path) -> None:
    evil = 'import "../../x.proto"; import "/x.proto"; import "a.proto"; message M {}'
    (tmp_path / "a.proto").write_text(evil)

    def find(path: str) -> str | None:
        return str(tmp_path / path) if path == "a.proto" else None

    made, files = made_headers("a.pb.h", find)
    assert list(made) == ["a.pb.h"] and files == [str(tmp_path / "a.proto")]
    assert "x.pb.h" not in made["a.pb.h"]
    assert made_headers("b.pb.h", find) == ({}, [])


def test_a_schema_that_is_not_understood_makes_nothing(tmp_path: Path) -> None:
    (file,) = check([str(project(tmp_path, "int x;"))]).files
    assert not file.found.directories
    assert {lost.kernel.partition("<")[0] for lost in file.not_analysed} == {"strided"}
