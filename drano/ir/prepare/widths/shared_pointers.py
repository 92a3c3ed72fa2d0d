"""Accesses of shared memory that say so before they are optimised.

clang makes generic pointers of all variables, and LLVM's back end finds out what they point to only
behind the optimiser. That one takes a load of global memory in one branch and one of shared memory
in the other for a load through either pointer: ``x = tid > 0 ? tile[tid - 1] : in[i - 1]``. nvcc
keeps them apart. Here each load and store through a variable in shared memory, or through what is
computed from its address by ``getelementptr`` alone, gets a pointer to shared memory.

So does what that pointer is computed from: behind a cast LLVM no longer knows how a variable is
aligned, and merges nothing. Dynamic shared memory is aligned to 16 bytes, as nvcc declares it.

Means: the printed lines of a module in SSA form, definitions before uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_NAME: Final = r'%(?:"[^"]*"|[-\w.$]+)'
_GLOBAL: Final = r"@(?:\"[^\"]*\"|[-\w.$]+)"
_VARIABLE: Final = rf"addrspacecast \(ptr addrspace\(3\) {_GLOBAL} to ptr\)"
_PLACE = re.compile(
    rf"  ({_NAME}) = (getelementptr (?:inbounds |nuw |nusw )*[^\n(]*?, )ptr ({_NAME}|{_VARIABLE})"
    r"(, .*)"
)
_ACCESS = re.compile(rf"(  (?:{_NAME} = load|store) .*?, )ptr ({_NAME}|{_VARIABLE})(, align .*)")
_DYNAMIC = re.compile(
    rf"^({_GLOBAL} = external [^\n]*addrspace\(3\) global \[0 x [^\n]*, align )(?:1|2|4|8)\b",
    re.MULTILINE,
)


def with_shared_pointers(text: str) -> str:
    """The module with such accesses in address space 3."""
    if "addrspacecast (ptr addrspace(3) @" not in text:
        return text
    return "\n".join(_written(_DYNAMIC.sub(r"\g<1>16", text).split("\n")))


def _written(lines: Sequence[str]) -> Iterator[str]:
    shared: dict[str, str] = {}
    for number, line in enumerate(lines):
        if line.startswith("define "):
            shared = {}
        elif " = getelementptr " in line:
            place = _PLACE.match(line)
            base = None if place is None else _shared(place[3], shared)
            if place is not None and base is not None:
                name = shared[place[1]] = f"%drano.shared.{number}"
                yield line
                yield f"  {name} = {place[2]}ptr addrspace(3) {base}{place[4]}"
                continue
        elif " = load " in line or line.startswith("  store "):
            access = _ACCESS.fullmatch(line)
            base = None if access is None else _shared(access[2], shared)
            if access is not None and base is not None:
                yield f"{access[1]}ptr addrspace(3) {base}{access[3]}"
                continue
        yield line


def _shared(pointer: str, shared: Mapping[str, str]) -> str | None:
    """The same in address space 3."""
    if pointer.startswith("%"):
        return shared.get(pointer)
    return pointer[pointer.index("@") : pointer.rindex(" to ptr)")]
