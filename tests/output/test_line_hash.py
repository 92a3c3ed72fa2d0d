"""The line hash against known values and against a literal, slow rolling hash."""

from __future__ import annotations

import doctest
from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from drano.output import line_hash
from drano.output.line_hash import line_hashes

# As GitHub's upload action gives them.
KNOWN = {
    b"": ["c129715d7a2bc9a3:1"],
    b" a\nb\n  \t\tc\n d": [
        "271789c17abda88f:1",
        "54703d4cd895b18:1",
        "180aee12dab6264:1",
        "a23a3dc5e078b07b:1",
    ],
    b"kernel<<<1, 2>>>(a);\r\n\r\n\tint\tx = 1; \n \r\xcf\x80\xf0\x9d\x9b\xbc \xff\n}\n}\n}": [
        "6d222b7705d43e61:1",
        "6fa2ca427869ffa4:1",
        "2a6715956831604a:1",
        "8d1f74ee71960eb8:1",
        "6d6bc0706b8f8e2e:1",
        "27930ce99a2fc80e:1",
        "632b355e1e0bbbf3:1",
        "13db8c734146ff90:1",
    ],
}


def rolling(content: bytes) -> list[str]:
    """Unit by unit: a hash rolls over the last 100 units, and is a line's when its first unit is
    about to leave."""
    encoded = content.decode("utf-8", "replace").encode("utf-16-le", "surrogatepass")
    units = [int.from_bytes(encoded[n : n + 2], "little") for n in range(0, len(encoded), 2)]
    kept: list[int] = []
    after_return = False
    for unit in units:
        skipped = unit in (0x20, 0x09) or (after_return and unit == 0x0A)
        after_return = unit == 0x0D
        if not skipped:
            kept.append(0x0A if unit == 0x0D else unit)
    starts = {0} | {n + 1 for n, unit in enumerate(kept) if unit == 0x0A}
    stream = [*kept, 65535, *[0] * 100]
    window = [0] * 100
    value = 0
    seen: Counter[int] = Counter()
    hashes: list[str] = []
    for n, unit in enumerate(stream):
        if n >= 100 and n - 100 in starts:
            seen[value] += 1
            hashes.append(f"{value:x}:{seen[value]}")
        value = (37 * value + unit - window[n % 100] * pow(37, 100, 1 << 64)) % (1 << 64)
        window[n % 100] = unit
    if len(stream) - 100 in starts:
        seen[value] += 1
        hashes.append(f"{value:x}:{seen[value]}")
    return hashes


def test_known_values() -> None:
    for content, expected in KNOWN.items():
        assert list(line_hashes(content)) == expected


def test_equal_lines_are_numbered() -> None:
    hashes = line_hashes(b"out[i] = in[i];\n" * 200)
    assert hashes[0].endswith(":1")
    assert hashes[100] == hashes[0].replace(":1", ":101")
    assert len(hashes) == 201


@given(st.lists(st.sampled_from(["a", " ", "\t", "\n", "\r", "\r\n", "x" * 40, "π", "𝛼"])))
@example(["\r", " ", "\n"])
@example(["\n"] * 250)
def test_same_as_the_rolling_hash(parts: list[str]) -> None:
    content = "".join(parts).encode()
    assert list(line_hashes(content)) == rolling(content)


@given(st.binary(max_size=400))
def test_any_bytes(content: bytes) -> None:
    assert list(line_hashes(content)) == rolling(content)


def test_many_lines_are_hashed_in_pieces() -> None:
    content = b"".join(b"line %d;\n" % n for n in range(9000))
    assert list(line_hashes(content)) == rolling(content)


def test_doctests() -> None:
    assert doctest.testmod(line_hash).failed == 0
