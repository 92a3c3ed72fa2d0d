"""The values that a project's CMake files give their variables, as far as their text tells.

Nothing is run: ``set``, ``option``, ``project`` and the simplest of ``string`` and ``list`` are
followed from ``CMakeLists.txt`` through ``include`` and ``add_subdirectory``, in the order of the
text. Assumptions: it is built with CUDA, which an option that says so turns on, or a condition on
such a name that no file sets; what else no file sets is empty, as for CMake where no package is
found. Limits: a
condition on anything but variables (files, targets, patterns) is not known, nor is what is set
under it or in a loop; functions and macros are passed over; variables have no scopes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from drano.support.regular_files import regular_or_empty

MAX_BYTES: Final = 4 << 20
_MOST_FILES: Final = 400
_MOST_DEPTH: Final = 12
_LONGEST_VALUE: Final = 4096
_TOKEN: Final = re.compile(
    r'#\[(=*)\[.*?\]\1\]|#[^\n]*|\[(=*)\[(.*?)\]\2\]|"((?:[^"\\]|\\.)*)"|([()])|([^\s()#"]+)', re.S
)
REFERENCE: Final = re.compile(r"\$\{([\w./+-]+)\}")
_PLAIN: Final = re.compile(r"\^?[\w ./-]*\$?\Z")
_FALSE: Final = frozenset({"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"})
_TRUE: Final = frozenset({"1", "ON", "YES", "TRUE", "Y"})
_SKIPPED: Final = {"function": "endfunction", "macro": "endmacro"}
_LOOPS: Final = frozenset({"foreach", "while"})
_ENDS: Final = frozenset({"endforeach", "endwhile"})
_SYSTEM: Final = {
    "UNIX": "1", "LINUX": "1", "CMAKE_SYSTEM_NAME": "Linux", "CMAKE_SYSTEM_PROCESSOR": "x86_64",
    "CMAKE_SIZEOF_VOID_P": "8", "CMAKE_CXX_COMPILER_ID": "GNU", "CMAKE_BUILD_TYPE": "Release",
}  # fmt: skip

_WITH_CUDA: Final = {
    "CMAKE_CUDA_COMPILER": "nvcc", "CMAKE_CUDA_COMPILER_ID": "NVIDIA", "CUDA_FOUND": "TRUE",
    "CUDAToolkit_FOUND": "TRUE",
}  # fmt: skip
_FOR_CUDA: Final = re.compile(
    r"(?:\w+_)?(?:ENABLE|WITH|USE|USING|BUILD|HAVE)_?CUDA(?:_?(?:LIBS?|TOOLKIT|SUPPORT|BACKEND))?",
    re.IGNORECASE,
)

Truth = bool | None
Value = str | None
"""None: not known."""


class Argument(Struct, frozen=True):
    """Of a command, as written; ``exact``: in brackets, where ``${}`` means nothing."""

    text: str
    quoted: bool = False
    exact: bool = False


Command = tuple[str, tuple[Argument, ...]]


def commands(text: str) -> Iterator[Command]:
    """The commands of a CMake file, their names in lower case; parentheses are arguments, too."""
    name, depth, given = "", 0, list[Argument]()
    for token in _TOKEN.finditer(text):
        _, _, bracket, quoted, parenthesis, word = token.groups()
        if token[0].startswith("#"):
            continue
        if parenthesis == "(" and name:
            depth += 1
            if depth == 1:
                continue
        elif parenthesis == ")" and depth:
            depth -= 1
            if not depth:
                yield name.lower(), tuple(given)
                name, given = "", []
                continue
        if not depth:
            name = word or ""
        elif bracket is not None:
            given.append(Argument(bracket, quoted=True, exact=True))
        elif quoted is not None:
            given.append(Argument(re.sub(r"\\(.)", r"\1", quoted), quoted=True))
        else:
            given.append(Argument(parenthesis or word))


def is_true(value: Value) -> Truth:
    """Whether CMake takes a variable's value for true."""
    if value is None:
        return None
    upper = value.upper()
    return not (upper in _FALSE or upper.endswith("-NOTFOUND"))


