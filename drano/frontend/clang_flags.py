"""The flags that clang gets: those of every CUDA unit, the user's, and those of the device side.

Assumptions: the virtual architecture makes no difference to what is analysed.
"""

from __future__ import annotations

import os
import re

from drano.frontend.headers.own_cccl import own_cccl
from drano.frontend.sdk.headers import CudaHeaders
from drano.frontend.toolchain import LIBCXX, HostHeaders
from drano.model.settings import CompileOptions

ARCHITECTURE = re.compile(r"(?:sm|compute)_(\d+)([af]?)\Z")
_OLDEST = 30
QUIET = (
    "-w",
    # Errors by default that nvcc with g++ does not make of old code.
    "-Wno-c++11-narrowing",
    "-Wno-reserved-user-defined-literal",
    "-Wno-register",
    "-Wno-dynamic-exception-spec",
    "-Wno-return-mismatch",
    "-Wno-non-pod-varargs",
    "-Wno-address-of-temporary",
    "-Wno-implicit-int",
    "-Wno-invalid-source-encoding",
    "-Wno-unknown-warning-option",
)
MESSAGES = (
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-fno-diagnostics-show-option",
    "-fno-crash-diagnostics",
    "-ferror-limit=30",
    "-ftemplate-backtrace-limit=4",
)
# A missing header is listed among the dependencies, and clang goes on without it.
GO_ON = ("-Xclang", "-MG")


def prelude_arguments(
    options: CompileOptions, headers: CudaHeaders, host: HostHeaders
) -> list[str]:
    """The flags that every CUDA compilation needs, whichever side (device or host) it parses."""
    arguments = [
        "--no-default-config",
        "-xcuda",
        f"--cuda-gpu-arch={_architecture(options.architecture)}",
        f"--cuda-path={headers.root}",
        "--no-cuda-version-check",
        "-fuse-cuid=none",
        "-DCCCL_DISABLE_NVTX",  # our stand-in has not all that CCCL takes from NVTX
        # As nvcc, which lacks it; clang 22 loses such types in precompiled headers, and crashes.
        "-U__cpp_pack_indexing",
        *host.flags,
    ]
    if LIBCXX in host.flags:
        # What the SDK's headers want of libc++: not to be refused, and a name it no longer has.
        arguments += ["-D_ALLOW_UNSUPPORTED_LIBCPP", "-D_VSTD=std"]
    if options.std is not None:
        arguments.append(f"-std={options.std}")
    arguments += own_cccl(options)
    for directory in headers.extra_includes:
        arguments += ["-isystem", str(directory)]
    return arguments


def user_arguments(options: CompileOptions) -> list[str]:
    """The user's include directories, macros, force-included files and free flags."""
    arguments = [f"-I{os.path.abspath(directory)}" for directory in options.include_dirs]
    arguments += [f"-D{define}" for define in options.defines]
    arguments += [f"-U{name}" for name in options.undefines]
    for file in options.force_includes:
        arguments += ["-include", file]
    return [*arguments, *options.flags]


def _architecture(arch: str) -> str:
    """What clang accepts for ``arch``: real and not older than it knows; sm_13 becomes sm_30."""
    found = ARCHITECTURE.match(arch)
    if found is None:
        return arch
    number = max(int(found[1]), _OLDEST)
    return f"sm_{number}{found[2]}"


def device_flags() -> list[str]:
    """Unoptimised IR of the device side, with names, columns, types and inlined call sites."""
    return [
        "--cuda-device-only",
        "-O1",
        "-Xclang",
        "-disable-llvm-passes",
        "-g",
        "-Xclang",
        "-debug-info-kind=limited",
        "-fno-discard-value-names",
        *QUIET,
        *MESSAGES,
        "-S",
        "-emit-llvm",
    ]
