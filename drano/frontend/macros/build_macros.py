"""Macros that a project's build defines, found by what is missing without them.

A name that clang does not know may be such a macro, made of one, or declared under ``#ifdef
USE_CUDA``; so may all kernels of a file be. The macro is taken to be defined if a build file of the
repository defines it (``build_definitions``).
Macros that name another platform (HIP, SYCL, Windows) are never taken: a project that serves
several declares the same names for each. Of several branches of a condition one is taken, CUDA's
if there is one.
What the same command of CMake's defines beside a macro is defined with it, if the unit uses it.
Limits: conditions other than of macros that are (not) defined are not followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import Struct

from drano.frontend.headers.other_platforms import is_of_another_platform
from drano.frontend.headers.project_headers import files_below, repository_of
from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.frontend.macros import builds_without_cuda
from drano.frontend.macros.build_definitions import definition_of, definitions_beside
from drano.frontend.macros.error_directives import OURS
from drano.frontend.text.cpp_lexer import includes, macros
from drano.support.regular_files import regular_or_empty

_MOST_BYTES: Final = 4 << 20
_MOST_NAMES: Final = 64
_MOST_MACROS: Final = 256
_UNKNOWN: Final = re.compile(
    r"(?:undeclared identifier|unknown type name|(?:member|type|template|class) named"
    r"|no template|undeclared template|undefined template|function for call to(?: object of type)?)"
    r" '(?:\w+::)*(\w+)['<]"
)
_OPTIONAL: Final = frozenset({"DEBUG", "_DEBUG", "NDEBUG"})
"""Of what a build may define, and nobody misses names of."""
_OF_CCCL: Final = re.compile(r"\b(?:thrust|cub)\b")
_CCCL_MACROS: Final = (
    *("THRUST_CUB_WRAPPED_NAMESPACE", "THRUST_WRAPPED_NAMESPACE", "CUB_WRAPPED_NAMESPACE"),
    *("THRUST_NS_PREFIX", "THRUST_NS_POSTFIX", "THRUST_NS_QUALIFIER"),
    *("CUB_NS_PREFIX", "CUB_NS_POSTFIX", "CUB_NS_QUALIFIER"),
    *("THRUST_DISABLE_ABI_NAMESPACE", "CUB_DISABLE_NAMESPACE_MAGIC"),
)
"""Of the namespace that the names of CUB and Thrust are in."""
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b((?:[^\r\n\\]|\\\r?\n?)*)", re.MULTILINE
)
_KERNEL: Final = re.compile(rb"\b__global__\b")
_NEGATED: Final = re.compile(
    rb"! ?(?:defined\b)? ?\(? ?\w+|\b\w+ ?(?:[<>]|[!=]=)|(?:[<>]|[!=]=) ?\w+"
)
_EQUAL: Final = re.compile(rb"(?<![\w.])([A-Za-z_]\w*) ?== ?(\w+)\b(?! ?[(.+*/%-])")
_NO_TEXTS: Final[Mapping[str, bytes]] = MappingProxyType({})
_LONGEST_CONDITION: Final = 4096
_MACRO: Final = re.compile(rb"\b(?!defined\b|__)[A-Za-z_]\w*\b")


def missing_macros(
    source: str,
    messages: Iterable[str],
    files: Sequence[str],
    texts: Mapping[str, bytes],
    lacking: Iterable[Sequence[frozenset[bytes]]] = (),
) -> tuple[str, ...]:
    """Macros, as ``NAME`` or ``NAME=value``, under which names that clang does not know are
    declared in the ``files`` of a unit, and which the build of ``source``'s repository defines.

    ``messages``: clang's errors; ``texts``: contents that stand in for those of files;
    ``lacking``: macros of which one is to be defined, each with those that go with it.
    """
    root = repository_of(source)
    messages = tuple(messages)
    names = unknown_names(messages)
    if root is None:
        return ()
    contents = _contents(source, files, texts, root)
    certain = _alone(_CCCL_MACROS if any(map(_OF_CCCL.search, messages)) else ())
    certain += _alone(map(os.fsdecode, builds_without_cuda.macros_against(contents)))
    certain += [[_Branch(needed, wanted=True) for needed in each] for each in lacking]
    if not names:
        return _defined(certain, source, root)
    wanted = re.compile(rb"\b(?:" + b"|".join(map(re.escape, names)) + rb")\b")
    groups = _alone(map(os.fsdecode, names))
    writers = {m.name for text in contents.values() for m in macros(text) if wanted.search(m.body)}
    if writers:  # SPECIALIZATION(float, 2), of a macro with what is missing
        words = map(re.escape, sorted(writers)[:_MOST_NAMES])
        wanted = re.compile(wanted.pattern + rb"|\b(?:" + b"|".join(words) + rb")\b")
    for text in contents.values():
        groups += _around(text, _with_headers(wanted, text, root))
        if wanted.search(text) is not None:
            groups += _alone(_made_of(text, frozenset(names)))
    found = _defined([*groups, *certain], source, root)
    return _with_those_beside(found, contents.values(), source, root)


def _contents(
    source: str, files: Sequence[str], texts: Mapping[str, bytes], root: str
) -> dict[str, bytes]:
    """What is in the files of a unit that lie in its repository."""
    return {
        file: texts[file] if file in texts else regular_or_empty(Path(file), _MOST_BYTES)
        for file in dict.fromkeys((source, *files))
        if file in texts or file.startswith(root + "/")
    }


def unknown_names(messages: Iterable[str]) -> list[bytes]:
    """Names that clang's errors say it does not know, the first of them."""
    found = (match[1] for message in messages for match in _UNKNOWN.finditer(message))
    return [name.encode() for name in list(dict.fromkeys(found))[:_MOST_NAMES]]


