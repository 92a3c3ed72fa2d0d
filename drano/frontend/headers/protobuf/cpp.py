"""The C++ that protobuf's compiler makes of a schema, declarations alone.

Enumerations are as the real ones: kernels are instantiated by their values. Of messages the host
code of a project has what it calls: accessors of all fields, as protobuf's guide to the C++ that it
generates has them. Fields of types that no file declares are left out. Of an installed protobuf,
whose messages have more to define, no variable of a message can be made: that host code is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from drano.frontend.headers.protobuf.schema import Enumeration, Field, Message, Schema

_SCALARS: Final = {
    "double": "double", "float": "float", "bool": "bool", "string": "std::string",
    "bytes": "std::string",
    **dict.fromkeys(("int32", "sint32", "sfixed32"), "std::int32_t"),
    **dict.fromkeys(("int64", "sint64", "sfixed64"), "std::int64_t"),
    **dict.fromkeys(("uint32", "fixed32"), "std::uint32_t"),
    **dict.fromkeys(("uint64", "fixed64"), "std::uint64_t"),
}  # fmt: skip
_KEYWORDS: Final = re.compile(
    "alignas|alignof|and|asm|auto|bool|break|case|catch|char|class|const|constexpr|continue|"
    "default|delete|do|double|else|enum|explicit|export|extern|false|float|for|friend|goto|if|"
    "inline|int|long|mutable|namespace|new|not|nullptr|operator|or|private|protected|public|"
    "register|return|short|signed|sizeof|static|struct|switch|template|this|throw|true|try|"
    "typedef|typename|union|unsigned|using|virtual|void|volatile|while|xor"
)
_Scope = tuple[tuple[str, ...], tuple[Enumeration, ...], tuple[Message, ...]]
_INCLUDED: Final = "".join(
    f"#include <google/protobuf/{name}.h>\n" for name in ("map", "message", "repeated_field")
)

_EVERY = """  bool has_{name}() const;
  void clear_{name}();
"""
_SCALAR = """  {type} {name}() const;
  void set_{name}({type} value);
"""
_STRING = """  const std::string& {name}() const;
  template <class... A> void set_{name}(A&&... value);
  std::string* mutable_{name}();
  std::string* release_{name}();
  void set_allocated_{name}(std::string* value);
"""
_MESSAGE = """  const {type}& {name}() const;
  {type}* mutable_{name}();
  {type}* release_{name}();
  void set_allocated_{name}({type}* value);
"""
_REPEATED = """  int {name}_size() const;
  void clear_{name}();
  const {many}<{type}>& {name}() const;
  {many}<{type}>* mutable_{name}();
"""
_REPEATED_SCALAR = """  {type} {name}(int index) const;
  void set_{name}(int index, {type} value);
  void add_{name}({type} value);
"""
_REPEATED_STRING = """  const std::string& {name}(int index) const;
  template <class... A> void set_{name}(int index, A&&... value);
  template <class... A> void add_{name}(A&&... value);
  std::string* mutable_{name}(int index);
  std::string* add_{name}();
"""
_REPEATED_MESSAGE = """  const {type}& {name}(int index) const;
  {type}* mutable_{name}(int index);
  {type}* add_{name}();
"""
_MAP = """  int {name}_size() const;
  void clear_{name}();
  const ::google::protobuf::Map<{key}, {type}>& {name}() const;
  ::google::protobuf::Map<{key}, {type}>* mutable_{name}();
