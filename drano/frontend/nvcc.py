"""The PTX that nvcc makes of a source.

nvcc gets include directories, macros, force-included files, the standard and the architecture that
clang gets, and what the project asks of its code (`-maxrregcount=32`), and no other option of the
project: these name programs and files to write. What it writes goes to a directory of its own,
under limits of time, memory and size.
"""

from __future__ import annotations

import itertools
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from drano.frontend.headers import integer_names
from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.frontend.include_flags import include_directories
from drano.frontend.toolchain import find_clang
from drano.model.report import Found
from drano.model.settings import CompileOptions
from drano.support.errors import IRError
from drano.support.input_files import MAX_BYTES
from drano.support.limited_process import Completed, run_limited

_UNKNOWN_ARCHITECTURE = re.compile(r"Unsupported gpu architecture|is not defined for option")
_ERROR = re.compile(r"\berror\b|\bfatal\b", re.IGNORECASE)


def nvcc_ptx(nvcc: str, path: str, options: CompileOptions, found: Found) -> str:
    """PTX with line numbers, for the architecture of ``options``, or nvcc's own where it does not
    know that. ``options``: with what a compilation database says; ``found``: what the source needs
    besides. Raises IRError, one line.
    """
    with tempfile.TemporaryDirectory(prefix="drano-") as directory:
        output = Path(directory, "unit.ptx")
        done = _run(nvcc, path, options, found, output, [f"-arch={options.architecture}"])
        if done.status and _UNKNOWN_ARCHITECTURE.search(done.stderr):
            done = _run(nvcc, path, options, found, output, [])
        if done.timed_out:
            raise IRError(path, f"nvcc took more than {options.timeout:g} s")
        if done.status:
            said = (done.stdout + done.stderr).splitlines()
            lines = [line.strip() for line in said if _ERROR.search(line)]
            raise IRError(path, f"nvcc: {lines[0] if lines else 'failed'}"[:300])
        return output.read_text(encoding="utf-8", errors="replace")


def _run(
    nvcc: str,
    path: str,
    options: CompileOptions,
    found: Found,
    output: Path,
    architecture: Sequence[str],
) -> Completed:
    host = [f"-iquote,{name}" for name in _directories(options.flags, "-iquote")]
    later = [directory for directory in found.directories if directory not in found.first]
    last = [*_directories(options.flags, "-idirafter"), *later, str(OWN_STUBS)]
    host += [f"-idirafter,{name}" for name in last]
    standard = options.std or found.standard
    command = [
        nvcc, "-ptx", "-lineinfo", "-O3", "-w", "-x", "cu", *architecture,
        *(f"-I{name}" for name in (*options.include_dirs, *found.first)),
        *_each("-isystem", _directories(options.flags, "-isystem")),
        *(f"-D{define}" for define in (*options.defines, *found.macros, *found.qualifiers)),
        *(f"-U{name}" for name in options.undefines),
        *_each("-include", options.force_includes),
        *integer_names.flags(found.integers),
        *([f"-std={standard}"] if standard else ()),
        *options.code_generation,
        "--expt-relaxed-constexpr", "--extended-lambda",
        *_each("-Xcompiler", host),
        *_host_compiler(),
        "-o", str(output), path,
    ]  # fmt: skip
    try:
        return run_limited(
            command, timeout=options.timeout, memory=options.memory, file_size=MAX_BYTES
        )
    except OSError as error:
        raise IRError(nvcc, f"cannot be run: {error.strerror or error}") from error


def _host_compiler() -> list[str]:
    """Options by which clang preprocesses for nvcc, on machines that have no host compiler."""
    if any(map(shutil.which, ("g++", "gcc"))):
        return []
    beside = Path(find_clang().path).with_name("clang++")
    return ["-ccbin", str(beside), "-allow-unsupported-compiler"] if beside.is_file() else []


def _each(option: str, values: Iterable[str]) -> Iterator[str]:
    return itertools.chain.from_iterable((option, value) for value in values)


def _directories(flags: Sequence[str], kind: str) -> list[str]:
    return [place for _, place in include_directories(flags, (kind,))]
