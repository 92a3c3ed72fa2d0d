"""The launches of one unit: ``launches`` with the flags that ``clang`` compiles the unit with.

The host side has preludes of its own: one with CUDA's wrapper, and, for files that include C++
library headers, one that also holds the common ones, because ``<iostream>`` alone takes ten times
as long as a small file. That a name of ``std`` is visible without its header does no harm here.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from drano.config import CompileOptions
from drano.ir import pch
from drano.ir.clang import prelude_arguments, user_arguments
from drano.ir.compdb import with_compile_commands
from drano.ir.errors import IRError
from drano.ir.headers import cuda_headers
from drano.ir.launches import Launches, read_launches, scan_text
from drano.ir.toolchain import find_clang, host_headers

_HEADERS = ("iostream", "fstream", "sstream", "iomanip", "vector", "algorithm", "map", "chrono")


def unit_launches(path: str, options: CompileOptions, source_text: bytes | None = None) -> Launches:
    """Launches in the file at ``path``, or in ``source_text`` in its place. Raises nothing."""
    absolute = os.path.abspath(path)  # noqa: PTH100 - resolve() would rename symbolic links
    try:
        if options.compile_commands is not None:
            options = with_compile_commands(absolute, options)
        user = user_arguments(options)
        scan = scan_text(absolute, user, source_text)
        if not scan.launches:
            return Launches((), headers=scan.files)
        headers = cuda_headers(options.cuda_path)
        flags = prelude_arguments(options, headers, host_headers(find_clang()))
        prelude = _prelude(headers.key, flags, user, library=_includes_library(scan.headers))
    except IRError as error:
        return Launches((), str(error))
    if prelude is not None:
        read = ["-Xclang", "-include-pch", "-Xclang", str(prelude)]
        launches = read_launches(absolute, [*flags, *read, *user], source_text)
        if not launches.reason:
            return replace(launches, headers=scan.files)
    plain = ["-include", str(pch.PRELUDE)]
    launches = read_launches(absolute, [*flags, *plain, *user], source_text)
    return replace(launches, headers=scan.files)


def _includes_library(headers: frozenset[str]) -> bool:
    """Whether C++ library headers are included, or what includes them (thrust, cub)."""
    return any("." not in name or name.startswith(("thrust/", "cub/")) for name in headers)


def _prelude(key: str, flags: list[str], user: list[str], *, library: bool) -> Path | None:
    """With the C++ headers when ``library``, without where they do not parse; None: neither."""
    clang = find_clang()
    included = [word for name in _HEADERS for word in ("-include", name)]
    for more in (included, []) if library else ([],):
        command = (clang.path, *flags, *pch.prelude_flags(user), "--cuda-host-only", "-S", "-w")
        prelude = pch.prelude_pch((*command, *more), f"{clang.version_text} {key}")
        if prelude is not None:
            return prelude
    return None
