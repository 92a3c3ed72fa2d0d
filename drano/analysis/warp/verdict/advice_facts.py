"""What is known of a bad access, for advice: which variables, arrays and shapes cause it.

Reads the results of an interpretation; decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.definitions import Definitions, Record
from drano.analysis.explain.advice import Facts
from drano.analysis.explain.source_expressions import moves_fragment
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.value_text import Words, lane_stride, pitch_names
from drano.ir.model import Binary, FloatType, IntType, Load, Operand, Store, Type
from drano.ir.prepare.widths.used_words import is_of_used_words
from drano.ir.target import POINTER_BITS
from drano.lattice import Cause, Form, LaneOverflowError, Warp, is_warp_uniform
from drano.model.hardware import SECTOR_BYTES, WARP_SIZE
from drano.model.judgement import OFF_SECTORS, Judgement, Pattern, Space
from drano.model.system_headers import user_location

_MAX_PARTS = 32
_NEIGHBOURS = frozenset({Pattern.CONTIGUOUS, *OFF_SECTORS})
_FLOATS = {16: "half", 32: "float", 64: "double"}
_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long long"}

# The judgement that is reported for a site, and the run that gave it.
Reported = Mapping[int, tuple[Judgement, WarpState]]


# What accesses to one row of elements have in common.
_RowKey: TypeAlias = tuple[object, ...]


class _Part(Struct, frozen=True):
    """One addend of an index. ``axes``: of ``threadIdx``, that it depends on; ``multiplied``:
    before it is added.
    """

    name: str
    axes: str
    uniform: bool
    multiplied: bool


class FactFinder:
    """Facts about the accesses of one function."""

    def __init__(self, definitions: Definitions, reported: Reported, sites: list[Site]) -> None:
        self._definitions = definitions
        self._reported = reported
        self._sites = {site.ordinal: site for site in sites}
        self._of_instruction = {n: site for site in sites for n in site.instructions}
        self._rows: dict[_RowKey, range] | None = None  # found when first asked for

    def facts(
        self, site: Site, text: str, judgement: Judgement, run: WarpState, address: Form,
        record: Record | None, words: Words,
    ) -> Facts:  # fmt: skip
        """What advice for the pattern of ``judgement`` needs."""
        facts = Facts(site.kind, judgement.pattern, judgement.array, text, site.bytes)
        if site.location is not None and moves_fragment(user_location(site.location).span):
            return replace(facts, fragment=True)
        if judgement.pattern is Pattern.DATA_DEPENDENT:
            return replace(facts, index=self._index(site, run))
        if judgement.pattern in OFF_SECTORS:
            pitches, offsets, shift = _misalignment(run.warp, address, site.bytes)
            return replace(facts, pitches=pitches, offsets=offsets, shift=shift)
        pitch = pitch_names(run.warp, address)
        facts = replace(
            facts,
            stride=abs(lane_stride(address)) if not pitch else 0,
            pitch=pitch[0] if len(pitch) == 1 else "",
            element=_element(site),
            written=self._written(site),
            part=is_of_used_words(site.instruction.name),
        )
        if record is not None:
            facts = replace(
                facts, record=record.name, field=record.field, members=record.members,
                record_size=record.type.size,
            )  # fmt: skip
            if not pitch and record.type.size > site.bytes:
                return facts
        return self._of_index(facts, site, judgement, run, address, pitch, words)

    def _of_index(
        self, facts: Facts, site: Site, judgement: Judgement, run: WarpState, address: Form,
        pitch: tuple[str, ...], words: Words,
    ) -> Facts:  # fmt: skip
        parts = self._parts(site, run, words)
        slow = next((p for p in parts if _is_slow(p, many=len(parts) > 1)), None)
        fast = next((p for p in parts if _is_fast(p, slow)), None)
        copies = self._copies(site)
        counters = (self._definitions.counter(o, copies) for o in self._addends(site))
        across = fast is not None and _across(fast.axes)
        block = run.layout.launch.block if run.layout.launch.exact else None
        return replace(
            facts,
            slow=slow.name if slow else "",
            fast=fast.name if fast else "",
            across=across,
            counter=next(filter(None, counters), ""),
            neighbours=self._neighbours(site, judgement, run, address),
            partner=self._partner(site, run, words) if across else "",
            block=block,
            wide_enough=self._wide_enough(site, words, address, pitch, block),
            run=_run(run.warp, address, site.bytes) if pitch else 0,
        )

    def _written(self, site: Site) -> int:
        """Bytes of the largest access that the site does a part of."""
        own = self._definitions.function.origins.get(site.instruction.index, ())
        return max((access.bytes for access in own), default=0)

    def _copies(self, site: Site) -> int:
        """How many sites an unrolled loop has made of one access."""
        own = self._definitions.function.origins.get(site.instruction.index, ())
        return max((self._sites_of[access.number] for access in own), default=1)

    @cached_property
    def _sites_of(self) -> Counter[int]:
        """Of how many sites a written access is."""
        origins = self._definitions.function.origins
        found = (origins.get(site.instruction.index, ()) for site in self._sites.values())
        return Counter(access.number for accesses in found for access in accesses)

    def _addends(self, site: Site) -> list[Operand]:
        """Operands of the sums that make up the indices of an address, named ones kept whole."""
        found: list[Operand] = []
        pending = list(self._definitions.indices(site.pointer))
        for operand in pending:
            i = self._definitions.of(operand)
            found.append(operand)
            if isinstance(i, Binary) and i.op in {"add", "sub"} and len(pending) < _MAX_PARTS:
                pending += [self._definitions.source(i.lhs), self._definitions.source(i.rhs)]
        return found

    def _parts(self, site: Site, run: WarpState, words: Words) -> list[_Part]:
        """What is added up to the indices, apart from what never moves: parameters, constants.

        Named sums that lie along one axis stay whole.
        """
        found: list[_Part] = []
        pending = list(self._definitions.indices(site.pointer))
        for operand in pending:
            i = self._definitions.of(operand)
            value = run.value_so_far(operand, site.block)
            if not isinstance(value, Form) or (not value.terms and value.const == 0):
                continue
            name = self._definitions.name(operand)
            axes = words.axes(value)
            uniform = run.warp.is_uniform(value)
            if isinstance(i, Binary) and i.op in {"mul", "shl"} and not (name and uniform):
                found.append(self._product(i, site, run, words, name, axes))
            elif isinstance(i, Binary) and i.op in {"add", "sub"} and self._opened(name, axes):
                if len(pending) < _MAX_PARTS:
                    pending += [self._definitions.source(i.lhs), self._definitions.source(i.rhs)]
            elif name:
                moves = bool(axes) or not uniform or bool(self._definitions.counter(operand))
                if moves or "blockIdx" in words.expression(value):
                    found.append(_Part(name, axes, uniform, multiplied=False))
        return found

    @staticmethod
    def _opened(name: str, axes: str) -> bool:
        """Whether a sum is seen as its parts: it has no name, or mixes axes."""
        return not name or len(axes) != 1

    def _product(
        self, i: Binary, site: Site, run: WarpState, words: Words, name: str, axes: str
    ) -> _Part:
        for operand in (i.lhs, i.rhs):
            value = run.value_so_far(operand, site.block)
            if value is None or run.warp.is_uniform(value):
                continue
            inner = self._varying_name(operand, site, run)
            return _Part(inner or name, words.axes(value), uniform=False, multiplied=True)
        return _Part(name, axes, uniform=True, multiplied=True)

    def _varying_name(self, operand: Operand, site: Site, run: WarpState) -> str:
        """The variable, in a sum, that differs between lanes."""
        pending = [operand]
        for current in pending:
            value = run.value_so_far(current, site.block)
            if value is None or run.warp.is_uniform(value):
                continue
            name = self._definitions.name(current)
            if name:
                return name
            i = self._definitions.of(self._definitions.source(current))
            if isinstance(i, Binary) and len(pending) < _MAX_PARTS:
                pending += [i.lhs, i.rhs]
        return ""

    def _neighbours(self, site: Site, judgement: Judgement, run: WarpState, address: Form) -> int:
        """How many elements side by side, within its stride, the thread accesses like this one."""
        stride = abs(lane_stride(address))
        if judgement.pattern is not Pattern.STRIDED or not 0 < stride <= _MAX_PARTS * site.bytes:
            return 1
        if self._rows is None:
            self._rows = self._find_rows()
        try:
            key, place = _row(site, judgement, run, address)
        except LaneOverflowError:
            return 1
        row = self._rows.get(key)
        return len(row) if row is not None and place in row else 1

    def _find_rows(self) -> dict[_RowKey, range]:
        """Of all sites that differ by a constant only: the first elements that lie side by side."""
        places: dict[_RowKey, set[int]] = {}
        for other in self._sites.values():
            known = self._reported.get(other.ordinal)
            if known is None:
                continue
            judgement, run = known
            try:
                address = run.form(other.pointer, other.block, POINTER_BITS)
                key, place = _row(other, judgement, run, address)
            except (NotReadyError, LaneOverflowError):
                continue
            places.setdefault(key, set()).add(place)
        rows = {}
        for key, found in places.items():
            first = end = min(found)
            while end in found:
                end += 1
            rows[key] = range(first, end)
        return rows

    def _partner(self, site: Site, run: WarpState, words: Words) -> str:
        """Array of a coalesced access, along both axes, that the value is copied from or to."""
        i = site.instruction
        if isinstance(i, Store):
            loads = (
                self._of_instruction.get(load.index) for load in self._definitions.loads_of(i.value)
            )
            candidates = [found for found in loads if found is not None]
        else:
            candidates = [
                other
                for other in self._sites.values()
                if isinstance(other.instruction, Store)
                and self._definitions.depends_on(other.instruction.value, i.index)
            ]
        for other in candidates:
            known = self._reported.get(other.ordinal)
            if known is None:
                continue
            judgement = known[0]
            if judgement.space is not Space.GLOBAL or judgement.pattern not in _NEIGHBOURS:
                continue
            try:
                form = run.form(other.pointer, other.block, POINTER_BITS)
            except NotReadyError:
                continue
            axes = words.axes(form)
            if "x" in axes and (_across(axes) or _hides_axes(run.warp, form)):
                return judgement.array
        return ""

    def _index(self, site: Site, run: WarpState) -> str:
        """Array that the index of an access is loaded from, lane by lane."""
        for operand in self._definitions.indices(site.pointer):
            for load in self._definitions.loads_of(operand):
                value = run.env[load.index]
                if value is None or run.warp.is_uniform(value):
                    continue
                try:
                    block = self._definitions.block(load)
                    return run.array_name(run.form(load.pointer, block, POINTER_BITS))
                except NotReadyError:
                    continue
        return ""

    def _wide_enough(
        self, site: Site, words: Words, address: Form, pitch: tuple[str, ...],
        block: tuple[int, int, int] | None,
    ) -> bool:  # fmt: skip
        """Whether only the block's narrow shape keeps lanes from being neighbours."""
        if block is None or block[0] >= WARP_SIZE or pitch:
            return False
        if block[0] > 1:
            return words.thread_step(address) == site.bytes
        return any(self._definitions.reads(o, "threadIdx.x") for o in self._addends(site)[1:])


