"""Random kernels by kind: each with a defect that an edit of the catalogue mends, or with a trap
that must keep the edit from being made, or from being called safe.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.fix.random_kernels.kernel import Kernel
from tests.fix.random_kernels.rows import narrow, staged, widened, written
from tests.fix.random_kernels.shared_memory import counted, padded, spaced, turned
from tests.fix.random_kernels.structures import aligned, apart, split
from tests.fix.random_kernels.thread_numbers import (
    dealt,
    elements,
    interchanged,
    renumbered,
    reshaped,
    swapped,
)

KINDS: tuple[Callable[[str, random.Random], Kernel], ...] = (
    padded, aligned, dealt, elements, swapped, renumbered, reshaped, widened, written, staged,
    turned, interchanged, counted, split, apart, narrow, spaced,
)  # fmt: skip
