"""Memory space that a pointer points into.

A concrete value is one space of the hardware: global, shared, local, constant or param.

    γ(⊥) = no space;  γ(s) = { s };  γ(GENERIC) = every space

GENERIC is the top: a pointer that went through the generic address space and whose origin is not
known. Distributed shared memory is shared memory here: it is never a global access.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from drano.lattice.base import Flat


class MemSpace(Enum):
    """An element; the value is its printed name."""

    BOTTOM = "⊥"
    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"
    PARAM = "param"
    GENERIC = "generic"

    def __repr__(self) -> str:
        return f"MemSpace.{self.name}"

    def __str__(self) -> str:
        return self.value


MEMSPACES: Final = Flat(MemSpace.BOTTOM, MemSpace.GENERIC)
"""The lattice: ``global ∨ shared = generic``; ``global ∧ generic = global``."""


def cast(pointer: MemSpace, target: MemSpace) -> MemSpace:
    """``addrspacecast`` to the space ``target``: a cast never moves a pointer elsewhere.

    To generic it keeps what is known (``shared`` → generic is still ``shared``); to a specific
    space it is that space: ``generic`` → ``global`` is ``global``. A cast between two specific
    spaces is undefined; the answer is then the space that the accesses after it will use.
    """
    if pointer is MemSpace.BOTTOM or target is MemSpace.GENERIC:
        return pointer
    return target
