"""What may access memory, but is not followed: accesses of which the place and a reason are told.

Inline PTX that ``ir/prepare/inline_assembly`` does not translate, fragments of matrices, bulk
copies, and calls of code that is not here. An access that no report names would be taken for a good
one.

Textures and surfaces have a space of their own, of which nobody counts sectors of global memory.

Limits: the objects of ``mbarrier`` and tensor memory are no accesses here; nor is what the device's
run-time library does by itself (``malloc``, launches from kernels).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from drano.analysis.access_sites import Site, copied_where
from drano.analysis.bulk_copies import bulk_copy, is_bulk_prefetch
from drano.analysis.spaces import reported_space
from drano.ir.intrinsics import is_library, is_provided, short_name
from drano.ir.model import Call, Function, IntConst, NullConst, Operand, PointerType
from drano.ir.target import SPACES, AddressSpace
from drano.model.access import AccessKind
from drano.model.judgement import Space
from drano.model.symbols import plain_symbol

_NO_ACCESS: Final = (
    r"(?!prefetch|mbarrier|txq|suq|fence|createpolicy|cp\.async\.mbarrier|tcgen05\.(?!alloc))"
)
_STATEMENT = re.compile(r"[\s{]*(?:\S+:\s+)*[\s{]*(?:@!?[\w%$]+\s+)?([a-z]\w*(?:\.[\w:]+)*)\s")
_OPERAND = re.compile(rf"(?<![.:\w$%]){_NO_ACCESS}([a-z]\w*)((?:\.[\w:]+)*)[^;\[]*\[")
_ACCESS = re.compile(rf"{_NO_ACCESS}[a-z]\w*")
_LOADS: Final = frozenset({"ld", "ldu", "ldmatrix"})
_STORES: Final = frozenset({"st", "stmatrix"})
_IMAGES: Final = frozenset({"tex", "tld4", "suld", "sust", "sured"})
_DESCRIBED = re.compile(r"\b(?:wgmma\.mma_async|tcgen05\.(?:mma|cp))\b")
_IMAGE = re.compile(rf"llvm\.nvvm\.({'|'.join(sorted(_IMAGES))})\.")
# Of references, which CUDA had before it had objects: ``prelude/textures.h`` declares them.
_REFERENCE = re.compile(r"_Z\d+(tex|surf)(?:\dD|Cubemap)\w*7(?:texture|surface)I")
_IMAGE_REASON: Final = "the texture unit caches it by its neighbours in all dimensions"
_FRAGMENT = re.compile(r"llvm\.nvvm\.(?:wmma\.\w+\.(load|store)\.|(ldmatrix|stmatrix)\.)")
_READS = re.compile(r"\.(?:load|gather|expandload)\.")
_PART = re.compile(r"llvm\.nvvm\.cp\.async\.c[ag]\.shared\.global\.\d+\.s$")
_BULK: Final = ("llvm.nvvm.cp.async.bulk", "llvm.nvvm.cp.reduce.async.bulk")
_BULK_PTX = re.compile(r"\bcp\.(?:reduce\.)?async\.bulk\b")
_BULK_REASON: Final = "a bulk copy that one thread starts"
_COMPUTING: Final = ("llvm.nvvm.wmma.", "llvm.nvvm.mma.")


class Unseen(Struct, frozen=True):
    """``reason``: why nothing is known of the site's lanes; ``through_pointer``: that its access
    goes where the site's pointer points; ``good_if``: where what lanes do does not matter, as the
    hardware moves bytes side by side, the condition on which that is enough; None: it does.
    """

    site: Site
    space: Space
    reason: str
    through_pointer: bool = False
    good_if: str | None = None


_Told: TypeAlias = tuple[AccessKind, AddressSpace, str]


def unseen_accesses(
    function: Function, defined: Container[str], first: int, absent: Mapping[str, str]
) -> Iterator[Unseen]:
    """Those of ``function``, numbered from ``first``. ``defined``: functions that are analysed
    themselves; ``absent``: why others are not, where that is known.
    """
    seen: set[object] = set()
    definitions = {i.index: i for block in function.blocks for i in block.instructions}
    for block in function.blocks:
        for call in block.instructions:
            told = _told(call, defined, absent) if isinstance(call, Call) else None
            if told is None or not isinstance(call, Call) or (call.location, told) in seen:
                continue
            if copied_where(call, definitions) is not None:
                continue  # a site of its own
            seen.add((call.location, told))  # the same place once, however often it is expanded
            yield _unseen(first, block.index, call, told)
            first += 1


def _unseen(number: int, block: int, call: Call, told: _Told) -> Unseen:
    kind, space, reason = told
    copy = bulk_copy(call) if reason is _BULK_REASON else None
    if copy is not None:
        kind, reason = copy.kind, copy.reason
    site = Site(
        number, block, call, (call.index,), _pointer(call), kind, 0, 1, space, call.location
    )
    if copy is not None:
        return Unseen(site, copy.space, reason, good_if=copy.condition)
    if reason is _IMAGE_REASON:
        return Unseen(site, Space.TEXTURE, reason)
    fragment = _FRAGMENT.match(call.callee or "") is not None
    return Unseen(site, reported_space(SPACES.get(space, "")), reason, fragment)


def _told(call: Call, defined: Container[str], absent: Mapping[str, str]) -> _Told | None:
    """Kind, space and reason of a call that may access memory."""
    name = call.callee
    if name == "asm":
        return _assembly(call.text)
    if name is None:
        return AccessKind.OTHER, AddressSpace.GENERIC, "a call through a pointer"
    if name in defined or is_library(name) or (name.startswith(_COMPUTING) and ".mma" in name):
        return None
    fragment = _FRAGMENT.match(name)
    if fragment:
        kind = AccessKind.LOAD if "load" in name or fragment[2] == "ldmatrix" else AccessKind.STORE
        return kind, _space_of(name), "the hardware spreads the matrix over the lanes"
    image = _IMAGE.match(name)
    if image:
        return _of_image({image[1]})
    reference = _REFERENCE.match(name)
    if reference:
        surface = "sust" if "write" in short_name(name) else "suld"
        return _of_image({"tex" if reference[1] == "tex" else surface})
    if name.startswith("llvm.masked."):
        kind = AccessKind.LOAD if _READS.search(name) else AccessKind.STORE
        return kind, _space_of(name), "which elements of a vector it accesses, a mask says"
    if _PART.match(name):
        if call.args[2:] and isinstance(call.args[2], IntConst) and call.args[2].value == 0:
            return None  # it reads nothing, and fills with zeros
        return AccessKind.LOAD, AddressSpace.GLOBAL, "how many bytes it copies, an operand says"
    if is_bulk_prefetch(name):
        return None
    if name.startswith(_BULK):
        return AccessKind.OTHER, AddressSpace.GENERIC, _BULK_REASON
    if is_provided(name):
        return None
    said = f"the code of `{plain_symbol(short_name(name))}` is not here"
    why = f": {absent[name]}" if name in absent else ""
    return AccessKind.OTHER, AddressSpace.GENERIC, said + why


def _of_image(opcodes: set[str]) -> _Told:
    """What PTX's opcodes do to textures and surfaces."""
    writes = opcodes & {"sust", "sured"}
    kind = (
        AccessKind.OTHER if "sured" in writes else AccessKind.STORE if writes else AccessKind.LOAD
    )
    return kind, AddressSpace.GENERIC, _IMAGE_REASON


