"""The precompiled prelude: used where it fits, done without where it does not, never in the way."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from drano.frontend.clang import compile_host, compile_unit
from drano.frontend.headers.prelude_pch import prelude_flags
from drano.model.settings import CompileOptions

GPU_CODE = "-fcuda-include-gpubinary"
KERNEL = "__global__ void k(int *p) { p[threadIdx.x] = 1; }\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("DRANO_CACHE_DIR", str(place))
    return place


@pytest.fixture
def source(tmp_path: Path) -> str:
    file = tmp_path / "unit.cu"
    file.write_text(KERNEL)
    return str(file)


def compiles(path: str, **options: object) -> bool:
    unit = compile_unit(path, CompileOptions(**options))  # type: ignore[arg-type] # any option
    return unit.ir is not None and not unit.diagnostics


def preludes(cache: Path) -> list[Path]:
    return sorted((cache / "pch").glob("*.pch"))


def test_second_file_uses_the_first_ones_prelude(cache: Path, source: str) -> None:
    assert compiles(source)
    (prelude,) = preludes(cache)
    first = compile_unit(source, CompileOptions(defines=("N=1",), include_dirs=(".",)))
    assert first.ir is not None
    assert preludes(cache) == [prelude]
    assert not list((cache / "pch").glob(".tmp-*"))


def test_small_file_takes_little_time_with_it(cache: Path, source: str) -> None:
    assert compiles(source)
    without = compile_unit(source, CompileOptions(), precompiled=False).seconds
    best = min(compile_unit(source, CompileOptions()).seconds for _ in range(3))
    assert best < without / 2  # ratios hold on a busy machine, seconds do not


def test_stale_prelude_is_replaced(cache: Path, source: str) -> None:
    assert compiles(source)
    (prelude,) = preludes(cache)
    prelude.write_bytes(b"not a precompiled header")
    assert compiles(source)
    assert compiles(source)
    (again,) = preludes(cache)
    assert again.stat().st_size > 1 << 20


def test_deleted_prelude_is_rebuilt(cache: Path, source: str) -> None:
    assert compiles(source)
    for prelude in preludes(cache):
        prelude.unlink()
    assert compiles(source)
    assert len(preludes(cache)) == 1


def test_flags_about_code_share_one(cache: Path, source: str, tmp_path: Path) -> None:
    for number, flags in enumerate((["-cuid=a"], ["-cuid=b"], ["-Xclang", GPU_CODE, "-Xclang"])):
        code = tmp_path / f"{number}.id"
        code.write_bytes(b"any")
        given = ["-c", *flags, *([str(code)] if len(flags) > 1 else [])]
        made = compile_host(source, CompileOptions(), given, str(tmp_path / f"{number}.o"))
        assert made.ir is not None
    assert len(preludes(cache)) == 1
    assert compiles(source)
    assert compiles(source, flags=("-funroll-loops",))
    assert len(preludes(cache)) == 2


def test_language_flags_get_preludes_of_their_own(cache: Path, source: str) -> None:
    assert compiles(source)
    assert compiles(source, std="c++14")
    assert compiles(source, flags=("-ffast-math",))
    assert compiles(source, defines=("_GNU_SOURCE",))
    assert len(preludes(cache)) == 4


def test_flag_the_prelude_does_not_fit_is_done_without(cache: Path, source: str) -> None:
    assert compiles(source, flags=("-include", "stddef.h", "-Xclang", "-fno-builtin"))


def test_old_preludes_are_dropped(cache: Path, source: str) -> None:
    (cache / "pch").mkdir(parents=True)
    for number in range(40):
        old = cache / "pch" / f"{number}.pch"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    assert compiles(source)
    names = {path.name for path in preludes(cache)}
    assert len(names) == 32
    assert "0.pch" not in names
    assert "39.pch" in names


def test_temporaries_of_killed_processes_are_removed_in_time(cache: Path, source: str) -> None:
    (cache / "pch").mkdir(parents=True)
    old, new = cache / "pch" / ".tmp-old.pch", cache / "pch" / ".tmp-new.pch"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    assert compiles(source)
    assert not old.exists()
    assert new.exists()


def test_cache_that_cannot_hold_it_is_no_obstacle(cache: Path, source: str) -> None:
    cache.mkdir()
    (cache / "pch").write_text("a file where a directory should be")
    assert compiles(source)


def test_only_what_can_change_the_prelude_is_its_key() -> None:
    user = ["-Iinc", "-I", "x", "-DN=4", "-D", "_M=1", "-DNDEBUG", "-UFOO", "-U__X"]
    more = ["-Wall", "-include", "a.h", "-isystem", "b", "-fno-exceptions", "-x", "cuda"]
    assert prelude_flags(user + more) == ["-D_M=1", "-DNDEBUG", "-U__X", "-fno-exceptions"]
