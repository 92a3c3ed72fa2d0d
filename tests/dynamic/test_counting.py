"""The run-time library's counts against a model that counts byte by byte."""

from __future__ import annotations

import csv
import json
import random
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from drano.dynamic.cpu.runtime_library import SOURCES, linker, runtime_object
from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.toolchain import find_clang

from . import model
from .model import ATOMIC, LOAD, STORE, Request

FULL = 0xFFFFFFFF


def offsets_of(rng: random.Random, size: int, limit: int) -> list[int]:
    """One of the patterns that programs have, aligned to the element's size."""
    start = rng.randrange(0, 64) * size
    stride = rng.choice([0, 1, 1, 1, 2, 3, 4, 8, 16, 17, 31, 32, 33, 64, 200])
    match rng.randrange(6):
        case 0:
            found = [start + k * stride * size for k in range(32)]
        case 1:
            found = [start + (31 - k) * stride * size for k in range(32)]
        case 2:
            found = [start + (k // 2) * stride * size for k in range(32)]
        case 3:
            found = [start + (k % 16) * size + (k // 16) * stride * 64 for k in range(32)]
        case 4:
            found = [rng.randrange(0, 256) * size for _ in range(32)]
        case _:
            found = [rng.randrange(0, limit // size) * size for _ in range(32)]
    return [offset % (limit - size) // size * size for offset in found]


def requests(seed: int, count: int) -> list[Request]:
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        shared = rng.random() < 0.4
        size = rng.choice(
            [1, 2, 4, 4, 4, 8, 8, 16] if shared else [1, 2, 4, 4, 4, 8, 16, 12, 24, 32]
        )
        kind = rng.choice([LOAD, LOAD, STORE, ATOMIC if size in {4, 8} else LOAD])
        mask = rng.choice(
            [FULL, FULL, FULL, rng.getrandbits(32), 1 << rng.randrange(32), 0x55555555]
        )
        offsets = tuple(offsets_of(rng, size, 32768 if shared else 1 << 20))
        found.append(Request(size, kind, shared, mask or 1, offsets))
    return found


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that replays accesses, linked with the library."""
    clang, headers = find_clang(), cuda_headers()
    program = tmp_path_factory.mktemp("replay") / "replay"
    source = Path(__file__).with_name("replay.c")
    subprocess.run(
        [
            *linker(clang), f"-I{SOURCES}", f"-I{headers.root / 'include'}", "-O1", str(source),
            str(runtime_object(clang, headers)), "--rtlib=libgcc", "--unwindlib=libgcc",
            "-lpthread", "-lm", "-ldl", "-o", str(program),
        ],
        check=True,
    )  # fmt: skip
    return program


def run(
    program: Path, asked: list[tuple[int, Request]], directory: Path, generic: bool, repeats: int
) -> list[dict[str, Any]]:
    """``asked``: the number of the site, and the request there."""
    data = directory / "accesses"
    with data.open("wb") as file:
        for site, r in asked:
            space = (103 if r.shared else 100) if generic else (3 if r.shared else 1)
            file.write(struct.pack("<37I", site, r.bytes, r.kind, space, r.mask, *r.offsets))
    profile = directory / "profile.json"
    environment = {"DRANO_PROFILE": str(profile)}
    subprocess.run([program, data, str(repeats)], check=True, env=environment, timeout=60)
    found: list[dict[str, Any]] = json.loads(profile.read_text())["sites"]
    return found


@pytest.mark.parametrize(("generic", "repeats"), [(False, 1), (True, 1), (False, 3)])
def test_counts_are_the_models(replay: Path, tmp_path: Path, generic: bool, repeats: int) -> None:
    asked = requests(7 + generic + repeats, 1500)
    sites = run(replay, list(enumerate(asked)), tmp_path, generic, repeats)
    for request, site in zip(asked, sites, strict=False):
        assert site["executions"] == repeats
        assert site["active_lanes"] == repeats * len(request.active)
        if request.shared:
            assert site["shared_executions"] == repeats
            amount = model.wavefronts(request)
            assert site["wavefronts"] == repeats * amount, request
            assert site["wavefronts_ideal"] == repeats * len(model.phases(request)), request
        else:
            amount = model.units(request, 128)
            assert site["lines"] == repeats * amount, request
            assert site["sectors"] == repeats * model.units(request, 32), request
            assert site["sectors_ideal"] == repeats * model.ideal_sectors(request), request
        conflicts = model.conflicts(request) if request.kind == ATOMIC else 0
        assert site["conflicts"] == repeats * conflicts
        assert (site["least"], site["most"]) == (amount, amount)
        assert site["histogram"][min(amount, 32) - 1] == repeats == sum(site["histogram"])


def test_requests_of_one_site_add_up(replay: Path, tmp_path: Path) -> None:
    """What is remembered of a request is never taken for that of another."""
    rng = random.Random(3)
    kinds: dict[tuple[int, int], int] = {}
    asked: list[tuple[int, Request]] = []
    for first in requests(5, 400):
        space = rng.choice([0, 128, 128 * 7, 64, 32])  # the same once more, at another place
        moved = tuple(at + space for at in first.offsets)
        if max(moved) >= 32768 - first.bytes:
            moved = first.offsets
        lanes = replace(first, mask=first.mask & rng.getrandbits(32) | 1)
        site = kinds.setdefault((first.bytes, first.kind), len(kinds))
        asked += [(site, r) for r in (first, replace(first, offsets=moved), first, lanes, lanes)]
    sites = run(replay, asked, tmp_path, True, 1)
    for site in range(len(kinds)):
        mine = [request for number, request in asked if number == site]
        far = [request for request in mine if not request.shared]
        near = [request for request in mine if request.shared]
        found = sites[site]
        assert found["executions"] == len(mine)
        assert found["shared_executions"] == len(near)
        assert found["lines"] == sum(model.units(r, 128) for r in far)
        assert found["sectors"] == sum(model.units(r, 32) for r in far)
        assert found["sectors_ideal"] == sum(model.ideal_sectors(r) for r in far)
        assert found["wavefronts"] == sum(model.wavefronts(r) for r in near)
        assert found["wavefronts_ideal"] == sum(len(model.phases(r)) for r in near)


def test_wavefronts_are_those_of_an_h200(replay: Path, tmp_path: Path) -> None:
    with (Path(__file__).parents[1] / "data" / "shared_wavefronts.csv").open() as file:
        rows = list(csv.DictReader(file))
    kinds = {"load": LOAD, "store": STORE}
    asked = []
    for row in rows:
        size = int(row["bytes"])
        elements = [None if e == "-" else int(e) for e in row["elements"].split()]
        mask = sum(1 << lane for lane, e in enumerate(elements) if e is not None)
        offsets = tuple(size * (e or 0) for e in elements)
        asked.append(Request(size, kinds[row["kind"]], True, mask, offsets))
    assert len(asked) == 960
    for row, site in zip(
        rows, run(replay, list(enumerate(asked)), tmp_path, False, 1), strict=False
    ):
        assert site["wavefronts"] == int(row["wavefronts"]), row
