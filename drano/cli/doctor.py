"""What of the toolchain was found: facts for ``drano doctor``, one per line, each good or bad.

Looks, changes nothing but the cache (the headers get assembled, as for any run). A missing GPU,
ptxas or libclang is a fact, not a fault: only what no check can do without is ``required``.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import llvmlite
from msgspec import Struct

from drano.frontend.commands.compile_database import options_for
from drano.frontend.commands.find_database import Databases
from drano.frontend.sdk.headers import CudaHeaders, cuda_headers
from drano.frontend.toolchain import LIBCXX, HostHeaders, find_clang, host_headers, llvm_version
from drano.model.settings import CompileOptions
from drano.support.cache_directory import cache_dir
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

_PROBE_SECONDS = 10.0
_ABSENT = "not found"


class Fact(Struct, frozen=True):
    """``name`` of a part, what was found of it, whether it is usable, whether it must be."""

    name: str
    detail: str
    ok: bool
    required: bool


def examine(options: CompileOptions, directory: str) -> tuple[Fact, ...]:
    """Look for every part, in the order to print. A check of a file in ``directory`` can run when
    every ``required`` one is ``ok``.

    Raises nothing: what cannot be used is a fact with its reason.
    """
    headers_fact, headers = _headers(options.cuda_path)
    parts = (_llvm(), _libclang(), headers_fact, _ptxas(headers), _gpu(), _cache())
    return (*_clang(), *parts, _database(options, directory))


def _clang() -> tuple[Fact, ...]:
    try:
        clang = find_clang()
        host = host_headers(clang)
    except IRError as error:
        return (Fact("clang", str(error), ok=False, required=True),)
    value = host.problem or _libraries(host)
    return (
        Fact("clang", f"{clang.version_text} at {clang.path}", ok=True, required=True),
        Fact("host headers", value, ok=host.problem is None, required=True),
    )


def _libraries(host: HostHeaders) -> str:
    """Whose headers are used: clang's package brings libc++, ours a C library's."""
    if host.own_libc:
        return "bundled libc++ and musl headers (this machine has no C library headers)"
    library = "libc++" if LIBCXX in host.flags else "libstdc++"
    return f"{library} and the C library"


def _llvm() -> Fact:
    major, minor = llvm_version()
    value = f"{major}.{minor} in llvmlite {llvmlite.__version__}"
    return Fact("LLVM", value, ok=True, required=True)


def _libclang() -> Fact:
    """The library that reads launch shapes, beside clang's executable."""
    try:
        binary = Path(find_clang().path).resolve()
    except IRError:
        return Fact("libclang", _ABSENT, ok=False, required=False)
    for name in ("libclang.so", "libclang.dylib"):
        library = binary.parent.parent / "lib" / name
        if library.is_file():
            return Fact("libclang", str(library), ok=True, required=False)
    return Fact("libclang", _ABSENT, ok=False, required=False)


def _headers(cuda_path: str | None) -> tuple[Fact, CudaHeaders | None]:
    try:
        headers = cuda_headers(cuda_path)
    except IRError as error:
        return Fact("CUDA headers", str(error), ok=False, required=True), None
    value = f"CUDA {headers.version_text} at {headers.root} from {headers.origin}"
    return Fact("CUDA headers", value, ok=True, required=True), headers


def _database(options: CompileOptions, directory: str) -> Fact:
    """The compilation database, and the SDK that it names; nothing of it is run."""
    source = os.path.join(directory, "-")
    place = options.compile_commands
    if place is None and options.find_commands:
        place = Databases((directory,)).of(source)
    if place is None:
        return Fact("commands", f"{_ABSENT} (not needed)", ok=False, required=False)
    try:
        sdk = options_for(source, place).cuda_path
    except IRError as error:
        return Fact("commands", str(error), ok=False, required=True)
    said = "no SDK named" if sdk is None else f"SDK {sdk}"
    return Fact("commands", f"{place} ({said})", ok=True, required=False)


def _ptxas(headers: CudaHeaders | None) -> Fact:
    path = str(headers.ptxas) if headers and headers.ptxas else shutil.which("ptxas")
    output = _first_line([path, "--version"], "Cuda compilation tools") if path else None
    if path is None or output is None:
        return Fact("ptxas", _ABSENT, ok=False, required=False)
    version = output.partition("release ")[2] or output
    return Fact("ptxas", f"{version} at {path}", ok=True, required=False)


def _gpu() -> Fact:
    tool = shutil.which("nvidia-smi")
    query = ["--query-gpu=name,driver_version", "--format=csv,noheader"]
    output = _first_line([tool, *query], "") if tool else None
    value = output or "none (not needed)"
    return Fact("GPU", value, ok=output is not None, required=False)


def _cache() -> Fact:
    try:
        value = str(cache_dir())
    except IRError as error:
        return Fact("cache", str(error), ok=False, required=True)
    origin = " (DRANO_CACHE_DIR)" if os.environ.get("DRANO_CACHE_DIR") else ""
    return Fact("cache", value + origin, ok=True, required=True)


def _first_line(arguments: list[str], wanted: str) -> str | None:
    """First line of a tool's output that holds ``wanted``; None when it fails."""
    try:
        completed = run_limited(arguments, timeout=_PROBE_SECONDS)
    except OSError:
        return None
    if completed.status != 0:
        return None
    lines = [line.strip() for line in completed.stdout.splitlines() if wanted in line]
    return lines[0] if lines else None
