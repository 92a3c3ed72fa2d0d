"""CUDA's closed libraries (cuBLAS, cuFFT …) in programs for the CPU: linked where they exist.

Means: when a link fails only for symbols with such a library's prefix, or for the library itself,
each missing symbol becomes a function that names the missing library and ends the program.
Functions that are never called do no harm, and those that are called never return a wrong result.
Assumptions: the linker is lld or GNU ld, whose messages name the symbols.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Prefix of the symbols -> the library; longer prefixes first.
_PREFIXES = {
    "cublasLt": "cublasLt", "cublasXt": "cublas", "cublas": "cublas", "cufftXt": "cufft",
    "cufft": "cufft", "curand": "curand", "cusolver": "cusolver", "cusparse": "cusparse",
    "cutensor": "cutensor", "cudnn": "cudnn", "nccl": "nccl", "nppi": "npp", "npps": "npp",
    "npp": "npp", "nvjpeg": "nvjpeg", "nvrtc": "nvrtc", "nvJitLink": "nvJitLink",
    "nvml": "nvidia-ml", "cupti": "cupti", "cufile": "cufile", "cuFile": "cufile",
    "nvtx": "nvToolsExt", "nvvm": "nvvm",
}  # fmt: skip
_UNDEFINED = re.compile(r"undefined (?:symbol: |reference to [`'])([^\s'`]+)")
_NO_LIBRARY = re.compile(r"(?:unable to find library|cannot find) -l(\w+)")
_OTHER_ERROR = re.compile(
    r"^.*?\berror: (?!undefined symbol|unable to find library|linker command)"
)
_LIBRARY = re.compile(
    r"-l((?:cublas|cufft|curand|cusolver|cusparse|npp|nvjpeg|cudnn|nccl|cutensor|nvrtc|nvJitLink)\w*"
    r"|nvidia-ml|cupti|cufile|nvToolsExt|nvvm)\Z"
)
_STUB = """\
void {symbol}(void);
void {symbol}(void) {{ missing("{symbol}", "{library}"); }}
"""
_PRELUDE = """\
#include <stdio.h>
#include <stdlib.h>
static void missing(const char *function, const char *library) {
  fflush(stdout);
  fprintf(stderr, "drano: error: %s was called: lib%s is not linked\\n", function, library);
  exit(1);
}
"""


def library_of(symbol: str) -> str | None:
    """The closed library that a symbol is of.

    >>> library_of("cublasCreate_v2"), library_of("main")
    ('cublas', None)
    """
    return next((lib for prefix, lib in _PREFIXES.items() if symbol.startswith(prefix)), None)


def without_missing(words: Sequence[str], said: str) -> list[str]:
    """The linker's words without closed libraries that it has not found."""
    missing = {f"-l{name}" for name in _NO_LIBRARY.findall(said)}
    return [word for word in words if word not in missing or _LIBRARY.match(word) is None]


def stubs_for(said: str) -> str | None:
    """C source of stubs for what the linker misses; None when stubs would not help."""
    symbols = sorted(set(_UNDEFINED.findall(said)))
    libraries = {symbol: library_of(symbol) for symbol in symbols}
    if not symbols or None in libraries.values():
        return None
    stubs = (_STUB.format(symbol=s, library=lib) for s, lib in libraries.items())
    return _PRELUDE + "".join(stubs)


def lacks_only_libraries(said: str) -> bool:
    """Whether all that the linker complains of is a closed library, or symbols of one."""
    libraries = all(_LIBRARY.match(f"-l{name}") for name in _NO_LIBRARY.findall(said))
    others = any(map(_OTHER_ERROR.match, said.splitlines()))
    symbols = all(library_of(symbol) for symbol in _UNDEFINED.findall(said))
    found = _UNDEFINED.search(said) or _NO_LIBRARY.search(said)
    return libraries and symbols and not others and found is not None
