"""Keep an array of structures by members, on the device.

## What it does

`split-structure` has the device keep an array of structures in groups of 32 elements, each a
structure of arrays, so that a warp that reads one member of 32 neighbours finds them in a row:

```cuda
struct Particle { float x, y, z; };
p[i].x += 1;                            // before: lanes are 12 bytes apart

struct Particle_by_32 { float x[32], y[32], z[32]; };
p[(unsigned)i / 32].x[(unsigned)i % 32] += 1;  // after: lanes are neighbours
```

The host's arrays stay as they are. Where it allocates or copies the array, it calls functions of
the new structure, which rearrange it:

```cuda
cudaMalloc(&p, Particle_by_32::bytes(n * sizeof(Particle)));
Particle_by_32::copy_in(p, host, n * sizeof(Particle));
```

A reference (`Particle& q = p[i]`) or pointer to an element becomes one to its group, with the
element's lane beside it; copies of elements (`Particle q = p[i];`, `p[i] = q;`) go member by
member.

## When it is offered

* All members of the structure are public numbers, pointers, arrays of them, or plain structures.
* The array is a variable of the host's, of which all that happens to it is seen: `cudaMalloc`,
  `cudaMemcpy` of whole elements from or to the host, `cudaFree`, launches.
* The kernels that get it use nothing but its elements' members, references to elements and copies
  of them; all their launches are seen to pass such arrays.
* The analysis of the edited text finds fewer sectors, and no other access worse.

## What is proved

That no code is left which takes the array for a plain one: each place is seen where the names of
the array and of its kernels stand. Elements keep their numbers, which are not negative, for the
kernel is given the array's beginning. So the edit is safe, unless other units may see the variable,
or launches name streams: copies to an array take its groups as a whole.

## Cost

The host rearranges what it copies: it pays where kernels run for longer than that, or many times
for each copy. Where lanes read several members of elements that lie anywhere, a plain structure has
them in one sector, and a split one has not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct, field

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix, Relaid
from drano.fix.host.calls import Call, divided, parts
from drano.fix.host.device_arrays import DeviceArray, HostText, Place, device_array
from drano.fix.host.launched_kernel import LaunchedKernel, launched_kernel
from drano.fix.records import is_global, is_part_of_another
from drano.fix.source_tree import Tree, same_file
from drano.fix.split_accesses import NotSplitError, split_accesses
from drano.fix.split_layout import Layout, declaration, layout
from drano.frontend.libclang import Kind, Node, is_kernel, key
from drano.frontend.text.cpp_lexer import NAME, identifiers, macros, statement_start
from drano.frontend.type_kinds import POINTER, RECORD
from drano.host.function_bodies import preorder, survey
from drano.model.finding import Finding
from drano.model.hardware import WARP_SIZE
from drano.model.system_headers import is_system_header

EDIT_NAME: Final = "split-structure"
_MOST: Final = 16
_WITHOUT_STREAM: Final = 3
_DECLARATOR: Final = re.compile(rb"\*\s*(\w+)\s*(?:=\s*(?:NULL|nullptr|0)\s*)?")
_DECLARED: Final = re.compile(rb"((?:static\s+)?(?:struct\s+)?)(\w+)\b\s*")
_VOID: Final = re.compile(rb"\A\(\s*(?:const\s+)?void\s*\*\s*\)\s*")
_GROUP: Final = re.compile(rb"\([^()\[\]]*\)|\[[^()\[\]]*\]")
_FACTOR: Final = re.compile(rb"\s*[\w.\s]*\s*")


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    own, access = scene.body(finding), finding.access
    if own is None or scene.host is None or access is None or not is_kernel(own.root.cursor):
        return
    parameters = [node for node in own.root.children if node.kind == Kind.PARM]
    parameter = own.variable(access.judgement.array) if access.judgement.array else None
    declared = None if parameter is None else _pointed(parameter)
    if parameter is None or declared is None or not scene.host.unit.whole:
        return
    found = layout(declared)
    if found is None or is_part_of_another(declared, scene.host.unit):
        return
    try:
        change = _Change(scene, scene.host, found, key(declared))
        change.follow(own.root.spelling, parameters.index(parameter))
        yield _fix(change, declared)
    except (NotSplitError, ValueError):
        return


def _pointed(parameter: Node) -> Any | None:
    """The structure of the user's that a parameter points to."""
    if parameter.kind != Kind.PARM or parameter.type_kind != POINTER:
        return None
    pointee = parameter.cursor.type.get_canonical().get_pointee()
    if int(pointee.get_canonical()._kind_id) != RECORD or pointee.is_volatile_qualified():
        return None
    declared = pointee.get_canonical().get_declaration()
    file = declared.location.file
    known = file is not None and not is_system_header(file.name) and is_global(declared)
    return declared if known and declared._kind_id in {Kind.STRUCT, Kind.CLASS} else None


# --- what has to change together ---------------------------------------------------------------


