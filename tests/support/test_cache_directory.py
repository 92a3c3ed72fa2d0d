"""Whose cache is used, and that damage in what is linked from it is noticed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from drano.support.cache_directory import cache_dir, keep_newest, publish_verified, verified
from drano.support.errors import IRError


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777])
@pytest.mark.parametrize("below", ["", "pch"])
def test_one_that_others_may_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, below: str
) -> None:
    monkeypatch.setenv("DRANO_CACHE_DIR", str(tmp_path / "cache"))
    place = cache_dir(below)
    place.chmod(mode)
    with pytest.raises(IRError, match="can be written by others"):
        cache_dir("pch")
    place.chmod(0o755)
    assert cache_dir("pch").is_dir()


def test_one_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRANO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: tmp_path.stat().st_uid + 1)
    owned_by_root = tmp_path.stat().st_uid == 0
    if owned_by_root:
        os.chown(tmp_path, 12345, -1)
    with pytest.raises(IRError, match="belongs to another user"):
        cache_dir()


def test_every_directory_of_it_is_made_for_this_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRANO_CACHE_DIR", str(tmp_path / "cache"))
    place = cache_dir("results/ab")
    assert [p.stat().st_mode & 0o777 for p in (place, *place.parents[:2])] == [0o700] * 3


def test_what_is_damaged_is_built_again(tmp_path: Path) -> None:
    place = tmp_path / "runtime.o"

    def build(target: Path) -> bool:
        target.write_bytes(b"whole")
        return True

    assert not verified(place)
    publish_verified(place, build)
    assert verified(place)
    for damage in (b"", b"whol", b"whole!", b"wh\0le"):
        place.write_bytes(damage)
        assert not verified(place)
    publish_verified(place, build)
    assert verified(place)


def test_what_is_at_work_is_not_deleted_for_what_comes_next(tmp_path: Path) -> None:
    now = time.time()
    for number, age in enumerate((0, 10, 20, 30, 4000, 5000)):
        (tmp_path / str(number)).touch()
        os.utime(tmp_path / str(number), (now - age, now - age))

    def kept(count: int, at_work: int = 0) -> str:
        keep_newest(tmp_path, "*", count, at_work)
        return "".join(sorted(path.name for path in tmp_path.iterdir()))

    assert kept(5, 3) == "01234"
    assert kept(2, 9) == "0123"
    assert kept(2, 3) == "012"
    assert kept(2) == "01"