def macros_of_kernels(
    source: str, text: bytes, files: Sequence[str] = (), texts: Mapping[str, bytes] = _NO_TEXTS
) -> tuple[str, ...]:
    """Macros, as ``missing_macros`` gives them, without which ``text``, of ``source``, has not all
    of its kernels, or does not include those of the repository's headers, or has functions for
    kernels. Where that is not so, all that the build defines and its files ask for: what makes
    instances of its templates may be there.
    """
    root = repository_of(source)
    if root is None:
        return ()
    contents = _contents(source, files, texts, root)
    groups = _around(text, _with_headers(_KERNEL, text, root))
    groups += _alone(map(os.fsdecode, builds_without_cuda.macros_against(contents)))
    found = _defined(groups, source, root)
    if found:
        return found
    asked = dict.fromkeys(macro for each in contents.values() for macro in _asked_for(each))
    return _defined(_alone(list(asked)[:_MOST_MACROS]), source, root)


def _asked_for(text: bytes) -> Iterator[str]:
    """Macros that conditions of a file ask for, in its order."""
    for directive in _DIRECTIVE.finditer(text):
        if directive[1] in {b"if", b"ifdef", b"elif"}:
            rest = directive[2].partition(b"//")[0].partition(b"/*")[0]
            yield from sorted(_name(os.fsdecode(asked)) for asked in _needed(rest))


def hides_kernels(text: bytes) -> tuple[str, ...]:
    """Macros that must be defined for all kernels of ``text`` to be seen."""
    wanted = (branch for group in _around(text, _KERNEL) for branch in group if branch.wanted)
    around = dict.fromkeys(_name(os.fsdecode(n)) for b in wanted for n in sorted(b.needed))
    return tuple(macro for macro in around if not is_of_another_platform(macro))


def _with_headers(wanted: re.Pattern[bytes], text: bytes, root: str) -> re.Pattern[bytes]:
    """What says that something wanted is here: itself, or a header with it, of the repository or
    of a library that is stood in for.
    """
    files = files_below(root)
    names = dict.fromkeys(include.name for include in includes(text))
    headers = []
    for name in names:
        plain = _plain(os.fsdecode(name))
        own = [p for p in files.get(os.path.basename(plain), ()) if p.endswith("/" + plain)]
        texts = (regular_or_empty(Path(p), _MOST_BYTES) for p in (*own, f"{OWN_STUBS}/{plain}"))
        if any(wanted.search(each) is not None for each in texts):
            headers.append(name)
    words = (wanted.pattern, *(rb"[\"<]" + re.escape(name) + rb"[\">]" for name in headers))
    return re.compile(b"|".join(words))


def _plain(name: str) -> str:
    """A header's name without the way up to it: what a path to it ends with."""
    return re.sub(r"\A(?:\.\.?/)+", "", os.path.normpath(name))


def _defined(groups: Iterable[_Group], source: str, root: str) -> tuple[str, ...]:
    """Macros that the build of ``source`` defines, as it does, of one wanted branch of each group:
    of CUDA's if there are such, and of none where a branch is taken anyway.
    """
    found: dict[str, str] = {}
    for group in sorted(groups, key=lambda group: not any(branch.is_ours for branch in group)):
        if any(b.needed and all(map(found.get, map(_name, b.asked))) for b in group):
            continue
        for branch in sorted(group, key=lambda branch: not branch.is_ours):
            asked = [
                each
                for each in (branch.asked if branch.wanted else ())
                if not (is_of_another_platform(_name(each)) or _name(each) in _OPTIONAL)
            ]
            given = ((each, definition_of(_name(each), source, root)) for each in asked)
            defined = {_name(a): d.text for a, d in given if d is not None and _meets(d.text, a)}
            if defined:
                found |= defined
                break
    return tuple(found.values())


def _name(asked: str) -> str:
    return asked.partition("=")[0]


def _meets(definition: str, asked: str) -> bool:
    """Whether a macro, as ``NAME`` or ``NAME=value``, is what is asked for: ``NAME=value`` too, or
    any.

    >>> _meets("REAL=64", "REAL"), _meets("REAL=64", "REAL=32"), _meets("REAL", "REAL=1")
    (True, False, True)
    """
    wanted = asked.partition("=")[2]
    return not wanted or (definition.partition("=")[2] or "1") == wanted


