"""Values on a pipe."""

from __future__ import annotations

import io

import pytest

from drano.support import messages


def test_values_come_out_as_they_went_in() -> None:
    pipe = io.BytesIO(messages.packed(None) + messages.packed(["a", 1]))
    assert messages.receive(pipe) is None
    assert messages.receive(pipe) == ["a", 1]


@pytest.mark.parametrize("cut", [0, 3, messages.PREFIX, messages.PREFIX + 2])
def test_who_is_gone_in_the_middle_is_noticed(cut: int) -> None:
    with pytest.raises(EOFError):
        messages.receive(io.BytesIO(messages.packed("text")[:cut]))
