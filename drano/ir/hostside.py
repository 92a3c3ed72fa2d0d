"""The clang arguments with which libclang parses the host side of a file, to see its launches.

The same flags as the device compilation has, and a precompiled prelude of its own: without one the
CUDA headers take longer to parse than all else together.
"""

from __future__ import annotations

import os

from drano.config import CompileOptions
from drano.ir.clang import find_clang, prelude_arguments, user_arguments
from drano.ir.compdb import with_compile_commands
from drano.ir.headers import cuda_headers
from drano.ir.pch import PRELUDE, prelude_flags, prelude_pch
from drano.ir.toolchain import host_headers


def host_arguments(path: str, options: CompileOptions) -> tuple[str, ...]:
    """For ``find_launches``; raises IRError when there is no clang or no CUDA headers."""
    absolute = os.path.abspath(path)  # noqa: PTH100 - resolve() would rename symbolic links
    if options.compile_commands is not None:
        options = with_compile_commands(absolute, options)
    clang = find_clang()
    headers = cuda_headers(options.cuda_path)
    base = prelude_arguments(options, headers, host_headers(clang))
    user = user_arguments(options)
    command = (clang.path, *base, "--cuda-host-only", "-w", *prelude_flags(user))
    prelude = prelude_pch(command, f"{clang.version_text} {headers.key}")
    first = ("-include", str(PRELUDE)) if prelude is None else ("-include-pch", str(prelude))
    return (*base, "-w", *first, *user)