class _Change(Struct):
    """``record``: the key of the structure. Mutated: ``kernels`` with the positions of their
    parameters that are split, and ``arrays``, by their places.
    """

    scene: Scene
    host: HostText
    layout: Layout
    record: int
    kernels: dict[str, tuple[LaunchedKernel, set[int]]] = field(default_factory=dict)
    arrays: dict[Place, DeviceArray] = field(default_factory=dict)

    @property
    def unit(self) -> Tree:
        return self.host.unit

    def follow(self, kernel: str, position: int) -> None:
        """All kernels and arrays that a kernel's parameter shares its layout with."""
        waiting = [(kernel, position)]
        while waiting:
            name, at = waiting.pop()
            if name not in self.kernels:
                self.kernels[name] = (self._kernel(name), set())
            own, positions = self.kernels[name]
            if at in positions:
                continue
            positions.add(at)
            declared = _pointed(own.parameters[at])
            if declared is None or key(declared) != self.record or len(self.kernels) > _MOST:
                raise NotSplitError
            for launch in own.launches:
                waiting += self._given(launch, at)

    def _given(self, launch: Call, position: int) -> list[tuple[str, int]]:
        array = device_array(self.host, launch, position)
        if array is None:
            raise NotSplitError
        if array.place in self.arrays:
            return []
        self.arrays[array.place] = array
        return [(call.name.decode(), at) for call, at in array.passed]

    def _kernel(self, name: str) -> LaunchedKernel:
        found = launched_kernel(self.host, self.scene.report.kernels, self.scene.unit.shown, name)
        if found is None:
            raise NotSplitError
        return found


# --- the edits ---------------------------------------------------------------------------------


def _fix(change: _Change, declared: Any) -> Fix:
    of = change.layout
    edits: list[Edit] = []
    for own, positions in change.kernels.values():
        parameters = own.parameters
        edits += split_accesses(own.body, of, [parameters[at] for at in sorted(positions)])
    for array in change.arrays.values():
        for call in array.allocations:
            edits += _allocated(change, call)
        for call in (*array.inward, *array.outward):
            edits += _copied(change, call, inward=call in array.inward)
    edits += _declarations(change)
    edits += _structure(change, declared, edits)
    unproved = _unproved(change)
    names = sorted(array.name for array in change.arrays.values())
    members = tuple((member.offset, member.size, max(member.count, 1)) for member in of.members)
    return Fix(
        EDIT_NAME,
        f"keep {' and '.join(names)} by members of {of.name}",
        tuple(sorted(edits)),
        unproved,
        relaid=tuple(Relaid(name, of.size, WARP_SIZE, members) for name in names),
    )


def _unproved(change: _Change) -> str:
    """What is not proved of the edit: copies touch whole groups, so that nobody else may be at work
    on one.
    """
    for array in change.arrays.values():
        if array.unproved:
            return array.unproved
        streams = any(launch.configuration > _WITHOUT_STREAM for launch, _ in array.passed)
        if array.inward and streams:
            return f"that no kernel of another stream writes to {array.name} while it is copied to"
    return ""


def _structure(change: _Change, declared: Any, edits: Sequence[Edit]) -> list[Edit]:
    """The new structure: behind the old one, or before all that uses it where that is in another
    file. Nothing where it is there.
    """
    path, text = change.scene.unit.path, declaration(change.layout).encode()
    other = {edit.path for edit in edits} - {path}
    home = next((f for f in change.unit.files if same_file(declared.location.file.name, f)), path)
    path = home if other and home.endswith(".cu") else path
    code = change.host.codes[path]
    source = change.unit.text(path)
    if text in source:
        known = source.index(text) + len(text)
        if any(edit.path != path or edit.start < known for edit in edits):
            raise NotSplitError
        return []
    split = change.layout.split.encode()
    if any(split in identifiers(change.unit.text(file)) for file in change.unit.files):
        raise NotSplitError
    if same_file(declared.location.file.name, path):
        ended = code.find(b";", int(declared.extent.end.offset) - 1)
        at = source.find(b"\n", ended) + 1
        open_ = source[ended:at].rpartition(b"/*")[2]
        if at <= 0 or (b"/*" in source[ended:at] and b"*/" not in open_):
            raise NotSplitError
        if any(edit.path == path and edit.start < at for edit in edits):
            raise NotSplitError
        behind = b"" if source[at : at + 1] == b"\n" else b"\n"
        return [Edit(path, at, at, b"\n" + text + behind)]
    if any(edit.path != path for edit in edits):
        raise NotSplitError
    first = min(edit.start for edit in edits)
    function = change.unit.function_at(path, source.count(b"\n", 0, first) + 1)
    if function is not None:
        first = min(first, int(function.cursor.extent.start.offset))
    start = statement_start(code, first)
    start += len(code[start:]) - len(code[start:].lstrip())
    start = source.rfind(b"\n", 0, start) + 1
    depth = code.count(b"{", 0, start) - code.count(b"}", 0, start)
    if depth or code[start:first].count(b"}") or source[start - 2 : start - 1] == b"\\":
        raise NotSplitError
    return [Edit(path, start, start, text + b"\n")]