def _row(site: Site, judgement: Judgement, run: WarpState, address: Form) -> tuple[_RowKey, int]:
    """What an access has in common with those a whole number of elements apart, and its place."""
    const, space = address.const, run.warp.space
    base = const if isinstance(const, int) else int(const.data[0, 0])
    place, rest = divmod(base, site.bytes or 1)
    lanes = space.add(const, -base)
    key = (site.kind, site.bytes, judgement.array, id(run), address.terms, lanes, rest)
    return key, place


def _run(warp: Warp, address: Form, size: int) -> int:
    """Bytes side by side in each row that a warp accesses, as in ``lane / 4 * n + lane % 4``; 0
    where lanes take one element each, or rows are not known.
    """
    if any(atom.cause is not Cause.WRAP for atom in warp.varying_atoms(address)):
        return 0
    const = warp.space.array(address.const)
    rows = [warp.space.array(coefficient) for _, coefficient in address.terms]
    same = np.all([np.diff(row, axis=1) == 0 for row in rows], axis=0)
    ends = np.flatnonzero(~same[0])
    lanes = int(ends[0]) + 1 if len(ends) else 1
    in_row = np.arange(1, WARP_SIZE) % lanes != 0
    alike = (same == in_row).all() and (np.diff(const, axis=1)[:, in_row] == size).all()
    return lanes * size if lanes > 1 and alike else 0


