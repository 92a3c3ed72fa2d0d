"""Functions of the host alone that a ``__host__ __device__`` or ``constexpr`` function calls.

nvcc lets such a call pass, and takes it for one that does not happen: ``std::get`` of a variant is
``constexpr``, and throws by a function of the host. clang refuses the caller once a kernel needs
it. Here the host's function gets a namesake for the device, and a ``throw`` of a ``constexpr``
function that is a statement becomes the like.

What becomes of lanes that do come there is nvcc's whim (13.0, SASS): some leave the kernel, some go
on with any value, as where nothing of the call is used. So both are left open, by a number that no
analysis knows: that of multiprocessors, which is not 0 where the code runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from drano.frontend.repair.text_edits import Edit
from drano.frontend.text.cpp_lexer import closing, statement_start
from drano.model.report import Diagnostic

CALLED: Final = "a function of the host that both sides call"
THROWN: Final = "cannot use 'throw' in __host__ __device__ function"
_REFUSED: Final = re.compile(
    r"reference to __host__ function '([^'<]+)(?:<.*>)?' in __host__ __device__ function"
)
_DECLARED: Final = re.compile(r"'([^'<]+)(?:<.*>)?' declared here\Z")
_DEVICE: Final = b"__attribute__((device))"  # the word may not be defined yet
_LEAVE: Final = b"(__nvvm_read_ptx_sreg_nsmid() ? __builtin_trap() : (void)0)"
_NAME: Final = re.compile(rb"(?!operator\b)\w+\s*(?=\()")
_THROW: Final = re.compile(rb"throw\b[^;{}]*(?:\{[^;{}]*\}[^;{}]*)*(?=;)")
_STATEMENT: Final = re.compile(rb"(?:[{};)]|\belse)\s*\Z")
_NEAR: Final = 200
_REST: Final = re.compile(rb"[^{};=]*(?=[{;])")
_ATTRIBUTE: Final = re.compile(rb"\[\[[^][]*\]\]|__attribute__\s*(?=\()")
_WORD: Final = re.compile(rb"\b(?:__host__|extern|explicit)\b")
_OTHERS: Final = re.compile(rb"\b(?:friend|virtual|operator|typedef|using|return|new)\b|=|::\s*\Z")
_VARIADIC: Final = re.compile(rb",?\s*\.\.\.\s*\)\Z")
_TEMPLATE: Final = re.compile(rb"template\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>")
_LEAD: Final = re.compile(rb"(?:\s|\b[A-Z_]*BEGIN_[A-Z_]*\b)*")
_TRAILING: Final = re.compile(rb"->\s*(.*\S)", re.DOTALL)
_SPECIFIERS: Final = re.compile(
    rb"\s*(?:(?:inline|static|constexpr|[A-Z_][A-Z0-9_]{2,})\b\s*(?=[\w:]))*"
)
_TYPE: Final = re.compile(rb"(?!(?:inline|static)\b)\w")


def told(said: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What clang says, with ``CALLED`` where it says of such a function that it is declared."""
    called = ""
    for each in said:
        refused = _REFUSED.match(each.message)
        declared = _DECLARED.match(each.message)
        if refused is not None:
            called = refused[1]
        elif declared is not None and declared[1] == called:
            called = ""
            yield replace(each, message=CALLED)
            continue
        yield each


def unthrown(code: bytes, place: int) -> Edit | None:
    """``throw`` at ``place`` as what may leave the kernel; None where it is not a statement."""
    thrown = _THROW.match(code, place)
    if thrown is None or _STATEMENT.search(code[max(0, place - _NEAR) : place]) is None:
        return None
    breaks = b"\n" * thrown[0].count(b"\n")
    return Edit(place, thrown.end(), _LEAVE + breaks)


def namesake(code: bytes, place: int) -> Edit | None:
    """A namesake of the function whose name is at ``place``, for the device; None for a member that
    is defined outside of its class, for an operator, for what makes or destroys an object and for
    what returns a reference.
    """
    name = _NAME.match(code, place)
    behind = None if name is None else closing(code, name.end())
    rest = None if behind is None else _REST.match(code, behind)
    if name is None or behind is None or rest is None:
        return None
    lead = _LEAD.match(code, statement_start(code, place))
    start = place if lead is None else lead.end()
    before = code[start:place]
    if _OTHERS.search(before) or _LEAVE in code[code.rfind(b"{", 0, start) : start]:
        return None
    template = _TEMPLATE.match(before)
    head = b""
    if template is not None:
        head, before = template[0], before[template.end() :]
    before = _WORD.sub(b"", _plain(before))
    if not any(map(_TYPE.match, before.split())):
        return None
    parameters = code[name.end() : behind]
    if _VARIADIC.search(parameters):
        if head:
            return None
        head, parameters = b"template <class... Drano>", b"(Drano...)"
    pieces = (head, _DEVICE, before, name[0], parameters, _plain(rest[0]))
    text = b" ".join(b" ".join(pieces).split())
    body = _body(before, rest[0])
    return None if body is None else Edit(start, start, text + body)


def _body(before: bytes, rest: bytes) -> bytes | None:
    """That of a namesake, by what stands before the name and behind the parameters; None where what
    it returns is no object's type.
    """
    trailing = _TRAILING.search(_plain(rest))
    type_ = trailing[1] if trailing is not None else _SPECIFIERS.sub(b"", before, count=1)
    words = type_.split()
    if words == [b"void"]:
        return b" { " + _LEAVE + b"; } "
    result = b" ".join(words)
    if words[-1:] == [b"auto"] or result.endswith(b"&") or b"decltype(auto)" in result:
        return None
    value = b"alignas(%s) char drano[sizeof(%s)]; return *(%s *)drano; " % ((result,) * 3)
    return b" { " + _LEAVE + b"; " + value + b"} "


def _plain(text: bytes) -> bytes:
    """Without attributes."""
    while (attribute := _ATTRIBUTE.search(text)) is not None:
        end = attribute.end()
        if text[end : end + 1] == b"(":
            end = closing(text, end) or len(text)
        text = text[: attribute.start()] + text[end:]
    return text
