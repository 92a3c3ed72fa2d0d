"""Names that CCCL 3, of CUDA 13, has taken out of CUB and Thrust.

Code for CUDA 12 and older has ``cub::Max``, ``thrust::unary_function`` and the like. A unit that
misses one of them is compiled again, with a header of ours in front that declares them all.

Assumption: they went together, so that nobody misses one where the SDK has another.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

FLAGS: Final = ("-include", str(Path(__file__).parents[1] / "prelude" / "later" / "old_cccl.h"))
"""clang's flags for a unit that misses some."""

_MISSED: Final = re.compile(
    r"'(?:Max|Min|Sum|Difference|Division|Equality|Inequality|If|Equals|Int2Type|Swap"
    r"|FpLimits|ArrayWrapper|(?:Constant|Counting|Transform)InputIterator|DiscardOutputIterator"
    r"|SH[LR]_ADD|PRMT|ThreadTrap|CTA_SYNC\w*|WARP_\w+|LaneId|WarpId)'"
    r" in namespace 'cub\b"
    r"|'(?:identity|unary_function|binary_function)' in namespace 'thrust\b"
)


def missed(message: str) -> bool:
    """Whether clang says that one of them is not there."""
    return _MISSED.search(message) is not None
