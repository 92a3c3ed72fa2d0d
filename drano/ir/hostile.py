"""What LLVM's parser must not be given: it recurses over nesting and follows debug scopes blindly.

Means: ``objection`` looks for brackets nested too deeply, chains of struct types too long, and
cycles of debug scopes and inlined calls, on the raw text, before any parsing.
Limits: not a validator; everything else is left to LLVM's parser and verifier, which report it.
"""

from __future__ import annotations

import math
import re

import numpy as np

MAX_NESTING = 256
MAX_CHAIN = 1000

_SCOPES = re.compile(r'"[^"]*"|(!\d+)\s*=|\b(?:scope|inlinedAt)\s*:\s*(!\d+)|=')
_TYPES = re.compile(r'(%(?:"[^"]*"|[-\w.$]+))\s*=\s*type\b|(%(?:"[^"]*"|[-\w.$]+))|=|"[^"]*"')


def objection(text: str) -> str:
    """Why ``text`` may not be parsed, as one phrase; empty if nothing speaks against it."""
    if _nesting(text) > MAX_NESTING:
        return f"brackets are nested deeper than {MAX_NESTING}"
    if _longest_path(_links(_SCOPES, text)) > MAX_CHAIN:
        return "the debug scopes are cyclic or nested too deeply"
    if _longest_path(_links(_TYPES, text)) > MAX_CHAIN:
        return "the struct types are cyclic or nested too deeply"
    return ""


def _nesting(text: str) -> int:
    """The deepest nesting of brackets, those in strings included where they make it deeper."""
    data = np.frombuffer(text.encode("utf-8", "replace"), dtype=np.uint8)
    change = np.zeros(256, dtype=np.int8)
    change[list(b"([{<")] = 1
    change[list(b")]}>")] = -1
    return int(np.cumsum(change[data], dtype=np.int32).max(initial=0))


def _links(pattern: re.Pattern[str], text: str) -> dict[str, list[str]]:
    """Definitions (group 1 of ``pattern``) and the names (group 2) that each of them mentions."""
    links: dict[str, list[str]] = {}
    current: list[str] = []
    for match in pattern.finditer(text):
        if match[1]:
            current = links.setdefault(match[1], [])
        elif match[2]:
            current.append(match[2])
        elif match[0] == "=":
            current = []  # the definition of something else
    return links


def _longest_path(links: dict[str, list[str]]) -> float:
    """Edges of the longest path, infinite if there is a cycle. Kahn's algorithm."""
    waiting = dict.fromkeys(links, 0)
    for targets in links.values():
        for target in targets:
            if target in waiting:
                waiting[target] += 1
    ready = [name for name, count in waiting.items() if not count]
    depth = dict.fromkeys(links, 0)
    done = 0
    while ready:
        name = ready.pop()
        done += 1
        for target in links[name]:
            if target not in waiting:
                continue
            depth[target] = max(depth[target], depth[name] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return max(depth.values(), default=0) if done == len(links) else math.inf
