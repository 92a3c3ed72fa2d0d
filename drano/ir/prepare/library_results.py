"""Results that the mathematics library puts where a pointer says (``sincosf``, ``frexp``).

Means: ``call void @__nv_sincosf(float %x, ptr %s, ptr %c)`` becomes a call of a function that
stores each result through the caller's pointer, as the code that compilers make of it does; it is
expanded like any other, so that these accesses are seen. The results it has of one more function of
the library, ``__nv_results_sincosf``, which gives the library memory of its own.
Assumptions: the text is LLVM's own printing.
Source: NVIDIA's libdevice user's guide.
"""

from __future__ import annotations

import re
from typing import Final

from drano.ir.prepare.library_calls import RESULTS_PREFIX

_PREFIX: Final = "drano.results."
_NAMES: Final = r"__nv_(?:sincos|sincospi|fast_sincos|frexp|modf|remquo)f?"
_CALL = re.compile(rf"^(  (?:%\S+ = )?(?:tail |notail )?call [^@\n]*)@({_NAMES})\(", re.MULTILINE)
_DECLARED = re.compile(rf"^(?:define|declare) ([^@\n]*)@({_NAMES})\((.*?)\)(?: |$)", re.MULTILINE)
_FUNCTION = re.compile(
    rf"^define [^@\n]*@(?:{_NAMES}|{re.escape(_PREFIX)}\w+|{RESULTS_PREFIX}\w+)\(.*?^\}}$",
    re.MULTILINE | re.DOTALL,
)
_TYPE = re.compile(r"(void|float|double|i32|ptr)\b")
_WHOLE: Final = ("frexp", "remquo")  # these give an int


def with_library_results(text: str) -> str:
    """The module with such calls; the same string where there are none."""
    if not _CALL.search(text):
        return text
    definitions: dict[str, str] = {}
    for match in _DECLARED.finditer(text):
        written = _definition(match[1], match[2], match[3])
        if written is not None:
            definitions[match[2]] = written
    used: set[str] = set()

    def renamed(match: re.Match[str]) -> str:
        if match[2] not in definitions:
            return match[0]
        used.add(match[2])
        return f"{match[1]}@{_PREFIX}{match[2]}("

    parts, position = [], 0
    for kept in _FUNCTION.finditer(text):
        parts += [_CALL.sub(renamed, text[position : kept.start()]), kept[0]]
        position = kept.end()
    parts.append(_CALL.sub(renamed, text[position:]))
    if not used:
        return text
    missing = [definitions[n] for n in sorted(used) if f"@{_PREFIX}{n}(" not in _defined(text)]
    return "\n".join(["".join(parts), *missing, ""])


def _defined(text: str) -> str:
    return "\n".join(
        m[0] for m in re.finditer(rf"^define [^\n]*@{re.escape(_PREFIX)}.*$", text, re.M)
    )


def _definition(head: str, name: str, parameters: str) -> str | None:
    """The function that stands between; None where the declaration is another than CUDA's."""
    result = _TYPE.search(head.rsplit(")", maxsplit=1)[-1]) or _TYPE.search(head)
    types = [_TYPE.match(p.strip()) for p in parameters.split(",")]
    if result is None or not all(types):
        return None
    kinds = [t[1] for t in types if t]
    short = name.removeprefix("__nv_")
    single = short.endswith("f") and short != "modf"
    number = "i32" if short.startswith(_WHOLE) else "float" if single else "double"
    pointers = [k for k, kind in enumerate(kinds) if kind == "ptr"]
    if not pointers:
        return None
    inner = f"{RESULTS_PREFIX}{short}"
    whole = [number] * len(pointers) + ([] if result[1] == "void" else [result[1]])
    both = f"{{ {', '.join(whole)} }}"
    given = ", ".join(f"{t} %a{k}" for k, t in enumerate(kinds) if t != "ptr")
    own = ", ".join(f"ptr %p{k}" if t == "ptr" else f"{t} %a{k}" for k, t in enumerate(kinds))
    values = [f"%v{k}" for k in pointers] + ([] if result[1] == "void" else ["%given"])
    lines = [f"define internal {both} @{inner}({given}) {{"]
    lines += [f"  %p{k} = alloca {number}" for k in pointers]
    call = f"call {result[1]} @{name}({own})"
    lines.append(f"  {call}" if result[1] == "void" else f"  %given = {call}")
    lines += [f"  %v{k} = load {number}, ptr %p{k}" for k in pointers]
    total = "poison"
    for place, (type_, value) in enumerate(zip(whole, values, strict=True)):
        lines.append(f"  %r{place} = insertvalue {both} {total}, {type_} {value}, {place}")
        total = f"%r{place}"
    lines += [f"  ret {both} {total}", "}"]
    taken = ", ".join(f"{t} %a{k}" for k, t in enumerate(kinds))
    lines += [
        f"define internal {result[1]} @{_PREFIX}{name}({taken}) {{",
        f"  %all = call {both} @{inner}({given})",
    ]
    for place, k in enumerate(pointers):
        lines += [
            f"  %v{k} = extractvalue {both} %all, {place}",
            f"  store {number} %v{k}, ptr %a{k}",
        ]
    if result[1] != "void":
        lines.append(f"  %given = extractvalue {both} %all, {len(pointers)}")
    lines.append("  ret void" if result[1] == "void" else f"  ret {result[1]} %given")
    return "\n".join([*lines, "}"])
