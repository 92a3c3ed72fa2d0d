"""The warp domain's values in the user's words.

``Warp.describe`` prints a value exactly, for ``dump-state``; here lane numbers become ``threadIdx``
again, what cannot be told is left out, and a stride is named after what makes it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from msgspec import Struct

from drano.analysis.thread_layout import AXES, ROWS_ATOM, WARP_ATOM, Layout, rows_of
from drano.lattice import (
    Atom,
    Cause,
    Coefficient,
    Form,
    LaneVector,
    Predicate,
    Value,
    Warp,
    is_warp_uniform,
)
from drano.lattice.warp.operations.ways import choices_between_ways, chosen
from drano.model.access import Launch
from drano.model.hardware import WARP_SIZE

_MAX_SHOWN = 4
_MAX_NAME = 40
_MOST = 0.75
_LANE = "lane"


class _Split(Struct, frozen=True):
    """A ``register`` that is ``count`` times an unknown number of groups (of lanes in a warp, of
    rows in the warps until all repeats), the atom ``group``, and a known ``place`` in its group.
    """

    register: str
    count: int
    group: str
    place: str


def _split(launch: Launch) -> _Split | None:
    """Where the width of a block is only assumed: threadIdx.x is 32 * warp + lane."""
    if launch.width_assumed:
        return _Split("threadIdx.x", WARP_SIZE, WARP_ATOM, _LANE)
    if launch.partly is None:
        return None
    axis, _, count = rows_of(launch.partly)
    register = f"threadIdx.{AXES[axis]}"
    return _Split(register, count, ROWS_ATOM, register)


_Part = tuple[tuple[str, ...], int]


class Words:
    """The words for values of one block layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._warp = layout.warp
        self._split = _split(layout.launch)
        self._said: dict[Form, str] = {}
        self._known: dict[Coefficient, dict[str, int] | None] = {}
        self._named: dict[tuple[int, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}

    # --- values ------------------------------------------------------------------------------

    def expression(self, value: Value) -> str:
        """A value as a sum, e.g. ``out + 4*threadIdx.x*height + 4*threadIdx.y``."""
        if not isinstance(value, Form):
            return ""
        found = self._said.get(value)
        if found is None:
            found = self._said[value] = self._expression(value)
        return found

    def _expression(self, value: Form) -> str:
        totals: dict[tuple[str, ...], int] = {}
        stepping: dict[tuple[str, ...], int] = {}
        odd: list[str] = []
        for monomial, coefficient in (*value.terms, ((), value.const)):
            if self._is_wrap(monomial):
                continue
            names, groups = self._names(monomial)
            basis = self._basis(coefficient)
            bit = next((b for n in monomial if (b := self._warp.atoms[n].bit_of)), None)
            if bit is not None and not isinstance(coefficient, int):
                odd.append(f"(lanes by the bits of {self._expression(bit.form)})")
                continue
            if basis is None:
                odd.append("*".join((_listed(coefficient), *names)))
                continue
            steps = any(self._warp.atoms[number].steps is not None for number in monomial)
            sums = stepping if steps else totals
            for register, factor in basis.items():
                unknown = tuple(filter(None, (register, *groups, *names)))
                sums[unknown] = sums.get(unknown, 0) + factor
        for unknown, factor in stepping.items():
            # A quotient is its value in the first lane, and what others have more: one number.
            if totals.get(unknown) != factor:
                totals[unknown] = totals.get(unknown, 0) + factor
        self._join_thread(totals)
        return _sum([(k, v) for k, v in totals.items() if v], odd, self._pointers(value))

    def is_number(self, value: Value) -> bool:
        """Whether it is one known number, the same in all lanes."""
        return (
            isinstance(value, Form)
            and isinstance(value.const, int)
            and self._warp.is_uniform(value)
            and all(self._is_wrap(monomial) for monomial, _ in value.terms)
        )

    def lanes(self, value: Value, unit: str = "") -> str:
        """How a value differs between the lanes, e.g. "+1 per lane"; "" when irregular."""
        if isinstance(value, Predicate):
            return "the same in all lanes" if self._warp.is_uniform(value) else ""
        if not isinstance(value, Form):
            return ""
        if self._warp.is_uniform(value):
            return "the same in all lanes"
        if any(a.cause is not Cause.WRAP for a in self._warp.varying_atoms(value)):
            return "differs between lanes"
        step = step_text(self._warp, value)
        if not step:
            return "differs between lanes"
        sign = "" if step[0] == "-" else "+"
        return f"{sign}{step}{unit} per lane"

    def axes(self, value: Value) -> str:
        """The axes of ``threadIdx`` that a value depends on, e.g. "xy"."""
        if not isinstance(value, Form):
            return ""
        registers: set[str] = set()
        for monomial, coefficient in (*value.terms, ((), value.const)):
            names, groups = self._names(monomial)
            moving = {name for name, factor in (self._basis(coefficient) or {}).items() if factor}
            registers |= {*names, *moving}
            if self._split is not None and (groups or self._split.place in moving):
                registers.add(self._split.register)
        return "".join(axis for axis in AXES if f"threadIdx.{axis}" in registers)

    def thread_step(self, value: Form) -> int | None:
        """Known difference that one more in ``threadIdx.x`` makes; None where there is none."""
        basis = self._basis(value.const)
        return None if basis is None else basis.get("threadIdx.x")

    def _is_wrap(self, monomial: tuple[int, ...]) -> bool:
        return len(monomial) == 1 and self._warp.atoms[monomial[0]].cause is Cause.WRAP

    def _names(self, monomial: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of a product's atoms, and that of the group's number as often as it is there."""
        known = self._named.get(monomial)
        if known is None:
            known = self._named[monomial] = self._find_names(monomial)
        return known

    def _find_names(self, monomial: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        names = [self._warp.atoms[n].name for n in monomial]
        group = self._split.group if self._split is not None else None
        own = [name for name in names if name != group]
        return tuple(map(_bracketed, own)), tuple(name for name in names if name == group)

    def _pointers(self, value: Form) -> frozenset[str]:
        found = (self._warp.atoms[m[0]] for m, _ in value.terms if len(m) == 1)
        return frozenset(_bracketed(atom.name) for atom in found if atom.space)

    def _basis(self, coefficient: Coefficient) -> dict[str, int] | None:
        """A number per lane as a sum of special registers (and 1, named ""); None if it is none."""
        if isinstance(coefficient, int):
            return {"": coefficient}
        if coefficient not in self._known:
            self._known[coefficient] = self._solve(coefficient)
        return self._known[coefficient]

    def _solve(self, coefficient: Coefficient) -> dict[str, int] | None:
        data = self._warp.space.array(coefficient).ravel()
        first = int(data[0])
        if self._layout.launch.width_assumed:
            step = int(data[1]) - first
            rest = data - first - step * np.arange(len(data))
            return None if rest.any() else {"": first, _LANE: step}
        shape = self._layout.launch.block
        count = shape[0] * shape[1] * shape[2]
        threads = np.arange(count, dtype=np.int64)
        rest = data[:count] - first
        found = {"": first}
        for axis, place in ((0, 1), (1, shape[0]), (2, shape[0] * shape[1])):
            if shape[axis] == 1:
                continue
            step = int(data[place]) - first
            found[f"threadIdx.{AXES[axis]}"] = step
            rest = rest - step * (threads // place % shape[axis])
        return None if rest.any() else found

    def _join_thread(self, totals: dict[tuple[str, ...], int]) -> None:
        """``k*lane + 32*k*warp`` is ``k*threadIdx.x``."""
        split = self._split
        if split is None:
            return
        whole, single = split.register, split.count == 1 or not self._layout.groups.terms
        for unknown in [u for u in totals if u and u[0] == split.place]:
            rest, step = unknown[1:], totals.pop(unknown)
            groups = (split.group, *rest)
            if single or totals.get(groups, 0) == split.count * step:
                totals.pop(groups, None)
                totals[whole, *rest] = step
            else:
                totals[f"({whole} % {split.count})", *rest] = step
        for unknown in [u for u in totals if split.group in u]:
            quotient = f"({whole} / {split.count})"
            renamed = tuple(quotient if name == split.group else name for name in unknown)
            totals[renamed] = totals.pop(unknown)


def _sum(parts: list[_Part], odd: list[str], pointers: frozenset[str]) -> str:
    def order(part: _Part) -> tuple[int, tuple[str, ...]]:
        names = part[0]
        if not names:
            return (3, names)
        if len(names) == 1 and names[0] in pointers:
            return (0, names)
        return (1 if "threadIdx" in names[0] else 2, names)

    texts = []
    for names, factor in sorted(parts, key=order):
        if not names or factor not in {1, -1}:
            texts.append("*".join((str(factor), *names)))
        else:
            texts.append(("-" if factor < 0 else "") + "*".join(names))
    # A list of numbers reads better behind the pointer it is added to.
    texts[1:1] = dict.fromkeys(odd)
    return " + ".join(texts).replace("+ -", "- ") or "0"


def _listed(coefficient: Coefficient) -> str:
    """A known number per lane that follows no simple rule."""
    if isinstance(coefficient, int):
        return str(coefficient)
    shown = [str(n) for n in coefficient.data[0, :_MAX_SHOWN]]
    return "{" + ", ".join(shown) + ", …}"


def _bracketed(name: str) -> str:
    """A name as a factor: sums in parentheses, long ones cut."""
    if len(name) > _MAX_NAME:
        name = name[: _MAX_NAME - 1] + "…"
    return f"({name})" if re.search(r"[-+/%] ?|\s", name) else name


# --- strides ---------------------------------------------------------------------------------


def stride_text(warp: Warp, address: Form) -> str:
    """Distance of neighbouring lanes, e.g. ``20 bytes``, ``4*n bytes``, or where a condition of the
    whole warp chooses, ``16 or 32 bytes``; "" when irregular.
    """
    conditions = choices_between_ways(warp, address)
    ways = [
        chosen(
            warp,
            address,
            {atom.number: truth for atom, truth in zip(conditions, truths, strict=True)},
        )
        for truths in product((0, 1), repeat=len(conditions))
    ]
    steps = list(dict.fromkeys(step_text(warp, way) for way in ways))
    if any(step in {"", "0"} for step in steps):
        return ""
    return f"{' or '.join(steps)} bytes"


def step_text(warp: Warp, value: Form) -> str:
    """What a lane's value has more than its neighbour's: ``20``, ``4*n``; "" when irregular."""
    parts, step = [], lane_stride(value)
    moving = moving_terms(warp, value)
    within = _step_within_rows(value, [monomial for monomial, _ in moving])
    if within:
        moving, step = [], within
    for monomial, factor in moving:
        if factor is None:
            return ""
        name = "*".join(_bracketed(warp.atoms[n].name) for n in monomial)
        parts.append(name if factor == 1 else f"-{name}" if factor == -1 else f"{factor}*{name}")
    if not step and not parts:
        return ""
    parts += [str(step)] if step else []
    return " + ".join(parts).replace("+ -", "- ")


def _step_within_rows(value: Form, between: Sequence[tuple[int, ...]]) -> int:
    """What most neighbours differ by where only some, as ends of the rows of a block, differ in the
    terms ``between`` them; 0 where that is not so.
    """
    terms = dict(value.terms)
    vectors = [terms[monomial] for monomial in between]
    if not vectors or isinstance(value.const, int) or any(isinstance(v, int) for v in vectors):
        return 0
    same = np.all([np.diff(v.data, axis=1) == 0 for v in vectors if not isinstance(v, int)], axis=0)
    steps = Counter(np.diff(value.const.data, axis=1)[same].ravel().tolist())
    if not steps:
        return 0
    usual, number = steps.most_common(1)[0]
    return usual if number >= _MOST * same.size else 0


def moving_terms(warp: Warp, value: Form) -> list[tuple[tuple[int, ...], int | None]]:
    """The unknown terms that differ between lanes, with what a neighbour has more of each; None
    where that is irregular.
    """
    found: list[tuple[tuple[int, ...], int | None]] = []
    for monomial, coefficient in value.terms:
        varying = warp.varying_monomial(monomial)
        if varying and all(_few(warp.atoms[n]) for n in monomial if warp.atoms[n].varying):
            continue
        if is_warp_uniform(coefficient) and not varying:
            continue
        found.append((monomial, None if varying else _step(coefficient)))
    return found


def _few(atom: Atom) -> bool:
    """Whether most neighbouring lanes have one value of it in common."""
    return atom.cause is Cause.WRAP or atom.steps is not None


def lane_stride(address: Form) -> int:
    """Known distance between most neighbouring lanes; 0 where there is none."""
    if isinstance(address.const, int):
        return 0
    _, usual, share = _steps(address.const)
    return usual if share >= _MOST else 0


def pitch_names(warp: Warp, address: Form) -> tuple[str, ...]:
    """The unknown uniform factors of the distance between lanes: the row's pitch."""
    names = [
        warp.atoms[n].name
        for monomial, coefficient in address.terms
        if not is_warp_uniform(coefficient) and not warp.varying_monomial(monomial)
        for n in monomial
    ]
    return tuple(dict.fromkeys(names))


def _step(coefficient: Coefficient) -> int | None:
    """The usual difference of neighbouring lanes that differ at all."""
    return 0 if isinstance(coefficient, int) else _steps(coefficient)[0]


@lru_cache(maxsize=4096)
def _steps(vector: LaneVector) -> tuple[int | None, int, float]:
    """Of the differences between neighbouring lanes: the most frequent that is not 0, the most
    frequent, and the share of that.
    """
    counts = Counter(np.diff(vector.data, axis=1).ravel().tolist())
    usual, number = counts.most_common(1)[0]
    moving = next((step for step, _ in counts.most_common(2) if step), None)
    return moving, usual, number / counts.total()
