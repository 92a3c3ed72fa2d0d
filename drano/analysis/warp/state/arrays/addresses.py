"""Which of a thread's own arrays an address points into, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drano.analysis.warp.state.arrays.records import Place
from drano.lattice import Aggregate, Congruence, Form, LaneOverflowError, Value
from drano.lattice import congruence as congruences

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState

_FAR = 1 << 62
OWN = frozenset({"local", "param"})


class ArrayAddresses:
    """The arrays by the atoms of their addresses, and what is known of pointers into them."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self.known: set[int] = set()
        self.alias: dict[int, int] = {}  # of pointers that walk through one, or are merged from it
        self.escaped: set[int] = set()

    def may_be_own(self, address: Form) -> bool:
        """Whether an address that is the same in all lanes may still be of memory that each thread
        has for itself: of an array whose address got where it was not followed.
        """
        if self.escaped and self.base(address) is None:
            return True
        return any(len(m) > 1 and array in self.escaped
                   for m, _ in address.terms for array in map(self.array, m))  # fmt: skip

    def base(self, address: Form) -> int | None:
        """The one pointer of an address."""
        atoms = self._state.warp.atoms
        found = [m[0] for m, c in address.terms if len(m) == 1 and c == 1 and atoms[m[0]].space]
        return found[0] if len(found) == 1 else None

    def array(self, number: int) -> int | None:
        """The array that a pointer points into, None when it is not a known one."""
        return number if number in self.known else self.alias.get(number)

    def place(self, address: Form, size: int) -> Place | None:
        """Where an address points, None when it is not a known array."""
        base = self.base(address)
        array = None if base is None else self.array(base)
        if base is None or array is None:
            return None
        if base != array:
            return Place(array, congruences.TOP, size)
        rest = {m: c for m, c in address.terms if m != (base,)}
        warp = self._state.warp
        offset = warp.congruence([*rest.items(), ((), address.const)])
        try:
            inner = warp.build(address.bits, rest, address.const)
        except LaneOverflowError:
            return Place(array, congruences.TOP, size)
        if not -_FAR < inner.lo <= inner.hi < _FAR:  # may wrap around
            power = offset.modulus & -offset.modulus
            offset = Congruence(power, offset.residue)
        return Place(array, offset, size)

    def may_hold(self, value: Value) -> bool:
        """Whether an array's address may be part of a value; a quick no for most."""
        if not isinstance(value, Form):
            return isinstance(value, Aggregate)
        atoms = self._state.warp.atoms
        for monomial, _ in value.terms:
            for number in monomial:
                if atoms[number].space in OWN:
                    return True
        return False

    def inside(self, value: Value) -> set[int]:
        """Arrays whose address is part of a value."""
        if isinstance(value, Aggregate):
            return {array for element in value.elements for array in self.inside(element)}
        if not isinstance(value, Form):
            return set()
        atoms = self._state.warp.atoms
        found = (self.array(n) for m, _ in value.terms for n in m if atoms[n].space in OWN)
        return {array for array in found if array is not None}

    @property
    def any_known(self) -> bool:
        """Whether there is an array at all."""
        return bool(self.known)

    def only_base(self, value: Form, base: int) -> bool:
        """Whether an address has its base in no other term."""
        atoms = self._state.warp.atoms
        return all(m == (base,) or atoms[n].space not in OWN for m, _ in value.terms for n in m)