"""
_CLASS = """class {name} : public ::google::protobuf::Message {{
 public:
  {name}();
  {name}(const {name}& other);
  {name}& operator=(const {name}& other);
  ~{name}();
  static const {name}& default_instance();
  static const ::google::protobuf::Descriptor* descriptor();
  void CopyFrom(const {name}& other);
  void MergeFrom(const {name}& other);
  void Swap({name}* other);
  {name}* New() const;
"""
_ENUM = """inline bool {name}_IsValid(int value);
constexpr {name} {limits}_MIN = static_cast<{name}>({least});
constexpr {name} {limits}_MAX = static_cast<{name}>({most});
constexpr int {limits}_ARRAYSIZE = {most} + 1;
template <class T> const std::string& {name}_Name(T value);
template <class S> bool {name}_Parse(const S& name, {name}* value);
const ::google::protobuf::EnumDescriptor* {name}_descriptor();
"""


class Named(Struct, frozen=True):
    """A type that a schema declares, by its C++ name."""

    cpp: str
    is_enum: bool


def types_of(schema: Schema) -> dict[str, Named]:
    """Types by their full names.

    Of ``package p; message M { enum E { A = 0; } }`` ``p.M`` is ``::p::M``, ``p.M.E`` ``::p::M_E``.
    """
    found: dict[str, Named] = {}
    for path, enums, messages in _scopes(schema):
        full = ".".join([*filter(None, [schema.package]), *path])
        flat = "::".join(["", *_parts(schema.package), "_".join(path)])
        before = (f"{full}." if full else "", f"{flat}_" if path else flat)
        found |= {f"{before[0]}{e.name}": Named(f"{before[1]}{e.name}", True) for e in enums}
        found |= {f"{before[0]}{m.name}": Named(f"{before[1]}{m.name}", False) for m in messages}
    return found


def header_of(path: str, schema: Schema, types: Mapping[str, Named]) -> str:
    """The header of a file ``path``; ``types``: its own, and those of what it imports."""
    guard = "DRANO_PROTO_" + re.sub(r"\W", "_", path, flags=re.ASCII).upper()
    lines = [f"#ifndef {guard}\n#define {guard}\n", _INCLUDED]
    lines += [f'#include "{header_name(name)}"\n' for name in schema.imports]
    spaces = _parts(schema.package)
    lines += [f"namespace {name} {{\n" for name in spaces]
    scopes = _scopes(schema)
    classes = ["_".join([*path, message.name]) for path, _, held in scopes for message in held]
    lines += [f"class {name};\n" for name in classes]
    lines += [text for path, enums, _ in scopes for each in enums for text in _enum(path, each)]
    for path_, _, messages in scopes:
        for message in messages:
            lines += _class(schema.package, (*path_, message.name), message, types)
    lines += ["}\n" for _ in spaces]
    return "".join([*lines, "#endif\n"])


def header_name(path: str) -> str:
    """Of ``a/b.proto`` ``a/b.pb.h``."""
    return f"{path.removesuffix('.proto')}.pb.h"


def _parts(package: str) -> list[str]:
    return [_word(part) for part in package.split(".") if part]


def _scopes(schema: Schema) -> list[_Scope]:
    """What each scope declares, the inner ones first, with the messages that it is in."""
    found: list[_Scope] = [((), schema.enums, schema.messages)]
    for path, _, messages in found:
        found += [((*path, message.name), message.enums, message.messages) for message in messages]
    return found[::-1]


def _enum(path: tuple[str, ...], enum: Enumeration) -> Iterator[str]:
    name = "_".join([*path, enum.name])
    before = f"{'_'.join(path)}_{enum.name}_" if path else ""
    before = f"{name}_" if path else ""
    values = ", ".join(f"{_word(before + value)} = {number}" for value, number in enum.values)
    numbers = [number for _, number in enum.values] or [0]
    yield f"enum {name} : int {{ {values} }};\n"
    limits = f"{before}{enum.name}"
    yield _ENUM.format(name=name, limits=limits, least=min(numbers), most=max(numbers))


def _class(
    package: str, path: tuple[str, ...], message: Message, types: Mapping[str, Named]
) -> Iterator[str]:
    name = "_".join(path)
    yield _CLASS.format(name=name)
    for inner in message.messages:
        yield f"  typedef {name}_{inner.name} {inner.name};\n"
    for enum in message.enums:
        yield f"  typedef {name}_{enum.name} {enum.name};\n"
        for value, _ in enum.values:
            whole = f"{name}_{enum.name}_{value}"
            yield f"  static constexpr {enum.name} {_word(value)} = {_word(whole)};\n"
        for limit, type_ in (("MIN", enum.name), ("MAX", enum.name), ("ARRAYSIZE", "int")):
            whole = f"{name}_{enum.name}_{enum.name}_{limit}"
            yield f"  static constexpr {type_} {enum.name}_{limit} = {whole};\n"
        yield f"  static bool {enum.name}_IsValid(int value);\n"
        yield f"  template <class T> static const std::string& {enum.name}_Name(T value);\n"
    for oneof in dict.fromkeys(field.oneof for field in message.fields if field.oneof):
        yield from _oneof(oneof, [field for field in message.fields if field.oneof == oneof])
    for field in message.fields:
        yield from _field(package, path, field, types)
    yield "};\n"


def _oneof(name: str, fields: list[Field]) -> Iterator[str]:
    cases = "".join(f"k{_camel(field.name)} = {field.number}, " for field in fields)
    kind = f"{_camel(name)}Case"
    yield f"  enum {kind} {{ {cases}{name.upper()}_NOT_SET = 0 }};\n"
    yield f"  {kind} {name}_case() const;\n  void clear_{name}();\n"


def _field(
    package: str, path: tuple[str, ...], field: Field, types: Mapping[str, Named]
) -> Iterator[str]:
    named = _resolved(field.type, package, path, types)
    type_ = _SCALARS.get(field.type) or (named.cpp if named is not None else "")
    if not type_:
        return
    name = _word(field.name.lower())
    yield f"  static constexpr int k{_camel(field.name)}FieldNumber = {field.number};\n"
    is_message = named is not None and not named.is_enum
    if field.key:
        yield _MAP.format(name=name, type=type_, key=_SCALARS.get(field.key, "std::string"))
        return
    is_string = type_ == "std::string"
    if field.repeated:
        many = "RepeatedPtrField" if is_message or is_string else "RepeatedField"
        yield _REPEATED.format(name=name, type=type_, many=f"::google::protobuf::{many}")
        one = (_REPEATED_MESSAGE, _REPEATED_STRING, _REPEATED_SCALAR)
    else:
        yield _EVERY.format(name=name)
        one = (_MESSAGE, _STRING, _SCALAR)
    yield one[0 if is_message else 1 if is_string else 2].format(name=name, type=type_)


def _resolved(
    written: str, package: str, path: tuple[str, ...], types: Mapping[str, Named]
) -> Named | None:
    """The type that a name means: that of the innermost scope that has it."""
    if written.startswith("."):
        return types.get(written[1:])
    scope = [*filter(None, package.split(".")), *path]
    names = (".".join([*scope[:depth], written]) for depth in range(len(scope), -1, -1))
    return next((types[name] for name in names if name in types), None)


def _camel(name: str) -> str:
    """Of ``data_type2x`` ``DataType2X``.

    >>> _camel("data_type2x")
    'DataType2X'
    """
    return re.sub(r"(?:^|_+|(?<=\d))([a-z]?)", lambda m: m[1].upper(), name)


def _word(name: str) -> str:
    return f"{name}_" if _KEYWORDS.fullmatch(name) else name
