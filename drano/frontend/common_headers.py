"""Headers of the SDK and of the C++ library that take longer to parse than what includes them.

Means: what a unit includes of them, itself or through the project's own headers, is precompiled
with the prelude, for all units that include the same. A kernel file with cooperative groups thus
takes clang a ninth of its time. A set takes as long to make as two of its units save, so there are
few: the C++ library comes with cooperative groups, and both with half precision.
Assumption: these headers can come first, in any order, where nobody sets macros that they look at.
Limits: names of the standard library are visible without their header, as those of a header that
only a condition that does not hold would include.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from drano.frontend.text_scan import TextScan

_STANDARD: Final = (
    "algorithm", "array", "chrono", "cmath", "cstdint", "cstring", "fstream", "functional",
    "iomanip", "iostream", "limits", "map", "memory", "numeric", "random", "set", "sstream",
    "stdexcept", "string", "tuple", "type_traits", "unordered_map", "utility", "vector",
)  # fmt: skip
_HALF: Final = ("cuda_bf16.h", "cuda_fp16.h")
_GROUPS: Final = (
    "cooperative_groups.h", "cooperative_groups/memcpy_async.h", "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
)  # fmt: skip
# By themselves, as each of them is long and few units share many.
_SINGLE: Final = frozenset({"cuda_fp8.h", "cuda_pipeline.h", "curand_kernel.h", "mma.h"})
_SINGLE_FOLDERS: Final = ("cub/", "cuda/", "thrust/")

# What decides about declarations in these headers, or makes other words of theirs.
_MACROS: Final = re.compile(
    r"(?:_GLIBCXX|_GNU_|_XOPEN_|_POSIX_|_BSD_|_DEFAULT_|_LARGEFILE|_FILE_OFFSET|_FORTIFY|_REENTRANT"
    r"|__STDC_|_USE_MATH|__CUDA|_CUDA|CUDA_NO_|CUDART_|CUB_|THRUST_|CCCL_|_CCCL|_?LIBCUDACXX|_CG_"
    r"|CG_|CURAND_|NV_)\w*(?<!_H)(?<!_H_)(?<!_H__)(?<!_CUH)(?<!_CUH_)(?<!_CUH__)(?<!_HPP)"
    r"|NDEBUG|assert|min|max|private|public|protected|class|struct|static|inline|const|restrict"
    r"|__\w+__(?<!_H__)(?<!_CUH__)(?<!_HPP__)"
)
_FORCED: Final = ("-include", "-imacros", "--include", "--imacros")
_SYSTEM_FLAGS: Final = ("-isystem", "-cxx-isystem", "-idirafter")


def common_headers(scan: TextScan, user: Sequence[str]) -> tuple[str, ...]:
    """What may be precompiled of the headers that ``scan`` has found, by name, in order; none where
    it would not be the same. ``user``: the user's flags.
    """
    if any(map(_MACROS.fullmatch, scan.macros)) or any(flag.startswith(_FORCED) for flag in user):
        return ()
    wanted = scan.headers
    names: list[str] = []
    half = not wanted.isdisjoint(_HALF)
    if half or not wanted.isdisjoint((*_STANDARD, *_GROUPS)):
        names += (*_STANDARD, *_GROUPS)
    if half:
        names += _HALF
    names += sorted(n for n in wanted if n in _SINGLE or n.startswith(_SINGLE_FOLDERS))
    places = _system_folders(user)
    if any(Path(place, name).exists() for place in places for name in names):
        return ()  # whose headers come first depends on all the flags
    return tuple(names)


def _system_folders(user: Sequence[str]) -> list[str]:
    folders = []
    words = iter(user)
    for word in words:
        flag = next((flag for flag in _SYSTEM_FLAGS if word.startswith(flag)), None)
        if flag is not None:
            folders.append(word.removeprefix(flag) or next(words, ""))
    return folders