def _with_those_beside(
    defined: Sequence[str], contents: Iterable[bytes], source: str, root: str
) -> tuple[str, ...]:
    """The macros, and what the commands that define them define beside them and the unit uses."""
    names = [macro.partition("=")[0] for macro in defined]
    beside = {
        macro.partition("=")[0].encode(): macro
        for name in names
        for macro in definitions_beside(name, source, root)
    }
    if not beside:
        return tuple(defined)
    words = re.compile(rb"\b(?:" + b"|".join(map(re.escape, beside)) + rb")\b")
    used = {word for text in contents for word in words.findall(text)}
    more = (
        macro
        for name, macro in beside.items()
        if name in used and not is_of_another_platform(os.fsdecode(name))
    )
    return tuple(dict.fromkeys((*defined, *more)))


def too_many(macros: Iterable[str], at_odds: frozenset[bytes]) -> frozenset[str]:
    """Those of ``macros`` that are not to be defined, as not all of them may be: all but CUDA's, or
    but the first, if there are several.
    """
    names = [macro.partition("=")[0] for macro in macros]
    odd = [name for name in names if os.fsencode(name) in at_odds]
    ours = [name for name in odd if OURS.search(os.fsencode(name))] or odd
    return frozenset(odd) - frozenset(ours[:1] if len(odd) > 1 else ())


def likeliest(source: str, macros: Sequence[str], taken: Iterable[str]) -> tuple[str, ...]:
    """Those of ``macros``, as ``missing_macros`` gives them, that a build with options as they are
    by default defines; where it defines none, all but those that go with none of the ``taken``.
    """
    root = repository_of(source)
    if root is None:
        return tuple(macros)
    given = {macro: definition_of(macro.partition("=")[0], source, root) for macro in macros}
    names = {macro.partition("=")[0] for macro in taken}
    given = {
        macro: each for macro, each in given.items() if each is None or not each.unless & names
    }
    on = tuple(macro for macro, each in given.items() if each is None or not each.off)
    return on or tuple(given)


def defined_in(source: str, macros: Iterable[str]) -> tuple[str, ...]:
    """The build files that define what ``missing_macros`` gave for ``source``."""
    root = repository_of(source)
    if root is None:
        return ()
    defined = (definition_of(macro.partition("=")[0], source, root) for macro in macros)
    return tuple(dict.fromkeys(file for each in defined if each is not None for file in each.files))


def _made_of(text: bytes, names: frozenset[bytes]) -> Iterator[str]:
    """The words that macros of these names are replaced by."""
    for macro in macros(text):
        if macro.name in names:
            yield from (word.decode() for word in _MACRO.findall(macro.body))


class _Branch(Struct):
    """From ``#if``, ``#elif`` or ``#else`` to the next. ``needed``: macros that it asks for, as
    ``NAME``, or ``NAME=value`` where they have to be equal; ``wanted``: whether it has what is
    looked for.
    """

    needed: frozenset[bytes]
    wanted: bool = False

    @property
    def asked(self) -> list[str]:
        """``needed`` in an order of its own."""
        return sorted(map(os.fsdecode, self.needed))

    @property
    def is_ours(self) -> bool:
        """Whether it is for CUDA by the names of its macros."""
        return any(map(OURS.search, self.needed))


_Group: TypeAlias = list[_Branch]


def _alone(names: Iterable[str]) -> list[_Group]:
    """Macros that are wanted whatever else is defined."""
    return [[_Branch(frozenset({os.fsencode(name)}), wanted=True)] for name in names]


def _around(text: bytes, wanted: re.Pattern[bytes]) -> list[_Group]:
    """The groups of conditions that a wanted name is in."""
    groups: list[_Group] = []
    above: list[_Group] = []
    before: list[bytes] = []  # of each, the macro of a plain ``#ifndef``
    at = 0
    for directive in _DIRECTIVE.finditer(text):
        if any(group[-1].needed for group in above):
            found = wanted.search(text, at, directive.start()) is not None
            for group in above:
                group[-1].wanted |= found
        at = directive.end()
        word, rest = directive[1], directive[2].partition(b"//")[0].partition(b"/*")[0]
        if word in {b"if", b"ifdef", b"ifndef"}:
            plain = word == b"ifndef"
            above.append([_Branch(frozenset() if plain else _needed(rest))])
            before.append(rest.strip() if plain else b"")
            groups.append(above[-1])
        elif word == b"endif" and above:
            above.pop()
            before.pop()
        elif word in {b"elif", b"else"} and above:
            above[-1].append(_Branch(_needed(rest if word == b"elif" else before[-1])))
    return [group for group in groups if any(branch.wanted for branch in group)]


def _needed(condition: bytes) -> frozenset[bytes]:
    """Macros that a condition asks for; none where it has alternatives, or compares other than by
    ``==``.
    """
    if b"||" in condition or len(condition) > _LONGEST_CONDITION:
        return frozenset()
    plain = b" ".join(condition.replace(b"\\", b" ").split())
    if re.search(rb"! ?\(", plain) is not None:
        return frozenset(_MACRO.findall(_NEGATED.sub(b"", plain)))
    equal = (b"=".join(pair) for pair in _EQUAL.findall(plain) if _MACRO.match(pair[0]))
    return frozenset(_MACRO.findall(_NEGATED.sub(b"", plain))) | frozenset(equal)
