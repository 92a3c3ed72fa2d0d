"""``drano diff BASE NEW``: two profiles, or two JSON reports of ``drano check``.

Profiles are compared by line, kernel and array; reports by finding (its fingerprint, so that lines
may move, and are named by the place where they are now), kernel and array. The measure is bytes
moved beyond the ideal; of a report, the cost; of the arrays of a profile, of which no ideal is
known, all bytes moved.
Files come from anywhere: what does not fit is a ``ProfileError``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.line_ranking import ranked_lines
from drano.dynamic.profiles.measured_costs import view_of
from drano.dynamic.profiles.profile import FORMAT, MAX_BYTES, ProfileError, read_profile
from drano.model.hardware import SECTOR_BYTES
from drano.output.cost_text import size_text
from drano.output.source_lines import printable, shown_path
from drano.support.fast_json import indented
from drano.support.regular_files import read_regular

_MOST_ROWS = 20
GROUPS = ("lines", "kernels", "arrays")


class Change(Struct, frozen=True):
    """Bytes of one name, before and after; None: it is not there."""

    name: str
    before: float | None
    after: float | None

    @property
    def difference(self) -> float:
        """How many more."""
        return (self.after or 0.0) - (self.before or 0.0)

    @property
    def word(self) -> str:
        """What became of it."""
        if self.before is None:
            return "new"
        return "gone" if self.after is None else "changed"


Totals = Mapping[str, Mapping[str, float]]


class Side(Struct, frozen=True):
    """One file. ``totals``: bytes by key in each group; ``names``: of keys that are not for people;
    ``measures``: what is counted, in each group.
    """

    kind: str
    totals: Totals
    measures: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)


class Difference(Struct, frozen=True):
    """``changes``: in each group; ``measures``: what is counted there."""

    changes: Mapping[str, tuple[Change, ...]]
    measures: Mapping[str, str]


def difference(base: str, new: str) -> Difference:
    """What differs between two files, in each group, the greatest difference first."""
    old, now = _side(base), _side(new)
    if old.kind != now.kind:
        raise ProfileError(f"{base} is a {old.kind}, but {new} is a {now.kind}")
    names = {**old.names, **now.names}
    changes = {group: _changes(old.totals[group], now.totals[group], names) for group in GROUPS}
    return Difference(changes, now.measures)


def _changes(
    old: Mapping[str, float], new: Mapping[str, float], names: Mapping[str, str]
) -> tuple[Change, ...]:
    keys = (key for key in {**old, **new} if old.get(key) != new.get(key))
    found = (Change(names.get(key, key), old.get(key), new.get(key)) for key in keys)
    return tuple(sorted(found, key=lambda c: (-abs(c.difference), c.name)))


# --- reading ---------------------------------------------------------------------------------


_EXCESS = "bytes beyond the ideal"
_MOVED = "bytes moved"


def _side(path: str) -> Side:
    """What a file says."""
    try:
        data: Any = json.loads(read_regular(path, MAX_BYTES))
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror or 'cannot be read'}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path}: is no JSON") from error
    if isinstance(data, dict) and data.get("format") == FORMAT:
        return _of_profile(path)
    if isinstance(data, dict) and "schema_version" in data and "findings" in data:
        try:
            return _of_report(data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ProfileError(f"{path}: is not a report of drano's") from error
    raise ProfileError(f"{path}: is neither a profile nor a JSON report of drano's")


def _of_profile(path: str) -> Side:
    profile = read_profile(path)
    kind = f"profile of accesses as {view_of(profile)}"
    kernels: dict[str, float] = defaultdict(float)
    for site in profile.sites:
        kernels[kernel_name(site.kernel)] += site.excess_bytes
    totals = {
        "lines": {
            f"{shown_path(line.path)}:{line.line}": float(line.excess_bytes)
            for line in ranked_lines(profile)
        },
        "kernels": kernels,
        "arrays": _summed((a.label, float(a.sectors * SECTOR_BYTES)) for a in profile.arrays),
    }
    return Side(kind, totals, {"lines": _EXCESS, "kernels": _EXCESS, "arrays": _MOVED})


def _of_report(data: Mapping[str, Any]) -> Side:
    lines = _summed(
        (_finding_key(finding), float(finding.get("excess_bytes", 0.0)))
        for finding in data["findings"]
    )
    costs = [
        (str(f["kernel"]), _array(f), float(f.get("excess_bytes", 0.0))) for f in data["findings"]
    ]
    totals = {
        "lines": lines,
        "kernels": _summed((kernel, cost) for kernel, _, cost in costs),
        "arrays": _summed((array, cost) for _, array, cost in costs if array),
    }
    names = {_finding_key(finding): _finding_name(finding) for finding in data["findings"]}
    return Side("report", totals, dict.fromkeys(GROUPS, _EXCESS), names)


def _array(finding: Mapping[str, Any]) -> str:
    return str((finding.get("access") or {}).get("array", ""))


def _finding_key(finding: Mapping[str, Any]) -> str:
    """What stays when lines move: rule, file, kernel, and the fingerprint's beginning."""
    parts = (finding["rule"], finding["path"], finding["kernel"], finding["fingerprint"][:8])
    return " ".join(map(str, parts))


