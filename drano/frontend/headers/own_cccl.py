"""A project's own CCCL: CUB, Thrust and libcu++ in directories of its build, beside the SDK's.

nvcc looks into a build's directories, ``-I`` and ``-isystem``, before its own, and two versions of
these libraries don't mix. So their directories come before the SDK's for all that is compiled of a
unit, what is precompiled of the SDK's headers included. An SDK's own directory is none of them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from drano.frontend.include_flags import include_directories
from drano.model.settings import CompileOptions

_SIGNS: Final = ("cuda/std/detail/__config", "nv/target", "cub/cub.cuh", "thrust/version.h")
_OF_SDK: Final = "cuda_runtime.h"
_KINDS: Final = ("-isystem", "-I")


def own_cccl(options: CompileOptions) -> list[str]:
    """Flags for the directories of the user's that have some of CCCL."""
    given = [("-I", directory) for directory in options.include_dirs]
    found = dict.fromkeys((*given, *include_directories(options.flags, _KINDS)))
    return [f"{kind}{os.path.abspath(place)}" for kind, place in found if _is_of_cccl(place)]


def _is_of_cccl(directory: str) -> bool:
    place = Path(directory)
    has = any((place / sign).is_file() for sign in _SIGNS)
    return has and not (place / _OF_SDK).is_file()
