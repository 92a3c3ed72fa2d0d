"""Which conditions of CMake's ``if`` hold, as far as the text tells.

Source: the manual of ``if``. Limits: files, targets, policies and patterns but the plainest are not
known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from drano.frontend.headers.cmake.language import UNKNOWN, Argument, Value, value_of

Truth = bool | None
"""None: not known."""

_MOST_DEPTH: Final = 12
_PATTERN: Final = re.compile(r"[^\w /,-]")
_FALSE: Final = frozenset({"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"})
_TRUE: Final = frozenset({"1", "ON", "YES", "TRUE", "Y"})

_FOR_CUDA: Final = re.compile(
    r"(?:\w+_)?(?:ENABLE|WITH|USE|USING|BUILD|HAVE)_?CUDA(?:_?(?:LIBS?|TOOLKIT|SUPPORT|BACKEND))?",
    re.IGNORECASE,
)


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


def condition(given: Sequence[Argument], values: Mapping[str, Value]) -> Truth:
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
                truth = condition(inner[1:-1], values)
                words.append(Argument({True: "1", False: "0", None: UNKNOWN}[truth]))
                inner = []
        elif word.text in ("AND", "OR") and not word.quoted:
            parts.append(_test(words, values))
            words = []
            if word.text == "OR":
                ways.append(every(parts))
                parts = []
        else:
            words.append(word)
    return some(ways)


def _test(words: Sequence[Argument], values: Mapping[str, Value]) -> Truth:
    """One comparison, or the value of one variable, maybe after ``NOT``."""
    negated = False
    while words and words[0].text == "NOT" and not words[0].quoted:
        words, negated = words[1:], not negated
    truth = _plain_test(words, values)
    return truth if truth is None or not negated else not truth


def _plain_test(words: Sequence[Argument], values: Mapping[str, Value]) -> Truth:
    if len(words) == 1:
        (word,) = words
        text = value_of(word, values)
        if text is None or word.quoted or text.upper() in _TRUE | _FALSE or text.isdigit():
            return is_true(text)
        return is_true(values.get(text, "ON" if is_for_cuda(text) else ""))
    if len(words) == 2 and words[0].text == "DEFINED":
        name = value_of(words[1], values)
        return None if name is None else name in values
    if len(words) != 3:
        return None
    left, right = _operand(words[0], values), _operand(words[2], values)
    compare = _COMPARISONS.get(words[1].text)
    return None if compare is None or left is None or right is None else compare(left, right)


def _operand(word: Argument, values: Mapping[str, Value]) -> Value:
    text = value_of(word, values)
    if text is not None and not word.quoted and text in values:
        return values[text]
    return text


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


def _matches(text: str, pattern: str) -> Truth:
    return None if _PATTERN.search(pattern) else pattern in text


_COMPARISONS: Final[dict[str, Callable[[str, str], Truth]]] = {
    "MATCHES": _matches,
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


def every(truths: Iterator[Truth] | Sequence[Truth]) -> Truth:
    """Whether all hold."""
    known = list(truths)
    if False in known:
        return False
    return None if None in known else True


def some(truths: Sequence[Truth]) -> Truth:
    """Whether one holds."""
    if True in truths:
        return True
    return None if None in truths else False
