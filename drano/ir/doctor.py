"""What the front end finds on this machine: ``drano doctor``. Examines, and repairs nothing."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from drano.config import CompileOptions
from drano.ir.cache import cache_dir
from drano.ir.errors import IRError
from drano.ir.headers import cuda_headers
from drano.ir.libclang import library_path
from drano.ir.process import run_limited
from drano.ir.toolchain import find_clang, host_headers, llvm_version

_PROBE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked for. ``required``: nothing can be analysed without it."""

    name: str
    ok: bool
    detail: str
    required: bool = True


def examine(options: CompileOptions) -> tuple[Check, ...]:
    """All checks, in order; raises nothing for what is missing."""
    return (
        Check("python", True, f"{platform.python_version()} on {platform.platform(terse=True)}"),
        _check("clang", _clang),
        _check("llvm", _llvm),
        _check("libclang", lambda: str(library_path())),
        _check("host headers", _host),
        _check("CUDA headers", lambda: _headers(options)),
        _check("cache", lambda: str(cache_dir())),
        _check("ptxas", lambda: _ptxas(options), required=False),
        _check("gpu", _gpu, required=False),
    )


def _check(name: str, find: Callable[[], str], *, required: bool = True) -> Check:
    try:
        return Check(name, True, find(), required)
    except (IRError, OSError) as error:
        optional = "" if required else " (not needed)"
        return Check(name, False, f"{error}{optional}", required)


def _clang() -> str:
    clang = find_clang()
    return f"{clang.version_text} at {clang.path}"


def _llvm() -> str:
    major, minor = llvm_version()
    try:
        package = version("llvmlite")
    except PackageNotFoundError:
        package = "of unknown version"
    return f"{major}.{minor} in llvmlite {package}"


def _host() -> str:
    host = host_headers(find_clang())
    if host.problem is not None:
        raise IRError("", host.problem)
    return "libc++ of the clang package" if host.flags else "the system's C++ library"


def _headers(options: CompileOptions) -> str:
    headers = cuda_headers(options.cuda_path)
    return f"{headers.version_text}, {headers.origin}, at {headers.root}"


def _ptxas(options: CompileOptions) -> str:
    path = cuda_headers(options.cuda_path).ptxas
    if path is None:
        raise IRError("", "not found")
    return str(path)


def _gpu() -> str:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        raise IRError("", "none found")
    query = [tool, "--query-gpu=name,compute_cap", "--format=csv,noheader"]
    completed = run_limited(query, timeout=_PROBE_SECONDS)
    names = [line.strip() for line in completed.stdout.splitlines() if line.strip()]
    if completed.status != 0 or not names:
        raise IRError("", "none found")
    return "; ".join(names)
