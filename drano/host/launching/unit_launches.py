"""The launches of one unit: ``launches`` with the flags that ``clang`` compiles the unit with.

The host side has preludes of its own, with CUDA's wrapper and the common headers that the unit
includes, because ``<iostream>`` alone takes ten times as long as a small file.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from drano.frontend.clang import prelude_arguments, user_arguments
from drano.frontend.commands.compile_database import with_compile_commands
from drano.frontend.headers import prelude_pch
from drano.frontend.headers.common_headers import common_headers
from drano.frontend.headers.overlay import OVERLAY_FLAG
from drano.frontend.headers.stand_ins import OWN_STUB_FLAGS
from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.text.source_without_kernels import HostPart, host_part, without_comments
from drano.frontend.text.text_scan import TextScan, scan_text
from drano.frontend.toolchain import find_clang, host_headers
from drano.host.cross_unit import NOTHING, Told
from drano.host.launching.launches import Launches, parse_host, read_launches
from drano.model.settings import CompileOptions
from drano.model.span import Span
from drano.model.translation_unit import LaunchSite
from drano.support.errors import IRError

_KEPT = 64


class LaunchMemory(Struct, frozen=True):
    """Launches read before, for who analyses edits of the same files: see
    ``frontend.source_without_kernels``.
    """

    _known: OrderedDict[bytes, Launches] = field(default_factory=OrderedDict)

    def recall(self, key: bytes, path: str, part: HostPart) -> Launches | None:
        """What was found for ``key``, at the lines of this source."""
        found = self._known.get(key)
        if found is None:
            return None
        self._known.move_to_end(key)
        return replace(found, sites=_moved(found.sites, path, part.source_line))

    def keep(self, key: bytes, path: str, part: HostPart, found: Launches) -> None:
        """Remember what was found in a source."""
        self._known[key] = replace(found, sites=_moved(found.sites, path, part.own_line))
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)


def _moved(
    sites: Sequence[LaunchSite], path: str, moved: Callable[[int], int]
) -> tuple[LaunchSite, ...]:
    def place(span: Span) -> Span:
        return replace(span, line=moved(span.line)) if span.path == path else span

    return tuple(
        replace(
            site,
            span=place(site.span),
            loops=tuple(replace(loop, span=place(loop.span)) for loop in site.loops),
        )
        for site in sites
    )


def unit_launches(
    path: str,
    options: CompileOptions,
    source_text: bytes | None = None,
    memory: LaunchMemory | None = None,
    told: Told = NOTHING,
) -> Launches:
    """Launches in the file at ``path``, or in ``source_text`` in its place; ``told``: by other
    units. Raises nothing.
    """
    absolute = os.path.abspath(path)
    try:
        if options.compile_commands is not None:
            options = with_compile_commands(absolute, options)
        user = [*user_arguments(options), *OWN_STUB_FLAGS]
        scan = scan_text(absolute, user, source_text)
        if not (scan.launches or told.asked):
            return Launches((), headers=scan.files, read=False)
        headers = cuda_headers(options.cuda_path)
        flags = prelude_arguments(options, headers, host_headers(find_clang()))
        prelude = _prelude(headers.key, flags, user, scan)
    except IRError as error:
        return Launches((), str(error), read=False)
    if memory is None or source_text is None or OVERLAY_FLAG in user:
        return replace(_read(absolute, flags, user, prelude, source_text, told), headers=scan.files)
    part = host_part(source_text)
    key = _key(part, [absolute, *flags, str(prelude), *user, repr(told)], scan.files)
    known = memory.recall(key, absolute, part)
    if known is None:
        known = replace(
            _read(absolute, flags, user, prelude, source_text, told), headers=scan.files
        )
        if not known.reason:
            memory.keep(key, absolute, part, known)
    return known


def _key(part: HostPart, command: Sequence[str], files: Sequence[str]) -> bytes:
    """Stands for the source without its kernels' bodies and without comments, the command, and
    the included files.
    """
    digest = hashlib.sha256("\0".join(command).encode("utf-8", "surrogateescape"))
    digest.update(b"\0" + without_comments(part.text))
    for name in files:
        if name != command[0]:
            digest.update(f"\0{name}\0{_stamp(name)}".encode("utf-8", "surrogateescape"))
    return digest.digest()


def _stamp(name: str) -> tuple[int, int]:
    try:
        status = Path(name).stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


def _read(
    path: str,
    flags: Sequence[str],
    user: Sequence[str],
    prelude: Path | None,
    source_text: bytes | None,
    told: Told,
) -> Launches:
    if prelude is not None:
        read = [*flags, *prelude_pch.included(prelude), *user]
        launches = read_launches(path, read, source_text, told)
        if not launches.reason:
            return launches
    plain = ["-include", str(prelude_pch.PRELUDE)]
    return read_launches(path, [*flags, *plain, *user], source_text, told)


def host_unit(path: str, options: CompileOptions, texts: Mapping[str, bytes]) -> Any:
    """The host's side of a unit as libclang parses it, ``texts`` in the place of files, with the
    flags that launches are read with. Raises IRError.
    """
    absolute = os.path.abspath(path)
    if options.compile_commands is not None:
        options = with_compile_commands(absolute, options)
    user = [*user_arguments(options), *OWN_STUB_FLAGS]
    scan = scan_text(absolute, user, texts.get(absolute))
    headers = cuda_headers(options.cuda_path)
    flags = prelude_arguments(options, headers, host_headers(find_clang()))
    prelude = _prelude(headers.key, flags, user, scan)
    first = ["-include", str(prelude_pch.PRELUDE)]
    if prelude is not None:
        first = list(prelude_pch.included(prelude))
    return parse_host(absolute, [*flags, *first, *user], texts)


def _prelude(key: str, flags: list[str], user: list[str], scan: TextScan) -> Path | None:
    command = (
        find_clang().path,
        *flags,
        *prelude_pch.prelude_flags(user),
        "--cuda-host-only",
        "-S",
        "-w",
    )
    version = f"{find_clang().version_text} {key}"
    return prelude_pch.prelude_pch(command, version, common_headers(scan, user), scan.macros)
