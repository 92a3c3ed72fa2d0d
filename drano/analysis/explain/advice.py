"""What to do about a bad access, in the names of the very code: pure functions of ``Facts``.

Advice names one change that makes lanes neighbours; it is "" where none is known to fit, and the
rule's general advice has to do.
"""

from __future__ import annotations

import re
from typing import assert_never

from msgspec import Struct

from drano.model.access import AccessKind
from drano.model.hardware import SECTOR_BYTES, WARP_SIZE
from drano.model.judgement import Pattern

MAX_VECTOR_BYTES = 16
_MAX_MEMBERS = 3
_LAST_MEMBER = re.compile(r"(?:\.|->)([A-Za-z_]\w*)$")


class Facts(Struct, frozen=True):
    """What is known of one access. Names are the source's; "" where there is none.

    ``text``: the accessed expression; ``size``: bytes per lane; ``stride``: bytes between lanes,
    0 if not one known number; ``pitch``: the unknown factor of that distance.
    ``record``, ``field``, ``members``, ``record_size``: the array of structures it goes through.
    ``slow``: the variable that differs between lanes; ``fast``: one that is added to the index as
    it is, the same in all lanes; ``across``: whether that comes from ``threadIdx.y`` or ``z``.
    ``counter``: a loop counter that walks consecutive elements.
    ``neighbours``: how many elements side by side a thread accesses there.
    ``partner``: a coalesced access that the value comes from or goes to.
    ``index``: the array that the index was loaded from. ``block``: the known block shape.
    ``wide_enough``: it would be coalesced if blocks were 32 threads wide.
    ``pitches``, ``offsets``: unknown row lengths and distances that keep rows from starting on a
    sector; ``shift``: elements by which the start is off; ``element``: the element's type.
    ``written``: bytes of the access as it is written, where compiling splits it; ``part``: it has
    left out those that nothing uses.
    ``fragment``: it moves a fragment of a matrix (``nvcuda::wmma``). ``run``: bytes side by side
    that a warp accesses of each row, where several of its lanes do.
    """

    kind: AccessKind
    pattern: Pattern
    array: str = ""
    text: str = ""
    size: int = 4
    stride: int = 0
    pitch: str = ""
    record: str = ""
    field: str = ""
    members: tuple[str, ...] = ()
    record_size: int = 0
    slow: str = ""
    fast: str = ""
    across: bool = False
    counter: str = ""
    neighbours: int = 1
    partner: str = ""
    index: str = ""
    block: tuple[int, int, int] | None = None
    wide_enough: bool = False
    pitches: tuple[str, ...] = ()
    offsets: tuple[str, ...] = ()
    shift: int = 0
    element: str = ""
    written: int = 0
    part: bool = False
    fragment: bool = False
    run: int = 0


def advise(facts: Facts) -> str:
    """One sentence without its period, or "".

    >>> advise(Facts(AccessKind.LOAD, Pattern.UNALIGNED, size=4, pitches=("cols",)))
    'pad the row pitch `cols` to a multiple of 8 elements (32 bytes), as cudaMallocPitch does'
    """
    if facts.fragment:
        return _fragment(facts)
    # In blocks of one column threadIdx.x moves nothing: what would be "coalesced" is a broadcast.
    if facts.wide_enough and facts.block is not None and facts.block[0] > 1:
        return _wider_blocks(facts)
    if facts.record and facts.record_size > facts.size and facts.pattern in _SPREAD:
        return _record(facts)
    match facts.pattern:
        case Pattern.COLUMN_MAJOR:
            return _column_major(facts)
        case Pattern.STRIDED:
            return _strided(facts)
        case Pattern.UNALIGNED | Pattern.UNKNOWN_START:
            return _unaligned(facts)
        case Pattern.DATA_DEPENDENT:
            return _data_dependent(facts)
        case (
            Pattern.UNIFORM
            | Pattern.CONTIGUOUS
            | Pattern.IRREGULAR
            | Pattern.SINGLE_THREAD
            | Pattern.WIDE
            | Pattern.UNKNOWN
        ):
            return ""
        case other:
            assert_never(other)


_VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)[24]")
_SPREAD = frozenset({Pattern.STRIDED, Pattern.IRREGULAR})


def _fragment(facts: Facts) -> str:
    """A request of a fragment takes a few bytes of each of eight lines, whatever a program does."""
    if facts.kind is AccessKind.STORE:
        return (
            "store the fragment to a tile in shared memory, and that from there with consecutive "
            "threads along its rows"
        )
    return (
        "copy the tile into shared memory, consecutive threads along its rows with 16 bytes each, "
        "and load the fragment from there: its requests take a few bytes of each of eight lines"
    )


