"""Quicker constructors: the classes are what they were."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import dataclass, field

import pytest

from drano.model.span import Frame, Location, Span
from drano.support.fast_init import fast_init


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    index: int
    name: str = "x"


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Derived(Base):
    value: float
    hidden: int = field(default=3, compare=False)


@fast_init
@dataclass(frozen=True, slots=True)
class Listed:
    items: list[int] = field(default_factory=list)


def test_arguments_defaults_and_errors() -> None:
    made = Derived(index=1, value=2.0)
    assert (made.index, made.name, made.value, made.hidden) == (1, "x", 2.0, 3)
    assert made == Derived(value=2.0, index=1, hidden=4) != Derived(value=2.0, index=2)
    assert dataclasses.replace(made, name="y").name == "y"
    assert list(inspect.signature(Derived).parameters) == ["index", "name", "value", "hidden"]
    with pytest.raises(TypeError, match="missing"):
        Derived(index=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected"):
        Derived(index=1, value=2, other=3)  # type: ignore[call-arg]
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.index = 2  # type: ignore[misc]


def test_by_position_pickled_and_copied() -> None:
    place = Location(Span("a.cu", 3, 4), "f", (Frame("k", Span("a.cu", 9, 1)),))
    assert pickle.loads(pickle.dumps(place)) == copy.deepcopy(place) == place
    assert Location(place.span, "f").inlined_at == ()
    assert Span("a", 1, 2) < Span("a", 1, 3)
    assert hash(place) == hash(copy.copy(place))


def test_other_classes_stay_as_they_are() -> None:
    one, other = Listed(), Listed()
    assert one.items == []
    assert one.items is not other.items