def _assembly(text: str) -> _Told | None:
    """Of inline PTX; None where no operand is an address."""
    if _DESCRIBED.search(text):
        return AccessKind.LOAD, AddressSpace.SHARED, "the hardware reads a matrix by a description"
    matches = [*_opcodes(text)]
    opcodes = set(matches)
    if not opcodes:
        return None
    if opcodes <= _IMAGES:
        return _of_image(opcodes)
    if opcodes == {"cp"} and is_bulk_prefetch(text):
        return None
    kind = AccessKind.OTHER
    if opcodes <= _LOADS:
        kind = AccessKind.LOAD
    elif opcodes <= _STORES:
        kind = AccessKind.STORE
    bulk = matches == ["cp"] and _BULK_PTX.search(text) is not None
    return kind, _space_of(text), _BULK_REASON if bulk else "inline PTX that is not followed"


def _opcodes(text: str) -> Iterator[str]:
    """The first words of the instructions that access memory by an operand."""
    for statement in text.split(";"):
        if "[" not in statement:
            continue
        plain = _STATEMENT.match(statement)
        if plain is None:  # whatever stands there: a comment, say
            yield from (match[1] for match in _OPERAND.finditer(statement))
        elif (access := _ACCESS.match(plain[1])) is not None:
            yield access[0]


def _space_of(text: str) -> AddressSpace:
    """The one space that modifiers name, or suffixes of an intrinsic."""
    shared = ".shared" in text or ".p3" in text
    is_global = ".global" in text or ".p1" in text
    if shared == is_global:
        return AddressSpace.GENERIC
    return AddressSpace.SHARED if shared else AddressSpace.GLOBAL


def _pointer(call: Call) -> Operand:
    """The first pointer that is passed in."""
    pairs = zip(call.args, call.arg_types, strict=False)
    return next((a for a, type_ in pairs if isinstance(type_, PointerType)), NullConst())