def is_for_cuda(name: str) -> bool:
    """Whether an option of this name says that a project is built with CUDA.

    >>> is_for_cuda("LIB_ENABLE_CUDA"), is_for_cuda("USE_CUDA_PROFILER")
    (True, False)
    """
    return bool(_FOR_CUDA.fullmatch(name))


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
    return Project(reader.values, tuple(reader.files), frozenset(reader.passed))


class _Branch(Struct):
    """An ``if``: whether it is entered now, and whether one of its parts surely was."""

    now: Truth
    before: Truth


class _Reader(Struct):
    root: str
    values: dict[str, Value] = field(default_factory=lambda: dict(_SYSTEM))
    files: dict[str, None] = field(default_factory=dict)
    passed: set[tuple[str, int]] = field(default_factory=set)

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
        branches: list[_Branch] = []
        until = ""
        for place, (name, given) in enumerate(commands(text)):
            if until:
                until = "" if name == until else until
            elif name in _SKIPPED:
                until = _SKIPPED[name]
            elif not self._steer(name, given, branches):
                now = _all(branch.now for branch in branches)
                if now is False:
                    self.passed.add((path, place))
                else:
                    self._run(name, given, folder, depth, surely=now is True)

    def _steer(self, name: str, given: Sequence[Argument], branches: list[_Branch]) -> bool:
        """Whether the command is one that says what is run."""
        if name == "if":
            truth = self._condition(given)
            branches.append(_Branch(truth, truth))
        elif name in _LOOPS:
            branches.append(_Branch(None, None))
        elif name in ("elseif", "else") and branches:
            branch = branches[-1]
            truth = True if name == "else" else self._condition(given)
            not_before = None if branch.before is None else not branch.before
            branch.now = _all((not_before, truth))
            branch.before = (
                True if branch.before or branch.now else _any((branch.before, branch.now))
            )
        elif name == "endif" or name in _ENDS:
            branches[-1:] = []
        else:
            return False
        return True

    # --- commands

    def _run(
        self, name: str, given: Sequence[Argument], folder: str, depth: int, *, surely: bool
    ) -> None:
        texts = [self._expanded(argument) for argument in given]
        first = texts[0] if texts else None
        if name in ("include", "add_subdirectory") and first:
            place = os.path.join(folder, first)
            if name == "add_subdirectory":
                place = os.path.join(place, "CMakeLists.txt")
            elif not os.path.isfile(place):
                place = self._module(first) or place
            if surely and len(self.files) < _MOST_FILES:
                project = self.values.get("PROJECT_SOURCE_DIR")
                self.read(place, depth + 1)
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
        elif name == "list" and len(texts) >= 2 and texts[0] == "APPEND" and texts[1]:
            before = self.values.get(texts[1], "")
            self._set(texts[1], [*([before] if before != "" else []), *texts[2:]], surely=surely)

    def _set(
        self, name: str, given: Sequence[Value], *, surely: bool, default: bool = False
    ) -> None:
        words = list(given)
        if "CACHE" in words:
            words = words[: words.index("CACHE")]
            default = True
        if "PARENT_SCOPE" in words:
            words.remove("PARENT_SCOPE")
        if default and name in self.values:
            return
        if default and words[:1] == ["OFF"] and is_for_cuda(name):
            words = ["ON"]
        known = [word for word in words if word is not None]
        value = ";".join(known) if len(known) == len(words) else None
        if value is not None and len(value) > _LONGEST_VALUE:
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
        else:
            names = texts[1:3] if texts[0] != "REGEX" else texts[3:5]
            for name in names:  # one of them is what it sets
                if name in self.values:
                    self.values[name] = None
            return
        if target:
            self._set(target, [None if source is None else change(source)], surely=surely)

    def _expanded(self, argument: Argument) -> Value:
        """An argument with what its references stand for."""
        if argument.exact:
            return argument.text
        return expanded(argument.text, REFERENCE, self.values)

    # --- conditions

    def _condition(self, given: Sequence[Argument]) -> Truth:
        """Whether an ``if`` is entered: ``OR`` binds least, then ``AND``, then ``NOT``."""
        depth, ways, parts = 0, list[Truth](), list[Truth]()
        words: list[Argument] = []
        inner: list[Argument] = []
        for word in (*given, Argument("OR")):
            if word.text == "(" and not word.quoted:
                depth += 1
            elif word.text == ")" and not word.quoted:
                depth -= 1
            if depth > _MOST_DEPTH:
                return None
            if depth or (word.text == ")" and not word.quoted):
                inner.append(word)
                if not depth:
                    truth = self._condition(inner[1:-1])
                    words.append(Argument({True: "1", False: "0", None: "${?}"}[truth]))
                    inner = []
            elif word.text in ("AND", "OR") and not word.quoted:
                parts.append(self._test(words))
                words = []
                if word.text == "OR":
                    ways.append(_all(parts))
                    parts = []
            else:
                words.append(word)
        return _any(ways)

    def _test(self, words: Sequence[Argument]) -> Truth:
        """One comparison, or the value of one variable, maybe after ``NOT``."""
        negated = False
        while words and words[0].text == "NOT" and not words[0].quoted:
            words, negated = words[1:], not negated
        truth = self._plain_test(words)
        return truth if truth is None or not negated else not truth

    def _plain_test(self, words: Sequence[Argument]) -> Truth:
        if len(words) == 1:
            (word,) = words
            text = self._expanded(word)
            if text is None or word.quoted or text.upper() in _TRUE | _FALSE or text.isdigit():
                return is_true(text)
            return is_true(self.values.get(text, "ON" if is_for_cuda(text) else ""))
        if len(words) == 2 and words[0].text == "DEFINED":
            return words[1].text in self.values
        if len(words) != 3:
            return None
        left, right = self._operand(words[0]), self._operand(words[2])
        compare = _COMPARISONS.get(words[1].text)
        return None if compare is None or left is None or right is None else compare(left, right)

    def _operand(self, word: Argument) -> Value:
        text = self._expanded(word)
        if text is not None and not word.quoted and text in self.values:
            return self.values[text]
        return text


