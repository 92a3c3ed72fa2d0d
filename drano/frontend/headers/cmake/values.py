"""The values that a project's CMake files give their variables, as far as their text tells.

Nothing is run: ``set``, ``option``, ``project`` and the simplest of ``string`` and ``list`` are
followed from ``CMakeLists.txt`` through ``include``, ``add_subdirectory``, loops over lists, and
the project's own macros and functions, in the order of the text. Assumptions: it is built with
CUDA, which an option that says so turns on, or a condition on such a name that no file sets; what
else no file sets is empty, as for CMake where no package is found. Limits: a condition on anything
but variables (files, targets, patterns) is not known, nor is what is set under it or in another
loop; directories have no scopes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from drano.frontend.headers.cmake.conditions import Truth, condition, every, is_for_cuda, some
from drano.frontend.headers.cmake.language import (
    LONGEST_VALUE,
    Argument,
    Command,
    Value,
    commands,
    value_of,
    with_arguments,
)
from drano.support.regular_files import regular_or_empty

MAX_BYTES: Final = 4 << 20
_MOST_FILES: Final = 400
_MOST_DEPTH: Final = 12
_PLAIN: Final = re.compile(r"\^?[\w ./-]*\$?\Z")
_MOST_ITEMS: Final = 200
_MOST_STEPS: Final = 200_000
_BODIES: Final = {
    "function": "endfunction", "macro": "endmacro", "foreach": "endforeach", "while": "endwhile",
}  # fmt: skip
_LOOPS: Final = frozenset({"foreach", "while"})
_SIZES: Final = {
    "char": 1, "short": 2, "int": 4, "long": 8, "long long": 8, "float": 4, "double": 8,
    "size_t": 8, "ssize_t": 8, "ptrdiff_t": 8, "off_t": 8, "void*": 8, "void *": 8, "wchar_t": 4,
    "int8_t": 1, "int16_t": 2, "int32_t": 4, "int64_t": 8, "uint8_t": 1, "uint16_t": 2,
    "uint32_t": 4, "uint64_t": 8, "__int128": 16, "__int64": 0,
}  # fmt: skip
_SYSTEM: Final = {
    "UNIX": "1", "LINUX": "1", "CMAKE_SYSTEM_NAME": "Linux", "CMAKE_SYSTEM_PROCESSOR": "x86_64",
    "CMAKE_SIZEOF_VOID_P": "8", "CMAKE_CXX_COMPILER_ID": "GNU", "CMAKE_BUILD_TYPE": "Release",
}  # fmt: skip

_WITH_CUDA: Final = {
    "CMAKE_CUDA_COMPILER": "nvcc", "CMAKE_CUDA_COMPILER_ID": "NVIDIA", "CUDA_FOUND": "TRUE",
    "CUDAToolkit_FOUND": "TRUE",
}  # fmt: skip


class Project(Struct, frozen=True):
    """What is known of a CMake project: the ``values`` of its variables, the ``files`` that they
    were read from, and the commands that are ``passed`` over, under conditions that do not hold:
    the file of each, its links followed, and its place among the file's commands.
    """

    values: dict[str, Value]
    files: tuple[str, ...]
    passed: frozenset[tuple[str, int]]


def project_at(root: str, versions: str) -> Project:
    """The project at ``root``. ``versions``: of CUDA, as CMake's variables give it."""
    reader = _Reader(root)
    reader.values |= _WITH_CUDA
    reader.values |= dict.fromkeys(
        ("CUDA_VERSION", "CUDAToolkit_VERSION", "CMAKE_CUDA_COMPILER_VERSION"), versions
    )
    reader.read(os.path.join(root, "CMakeLists.txt"), 0)
    passed = frozenset(reader.passed - reader.reached)
    return Project(reader.values, tuple(reader.files), passed)


class _Branch(Struct):
    """An ``if``: whether it is entered now, and whether one of its parts surely was."""

    now: Truth
    before: Truth


