"""LLVM's target for NVIDIA's GPUs: its name, and the numbers of its memories.

Source: LLVM's NVPTXUsage, "Address Spaces".
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

TRIPLE: Final = "nvptx64-nvidia-cuda"


class AddressSpace(IntEnum):
    """The numbers in types of pointers and of variables."""

    GENERIC = 0
    GLOBAL = 1
    SHARED = 3
    CONSTANT = 4
    LOCAL = 5
    SHARED_CLUSTER = 7
    PARAM = 101
