"""What CCCL 3, of CUDA 13, has taken out of CUB and Thrust.

Code for CUDA 12 and older has ``cub::Max``, ``thrust::unary_function`` and the like. A unit that
misses one of them is compiled again, with a header of ours in front that declares them all.
Headers of Thrust include one another less than they did: a unit that misses another of its names
gets them all.

Assumption: names went together, so that nobody misses one where the SDK has another.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_LATER: Final = Path(__file__).parents[1] / "prelude" / "later"
FLAGS: Final = ("-include", str(_LATER / "old_cccl.h"))
"""clang's flags for a unit that misses names that are no more."""
THRUST_FLAGS: Final = ("-include", str(_LATER / "thrust.h"))
"""clang's flags for a unit that misses names of headers that it does not include."""

_MISSED: Final = re.compile(
    r"'(?:Max|Min|Sum|Difference|Division|Equality|Inequality|If|Equals|Int2Type|Swap"
    r"|FpLimits|ArrayWrapper|(?:Constant|Counting|Transform)InputIterator|DiscardOutputIterator"
    r"|SH[LR]_ADD|PRMT|ThreadTrap|CTA_SYNC\w*|WARP_\w+|LaneId|WarpId)'"
    r" in namespace 'cub\b"
    r"|'(?:identity|unary_function|binary_function)' in namespace 'thrust\b"
)
_OTHER: Final = re.compile(r"no (?:member|type|template)(?: named)? '\w+' in namespace 'thrust\b")


def missed(message: str) -> bool:
    """Whether clang says that one of them is not there."""
    return _MISSED.search(message) is not None


def missed_header(message: str) -> bool:
    """Whether clang says that another name of Thrust's is not there."""
    return _OTHER.search(message) is not None and not missed(message)