def _array(facts: Facts) -> str:
    """What is accessed, quoted where it has a name."""
    return f"`{facts.array}`" if facts.array else "the array"


def _wider_blocks(facts: Facts) -> str:
    block = facts.block or (1, 1, 1)
    shape = "x".join(str(n) for n in (block if block[2] > 1 else block[:2]))
    return (
        f"launch blocks at least {WARP_SIZE} threads wide: in a block of {shape} threads, a warp "
        f"spans {-(-WARP_SIZE // block[0])} rows"
    )


# --- arrays of structures --------------------------------------------------------------------


def _record(facts: Facts) -> str:
    array = _array(facts)
    verb = {"load": "read", "store": "write"}.get(facts.kind.value, "update")
    alone = facts.stride == facts.record_size and not facts.part
    if alone and facts.record_size in {8, MAX_VECTOR_BYTES}:
        if _VECTOR.fullmatch(facts.record):  # it is aligned as it is
            access = f"one access of {facts.record_size} bytes"
            whole = f"{verb} the whole `{facts.record}` in {access}, where more of it is needed"
            return f"{whole}; or {_split(facts)}"
        return (
            f"{verb} the whole `{facts.record}` at once: declared __align__({facts.record_size}), "
            f"its {facts.record_size} bytes take a single vector access; or {_split(facts)}"
        )
    if not facts.part and not _member(facts):
        return f"stage {array} through shared memory with coalesced copies, or {_split(facts)}"
    return _split(facts)


def _member(facts: Facts) -> str:
    """The member that is accessed, as the structure or else the expression names it."""
    written = _LAST_MEMBER.search(facts.text)
    return facts.field or (written[1] if written else "")


def _split(facts: Facts) -> str:
    member = _member(facts)
    others = [m for m in facts.members if m and m != member.split(".")[0]]
    names = [f"`{m}`" for m in (member, *others) if m]
    more = ", …" if len(names) > _MAX_MEMBERS or not facts.members else ""
    listed = f" ({', '.join(names[:_MAX_MEMBERS])}{more})" if names else ""
    way = f"split the array of `{facts.record}` into one array per member{listed}"
    if not member:
        return way
    index = _subscript(facts.text) or "i"
    return f"{way}, so that lanes access `{member.replace('.', '_')}[{index}]` contiguously"


def _subscript(text: str) -> str:
    """What stands in the first brackets of an expression: ``i`` of ``p[i].x``."""
    opening = text.find("[")
    depth = 0
    for place in range(max(opening, 0), len(text)):
        depth += (text[place] in "[(") - (text[place] in "])")
        if depth == 0:
            return text[opening + 1 : place] if opening >= 0 else ""
    return ""


# --- strides ---------------------------------------------------------------------------------


def _column_major(facts: Facts) -> str:
    array = _array(facts)
    if facts.run:  # to swap axes, or rows and columns, would leave other runs
        return (
            f"a warp takes {facts.run} bytes of each row: let more of its lanes run along a row, "
            f"or stage a tile of {array} in shared memory, whose rows lanes copy together"
        )
    if facts.partner:
        way = (
            f"read `{facts.partner}` along its rows into a tile"
            if facts.kind is not AccessKind.LOAD
            else f"read {array} along its rows into a tile"
        )
        out = array if facts.kind is not AccessKind.LOAD else f"`{facts.partner}`"
        return (
            f"transpose through shared memory: {way} (`__shared__ {facts.element or 'float'} "
            f"tile[32][33]`), synchronise, and write {out} from the tile's columns, so that "
            "threadIdx.x runs along the rows of both"
        )
    factor = f"multiplied by `{facts.pitch}`" if facts.pitch else "multiplied by the row's length"
    if facts.across and facts.slow and facts.fast:
        added = _from(facts.fast, "threadIdx.x", "which is added to the index")
        multiplied = _from(facts.slow, "threadIdx.y", f"which is {factor}")
        if added.startswith("compute "):
            multiplied = multiplied.removeprefix("compute ")
        return f"swap x and y: {added}, and {multiplied}"
    if facts.counter:
        return _row_per_thread(facts)
    if facts.slow and facts.fast:
        return (
            f"map lanes to `{facts.fast}`, which is added to the index, instead of "
            f"`{facts.slow}`, which is {factor}; or store {array} transposed"
        )
    if facts.slow:
        return (
            f"store {array} transposed, so that `{facts.slow}` is added to the index instead "
            f"of being {factor}; or load rows into shared memory along threadIdx.x"
        )
    return ""


