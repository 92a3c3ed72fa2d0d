"""What a preprocessor surely leaves out of a text."""

from __future__ import annotations

import time

import pytest

from drano.frontend.text.text_conditions import Branches, conditions


def left_out(text: str, *defined: str) -> list[str]:
    """The lines that are surely left out."""
    branches, found = Branches(), []
    for line in text.splitlines(keepends=True):
        directives = list(conditions(line.encode()))
        for directive in directives:
            branches.follow(directive, set(defined))
        if not directives and branches.left_out:
            found.append(line.strip())
    return found


@pytest.mark.parametrize(
    ("condition", "out"),
    [
        ("#ifdef USE_HIP", ["then"]),
        ("#ifndef USE_HIP", ["else"]),
        ("#if defined(USE_HIP) // AMD", ["then"]),
        ("#if defined USE_HIP /* AMD */ && VERSION > 3", ["then"]),
        ("#if !defined(USE_HIP) || VERSION > 3", ["else"]),
        ("#if defined(USE_HIP) || VERSION > 3", []),
        ("#if !defined(USE_HIP) && VERSION > 3", []),
        ("#if defined(GIVEN)", []),
        ("#ifdef GIVEN", []),
        ("#ifdef __cplusplus", ["else"]),
        ("#ifndef __host__", ["then"]),
        ("#if defined(_WIN32)", ["then"]),
        ("#ifdef __RESERVED__", []),
        ("#ifdef CUDA_VERSION", []),
        ("#if 0", ["then"]),
        ("#if 1", ["else"]),
        ("#if (0)", []),
        ("#if", []),
        ("#ifdef", []),
    ],
)
def test_branches(condition: str, out: list[str]) -> None:
    assert left_out(f"{condition}\nthen\n#else\nelse\n#endif\nbehind\n", "GIVEN") == out


def test_chains_and_nests() -> None:
    chain = "#if defined(A)\na\n#elif defined(GIVEN)\nb\n#elif defined(B)\nc\n#else\nd\n#endif\n"
    assert left_out(chain, "GIVEN") == ["a", "c"]
    assert left_out("#if 1\na\n#elif GIVEN\nb\n#else\nc\n#endif\n") == ["b", "c"]
    assert left_out("#ifdef A\n#if 1\na\n#endif\nb\n#endif\nc\n") == ["a", "b"]


def test_what_does_not_match_up_ends_nothing() -> None:
    assert left_out("#endif\n#else\n#elif 0\na\n") == []
    assert left_out("#ifdef A\na\n") == ["a"]


def test_deep_nests_take_linear_time() -> None:
    text = b"#ifdef A\n" * 100_000
    branches = Branches()
    begin = time.perf_counter()
    for condition in conditions(text):
        branches.follow(condition, set())
        assert branches.left_out
    assert time.perf_counter() - begin < 5
