"""The CUDA headers clang needs: those of an installed SDK, or of NVIDIA's pip packages.

clang wants one directory (``--cuda-path``) with ``include/`` and ``nvvm/libdevice/``. An SDK is
taken from, in this order: ``--cuda-path`` (or the compilation database), ``CUDA_HOME`` and
``CUDA_PATH``, nvcc on PATH, the pip packages. The packages share ``nvidia/cu13``, where PyTorch's
lie, too: versions from 13.0 on may be mixed. A tree that lacks ``curand_mtgp32_kernel.h``, which
clang's wrapper includes, is linked into the user's cache (copied where links cannot be made), with
the pip package's cuRAND headers, or an empty file of that name.

Limits: an SDK must be a CUDA 7.0 or later; ``ptxas`` is optional, it is for ``doctor`` only.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.support.cache_directory import cache_dir, publish_directory, replace_directory
from drano.support.errors import IRError
from drano.support.installed_packages import installed_package
from drano.support.limited_process import run_limited
from drano.support.regular_files import read_regular

# Package, its directory in site-packages, and a file that proves it complete.
_TREE = "nvidia/cu13"
_CURAND = ("nvidia-curand", "include/curand_kernel.h")
_PACKAGES = (
    ("nvidia-cuda-runtime", "include/cuda_runtime.h"),
    ("nvidia-cuda-crt", "include/crt/host_config.h"),
    ("nvidia-cuda-cccl", "include/cccl/cub/cub.cuh"),
    ("nvidia-nvvm", "nvvm/libdevice/libdevice.10.bc"),
    ("nvidia-cuda-nvcc", "bin/ptxas"),
    _CURAND,
)
_OLDEST_VERSION = 7000
_MAX_HEADER = 16 << 20
_CURAND_STUB = Path("include/curand_mtgp32_kernel.h")
_LIBDEVICE = "nvvm/libdevice/libdevice.10.bc"
_NEEDED = ("include/cuda.h", "include/cuda_runtime.h", "include/crt/host_config.h", _LIBDEVICE)
_VERSION_LINE = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+CUDA_VERSION[ \t]+(\d{4,6})\b", re.MULTILINE
)
_TOP = re.compile(r"^#\$ TOP=(.+)$", re.MULTILINE)
_ENVIRONMENT = ("CUDA_HOME", "CUDA_PATH")
_LAYOUT = "3"  # part of the key: raise when the assembled tree changes its shape


class CudaHeaders(Struct, frozen=True):
    """``root``: for ``--cuda-path``; ``version``: as CUDA_VERSION, 11080 for 11.8; ``origin``: one
    phrase for people; ``key``: changes when the headers do; ``extra_includes``: directories beside
    ``include`` (CUDA 13 keeps thrust in one).
    """

    root: Path
    version: int
    origin: str
    key: str
    ptxas: Path | None
    extra_includes: tuple[Path, ...] = ()

    @property
    def version_text(self) -> str:
        """``"11.8"`` for 11080."""
        return f"{self.version // 1000}.{self.version % 1000 // 10}"


def cuda_headers(cuda_path: str | None = None) -> CudaHeaders:
    """The headers of the SDK at ``cuda_path``, or of the first that is found (see above).

    Raises IRError (one line: what is missing, where) when they cannot be used. An SDK that nobody
    named, and that cannot be used, is passed over.
    """
    cache = os.environ.get("DRANO_CACHE_DIR", "")
    if cuda_path is not None:
        return _installed(os.path.abspath(cuda_path), cache)
    for place, origin in _candidates():
        try:
            found = _installed(place, cache)
        except IRError:
            continue
        return replace(found, origin=f"{found.origin} ({origin})")
    return _packaged(cache)


def _candidates() -> Iterator[tuple[str, str]]:
    """Directories that may be SDKs, best first, and who says so."""
    for name in _ENVIRONMENT:
        if os.environ.get(name):
            yield os.path.abspath(os.environ[name]), name
    nvcc = shutil.which("nvcc")
    if nvcc is not None:
        root = sdk_of_compiler(nvcc)
        if root is not None:
            yield root, "nvcc on PATH"


def sdk_of_compiler(nvcc: str) -> str | None:
    """The SDK that the executable ``nvcc`` belongs to; a wrapper is asked where its own one is."""
    root = Path(os.path.realpath(nvcc)).parents[1]
    if (root / _NEEDED[0]).is_file():
        return str(root)
    return _wrapped_sdk(nvcc)


@functools.lru_cache(maxsize=8)
def _wrapped_sdk(nvcc: str) -> str | None:
    try:
        told = run_limited([nvcc, "--dryrun", "-x", "cu", os.devnull], timeout=5.0)
    except OSError:
        return None
    top = _TOP.search(told.stderr)
    return None if top is None else os.path.realpath(top[1].strip())


@functools.lru_cache(maxsize=8)
def _packaged(_cache: str) -> CudaHeaders:
    parts = [_package(*package) for package in _PACKAGES]
    roots = list(dict.fromkeys(root for root, _ in parts))
    releases = " ".join(release for _, release in parts)
    key = _digest(_LAYOUT, releases, *map(str, roots))
    root = roots[0] if len(roots) == 1 and _usable(roots[0]) else _assembled(key, roots)
    origin = f"pip packages ({releases})"
    ptxas = next(filter(None, map(_ptxas, roots)), None)  # not the cache's
    return CudaHeaders(root, _cuda_version(root), origin, key, ptxas, _cccl(root))


@functools.lru_cache(maxsize=8)
def _installed(cuda_path: str, _cache: str) -> CudaHeaders:
    sdk = Path(cuda_path)
    if not sdk.is_dir():
        raise IRError(cuda_path, "no such CUDA SDK directory")
    for needed in _NEEDED:
        if not (sdk / needed).is_file():
            raise IRError(cuda_path, f"not a CUDA SDK: {needed} is missing")
    version = _cuda_version(sdk)
    if version < _OLDEST_VERSION:
        raise IRError(cuda_path, "CUDA SDK is older than 7.0, which clang cannot use")
    key = _digest(_LAYOUT, cuda_path, str(version), str((sdk / "include/cuda.h").stat().st_mtime))
    has_curand = (sdk / _CURAND_STUB).is_file()
    root = sdk if has_curand else _assembled(key, [sdk])
    return CudaHeaders(root, version, f"SDK at {cuda_path}", key, _ptxas(sdk), _cccl(root))


def _cccl(root: Path) -> tuple[Path, ...]:
    cccl = root / "include/cccl"
    return (cccl,) if cccl.is_dir() else ()


def _package(name: str, proof: str) -> tuple[Path, str]:
    """Root of an installed package and ``name==version``."""
    package = installed_package(name)
    if package is None:
        raise IRError(
            name, f"Python package is not installed; pip install '{name}' or use --cuda-path"
        )
    root = package.place / _TREE
    if not (root / proof).is_file():
        raise IRError(name, f"package is incomplete: {root / proof} is missing; reinstall it")
    return root, f"{name}=={package.version}"


def _assembled(key: str, roots: list[Path]) -> Path:
    place = cache_dir("headers") / key

    def build(directory: Path) -> None:
        _merge(roots, directory)

    if not place.is_dir():
        publish_directory(place, build)
    elif not _usable(place):
        replace_directory(place, build)
    if not _usable(place):
        raise IRError(str(place), "assembled CUDA headers are incomplete; delete this directory")
    return place


def _usable(root: Path) -> bool:
    return all((root / needed).is_file() for needed in (*_NEEDED, _CURAND_STUB))


def _merge(roots: list[Path], target: Path) -> None:
    """Link the entries of every root's ``include``, the first ``nvvm`` and ``ptxas``."""
    include = target / "include"
    include.mkdir()
    (target / "bin").mkdir()
    for root in roots:
        for entry in sorted((root / "include").iterdir()):
            if entry.name in {"__init__.py", "__pycache__"}:
                continue
            _link(entry, include / entry.name)
        _link(root / "nvvm", target / "nvvm")
        _link(root / "bin/ptxas", target / "bin/ptxas")
    if not (target / _CURAND_STUB).exists():
        _add_curand(include)


