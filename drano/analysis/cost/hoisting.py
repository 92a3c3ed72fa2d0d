"""Which loops an access is moved out of by every optimising compiler.

An access at the same address in each iteration is kept in a register while the loop runs, unless
something in the loop may touch that memory: a store or an atomic elsewhere, a barrier, a call, or,
where it is stored to, another load. So it is executed once for each time the loop is come to.
Assumption: pointers to different arrays may overlap; shared and global memory do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from drano.analysis.access_sites import Site
from drano.analysis.control_structure import Structure
from drano.ir.intrinsics import Meaning, intrinsic
from drano.ir.loops import Loop
from drano.ir.model import Call, Function, Load, Store
from drano.model.access import AccessKind

_HARMLESS = frozenset(
    {
        Meaning.THREAD_INDEX, Meaning.LANE, Meaning.PURE, Meaning.SAME_POINTER, Meaning.TEXTURE,
        Meaning.VARYING, Meaning.NOTHING, Meaning.LOAD,
    }
)  # fmt: skip


class Reach(Struct, frozen=True):
    """What a domain knows of an address. ``base``: stands for the array, None where not known;
    ``shared``: in shared memory; ``private``: in the thread's own; ``changing``: headers of the
    loops in whose iterations it changes, None where not known.
    """

    base: object
    shared: bool
    private: bool
    changing: frozenset[int] | None


class _Other(Struct, frozen=True):
    reach: Reach | None
    writes: bool


class Hoisting:
    """The loops of one function."""

    def __init__(
        self,
        function: Function,
        structure: Structure,
        sites: Sequence[Site],
        reach: Callable[[Site], Reach | None],
    ) -> None:
        self._function = function
        self._structure = structure
        self._sites = sites
        self._reach = reach
        self._others: dict[int, list[_Other] | None] = {}

    def outside(self, site: Site) -> frozenset[int]:
        """Headers of the loops that ``site`` is moved out of, innermost first."""
        if site.kind is AccessKind.ATOMIC or not self._structure.loops_of[site.block]:
            return frozenset()
        own = self._reach(site)
        found: set[int] = set()
        for header in self._structure.loops_of[site.block]:
            loop = self._structure.loops[header]
            if own is None or own.changing is None or header in own.changing:
                break
            if not all(self._structure.dominates(site.block, latch) for latch in loop.latches):
                break
            others = self._others_in(loop)
            if others is None or not self._alone(own, others, header):
                break
            found.add(header)
        return frozenset(found)

    def _alone(self, own: Reach, others: Sequence[_Other], header: int) -> bool:
        """Whether nothing else in the loop meets the accessed memory, but what is moved as well."""
        near = [o for o in others if o.reach is None or _may_meet(own, o.reach)]
        if not any(o.writes for o in near):
            return True
        return all(
            o.reach is not None
            and own.base is not None
            and o.reach.base == own.base
            and o.reach.changing is not None
            and header not in o.reach.changing
            for o in near
        )

    def _others_in(self, loop: Loop) -> list[_Other] | None:
        """The accesses of a loop; None where something else in it may touch memory."""
        if loop.header not in self._others:
            self._others[loop.header] = self._find(loop)
        return self._others[loop.header]

    def _find(self, loop: Loop) -> list[_Other] | None:
        for block in loop.body:
            for i in self._function.blocks[block].instructions:
                if isinstance(i, Call) and not _is_harmless(i.callee or ""):
                    return None
                if isinstance(i, Load | Store) and (i.volatile or i.atomic):
                    return None
        inside = [site for site in self._sites if site.block in loop.body]
        if any(site.kind is AccessKind.ATOMIC for site in inside):
            return None
        return [_Other(self._reach(site), site.kind is AccessKind.STORE) for site in inside]


def _may_meet(own: Reach, other: Reach) -> bool:
    return not other.private and other.shared == own.shared


def _is_harmless(callee: str) -> bool:
    known = intrinsic(callee)
    return bool(known.register) or known.meaning in _HARMLESS
