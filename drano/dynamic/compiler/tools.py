"""The tools that building needs, and how they are run."""

from __future__ import annotations

import shlex
import subprocess
import sys

from msgspec import Struct

from drano.dynamic.compiler.command_line import Command
from drano.frontend.sdk.headers import CudaHeaders, cuda_headers
from drano.frontend.toolchain import Clang, HostHeaders, find_clang, host_headers
from drano.support.errors import IRError
from drano.support.limited_process import environment

# What gcc lets pass in old code and clang does not.
TOLERANT = (
    "-w",
    "-fwrapv",
    "-Wno-c++11-narrowing",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-mismatch",
    "-Wno-return-type",
    "-Wno-register",
    "-Wno-reserved-user-defined-literal",
    "-Wno-dynamic-exception-spec",
    "-Wno-unknown-warning-option",
    "-Wno-unused-command-line-argument",
)


class CompileError(Exception):
    """A compiler has said why already; ``status``: what to exit with."""

    def __init__(self, status: int = 1) -> None:
        super().__init__(status)
        self.status = status


class Tools(Struct, frozen=True):
    """What building needs, found once."""

    clang: Clang
    headers: CudaHeaders
    host: HostHeaders


def tools(cuda_path: str | None = None) -> Tools:
    """The toolchain. Raises IRError when a part of it is missing."""
    clang = find_clang()
    host = host_headers(clang)
    if host.linking_problem is not None:
        raise IRError("clang", host.linking_problem)
    return Tools(clang, cuda_headers(cuda_path), host)


def run_tool(command: Command, arguments: list[str]) -> None:
    """Run a tool with our own stdin, stdout and stderr."""
    if command.verbose or command.dry_run:
        print(f"#$ {shlex.join(arguments)}", file=sys.stderr, flush=True)
    if command.dry_run:
        return
    try:
        status = subprocess.run(arguments, env=environment(), check=False).returncode
    except OSError as error:
        raise IRError(arguments[0], error.strerror or "cannot be run") from error
    if status != 0:
        raise CompileError(status if status > 0 else 1)


def complaint(arguments: list[str]) -> str | None:
    """What a tool that fails says; None when it does not fail."""
    try:
        done = subprocess.run(
            arguments, check=False, capture_output=True, text=True, errors="replace"
        )
    except OSError as error:
        raise IRError(arguments[0], error.strerror or "cannot be run") from error
    if done.returncode == 0:
        sys.stderr.write(done.stderr)
        return None
    return done.stderr
