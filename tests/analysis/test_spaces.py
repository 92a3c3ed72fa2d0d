"""Memory spaces, from the target's numbers to the words of reports."""

from __future__ import annotations

from drano.analysis.spaces import pointed_space, reported_space, variable_space
from drano.ir.target import AddressSpace
from drano.lattice.memory_space import MemSpace
from drano.lattice.warp.lanes import WARP_SIZE as LANES
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import Space

NAMES = ["generic", "global", "shared", "constant", "local", "shared", "param"]


def test_every_address_space_has_one():
    assert [str(pointed_space(number)) for number in AddressSpace] == NAMES
    assert [variable_space(number) for number in AddressSpace] == ["global", *NAMES[1:]]
    assert pointed_space(42) is MemSpace.GENERIC
    assert not variable_space(42)


def test_reports_know_no_parameters_in_memory():
    assert {space: reported_space(str(space)) for space in MemSpace} == {
        MemSpace.BOTTOM: Space.GENERIC,
        MemSpace.GLOBAL: Space.GLOBAL,
        MemSpace.SHARED: Space.SHARED,
        MemSpace.LOCAL: Space.LOCAL,
        MemSpace.CONSTANT: Space.CONSTANT,
        MemSpace.PARAM: Space.CONSTANT,
        MemSpace.GENERIC: Space.GENERIC,
    }


def test_the_lattice_has_the_lanes_of_the_target():
    assert LANES == WARP_SIZE
