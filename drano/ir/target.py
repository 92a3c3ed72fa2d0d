"""The machine that device code is for, nvptx64: what another target would have otherwise.

Sources: LLVM's NVPTXUsage, "Address Spaces" and "Marking Functions as Kernels"; the PTX ISA.
Limits: the names of intrinsics are the table's (``intrinsics.py``), layouts ``type_layout.py``'s;
32 lanes are a warp for reports, too: ``model.finding.WARP_SIZE``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from drano.model.nvptx import TRIPLE, AddressSpace

__all__ = [
    "KERNEL", "POINTER_BITS", "SHARED", "SPACES", "SPECIAL_REGISTER", "TRIPLE", "AddressSpace",
]  # fmt: skip

POINTER_BITS: Final = 64
KERNEL: Final = re.compile(r"\b(?:ptx_kernel|cc ?71)\b")
"""In the head of a function's definition, before its name: the calling convention of kernels."""
SPECIAL_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."
"""What functions begin with that read a special register; its name follows: ``tid.x``."""


SPACES: Final[Mapping[int, str]] = {
    AddressSpace.GLOBAL: "global",
    AddressSpace.SHARED: "shared",
    AddressSpace.CONSTANT: "constant",
    AddressSpace.LOCAL: "local",
    AddressSpace.SHARED_CLUSTER: "shared",
    AddressSpace.PARAM: "param",
}
"""The memory behind a pointer of an address space, as its type alone tells; generic ones do not."""
SHARED: Final = frozenset({AddressSpace.SHARED, AddressSpace.SHARED_CLUSTER})