def _allocated(change: _Change, call: Call) -> Iterator[Edit]:
    start, end = call.arguments(change.host.codes[call.path])[1]
    source = change.unit.text(call.path)
    _check_size(change, call, start, end)
    split = change.layout.split.encode()
    yield Edit(call.path, start, end, b"%b::bytes(%b)" % (split, source[start:end]))


def _copied(change: _Change, call: Call, *, inward: bool) -> Iterator[Edit]:
    to, from_, size, kind = call.arguments(change.host.codes[call.path])
    _check_size(change, call, *size)
    word = b"copy_in" if inward else b"copy_out"
    name = b"%b::%b" % (change.layout.split.encode(), word)
    yield Edit(call.path, call.place, call.place + len(call.name), name)
    source = change.unit.text(call.path)
    for start, end in (to, from_):
        cast = _VOID.match(source[start:end])
        if cast:
            yield Edit(call.path, start, start + cast.end(), b"")
    yield Edit(call.path, size[1], kind[1], b"")


def _check_size(change: _Change, call: Call, start: int, end: int) -> None:
    """Raises NotSplitError unless the bytes are those of whole elements."""
    text = change.host.codes[call.path][start:end]
    if _is_multiple(change, text):
        return
    line = change.host.codes[call.path].count(b"\n", 0, start) + 1
    function = change.unit.function_at(call.path, line)
    root = None if function is None else change.host.tree(function)
    named = [
        node for node in (preorder(root) if root is not None else ())
        if node.kind == Kind.VAR and node.spelling.encode() == text
    ]  # fmt: skip
    if not NAME.fullmatch(text) or len(named) != 1 or root is None:
        raise NotSplitError
    known, variable = survey(root, None), key(named[0].cursor)
    if variable in {*known.unknown, *known.written, *known.exposing.values()}:
        raise NotSplitError
    extent = named[0].cursor.extent
    place = (int(extent.start.offset), int(extent.end.offset))
    first = change.host.codes[call.path][slice(*place)].partition(b"=")[2]
    if not _is_multiple(change, first):
        raise NotSplitError


def _is_multiple(change: _Change, text: bytes) -> bool:
    """Whether a size is the structure's, times something."""
    name = change.layout.name.encode()
    one = re.compile(rb"\s*sizeof\s*\(\s*(?:struct\s+)?%b\s*\)\s*" % re.escape(name))
    opened = {
        macro.name for path in change.unit.files for macro in macros(change.unit.text(path))
        if not re.fullmatch(rb"\s*(?:[\w.]+|\(.*\))\s*(?://.*|/\*.*)?", macro.body)
    }  # fmt: skip
    if identifiers(text) & opened:
        return False
    factors = parts(text, b"*")
    return any(one.fullmatch(part) for part in factors) and all(
        one.fullmatch(part) or _FACTOR.fullmatch(_without_groups(part)) for part in factors
    )


def _without_groups(text: bytes) -> bytes:
    text = text.replace(b"->", b".")
    while _GROUP.search(text):
        text = _GROUP.sub(b"", text)
    return text


def _declarations(change: _Change) -> Iterator[Edit]:
    """The arrays' types; what is declared with them keeps its own."""
    statements: dict[tuple[str, int], set[bytes]] = {}
    for array in change.arrays.values():
        path, at = array.place
        start = statement_start(change.host.codes[path], at)
        statements.setdefault((path, start), set()).add(array.name.encode())
    for (path, start), names in statements.items():
        yield _redeclared(change, path, start, names)


def _redeclared(change: _Change, path: str, start: int, names: set[bytes]) -> Edit:
    code = change.host.codes[path]
    start += len(code[start:]) - len(code[start:].lstrip())
    end = code.find(b";", start)
    head = _DECLARED.match(code, start, end)
    if head is None or head[2] != change.layout.name.encode():
        raise NotSplitError
    source = change.unit.text(path)
    mine: list[bytes] = []
    rest: list[bytes] = []
    for first, last in divided(code, head.end(), end):
        match = _DECLARATOR.fullmatch(code, first, last)
        own = match is not None and match[1] in names
        (mine if own else rest).append(source[first:last])
    if len(mine) != len(names):
        raise NotSplitError
    split = change.layout.split.encode()
    if not rest:
        return Edit(path, *head.span(2), split)
    gap = code[head.end(2) : head.end()]
    indent = source[source.rfind(b"\n", 0, start) + 1 : start]
    between = b"\n" + indent if not indent.strip() else b" "
    text = b"%b%b;%b%b%b %b" % (
        gap, b", ".join(rest), between, head[1], split, b", ".join(mine),
    )  # fmt: skip
    return Edit(path, head.end(2), end, text)


EDIT = CatalogueEdit(EDIT_NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
