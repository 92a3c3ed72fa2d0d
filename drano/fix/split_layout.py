"""An array of structures with the members of neighbouring elements side by side.

Means: elements are kept in groups of 32, each a structure of arrays: member ``x`` of element
``i`` is ``[i / 32].x[i % 32]``. A warp that reads one member of 32 neighbours finds them in a row,
and an element's place does not depend on how many there are. ``layout`` is of a structure all of
whose members are known and may be kept so; ``declaration`` its text, with functions that copy such
arrays from and to plain ones.
Limits: no bases, virtual functions, bit-fields, constants, references, nested types, or arrays of
arrays; all members public, and such that their bytes may be copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from drano.frontend.libclang import Kind, children
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, POINTER, RECORD
from drano.model.hardware import WARP_SIZE

_ARRAY: Final = 112
_PUBLIC: Final = "AccessSpecifier.PUBLIC"
_REFUSED: Final = frozenset({Kind.BASE, Kind.UNION, Kind.STRUCT, Kind.CLASS, Kind.FRIEND})
_VALUES: Final = frozenset({*INTEGER_TYPES, *FLOAT_TYPES, POINTER, RECORD})
_ENUM: Final = 106


class Member(Struct, frozen=True):
    """``count``: of its elements where it is an array, else 0; ``offset``, ``size``: in bytes of
    all of it.
    """

    name: str
    type: str
    count: int
    offset: int
    size: int


class Layout(Struct, frozen=True):
    """Of a structure of ``size`` bytes; ``aggregate``: braces may list its
    members, and it is copied by them.
    """

    name: str
    size: int
    members: tuple[Member, ...]
    aggregate: bool

    @property
    def split(self) -> str:
        """The name of the structure that holds a group of elements."""
        return f"{self.name}_by_{WARP_SIZE}"


def layout(declared: Any) -> Layout | None:
    """Of the structure that a cursor declares; None where it cannot be kept by members."""
    inner = children(declared)
    name = str(declared.type.spelling).removeprefix("struct ")
    if not name.isidentifier() or any(child._kind_id in _REFUSED for child in inner):
        return None
    if any(child._kind_id == Kind.METHOD and child.is_virtual_method() for child in inner):
        return None
    if any(child._kind_id == Kind.DESTRUCTOR for child in inner):
        return None
    members = [_member(child) for child in inner if child._kind_id == Kind.FIELD]
    known = tuple(member for member in members if member is not None)
    size = int(declared.type.get_size())
    if len(known) != len(members) or len(known) < 2 or size <= 0:
        return None
    aggregate = not any(
        child._kind_id == Kind.CONSTRUCTOR or str(child.spelling) == "operator=" for child in inner
    )
    return Layout(name, size, known, aggregate)


def _member(field: Any) -> Member | None:
    type_ = field.type.get_canonical()
    spelled = str(field.type.spelling)
    count = 0
    if int(type_._kind_id) == _ARRAY:
        count = int(type_.get_array_size())
        spelled = str(field.type.get_array_element_type().spelling)
        type_ = type_.get_array_element_type().get_canonical()
    kind, bits = int(type_._kind_id), int(field.get_field_offsetof())
    plain = kind in _VALUES or kind == _ENUM
    qualified = type_.is_const_qualified() or type_.is_volatile_qualified()
    if not plain or qualified or field.is_bitfield() or not type_.is_pod():
        return None
    if str(field.access_specifier) != _PUBLIC or "(" in spelled or not spelled or bits % 8:
        return None
    size = int(type_.get_size()) * max(count, 1)
    return Member(str(field.spelling), spelled, count, bits // 8, size)


def declaration(of: Layout) -> str:
    """The structure's text."""
    plain, split = of.name, of.split
    parts = "".join(f"  {_declared(member)};\n" for member in of.members)
    inward, outward = ("".join(_copied(of, out=out)) for out in (False, True))
    index = f"[i / {WARP_SIZE}].{of.members[0].name}[i % {WARP_SIZE}]"
    return f"""// {plain}s by members: {of.members[0].name} of element i is {index}.
struct {split} {{
{parts}
  // The bytes that an array takes which has so many as plain {plain}s.
  static size_t bytes(size_t plain) {{
    return (plain / sizeof({plain}) + {WARP_SIZE - 1}) / {WARP_SIZE} * sizeof({split});
  }}
  static cudaError_t copy_in({split}* to, const {plain}* from, size_t plain) {{
    const size_t count = plain / sizeof({plain}), groups = bytes(plain) / sizeof({split});
    {split}* all = new {split}[groups];
    if (count % {WARP_SIZE} != 0)  // what is behind the last element stays
      cudaMemcpy(all + groups - 1, to + groups - 1, sizeof({split}), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < count; i++) {{
      {split}& group = all[i / {WARP_SIZE}];
{inward}    }}
    const cudaError_t error = cudaMemcpy(to, all, bytes(plain), cudaMemcpyHostToDevice);
    delete[] all;
    return error;
  }}
  static cudaError_t copy_out({plain}* to, const {split}* from, size_t plain) {{
    const size_t count = plain / sizeof({plain}), groups = bytes(plain) / sizeof({split});
    {split}* all = new {split}[groups];
    const cudaError_t error = cudaMemcpy(all, from, bytes(plain), cudaMemcpyDeviceToHost);
    for (size_t i = 0; error == cudaSuccess && i < count; i++) {{
      const {split}& group = all[i / {WARP_SIZE}];
{outward}    }}
    delete[] all;
    return error;
  }}
}};
"""


def _declared(member: Member) -> str:
    gap = "" if member.type.endswith("*") else " "
    own = f"[{member.count}]" if member.count else ""
    return f"{member.type}{gap}{member.name}{own}[{WARP_SIZE}]"


def _copied(of: Layout, *, out: bool) -> Iterator[str]:
    for member in of.members:
        index = "[k]" if member.count else ""
        one = f"group.{member.name}{index}[i % {WARP_SIZE}]"
        other = f"{'to' if out else 'from'}[i].{member.name}{index}"
        head = f"for (int k = 0; k < {member.count}; k++) " if member.count else ""
        yield f"      {head}{other if out else one} = {one if out else other};\n"
