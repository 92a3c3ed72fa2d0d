"""Kernel launches in host code, with the grid, block and arguments that are constant.

Read through libclang from the *host* side of a CUDA file: ``kernel<<<grid, block>>>(…)``,
``cudaLaunchKernel``, ``cudaLaunchCooperativeKernel``, ``cudaLaunchKernelEx`` and ``…ExC``, and the
driver's ``cuLaunchKernel`` and its like (``driver_handles``); by the kernel's name, or by a
parameter, a local variable or a template's parameter that holds it. Here the texts are made fit for
clang and are parsed; ``launch_reader`` has what is read from the tree, with its assumptions.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from drano.frontend.headers import old_cccl
from drano.frontend.libclang import parse
from drano.frontend.repair.dialect_fixups import join_launch_brackets
from drano.frontend.repair.launch_braces import Columns, named_shapes, own_column
from drano.frontend.text.text_scan import read_or_empty, scan_text
from drano.host.cross_unit import NOTHING, HostCall, Told
from drano.host.launching.launch_reader import Reader
from drano.model.report import OpenFunction
from drano.model.span import Span
from drano.model.translation_unit import LaunchSite
from drano.support.errors import IRError
from drano.support.input_files import MAX_BYTES
from drano.support.regular_files import read_regular

_REMEMBERED_BYTES: Final = 1 << 18
_DROPPED: Final = frozenset(
    {"-c", "-S", "-emit-llvm", "--cuda-device-only", "-fsyntax-only", "-MD"}
)


class Launches(Struct, frozen=True):
    """``sites`` in source order; ``reason``: one line when the file could not be read, else "";
    ``headers``: the user's files that the answer may depend on; ``read``: whether the host code was
    looked at, which is not done where its text has no launch. ``calls``: of what other units ask
    for; ``open_functions``: those whose calls in other units matter; ``open_variables``: names of
    those that other units may write.
    """

    sites: tuple[LaunchSite, ...]
    reason: str = ""
    headers: tuple[str, ...] = ()
    read: bool = True
    calls: tuple[HostCall, ...] = ()
    open_functions: tuple[OpenFunction, ...] = ()
    open_variables: tuple[str, ...] = ()


def read_launches(
    path: str,
    clang_args: Sequence[str],
    source_text: bytes | None = None,
    told: Told = NOTHING,
) -> Launches:
    """Launches of ``path`` and of the user headers it includes; none when it cannot be read.

    ``clang_args``: clang driver arguments (``--cuda-path``, ``-I``, ``-D``, ``-include-pch`` of a
    host-side PCH…); output and device-side options are dropped. ``source_text`` stands in for
    the file's content; ``told``: by other units. Raises nothing.
    """
    try:
        source = read_regular(path, MAX_BYTES) if source_text is None else source_text
        scan = scan_text(path, clang_args, source)
        if not (scan.launches or told.asked):
            return Launches((), read=False)
        texts = _readable(path, source, scan.files)
        changed = {file: text.changed for file, text in texts.items() if text.differs}
        if source_text is not None:
            changed[path] = texts[path].changed
        unit = parse_host(path, clang_args, changed)
        reader = Reader(unit, path, texts[path].changed, scan.files, changed, told)
        sites = reader.read()
        columns = {file: text.columns for file, text in texts.items() if text.columns}
        if columns:
            sites = tuple(_in_source(site, columns) for site in sites)
        return Launches(
            sites,
            calls=tuple(reader.walk.across.calls),
            open_functions=reader.open_functions(),
            open_variables=tuple(sorted(reader.open_variables)),
        )
    except IRError as error:
        return Launches((), str(error), read=False)
    except OSError as error:
        return Launches((), str(IRError(path, error.strerror or str(error))), read=False)
    except RecursionError:
        return Launches(
            (), str(IRError(path, "nested too deeply to look for launches")), read=False
        )


class _Text(Struct, frozen=True):
    """A file as clang is to read it."""

    changed: bytes
    differs: bool
    columns: Columns


def _as_read(text: bytes) -> _Text:
    """Remembered for headers of usual size: the units of a run include the same ones."""
    return _written(text) if len(text) <= _REMEMBERED_BYTES else _written.__wrapped__(text)


@lru_cache(maxsize=256)
def _written(text: bytes) -> _Text:
    changed, columns = named_shapes(join_launch_brackets(text))
    return _Text(changed, changed != text, columns)


def _readable(path: str, source: bytes, files: Sequence[str]) -> dict[str, _Text]:
    """The file, and the headers it includes from the user's own directories, with launches as
    clang wants them.
    """
    real = os.path.realpath(path)
    texts = {path: source} | {file: read_or_empty(file) for file in files if file != real}
    return {file: _as_read(text) for file, text in texts.items()}


def _in_source(site: LaunchSite, columns: Mapping[str, Columns]) -> LaunchSite:
    """A launch with the columns of the files as they are."""

    def place(span: Span) -> Span:
        known = columns.get(os.path.realpath(span.path)) or columns.get(span.path)
        if known is None:
            return span
        return replace(span, column=own_column(known, span.line, span.column))

    loops = tuple(replace(loop, span=place(loop.span)) for loop in site.loops)
    return replace(site, span=place(site.span), loops=loops)


def parse_host(path: str, args: Sequence[str], texts: Mapping[str, bytes]) -> Any:
    """The host's side of a file, ``texts`` in the place of files. Raises IRError."""
    unit = parse(path, host_arguments(args), texts)
    if any(old_cccl.missed(str(each.spelling)) for each in unit.diagnostics):
        unit = parse(path, host_arguments([*args, *old_cccl.FLAGS]), texts)
    return unit


def host_arguments(args: Sequence[str]) -> list[str]:
    """The arguments for a parse of the host's side; outputs and device-side options are dropped."""
    kept: list[str] = []
    skip = False
    for arg in args:
        if skip or arg in _DROPPED:
            skip = False
        elif arg in {"-o", "-MF"}:
            skip = True
        else:
            kept.append(arg)
    if "-x" not in kept and not any(arg == "-xcuda" for arg in kept):
        kept = ["-x", "cuda", *kept]
    return ["--cuda-host-only", "-ferror-limit=0", *kept]