def _is_slow(part: _Part, *, many: bool) -> bool:
    return not part.uniform and bool(part.name) and (part.multiplied or not many)


def _is_fast(part: _Part, slow: _Part | None) -> bool:
    if part.multiplied or not part.name or (slow is not None and part.name == slow.name):
        return False
    return part.uniform or (_across(part.axes) and "x" not in part.axes)


def _across(axes: str) -> bool:
    return "y" in axes or "z" in axes


def _hides_axes(warp: Warp, form: Form) -> bool:
    """Whether part of a sum is known by its sum alone, as of what may wrap around."""
    atoms = (warp.atoms[number] for monomial, _ in form.terms for number in monomial)
    return any(atom.cause is Cause.NONLINEAR for atom in atoms)


def _misalignment(
    warp: Warp, address: Form, size: int
) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """What keeps warps from starting on a sector: row pitches and offsets of unknown residue, and
    a known number of elements.
    """
    pitches: list[str] = []
    offsets: list[str] = []
    for monomial, coefficient in address.terms:
        if not is_warp_uniform(coefficient) or warp.varying_monomial(monomial):
            continue
        known = warp.congruence([(monomial, coefficient)])
        if known.modulus % SECTOR_BYTES == 0 and known.residue % SECTOR_BYTES == 0:
            continue
        atoms = [warp.atoms[n] for n in monomial]
        names = [a.name for a in atoms if a.cause is Cause.PARAMETER and a.name.isidentifier()]
        alone = len(monomial) == 1 and isinstance(coefficient, int)
        (offsets if alone else pitches).extend(names)
    const = address.const if isinstance(address.const, int) else int(address.const.data[0].min())
    shift = const // size if size and const % SECTOR_BYTES and const % size == 0 else 0
    rest = [name for name in offsets if name not in pitches]
    return tuple(dict.fromkeys(pitches)), tuple(dict.fromkeys(rest)), shift


def _element(site: Site) -> str:
    i = site.instruction
    type_: Type | None = None
    if isinstance(i, Load):
        type_ = i.type
    elif isinstance(i, Store):
        type_ = i.value_type
    if isinstance(type_, FloatType):
        return _FLOATS.get(type_.bits, "")
    if isinstance(type_, IntType):
        return _INTEGERS.get(type_.bits, "")
    return ""
