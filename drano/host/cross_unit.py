"""What the units of a run tell each other: launches of kernels, calls of functions that launch, and
which functions' calls a unit wants to know; device code, and which code others want to have.

All of it travels as text, which any process and any cache can keep; equal things have equal text,
and texts sort. ``launch_text`` has that of launches.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct, field, to_builtins

from drano.host.arithmetic import Record, Value
from drano.host.launching.launch_text import decoded, loop_of
from drano.model.translation_unit import HostLoop, LaunchSite, Shifted

Given: TypeAlias = Value | Shifted

_CALL: Final = "called"
_QUESTION: Final = "asked"
_SHARED: Final = "shared"
_CODE: Final = "code"
_WANTED: Final = "wanted"
_ABSENT: Final = "absent"


class HostCall(Struct, frozen=True):
    """A call of the function with a mangled name. ``arguments``: what is known of them; None: the
    function may be called in any way. ``loops``: around the call, outermost first.
    """

    function: str
    arguments: tuple[Given, ...] | None
    loops: tuple[HostLoop, ...] = ()


class ToldCode(Struct, frozen=True):
    """Device code of the unit at ``path``: what is to be taken of the module ``text``, and the
    ``files`` that it is made of.
    """

    path: str
    symbols: tuple[str, ...]
    text: str
    files: tuple[str, ...]


class Told(Struct, frozen=True):
    """What a unit is told by the others. ``asked``: functions that others define and want to know
    the calls of: their names by their mangled ones; ``shared``: variables of its own that others
    may write; ``code``: that its kernels reach; ``wanted``: symbols of its own device code that
    others want; ``absent``: why none could be had of symbols.
    """

    launches: tuple[LaunchSite, ...] = ()
    calls: tuple[HostCall, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)
    shared: tuple[str, ...] = ()
    code: tuple[ToldCode, ...] = ()
    wanted: tuple[str, ...] = ()
    absent: tuple[tuple[str, str], ...] = ()

    @property
    def about_host(self) -> Told:
        """What is of use to who reads host code."""
        return Told(self.launches, self.calls, self.asked, self.shared)


NOTHING: Final = Told()


def told(texts: Iterable[str]) -> Told:
    """What the texts of ``launch_text.encoded``, ``call_text`` and ``question_text`` say."""
    launches, calls, asked, shared = [], [], dict[str, str](), list[str]()
    code, wanted, absent = [], list[str](), list[tuple[str, str]]()
    for text in texts:
        raw = json.loads(text)
        if _QUESTION in raw:
            asked[raw[_QUESTION]] = raw["name"]
        elif _SHARED in raw:
            shared.append(raw[_SHARED])
        elif _CODE in raw:
            lists = tuple(raw["symbols"]), raw[_CODE], tuple(raw["files"])
            code.append(ToldCode(raw["path"], *lists))
        elif _WANTED in raw:
            wanted += raw[_WANTED]
        elif _ABSENT in raw:
            absent.append((raw[_ABSENT], raw["reason"]))
        elif _CALL in raw:
            calls.append(_call(raw))
        else:
            launches.append(decoded(text))
    about_host = tuple(launches), tuple(calls), asked, tuple(shared)
    return Told(*about_host, tuple(code), tuple(wanted), tuple(absent))


def question_text(symbol: str, name: str) -> str:
    """Asks for the calls of a function."""
    return _text({_QUESTION: symbol, "name": name})


def shared_text(name: str) -> str:
    """Tells that another unit may write a variable."""
    return _text({_SHARED: name})


def code_text(code: ToldCode) -> str:
    """The text of device code."""
    lists = {"symbols": list(code.symbols), "files": list(code.files)}
    return _text({_CODE: code.text, "path": code.path, **lists})


def wanted_text(symbols: Iterable[str]) -> str:
    """Asks for the code of a unit's functions and variables."""
    return _text({_WANTED: list(symbols)})


def absent_text(symbol: str, reason: str) -> str:
    """Tells why there is no code of a symbol."""
    return _text({_ABSENT: symbol, "reason": reason})


def call_text(call: HostCall) -> str:
    """The text of a call."""
    given = None if call.arguments is None else list(map(_plain, call.arguments))
    loops = [to_builtins(loop) for loop in call.loops]
    return _text({_CALL: call.function, "arguments": given, "loops": loops})


def moves_pointers(text: str) -> bool:
    """Whether a call, as text, gives pointers that are moved, or may."""
    return any(
        call.arguments is None or any(isinstance(given, Shifted) for given in call.arguments)
        for call in told([text]).calls
    )


def _text(raw: object) -> str:
    return json.dumps(raw, separators=(",", ":"))


def _call(raw: dict[str, Any]) -> HostCall:
    given = raw["arguments"]
    arguments = None if given is None else tuple(map(_given, given))
    return HostCall(raw[_CALL], arguments, tuple(map(loop_of, raw["loops"])))


def _plain(value: Given) -> object:
    """A value for JSON; functions and handles mean nothing to other units."""
    if isinstance(value, Shifted):
        return to_builtins(value)
    if isinstance(value, Record):
        return {"members": [[name, _plain(inner)] for name, inner in value.members]}
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, (int, float)) else None


def _given(raw: Any) -> Given:
    if isinstance(raw, list):
        x, y, z = raw
        return x, y, z
    if isinstance(raw, dict):
        if "members" not in raw:
            return Shifted(**raw)
        members = ((name, _given(inner)) for name, inner in raw["members"])
        return Record(tuple((name, v) for name, v in members if not isinstance(v, Shifted)))
    return raw if isinstance(raw, (int, float)) else None