def expanded(text: str, reference: re.Pattern[str], values: dict[str, Value]) -> Value:
    """``text`` with values in the place of references; None where one is not known."""
    unknown = False

    def value(found: re.Match[str]) -> str:
        nonlocal unknown
        given = values.get(found[1], "")
        unknown = unknown or given is None
        return given or ""

    for _ in range(4):  # names may be made of names
        text, count = reference.subn(value, text)
        if not count or unknown or len(text) > _LONGEST_VALUE:
            break
    return None if unknown or len(text) > _LONGEST_VALUE else text


def _version(text: str) -> tuple[int, ...]:
    parts = [int(part[:9]) for part in re.findall(r"\d+", text)[:8]]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", text) else None


def _numbers(compare: Callable[[float, float], bool]) -> Callable[[str, str], Truth]:
    def truth(left: str, right: str) -> Truth:
        a, b = _number(left), _number(right)
        return False if a is None or b is None else compare(a, b)

    return truth


_COMPARISONS: Final[dict[str, Callable[[str, str], Truth]]] = {
    "STREQUAL": lambda a, b: a == b,
    "IN_LIST": lambda a, b: a in b.split(";"),
    "EQUAL": _numbers(lambda a, b: a == b),
    "LESS": _numbers(lambda a, b: a < b),
    "GREATER": _numbers(lambda a, b: a > b),
    "LESS_EQUAL": _numbers(lambda a, b: a <= b),
    "GREATER_EQUAL": _numbers(lambda a, b: a >= b),
    "VERSION_EQUAL": lambda a, b: _version(a) == _version(b),
    "VERSION_LESS": lambda a, b: _version(a) < _version(b),
    "VERSION_GREATER": lambda a, b: _version(a) > _version(b),
    "VERSION_LESS_EQUAL": lambda a, b: _version(a) <= _version(b),
    "VERSION_GREATER_EQUAL": lambda a, b: _version(a) >= _version(b),
}


def _all(truths: Iterator[Truth] | Sequence[Truth]) -> Truth:
    known = list(truths)
    if False in known:
        return False
    return None if None in known else True


def _any(truths: Sequence[Truth]) -> Truth:
    if True in truths:
        return True
    return None if None in truths else False
