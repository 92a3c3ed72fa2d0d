"""Headers that a project's build makes of a template: ``config.h`` of ``config.h.in``.

Where no header of a name is found but a template of it is in the repository, by its name or by a
``configure_file`` that makes the header of it, it is filled in as CMake's ``configure_file`` does
(``@NAME@``, ``${NAME}``, ``#cmakedefine``, ``#cmakedefine01``), with the values that the project's
own CMake files give (``cmake.values``); of autoconf's ``#undef NAME``, Fortran's names are made as
gfortran makes them. Names whose value is not known are taken to be off, but for those that say that
CUDA is used: 0 where they are all of a macro or in an ``#if``, else empty. The result lies in the
cache, in a directory for its text; a real one that ``-I`` leads to is found first.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from drano.frontend.headers.cmake.conditions import is_for_cuda, is_true
from drano.frontend.headers.cmake.language import Value, commands, expanded
from drano.frontend.headers.cmake.values import MAX_BYTES, Project, project_at
from drano.support.cache_directory import cache_dir, publish_file
from drano.support.errors import IRError
from drano.support.regular_files import regular_or_empty

PART: Final = "configured"
_ENDINGS: Final = (".in", ".cmake", ".cmake.in", ".cmakein", ".in.cmake")
_REFERENCE: Final = re.compile(r"(?:@|\$\{)([\w./+-]+)(?:@|\})")
_VARIABLE: Final = re.compile(r"^(?:\$\{[^{}]*\}/)+")
_OPTION: Final = re.compile(r"^([ \t]*)#([ \t]*)cmakedefine(01)?[ \t]+(\w+)(.*)$")
_UNDEFINED: Final = re.compile(r"^([ \t]*#[ \t]*)undef[ \t]+(\w+)[ \t]*$")
_OF_FORTRAN: Final = re.compile(r"(?:FC|F77)_(?:FUNC|GLOBAL)_?")
_HAS_HEADER: Final = re.compile(
    "HAVE_(SYS_)?(ASSERT|CTYPE|DLFCN|ERRNO|FCNTL|FLOAT|INTTYPES|LIMITS|LOCALE|MALLOC|MATH|MEMORY"
    "|PARAM|PTHREAD|RESOURCE|SIGNAL|STAT|STDBOOL|STDDEF|STDINT|STDIO|STDLIB|STRINGS?|TIMEB?|TYPES"
    "|UNISTD|UTSNAME|WAIT)_H"
)
"""What autoconf's scripts call the C library's headers."""
_ALONE: Final = re.compile(r"^([ \t]*#[ \t]*define[ \t]+\w+(?:\(\))?[ \t]+)@\w+@[ \t]*$")
_CONDITION: Final = re.compile(r"^[ \t]*#[ \t]*(?:el)?if[ \t(]")
_INPUTS: Final = "inputs.json"
_CUDA: Final = "13.0"


def template_names(name: str) -> tuple[str, ...]:
    """What the template of a header may be called: ``config.h.in``, ``config.in.h``."""
    stem, suffix = Path(name).stem, Path(name).suffix
    middle = (f"{stem}.in{suffix}", f"{stem}.cmake{suffix}") if suffix else ()
    return (*(f"{name}{ending}" for ending in _ENDINGS), *middle)


def inputs_of(name: str, lists: tuple[str, ...], root: str) -> list[str]:
    """Files of the repository at ``root`` of which CMake's ``configure_file`` makes the header
    ``name``, by the CMake files ``lists``.
    """
    found = []
    for path, input_, made in _commands_of(lists):
        if f"/{made}".endswith(f"/{name}"):
            places = (os.path.join(base, input_) for base in (os.path.dirname(path), root))
            found += [os.path.normpath(p) for p in places if os.path.isfile(p)][:1]
    return found


@functools.lru_cache(maxsize=4)
def _commands_of(lists: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """CMake file, input and output of each ``configure_file``, without the variables of
    directories that they begin with.
    """
    found = []
    for path in lists:
        text = regular_or_empty(Path(path), MAX_BYTES).decode("utf-8", "replace")
        for command, arguments in commands(text) if "configure_file" in text else ():
            if command == "configure_file" and len(arguments) > 1:
                words = (_VARIABLE.sub("", argument.text) for argument in arguments[:2])
                found.append((path, *words))
    return tuple((path, input_, made) for path, input_, made in found)


def configured(name: str, template: str, root: str) -> str | None:
    """A directory that holds the header ``name`` made of a template of the repository at ``root``;
    None where it cannot be made.
    """
    content = regular_or_empty(Path(template), MAX_BYTES)
    if not content:
        return None
    project = project_of(root, template)
    text = filled(content.decode("utf-8", "surrogateescape"), project.values)
    return written({name: text}, (template, *project.files))


def written(headers: Mapping[str, str], made_by: Sequence[str]) -> str | None:
    """A directory that holds headers, texts by name, that follow from the files ``made_by``; None
    where it cannot be made.
    """
    texts = {name: text.encode("utf-8", "surrogateescape") for name, text in headers.items()}
    inputs = json.dumps(list(made_by)).encode()
    named = (part for name, text in texts.items() for part in (name.encode(), text))
    key = hashlib.sha256(b"\0".join([inputs, *named])).hexdigest()[:24]
    try:
        place = cache_dir(f"{PART}/{key}")
        directory = place / "include"
        _publish(place / _INPUTS, inputs)
        for name, text in texts.items():
            target = directory / name
            target.parent.mkdir(parents=True, exist_ok=True)
            _publish(target, text)
    except (IRError, OSError):
        return None
    return str(directory)


def made_of(directory: str) -> tuple[str, ...]:
    """Of a directory that ``configured`` gave: the template, and the files with its values; () of
    any other.
    """
    place = Path(directory).parent
    if place.parent.name != PART:
        return ()
    try:
        return tuple(map(str, json.loads(regular_or_empty(place / _INPUTS, MAX_BYTES))))
    except ValueError:
        return ()


def filled(template: str, values: dict[str, Value]) -> str:
    r"""The text of a header with what the template's names stand for.

    >>> print(filled("#define N @N@\n#cmakedefine A\n#cmakedefine01 B", {"N": "4", "A": "ON"}))
    #define N 4
    #define A
    #define B 0
    """
    return "\n".join(_lines(template, values))


def _lines(template: str, values: dict[str, Value]) -> Iterator[str]:
    for line in template.split("\n"):
        option = _OPTION.match(line)
        if option is not None:
            indent, space, number, name, rest = option.groups()
            on = is_true(values.get(name, "ON" if is_for_cuda(name) else ""))
            if number:
                yield f"{indent}#{space}define {name} {int(on is True)}"
            elif on:
                yield f"{indent}#{space}define {name}{_value(rest, values)}"
            else:
                yield f"{indent}/* #{space}undef {name} */"
            continue
        undefined = _UNDEFINED.match(line)
        if undefined is not None:
            yield _of_autoconf(*undefined.groups())
            continue
        alone = _ALONE.match(line)
        unknown = "0" if _CONDITION.match(line) is not None else ""
        text = _value(line, values, unknown)
        yield f"{alone[1]}0" if alone is not None and text.strip() == alone[1].strip() else text


def _of_autoconf(before: str, name: str) -> str:
    """What a script of autoconf's would make of ``#undef NAME``: of a header of the C library, a
    definition where there is one; of what is not known a comment, so that ``-DNAME`` still counts,
    but for what may be a word of C's (``#undef min``).
    """
    if _OF_FORTRAN.fullmatch(name):
        return f"{before}define {name}(name,NAME) name ## _"
    header = _HAS_HEADER.fullmatch(name)
    if header is not None:
        asked = f"{'sys/' if header[1] else ''}{header[2].lower()}.h"
        return f"#if __has_include(<{asked}>)\n{before}define {name} 1\n#endif"
    if is_for_cuda(name):
        return f"{before}define {name} 1"
    return f"/* {before}undef {name} */" if name.isupper() else f"{before}undef {name}"


def _value(text: str, values: dict[str, Value], unknown: str = "") -> str:
    known = expanded(text, _REFERENCE, values)
    if known is not None and not unknown:
        return known
    return _REFERENCE.sub(lambda m: values.get(m[1]) or unknown, text)


def project_of(root: str, path: str) -> Project:
    """What is known of the CMake project that a file of the repository at ``root`` belongs to: that
    of the outermost directory that CMake builds.
    """
    folders = [folder for folder in Path(path).parents if folder.is_relative_to(root)]
    built = (str(folder) for folder in reversed(folders) if (folder / "CMakeLists.txt").is_file())
    place = next(built, root)
    return _project(place, _stamps(place))


@functools.lru_cache(maxsize=4)
def _project(root: str, _stamps: object) -> Project:
    return project_at(root, _CUDA)


def _stamps(root: str) -> tuple[int, int]:
    try:
        status = (Path(root) / "CMakeLists.txt").stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _publish(place: Path, content: bytes) -> None:
    def build(target: Path) -> bool:
        target.write_bytes(content)
        return True

    if not place.is_file() or place.read_bytes() != content:
        publish_file(place, build)