class _Place(Struct, frozen=True):
    """Where commands stand: a directory, how deep, and of a file's own, which, and from where."""

    folder: str
    depth: int
    file: str = ""
    start: int = 0


def _end_of(given: Sequence[Command], start: int) -> int:
    """The command that ends the body that the one at ``start`` begins; the last for none."""
    begins, depth = given[start][0], 0
    for place in range(start, len(given)):
        depth += (given[place][0] == begins) - (given[place][0] == _BODIES[begins])
        if not depth:
            return place
    return len(given)


class _Macro(Struct, frozen=True):
    """With the names of its arguments."""

    names: tuple[str, ...]
    body: tuple[Command, ...]
    is_function: bool


class _Left(Enum):
    """How commands are left."""

    AT_END = "at their end"
    BREAK = "break"
    RETURN = "return"
    MAYBE = "maybe before their end"


class _Reader(Struct):
    """``reached``: commands that are not ``passed``, or not each time; ``cached``, ``exported``:
    what is set in the cache, and by a function for its caller; ``steps``: of macros and loops.
    """

    root: str
    values: dict[str, Value] = field(default_factory=lambda: dict(_SYSTEM))
    files: dict[str, None] = field(default_factory=dict)
    passed: set[tuple[str, int]] = field(default_factory=set)
    macros: dict[str, _Macro] = field(default_factory=dict)
    reached: set[tuple[str, int]] = field(default_factory=set)
    cached: set[str] = field(default_factory=set)
    exported: set[str] = field(default_factory=set)
    steps: int = 0

    def read(self, path: str, depth: int) -> None:
        path = os.path.realpath(path)
        inside = path.startswith(os.path.realpath(self.root).rstrip("/") + "/")
        if (
            not inside
            or path in self.files
            or len(self.files) >= _MOST_FILES
            or depth > _MOST_DEPTH
        ):
            return
        content = regular_or_empty(Path(path), MAX_BYTES)
        if not content:
            return
        self.files[path] = None
        folder, text = os.path.dirname(path), content.decode("utf-8", "replace")
        self.values.setdefault("PROJECT_SOURCE_DIR", self.root)
        self.values |= {
            "CMAKE_SOURCE_DIR": self.root,
            "CMAKE_CURRENT_SOURCE_DIR": folder,
            "CMAKE_CURRENT_LIST_DIR": folder,
        }
        self._follow(list(commands(text)), _Place(folder, depth, path), surely=True)

    def _follow(self, given: Sequence[Command], where: _Place, *, surely: bool) -> _Left:
        """Run commands in their order, ``surely`` or only maybe; how they are left."""
        branches: list[_Branch] = []
        end, left = -1, _Left.AT_END
        for place, (name, arguments) in enumerate(given):
            if place <= end:
                continue
            if name in _BODIES:
                end = _end_of(given, place)
            if name in _BODIES and name not in _LOOPS:
                self._define(name, arguments, given[place + 1 : end])
            elif not self._steer(name, arguments, branches):
                now = every((surely or None, *(branch.now for branch in branches)))
                if where.file:
                    told = self.passed if now is False else self.reached
                    told.add((where.file, where.start + place))
                if now is False:
                    continue
                how = _Left.AT_END
                if name in _LOOPS:
                    inside = replace(where, depth=where.depth + 1, start=where.start + place + 1)
                    how = self._loop(arguments, given[place + 1 : end], inside, surely=now is True)
                elif name == "break" or (name == "return" and not where.file):
                    how = _Left(name)
                else:
                    self._run(name, arguments, where, surely=now is True)
                if how is not _Left.AT_END and now is True and how is not _Left.MAYBE:
                    return how
                if how is not _Left.AT_END:
                    surely, left = False, _Left.MAYBE
        return left

    def _define(self, name: str, given: Sequence[Argument], body: Sequence[Command]) -> None:
        called = self._value(given[0]) if given else None
        if called:
            names = tuple(argument.text for argument in given[1:])
            self.macros[called.lower()] = _Macro(names, tuple(body), name == "function")

    def _call(self, macro: _Macro, texts: Sequence[Value], where: _Place, *, surely: bool) -> None:
        """What a function sets is its own, but in the cache or its caller's scope."""
        self.steps += len(macro.body) + len(self.values) // 8 + 1
        if where.depth >= _MOST_DEPTH or self.steps > _MOST_STEPS:
            return
        body = with_arguments(macro.body, macro.names, texts)
        inside = _Place(where.folder, where.depth + 1)
        if not macro.is_function:
            self._follow(body, inside, surely=surely)
            return
        before, exported = dict(self.values), self.exported
        self.exported = set()
        self._follow(body, inside, surely=surely)
        kept = (name for name in self.exported | self.cached if name in self.values)
        self.values = before | {name: self.values[name] for name in kept}
        self.exported = exported

    def _loop(
        self, given: Sequence[Argument], body: Sequence[Command], where: _Place, *, surely: bool
    ) -> _Left:
        """``foreach`` over a list that is known; of any other the commands may be run, or not."""
        words = self._items([self._value(argument) for argument in given])
        if where.depth > _MOST_DEPTH:
            return _Left.AT_END
        if words is None:
            left = self._follow(body, where, surely=False)
            return _Left.AT_END if left is _Left.BREAK else left
        for word in words[1:]:
            self.steps += len(body) + 1
            if self.steps > _MOST_STEPS:
                break
            self.values[words[0]] = word
            left = self._follow(body, where, surely=surely)
            if left in (_Left.BREAK, _Left.RETURN):
                return _Left.RETURN if left is _Left.RETURN else _Left.AT_END
            surely = surely and left is _Left.AT_END
        return _Left.AT_END

    def _items(self, texts: Sequence[Value]) -> list[str] | None:
        """The variable of a loop, and what it is in turn; None where that is not known."""
        items = list(texts[1:])
        if items[:2] == ["IN", "LISTS"]:
            items = [None if name is None else self.values.get(name, "") for name in items[2:]]
        elif items[:1] == ["IN"]:
            items = items[2:] if items[1:2] == ["ITEMS"] else [None]
        known = [item for item in items if item is not None]
        words = [word for item in known for word in item.split(";") if word]
        unknown = len(known) < len(items) or "RANGE" in known or len(words) > _MOST_ITEMS
        return None if unknown or not texts or not texts[0] else [texts[0], *words]

    def _steer(self, name: str, given: Sequence[Argument], branches: list[_Branch]) -> bool:
        """Whether the command is one that says what is run."""
        if name == "if":
            truth = condition(given, self.values)
            branches.append(_Branch(truth, truth))
        elif name in ("elseif", "else") and branches:
            branch = branches[-1]
            truth = True if name == "else" else condition(given, self.values)
            not_before = None if branch.before is None else not branch.before
            branch.now = every((not_before, truth))
            branch.before = (
                True if branch.before or branch.now else some((branch.before, branch.now))
            )
        elif name == "endif":
            branches[-1:] = []
        else:
            return False
        return True

    # --- commands

    def _run(self, name: str, given: Sequence[Argument], where: _Place, *, surely: bool) -> None:
        folder, depth = where.folder, where.depth
        texts = [self._value(argument) for argument in given]
        first = texts[0] if texts else None
        if name in ("include", "add_subdirectory") and first:
            path = os.path.join(folder, first)
            if name == "add_subdirectory":
                path = os.path.join(path, "CMakeLists.txt")
            elif not os.path.isfile(path):
                path = self._module(first) or path
            if surely and len(self.files) < _MOST_FILES:
                project = self.values.get("PROJECT_SOURCE_DIR")
                self.read(path, depth + 1)
                here = {"CMAKE_CURRENT_SOURCE_DIR": folder, "CMAKE_CURRENT_LIST_DIR": folder}
                self.values |= {**here, "PROJECT_SOURCE_DIR": project}
        elif name == "project" and first:
            self._project(first, texts, folder)
        elif name in ("set", "option") and first:
            rest = (
                texts[1:] if name == "set" else [*texts[2:3], *(["OFF"] if len(texts) < 3 else [])]
            )
            self._set(first, rest, surely=surely, default=name == "option")
        elif name == "string" and len(texts) >= 3:
            self._string(texts, surely=surely)
        elif name == "check_type_size" and len(texts) >= 2 and texts[0] in _SIZES and texts[1]:
            size = _SIZES[texts[0] or ""]
            known = {texts[1]: str(size or ""), f"HAVE_{texts[1]}": "1" if size else ""}
            for variable, value in known.items():
                self._set(variable, [value], surely=surely)
        elif name in self.macros:
            self._call(self.macros[name], texts, where, surely=surely)
        elif name == "list" and len(texts) >= 2 and texts[0] == "APPEND" and texts[1]:
            before = self.values.get(texts[1], "")
            self._set(texts[1], [*([before] if before != "" else []), *texts[2:]], surely=surely)

    def _set(
        self, name: str, given: Sequence[Value], *, surely: bool, default: bool = False
    ) -> None:
        words = list(given)
        if "PARENT_SCOPE" in words:
            self.exported.add(name)
        if "CACHE" in words or default:
            self.cached.add(name)
        if "CACHE" in words:
            default = "FORCE" not in words
            words = words[: words.index("CACHE")]
        if "PARENT_SCOPE" in words:
            words.remove("PARENT_SCOPE")
        if default and name in self.values:
            return
        if default and words[:1] == ["OFF"] and is_for_cuda(name):
            words = ["ON"]
        known = [word for word in words if word is not None]
        value = ";".join(known) if len(known) == len(words) else None
        if value is not None and len(value) > LONGEST_VALUE:
            value = None
        if not surely and self.values.get(name, "") != value:
            value = None
        self.values[name] = value

    def _module(self, name: str) -> str | None:
        """The file that ``include(Name)`` means, where the project names its directory."""
        folders = (self.values.get("CMAKE_MODULE_PATH") or "").split(";")
        places = (os.path.join(self.root, folder, f"{name}.cmake") for folder in folders if folder)
        return next(filter(os.path.isfile, places), None)

    def _project(self, name: str, texts: Sequence[Value], folder: str) -> None:
        self.values["PROJECT_NAME"] = name
        self.values |= {f"{prefix}_SOURCE_DIR": folder for prefix in ("PROJECT", name)}
        if "VERSION" not in texts[:-1]:
            return
        version = texts[texts.index("VERSION") + 1] or ""
        parts = dict(zip(("MAJOR", "MINOR", "PATCH", "TWEAK"), version.split("."), strict=False))
        for prefix in ("PROJECT", name):
            self.values[f"{prefix}_VERSION"] = version
            self.values |= {f"{prefix}_VERSION_{part}": text for part, text in parts.items()}

    def _string(self, texts: Sequence[Value], *, surely: bool) -> None:
        change: Callable[[str], str]
        if texts[0] in ("TOLOWER", "TOUPPER"):
            change = str.lower if texts[0] == "TOLOWER" else str.upper
            source, target = texts[1], texts[2]
        elif (
            texts[:2] == ["REGEX", "REPLACE"] and len(texts) >= 6 and _PLAIN.match(texts[2] or "*")
        ):
            pattern = re.compile((texts[2] or "").replace(".", r"\."))
            change = partial(pattern.sub, (texts[3] or "").replace("\\", r"\\"))
            source, target = ";".join(text or "" for text in texts[5:]), texts[4]
        elif texts[0] == "REPLACE" and len(texts) >= 5 and None not in texts:
            change = _replacing(texts[1] or "", texts[2] or "")
            source, target = ";".join(text or "" for text in texts[4:]), texts[3]
        else:
            names = texts[1:3] if texts[0] != "REGEX" else texts[3:5]
            for name in names:  # one of them is what it sets
                if name in self.values:
                    self.values[name] = None
            return
        if target:
            self._set(target, [None if source is None else change(source)], surely=surely)

    def _value(self, argument: Argument) -> Value:
        return value_of(argument, self.values)


def _replacing(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)