def _finding_name(finding: Mapping[str, Any]) -> str:
    """Where a finding is; of several with one key, the last."""
    return f"{finding['path']}:{finding['line']} {finding['rule']} {finding['kernel']}".rstrip()


def _summed(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for name, value in pairs:
        found[name] += value
    return found


# --- formats ---------------------------------------------------------------------------------


def render_text(found: Difference) -> str:
    """A table for each group."""
    parts = []
    for group in GROUPS:
        rows = [
            f"  {_bytes(c.before):>10} {_bytes(c.after):>10} {_signed(c.difference):>11}  "
            f"{printable(c.name)}"
            for c in found.changes[group][:_MOST_ROWS]
        ]
        head = f"{group.capitalize()}: {found.measures[group]}, before and after"
        parts.append(
            "\n".join([head, *(rows or ["  no difference"]), *_more(found.changes[group])])
        )
    return "\n\n".join(parts) + "\n"


def render_markdown(found: Difference) -> str:
    """For a comment on a pull request: one line of totals, a table for each group."""
    total = sum(change.difference for change in found.changes["kernels"])
    parts = [f"**drano**: {_signed(total)} beyond the ideal in all kernels"]
    for group in GROUPS:
        if not found.changes[group]:
            continue
        rows = [
            f"| {_cell(c.name)} | {_bytes(c.before)} | {_bytes(c.after)} "
            f"| {_signed(c.difference)} |"
            for c in found.changes[group][:_MOST_ROWS]
        ]
        head = (
            f"| {group}: {found.measures[group]} | before | after | difference |\n|---|--:|--:|--:|"
        )
        parts.append("\n".join([head, *rows, *_more(found.changes[group])]))
    return "\n\n".join(parts) + "\n"


def render_json(found: Difference) -> str:
    """All of it."""
    rows = {
        group: [
            {
                "name": c.name, "before": c.before, "after": c.after,
                "difference": c.difference, "change": c.word,
            }
            for c in found.changes[group]
        ]
        for group in GROUPS
    }  # fmt: skip
    return indented(rows) + "\n"


def _more(changes: tuple[Change, ...]) -> list[str]:
    hidden = len(changes) - _MOST_ROWS
    return ["", f"and {hidden} more"] if hidden > 0 else []


def _bytes(value: float | None) -> str:
    return "-" if value is None else size_text(value)


def _signed(value: float) -> str:
    return f"{'-' if value < 0 else '+'}{size_text(abs(value))}"


def _cell(text: str) -> str:
    """Text that ends no cell and begins no markup."""
    shown = printable(text).replace("`", "'").replace("|", "\\|")
    return f"`{shown}`"


FORMATS = {"text": render_text, "json": render_json, "markdown": render_markdown}