def _from(name: str, axis: str, which: str) -> str:
    """How a variable, or a thread's number itself, gets its value from another axis.

    >>> _from("col", "threadIdx.x", "which is added"), _from("threadIdx.y", "threadIdx.x", "added")
    ('compute `col`, which is added, from threadIdx.x', 'use threadIdx.x for `threadIdx.y`, added')
    """
    if name.startswith("threadIdx."):
        return f"use {axis} for `{name}`, {which}"
    return f"compute `{name}`, {which}, from {axis}"


def _row_per_thread(facts: Facts) -> str:
    array = _array(facts)
    row = facts.pitch or (str(facts.stride // facts.size) if facts.stride else "")
    length = f" of {row if row.isdigit() else f'`{row}`'} elements" if row else ""
    return (
        f"each thread walks its own chunk{length}: let thread t process elements t, "
        f"t + threads, t + 2*threads, …, or store {array} transposed, so that `{facts.counter}` "
        "is multiplied and the thread index is added"
    )


def _strided(facts: Facts) -> str:
    if facts.across and facts.slow and facts.fast:
        return _column_major(facts)
    if facts.part:
        return (
            f"{facts.size} of {facts.written} bytes are used, and no others loaded: keep what is "
            f"used of {_array(facts)} in an array of its own, or in a type of {facts.size} bytes"
        )
    if facts.written > facts.size:
        return (
            "the compiler is not told how this is aligned, and makes "
            f"{facts.written // facts.size} requests for {facts.written} bytes: assign elements "
            "instead of copying bytes (memcpy), or wrap the pointer in `__builtin_assume_aligned`"
        )
    vector = facts.neighbours * facts.size
    if facts.neighbours > 1 and facts.stride == vector and vector in {4, 8, MAX_VECTOR_BYTES}:
        kind = _vector(facts)
        return (
            f"each thread accesses {facts.neighbours} adjacent elements: combine them into one "
            f"access of {vector} bytes, as {kind}"
        )
    if facts.counter or facts.neighbours > 1:
        return _stretch(facts)
    elements = facts.stride // facts.size if facts.stride > 0 else 0
    if elements > 1 and facts.stride % facts.size == 0:
        return (
            f"this access takes one in {elements} elements of {_array(facts)}: take "
            "neighbours that are needed, too, in one wider access, or else store these "
            "contiguously; or stage whole rows through shared memory"
        )
    return ""


def _stretch(facts: Facts) -> str:
    if facts.counter:
        return _row_per_thread(facts)
    return (
        f"each thread accesses {facts.neighbours} adjacent elements: let thread t process "
        "elements t, t + threads, t + 2*threads, …, or stage them through shared memory"
    )


def _vector(facts: Facts) -> str:
    name = {"float": "float", "int": "int", "double": "double"}.get(facts.element)
    if name is None:
        return "a vector type"
    return f"`reinterpret_cast<{name}{facts.neighbours}*>({facts.array or 'p'})[…]`"


# --- alignment -------------------------------------------------------------------------------


def _unaligned(facts: Facts) -> str:
    elements = SECTOR_BYTES // facts.size if facts.size and SECTOR_BYTES % facts.size == 0 else 0
    unit = f"{elements} elements ({SECTOR_BYTES} bytes)" if elements > 1 else "32 bytes"
    said = []
    if facts.pitches:
        names = " and ".join(f"`{name}`" for name in facts.pitches[:2])
        what = "row pitch" if len(facts.pitches) == 1 else "row pitches"
        said.append(f"pad the {what} {names} to a multiple of {unit}, as cudaMallocPitch does")
    if facts.offsets:
        names = " and ".join(f"`{name}`" for name in facts.offsets[:2])
        said.append(f"make {names}, which is added to the index, a multiple of {unit}")
    if facts.shift:
        off = f"{abs(facts.shift)} element{'s' if abs(facts.shift) > 1 else ''}"
        way = "past" if facts.shift > 0 else "before"
        said.append(
            f"start {off} {'earlier' if facts.shift > 0 else 'later'}, or pad the front: "
            f"warps start {off} {way} a multiple of {unit}"
        )
    return "; ".join(said)


# --- data ------------------------------------------------------------------------------------


def _data_dependent(facts: Facts) -> str:
    array = f"`{facts.array}`" if facts.array not in _NAMELESS else "the data"
    index = f"`{facts.index}`" if facts.index not in _NAMELESS else "the indices"
    of_array = "" if index == array else f" (or the elements of {array})"
    if facts.kind is AccessKind.ATOMIC:
        return (
            f"accumulate in a per-block copy of {array} in shared memory and add it to global "
            f"memory once, or sort by {index}"
        )
    return (
        f"sort {index}{of_array} so that neighbouring lanes access neighbouring "
        f"elements, or stage the part of {array} that a block needs in shared memory"
    )


_NAMELESS = frozenset({"", "this"})