def _add_curand(include: Path) -> None:
    """CuRAND's headers from the pip package, which fit any CUDA; an empty file in their place."""
    try:
        root, _ = _package(*_CURAND)
    except IRError:
        (include / _CURAND_STUB.name).write_bytes(b"")
        return
    for header in sorted((root / "include").glob("curand*.h")):
        _link(header, include / header.name)


def _link(source: Path, target: Path) -> None:
    """Link ``source``; of two directories with one name (``include/cuda``) link the entries."""
    if not source.exists():
        return
    if not os.path.lexists(target):
        try:
            target.symlink_to(source, target_is_directory=source.is_dir())
        except (OSError, NotImplementedError):
            _copy(source, target)
        return
    if not (source.is_dir() and target.is_dir()):
        return
    if target.is_symlink():
        first = target.readlink()
        target.unlink()
        target.mkdir()
        for entry in first.iterdir():
            _link(entry, target / entry.name)
    for entry in source.iterdir():
        _link(entry, target / entry.name)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def _cuda_version(root: Path) -> int:
    header = root / "include/cuda.h"
    try:
        found = _VERSION_LINE.search(read_regular(header, _MAX_HEADER))
    except OSError as error:
        raise IRError(str(header), error.strerror or "cannot be read") from error
    if found is None:
        raise IRError(str(header), "does not define CUDA_VERSION")
    return int(found[1])


def _ptxas(root: Path) -> Path | None:
    for name in ("bin/ptxas", "bin/ptxas.exe"):
        if (root / name).is_file():
            return root / name
    return None


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:24]
