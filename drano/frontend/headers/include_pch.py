"""A source's own leading ``#include`` block as a precompiled header, for files that are edited.

Means: the block's lines become a header that clang precompiles on top of the prelude's; the source
is then compiled with these lines blank, so that all places in it stay where they are. An edit
behind the block thus costs clang the edited part only. Precompiling takes as long as a compilation:
it is for the time after an answer, not before.
Assumptions: clang itself refuses a header whose inputs have changed; a split that is none (inside
of a comment or a conditional) does not compile, and is remembered as such.
Limits: none with force-included files or unsaved headers of the block; a file that appears and
would be found before an included one goes unnoticed until the block is edited.
"""

from __future__ import annotations

import hashlib
import os
import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from drano.frontend.clang_messages import parse_dependencies
from drano.frontend.headers import prelude_pch as pch
from drano.frontend.headers.overlay import OVERLAY_FLAG, overlaid
from drano.frontend.text.cpp_lexer import LINE_END, LITERALS, WORDS, Kind, blank, tokens
from drano.support.cache_directory import cache_dir, keep_newest, publish_file, touch
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

MAX_BYTES = 256 << 10
_KEPT = 48  # three files each
_FORCED = ("-include", "-imacros", "--include", "--imacros")
_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(\w*)")
_OPENING = frozenset({b"if", b"ifdef", b"ifndef"})
_INSIDE = frozenset({b"else", b"elif", b"elifdef", b"elifndef"})
_PLAIN = frozenset({b"", b"define", b"undef", b"error", b"warning"})


def leading_block(content: bytes) -> int:
    r"""Where the lines up to the last ``#include`` end that only comments and directives precede.

    >>> leading_block(b"// A.\n#include <b>\n#define C 1\nint c;\n")
    18
    """
    content = content[:MAX_BYTES]
    if content.startswith(BOM_UTF8):
        content = content.replace(BOM_UTF8, b" " * len(BOM_UTF8), 1)
    end = depth = 0
    for token in tokens(content, {Kind.DIRECTIVE, *WORDS, *LITERALS}):
        if token.kind is not Kind.DIRECTIVE:
            break
        line_end = LINE_END.match(content, token.end)
        behind = token.end if line_end is None else line_end.end()
        directive = _DIRECTIVE.match(token.text)
        name = b"" if directive is None else directive[1]
        if name in _OPENING:
            depth += 1
        elif name == b"endif":
            depth -= 1
        elif name == b"include":
            end = behind if depth == 0 else end
            continue
        elif name not in _PLAIN | _INSIDE and not (name == b"pragma" and b"once" in token.text):
            break
        if depth < 0:
            break
        if depth == 0 and name == b"endif":
            end = behind if b"include" in content[end:behind] else end
    return end


def without_block(content: bytes, end: int) -> bytes:
    """The source with its first ``end`` bytes blank, line ends kept."""
    return blank(content[:end]) + content[end:]


class Preamble(Struct, frozen=True):
    """One block for one command: ``prelude_pch`` may or may not exist yet, nor its two companions:
    the block's text, which clang compares with its copy, and the files that it includes.
    """

    command: tuple[str, ...]
    block: bytes
    pch: Path

    @property
    def header(self) -> Path:
        """The block as a file."""
        return self.pch.with_suffix(".h")

    @property
    def dependencies(self) -> Path:
        """What it includes, as clang writes it."""
        return self.pch.with_suffix(".d")


def preamble_of(
    path: str, content: bytes, base: Sequence[str], prelude: Path, user: Sequence[str]
) -> Preamble | None:
    """The preamble of a source; None where there is none, or where it would not be the same.

    ``base``: clang and the flags that all units get; ``user``: the user's flags.
    """
    end = leading_block(content)
    if not end or b"\0" in content[:end] or any(flag.startswith(_FORCED) for flag in user):
        return None
    plain = _without_overlays(user)
    folder = str(Path(path).parent)
    command = (*base, *pch.included(prelude), "-iquote", folder, *plain)
    digest = hashlib.sha256("\0".join(command).encode("utf-8", "surrogateescape"))
    digest.update(b"\0" + content[:end])
    try:
        directory = cache_dir("preambles")
    except IRError:
        return None
    return Preamble(command, content[:end], directory / f"{digest.hexdigest()[:24]}.pch")


def usable(preamble: Preamble, user: Sequence[str]) -> bool:
    """Whether it has been made, and no unsaved text stands for a file that it includes."""
    try:
        for path in (preamble.pch, preamble.header, preamble.dependencies):
            touch(path)  # the least recently used are deleted first
        unsaved = overlaid(user)
        if not unsaved:
            return True
        text = preamble.dependencies.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return False
    included = {os.path.abspath(name) for name in parse_dependencies(text)}
    return all(Path(name).exists() and name not in included for name in unsaved)


def make(preamble: Preamble, timeout: float, memory: int) -> bool:
    """Precompile it, unless that has been done or has failed before; whether it is there then."""
    if preamble.pch.is_file():
        return True
    if preamble.pch in _FAILED:
        return False

    def build(target: Path) -> bool:
        dependencies = ("-MD", "-MF", str(preamble.dependencies))
        arguments = [*preamble.command, *pch.EMIT, *dependencies, "-o", str(target)]
        try:
            completed = run_limited(
                [*arguments, str(preamble.header)],
                timeout=timeout,
                memory=memory,
                file_size=pch.FILE_SIZE,
            )
        except OSError:
            return False
        return completed.status == 0 and target.stat().st_size > 0

    def write(target: Path) -> bool:
        return target.write_bytes(preamble.block) == len(preamble.block)

    try:
        made = publish_file(preamble.header, write) and publish_file(preamble.pch, build)
        keep_newest(preamble.pch.parent, "*.*", _KEPT)
    except IRError:
        made = False
    if not made:
        _FAILED.add(preamble.pch)
    return made


# Blocks that do not compile; clang's time for them is not spent twice.
_FAILED: set[Path] = set()


def _without_overlays(flags: Sequence[str]) -> list[str]:
    kept: list[str] = []
    words = iter(flags)
    for flag in words:
        if flag == OVERLAY_FLAG:
            next(words, None)
        else:
            kept.append(flag)
    return kept
