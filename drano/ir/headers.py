"""The CUDA headers clang needs: assembled from pip packages, or those of an installed SDK.

clang wants one directory (``--cuda-path``) with ``include/`` and ``nvvm/libdevice/``; NVIDIA's pip
packages hold its parts in three places. They are merged in the user's cache by symbolic links
(copies where links cannot be made), keyed by versions and origin. ``curand_mtgp32_kernel.h``, which
clang's wrapper includes and which only the curand package brings, is an empty file there.

Limits: an SDK must be a CUDA 7.0 or later; ``ptxas`` is optional, it is for ``doctor`` only.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from drano.ir.cache import cache_dir, publish_directory, replace_directory
from drano.ir.errors import IRError

# Package, its directory in site-packages, and a file that proves it complete.
_PACKAGES = (
    ("nvidia-cuda-runtime-cu11", "nvidia/cuda_runtime", "include/cuda.h"),
    ("nvidia-cuda-nvcc-cu11", "nvidia/cuda_nvcc", "include/crt/host_config.h"),
    ("nvidia-cuda-cccl-cu11", "nvidia/cuda_cccl", "include/cub/cub.cuh"),
)
_PACKAGED_VERSION = 11080
_OLDEST_VERSION = 7000
_CURAND_STUB = "include/curand_mtgp32_kernel.h"
_LIBDEVICE = "nvvm/libdevice/libdevice.10.bc"
_NEEDED = ("include/cuda.h", "include/cuda_runtime.h", "include/crt/host_config.h", _LIBDEVICE)
_VERSION_LINE = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+CUDA_VERSION[ \t]+(\d{4,6})\b", re.MULTILINE
)
_LAYOUT = "1"  # part of the key: raise when the assembled tree changes its shape


@dataclass(frozen=True, slots=True)
class CudaHeaders:
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
    """The headers of the SDK at ``cuda_path``, or those of the pip packages.

    Raises IRError (one line: what is missing, where) when they cannot be used.
    """
    if cuda_path is None:
        return _packaged(os.environ.get("DRANO_CACHE_DIR", ""))
    return _installed(os.path.abspath(cuda_path), os.environ.get("DRANO_CACHE_DIR", ""))  # noqa: PTH100


@functools.lru_cache(maxsize=8)
def _packaged(_cache: str) -> CudaHeaders:
    parts = [_package(*package) for package in _PACKAGES]
    roots = [root for root, _ in parts]
    version = _cuda_version(roots[0])
    if version != _PACKAGED_VERSION:
        raise IRError(
            str(roots[0]),
            f"holds CUDA {version // 1000}.{version % 1000 // 10} headers: another package has "
            "overwritten those of nvidia-cuda-runtime-cu11; use a separate virtual environment "
            "or --cuda-path",
        )
    releases = " ".join(release for _, release in parts)
    key = _digest(_LAYOUT, releases, *map(str, roots))
    root = _assembled(key, roots)
    return CudaHeaders(root, version, f"pip packages ({releases})", key, _ptxas(root))


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
    cccl = root / "include/cccl"
    extra = (cccl,) if cccl.is_dir() else ()
    return CudaHeaders(root, version, f"SDK at {cuda_path}", key, _ptxas(root), extra)


def _package(name: str, directory: str, proof: str) -> tuple[Path, str]:
    """Root of an installed package and ``name==version``."""
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        raise IRError(
            name, f"Python package is not installed; pip install '{name}~=11.8' or use --cuda-path"
        ) from None
    root = Path(str(distribution.locate_file(directory)))
    if not (root / proof).is_file():
        raise IRError(name, f"package is incomplete: {root / proof} is missing; reinstall it")
    return root, f"{name}=={distribution.version}"


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
    stub = target / _CURAND_STUB
    if not stub.exists():
        stub.write_bytes(b"")


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
        found = _VERSION_LINE.search(header.read_bytes())
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
