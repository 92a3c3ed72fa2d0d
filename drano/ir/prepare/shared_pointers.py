"""Accesses of shared memory that say so before they are optimised.

clang makes generic pointers of all variables, and LLVM's back end finds out what they point to only
behind the optimiser. That one takes a load of global memory in one branch and one of shared memory
in the other for a load through either pointer: ``x = tid > 0 ? tile[tid - 1] : in[i - 1]``. nvcc
keeps them apart. Here each load and store through a variable in shared memory, or through what is
computed from its address by ``getelementptr`` alone, gets a pointer to shared memory.

Means: the printed lines of a module in SSA form, definitions before uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_NAME: Final = r'%(?:"[^"]*"|[-\w.$]+)'
_VARIABLE: Final = r"addrspacecast \(ptr addrspace\(3\) @(?:\"[^\"]*\"|[-\w.$]+) to ptr\)"
_PLACE = re.compile(
    rf"  ({_NAME}) = getelementptr (?:inbounds |nuw |nusw )*[^\n]*?, ptr ({_NAME}|{_VARIABLE}), "
)
_ACCESS = re.compile(rf"(  (?:{_NAME} = load|store) .*?, )ptr ({_NAME}|{_VARIABLE})(, align .*)")


def with_shared_pointers(text: str) -> str:
    """The module with such accesses in address space 3."""
    if "addrspacecast (ptr addrspace(3) @" not in text:
        return text
    return "\n".join(_written(text.split("\n")))


def _written(lines: Sequence[str]) -> Iterator[str]:
    shared: set[str] = set()
    for number, line in enumerate(lines):
        if line.startswith("define "):
            shared = set()
        elif " = getelementptr " in line:
            place = _PLACE.match(line)
            if place is not None and (place[2] in shared or not place[2].startswith("%")):
                shared.add(place[1])
        elif " = load " in line or line.startswith("  store "):
            access = _ACCESS.fullmatch(line)
            if access is not None and (access[2] in shared or not access[2].startswith("%")):
                before, pointer, behind = access.groups()
                name = f"%drano.shared.{number}"
                yield f"  {name} = addrspacecast ptr {pointer} to ptr addrspace(3)"
                yield f"{before}ptr addrspace(3) {name}{behind}"
                continue
        yield line
