"""Headers of the SDK and of the C++ library that take longer to parse than what includes them.

Means: where a unit includes some of them, itself, through the project's own headers or through the
stand-ins of libraries, they are precompiled with the prelude. A kernel file with cooperative groups
thus takes clang a ninth of its time. A set takes as long to make as a few of its units save, so
there are two: what kernel files include most, and that with CUB, Thrust and libcu++ behind it.
Assumption: these headers can come first, in any order, where nobody sets macros before them whose
names are in them (``prelude_pch``).
Limits: names of these headers are visible without their header, as those of a header that only a
condition that does not hold would include. Where that is an error, the unit is compiled without.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from drano.frontend.headers.prelude_pch import PRELUDE, STANDARD_LIBRARY
from drano.frontend.include_flags import include_directories
from drano.frontend.text.cpp_lexer import includes
from drano.frontend.text.text_scan import TextScan

COMMON: Final = str(PRELUDE.parent / "later" / "common.h")
CCCL: Final = str(PRELUDE.parent / "later" / "cccl.h")
_STANDARD: Final = str(STANDARD_LIBRARY)
_CCCL_FOLDERS: Final = ("cub/", "cuda/", "thrust/")
_FORCED: Final = ("-include", "-imacros", "--include", "--imacros")
_FOLDER_FLAGS: Final = ("-I", "-isystem", "-cxx-isystem")


def common_headers(scan: TextScan, user: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """What to precompile for a unit of which ``scan`` has found what it includes: all that, then
    less and less, for where macros forbid more. ``user``: the user's flags.
    """
    if any(flag.startswith(_FORCED) for flag in user):
        return ()
    cccl = any(name.startswith(_CCCL_FOLDERS) for name in scan.headers)
    if not cccl and scan.headers.isdisjoint(_named(COMMON) | _named(_STANDARD)):
        return ()
    most = [(COMMON, CCCL)] if cccl else []
    choices = (*most, (COMMON,), (_STANDARD,))
    named = frozenset[str]().union(*(_named(header) for header in (*choices[0], _STANDARD)))
    places = [place for _, place in include_directories(user, _FOLDER_FLAGS)]
    if any(Path(place, name).is_file() for place in places for name in named):
        return ()  # a CUB or libcu++ of the project's own: no half of another's may come first
    return choices


@cache
def _named(header: str) -> frozenset[str]:
    """What one of our headers includes of others."""
    found = includes(Path(header).read_bytes())
    return frozenset(include.name.decode("ascii") for include in found if include.angled)
