"""The run-time library as one relocatable object, built once by the available clang and cached.

Its sources are ``runtime/*.c`` and two more that are made from the CUDA headers: the names of error
codes, and a weak definition of every API function that no source defines, which returns
``cudaErrorNotSupported`` and is listed when the program ends. Everything that goes into it is part
of the cache key: sources, headers, clang, the processor.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import llvmlite.binding

from drano.dynamic.cpu.native import PORTABLE
from drano.frontend.sdk.headers import CudaHeaders
from drano.frontend.toolchain import Clang
from drano.support.cache_directory import cache_dir, keep_newest, publish_verified, verified
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

SOURCES = Path(__file__).parents[1] / "runtime"
_KEPT = 4
_HOT = frozenset({"block", "count", "launch", "races", "replay_access", "reuse", "texture"})
_SECONDS = 120.0
_PROTOTYPE = re.compile(
    r"\bextern\s+(?P<type>cudaError_t)\s+(?P<name>cuda[A-Z]\w*)\s*\((?P<arguments>[^;{}]*)\)\s*;"
)
_ERROR = re.compile(r"\b(cudaError\w*|cudaSuccess)\s*=\s*\d+")
_ENUM = re.compile(r"\benum\s+(?:__\w+\([^)]*\)\s*)?cudaError\s*\{(.*?)\}", re.DOTALL)


def runtime_object(clang: Clang, headers: CudaHeaders) -> Path:
    """The library, built when it is not in the cache. Raises IRError when it cannot be."""
    sources = sorted(path for path in SOURCES.iterdir() if path.suffix in {".c", ".h"})
    digest = hashlib.sha256()
    for part in (clang.version_text, headers.key, llvmlite.binding.get_host_cpu_name()):
        digest.update(part.encode() + b"\0")
    for path in (*sources, Path(__file__)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    directory = cache_dir("runtime")
    place = directory / f"runtime-{digest.hexdigest()[:24]}.o"
    if not verified(place):
        publish_verified(place, lambda target: _build(target, clang, headers))
        keep_newest(directory, "runtime-*.o", _KEPT)
    return place


def _build(target: Path, clang: Clang, headers: CudaHeaders) -> bool:
    text = _preprocessed(clang, headers)

    def sources(parts: Path) -> list[Path]:
        (parts / "drano_error_names.h").write_text(error_names(text), encoding="utf-8")
        (parts / "unsupported.c").write_text(unsupported_source(text), encoding="utf-8")
        return [*sorted(SOURCES.glob("*.c")), parts / "unsupported.c"]

    return build_object(target, sources, clang, headers)


def build_object(
    target: Path,
    sources: Callable[[Path], list[Path]],
    clang: Clang,
    headers: CudaHeaders,
    *,
    portable: bool = False,
) -> bool:
    """One relocatable object of several sources. ``sources``: given a directory for those to make,
    in which headers are found, too. ``portable``: for any processor, not just this one.
    """
    parts = target.with_suffix(".parts")
    parts.mkdir()
    try:
        listed = sources(parts)
        own = [*_flags(headers, portable=portable), f"-I{parts}"]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(lambda s: _compiled(clang, own, s, parts), listed))
        _run([*linker(clang), "-r", "-nostdlib", *objects, "-o", str(target)])
    finally:
        for path in parts.iterdir():
            path.unlink()
        parts.rmdir()
    return True


def _compiled(clang: Clang, own: list[str], source: Path, directory: Path) -> str:
    output = str(directory / f"{source.stem}.o")
    level = "-O3" if source.stem in _HOT else "-O1"
    _run([clang.path, *own, level, "-c", str(source), "-o", output])
    return output


def linker(clang: Clang) -> list[str]:
    """Clang as a linker driver: with the lld beside it, where there is one."""
    beside = Path(clang.path).with_name("ld.lld")
    lld = ["-fuse-ld=lld"] if beside.is_file() else []
    return [clang.path, "--no-default-config", *lld]


def _flags(headers: CudaHeaders, *, portable: bool) -> list[str]:
    triple = llvmlite.binding.get_process_triple()
    x86 = triple.startswith(("x86_64", "i686"))
    known = PORTABLE.get(triple.partition("-")[0], "")
    cpu = known if portable else llvmlite.binding.get_host_cpu_name()
    return [
        "--no-default-config",
        "-std=c11",
        "-fPIC",
        "-ftls-model=initial-exec",
        "-fno-strict-aliasing",
        "-fno-math-errno",
        "-ffunction-sections",
        "-w",
        *([f"-march={cpu}"] if x86 and cpu else []),
        f"-I{SOURCES}",
        f"-I{headers.root / 'include'}",
    ]


def _preprocessed(clang: Clang, headers: CudaHeaders) -> str:
    """The run-time API's declarations, as a C compiler sees them."""
    source = SOURCES / "drano_runtime.h"
    return _run(
        [
            clang.path,
            "--no-default-config",
            "-E",
            "-P",
            "-x",
            "c",
            f"-I{headers.root / 'include'}",
            "-include",
            "cuda_runtime_api.h",
            str(source.with_name("empty.h")),
        ]
    )


def error_names(declarations: str) -> str:
    """``DRANO_ERROR(NAME)`` for each code of ``enum cudaError``."""
    body = _ENUM.search(declarations)
    names = _ERROR.findall(body[1]) if body else ["cudaSuccess"]
    return "".join(f"DRANO_ERROR({name})\n" for name in dict.fromkeys(names))


def unsupported_source(declarations: str) -> str:
    """C source with a weak definition of every function that the headers declare."""
    lines = [
        '#include "drano_runtime.h"',
        "#define WEAK __attribute__((weak))",
    ]
    for found in _PROTOTYPE.finditer(declarations):
        arguments = " ".join(found["arguments"].split())
        name = found["name"]
        lines.append(
            f'WEAK cudaError_t {name}({arguments}) {{ return drano_unsupported("{name}"); }}'
        )
    return "\n".join(lines) + "\n"


def _run(arguments: list[str]) -> str:
    try:
        completed = run_limited(arguments, timeout=_SECONDS)
    except OSError as error:
        raise IRError(arguments[0], error.strerror or "cannot be run") from error
    if completed.status != 0:
        reason = " ".join(completed.stderr.split())[:600] or f"status {completed.status}"
        raise IRError("run-time library", f"could not be built: {reason}")
    return completed.stdout
