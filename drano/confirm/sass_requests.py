"""The requests of machine code, by function and line, as ``nvdisasm -c -gi`` prints it.

Means: ``//## File "a.cu", line 3 inlined at "b.cu", line 9`` and the lines of its kind below it are
the frames of what follows, innermost first. Source: nvdisasm 13's output.
Limits: `LD`, `ST` and `ATOM` have generic addresses, which may be shared memory's. A place is
printed where it changes, even from one function to the next: what comes before a function's first
is of no known line, as it is in functions without line information.
"""

from __future__ import annotations

import re

from drano.confirm.requests import Code, Function, Place, Request, user_place

_WORDS = re.compile(
    r"""
    ^[ \t]*//\#\#[ ]File[ ]"(?P<path>[^"\n]*)",[ ]line[ ](?P<line>\d{1,9})
      (?P<inlined>[ ]inlined[ ]at)?
    |^[ \t]*\.section[ \t]+(?P<section>[^,\s]+)
    |^[ \t]*/\*[0-9a-f]{4,8}\*/[ \t]+(?:\{[ \t]*)?(?:@!?U?P\w+[ \t]+)?
      (?P<op>[A-Z][A-Z0-9]*)(?P<rest>[.\w]*)(?P<operands>[^\n;]*)
    """,
    re.VERBOSE | re.MULTILINE,
)
_TEXT = ".text."
_KINDS = {
    "LDG": "load", "LD": "load", "LDGSTS": "load",
    "STG": "store", "ST": "store",
    "ATOMG": "atomic", "ATOM": "atomic", "RED": "atomic", "REDG": "atomic", "REDUX": "",
}  # fmt: skip
_UNKNOWN = frozenset({"UBLKCP", "UBLKRED", "UTMALDG", "UTMASTG", "UTMAREDG", "LDGMC"})
_TYPE = re.compile(r"(?:[USF]|BF)?(?P<bits>8|16|32|64|128|256)(?:x(?P<lanes>2|4|8))?")
_HELPER = "$__internal_"


def sass_functions(text: str) -> tuple[Code, ...]:
    """All functions of which lines are known in what nvdisasm has printed."""
    found: list[Function] = []
    now = Function("")
    frames: list[Place] = []
    more = False
    for match in _WORDS.finditer(text):
        if section := match["section"]:
            now, frames, more = Function(section.removeprefix(_TEXT)), [], False
            if section.startswith(_TEXT):
                found.append(now)
        elif match["path"] is not None:
            if not more:
                frames = []
            frames.append((match["path"], int(match["line"])))
            more = match["inlined"] is not None
            if not more:
                now.moved(user_place(frames))
        elif op := match["op"]:
            if op.startswith("CALL") and _HELPER not in match["operands"]:
                now.calls.add(op)
            elif request := _request(op, match["rest"]):
                now.asked(request)
    return tuple(f.finished(whole=not f.calls) for f in found if f.lines)


def _request(opcode: str, rest: str) -> Request | None:
    """Kind and bytes of a lane; None for what asks nothing of global memory.

    >>> _request("LDG", ".E.128.CONSTANT"), _request("STG", ".E"), _request("LDS", ".64")
    (('load', 16), ('store', 4), None)
    >>> _request("REDG", ".E.ADD.F64.RN.STRONG.GPU"), _request("REDG", ".E.ADD.F16x8.RN")
    (('atomic', 8), ('atomic', 16))
    """
    if opcode in _UNKNOWN:
        return "store" if "ST" in opcode else "load", 0
    kind = _KINDS.get(opcode, "")
    if not kind:
        return None
    types = filter(None, map(_TYPE.fullmatch, rest.split(".")))
    return kind, max((int(t["bits"]) * int(t["lanes"] or 1) // 8 for t in types), default=4)
