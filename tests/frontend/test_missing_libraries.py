"""Empty libraries that stand in for those that the loader misses."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from drano.frontend.missing_libraries import empty_library, supply
from drano.support import limited_process
from drano.support.limited_process import run_limited

COMPLAINT = "clang: error while loading shared libraries: {}: cannot open shared object file: No"
LOADED = """\
import ctypes, sys
ctypes.CDLL("libatomic.so.1")
with open("/proc/self/maps") as maps:
    print({line.split()[-1] for line in maps if "libatomic" in line})
"""


def test_the_loader_takes_an_empty_library(tmp_path: Path) -> None:
    place = tmp_path / "libempty.so.7"
    place.write_bytes(empty_library(place.name))
    library = ctypes.CDLL(str(place))
    # From now on it is known by its name alone.
    assert ctypes.CDLL(place.name)._handle == library._handle
    with pytest.raises(AttributeError):
        library.anything  # noqa: B018


def test_tools_find_what_was_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRANO_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("LD_LIBRARY_PATH", "/none")
    monkeypatch.setattr(limited_process, "_searched", [])
    for n in range(2):
        assert supply(COMPLAINT.format("libatomic.so.1")), n
    place = tmp_path / "libraries"
    assert limited_process.environment()["LD_LIBRARY_PATH"] == f"{place}:/none"
    told = run_limited([sys.executable, "-c", LOADED], timeout=30)
    assert told.stdout == f"{ {str(place / 'libatomic.so.1')} }\n"


@pytest.mark.parametrize("complaint", ["", "no", COMPLAINT.format("libLLVM.so.22.1")])
def test_what_is_used_is_not_replaced(complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited_process, "_searched", [])
    assert not supply(complaint)
    assert limited_process._searched == []
