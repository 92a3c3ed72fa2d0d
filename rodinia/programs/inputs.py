"""Inputs for the suite's programs, made from a fixed seed: none of the suite's own data is needed.

``medium`` are the inputs of the measured runs (``rodinia_hardware.csv``), number for number, so
that counts of data-dependent accesses can be compared too; ``small`` are of the same make.
All of a size are drawn from one generator, one after the other: the order is part of the contract.

Layout: the files that programs are given lie flat in the directory; what programs look for beside
their own directories (``../../data/…``) lies in ``data/``.
"""

from __future__ import annotations

import functools
import hashlib
import shutil
import struct
import tempfile
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

SEED = 1
# heartwall's tracking points lie all over a frame of this size (define.c)
_FRAME = (744, 656)
# leukocyte finds as many as this
CELLS = 4
_DONE = ".complete"


class Size(StrEnum):
    """How large inputs are."""

    SMALL = "small"
    MEDIUM = "medium"


class _Sizes(Struct, frozen=True):
    """``nodes`` of the graph, ``grid`` of hotspot (a side), ``records`` of nn (a file),
    ``elements`` of the mesh, ``keys`` of the tree with the commands on them, ``text`` bytes to
    compress, ``image`` of dwt2d (a side), ``frames`` of the video; ``floats`` to sort, ``points``
    of kmeans, ``bases`` of mummergpu's reference and ``queries`` on it.
    """

    nodes: int
    grid: int
    records: int
    elements: int
    keys: int
    ranges: int
    finds: int
    text: int
    image: int
    frames: int
    floats: int
    points: int
    bases: int
    queries: int


_SIZES = {
    Size.SMALL: _Sizes(
        4096, 128, 1000, 3072, 20_000, 600, 1000, 1 << 16, 256, 3, 20_000, 4096, 20_000, 2000
    ),
    Size.MEDIUM: _Sizes(
        65536,
        512,
        10691,
        24576,
        500_000,
        6000,
        10_000,
        1 << 20,
        1024,
        6,
        200_000,
        65_536,
        200_000,
        20_000,
    ),
}

Numbers = npt.NDArray[np.generic]


def make(directory: Path, size: Size, progress: Callable[[str], None] = lambda _: None) -> Path:
    """The directory with all inputs of ``size`` below ``directory``; made once, whole or not."""
    target = directory / str(size)
    if _made_by(target) == version():
        return target
    directory.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f".{size}-", dir=directory) as temporary:
        place = Path(temporary) / "inputs"
        place.mkdir()
        _write_all(place, _SIZES[size], progress)
        (place / _DONE).write_text(version())
        place.rename(target)
    return target


@functools.cache
def version() -> str:
    """Names this module's text: inputs that another one made are made again."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]


def _made_by(target: Path) -> str:
    try:
        return (target / _DONE).read_text()
    except OSError:
        return ""


def _write_all(place: Path, sizes: _Sizes, progress: Callable[[str], None]) -> None:
    draw = np.random.default_rng(SEED)
    for name, write in (
        ("graph", _graph), ("temperatures", _temperatures), ("records", _records),
        ("mesh", _mesh), ("image", _image), ("cell", _cell), ("tree", _tree), ("text", _text),
        ("picture", _picture), ("video", _video), ("floats", _floats), ("points", _points),
        ("bases", _bases), ("cells", _cells),
    ):  # fmt: skip
        progress(name)
        write(place, draw, sizes)


def _graph(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """bfs: nodes as (first edge, number of edges), the source, edges as (node, cost)."""
    n = sizes.nodes
    degrees = draw.integers(2, 11, n)
    first = np.concatenate([[0], np.cumsum(degrees)[:-1]])
    edges = int(degrees.sum())
    with (place / "graph.txt").open("w") as file:
        file.write(f"{n}\n")
        np.savetxt(file, np.stack([first, degrees], 1), fmt="%d")
        file.write(f"\n0\n\n{edges}\n")
        ends = draw.integers(0, n, edges), draw.integers(1, 11, edges)
        np.savetxt(file, np.stack(ends, 1), fmt="%d")


def _temperatures(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """Hotspot and hotspot3D: temperatures and powers, one number a line."""
    cells = sizes.grid * sizes.grid
    for suffix, count in (("", cells), ("x8", cells * 8)):
        _column(place / f"temp{suffix}", 323 + draw.random(count) * 20)
        _column(place / f"power{suffix}", draw.random(count) * 1e-3)


def _records(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """nn: records of 48 characters, latitude at 28, longitude at 33, in four files and a list."""
    names = [f"cane{k}.db" for k in range(4)]
    (place / "filelist").write_text("".join(f"{name}\n" for name in names))
    for name in names:
        with (place / name).open("w") as file:
            for i in range(sizes.records):
                head = f"1950 {i % 12:2d} {i % 28:2d} 18 {i:5d} NAME"
                latitude, longitude = draw.random() * 80, draw.random() * 300
                record = f"{head:<28}"[:28] + f"{latitude:5.1f}"[:5] + f"{longitude:5.1f}"[:5]
                file.write(f"{record:<48}"[:48] + "\n")


def _mesh(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """cfd: per element its area and four (neighbour, normal), -1 for the boundary."""
    n = sizes.elements
    near = np.clip(np.arange(n)[:, None] + draw.integers(-400, 400, (n, 4)), 0, n - 1) + 1
    near = np.where(draw.random((n, 4)) < 0.03, -1, near)
    areas = draw.random(n) * 1e-3 + 1e-3
    normals = (draw.random((n, 4, 3)) - 0.5) * 1e-2
    with (place / "mesh").open("w") as file:
        file.write(f"{n}\n")
        for i in range(n):
            sides = " ".join(
                "{:d} {:.6g} {:.6g} {:.6g}".format(near[i, j], *normals[i, j]) for j in range(4)
            )
            file.write(f"{areas[i]:.6g} {sides}\n")


def _image(place: Path, draw: np.random.Generator, _: _Sizes) -> None:
    """srad_v1: a grey picture as text."""
    folder = place / "data" / "srad"
    folder.mkdir(parents=True)
    with (folder / "image.pgm").open("w") as file:
        file.write("P2\n458 502\n255\n")
        np.savetxt(file, draw.integers(1, 255, (502, 458)), fmt="%d")


def _cell(place: Path, draw: np.random.Generator, _: _Sizes) -> None:
    """myocyte: the initial state and the parameters of a heart cell."""
    folder = place / "data" / "myocyte"
    folder.mkdir(parents=True)
    _column(folder / "y.txt", draw.random(91) * 0.1 + 0.01)
    _column(folder / "params.txt", draw.random(18) * 0.5 + 0.1)


def _tree(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """b+tree: the keys, and commands for range searches and searches."""
    with (place / "mil.txt").open("w") as file:
        file.write(f"{sizes.keys}\n")
        np.savetxt(file, draw.permutation(sizes.keys), fmt="%d")
    half = sizes.ranges // 2
    commands = f"j {sizes.ranges} {half}\nk {sizes.finds}\n\0"
    (place / "command.txt").write_bytes(commands.encode())


def _text(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """huffman: bytes of very different frequency."""
    weights = 1 / np.arange(1, 257) ** 1.2
    drawn = draw.choice(256, sizes.text, p=weights / weights.sum())
    (place / "huff.in").write_bytes(drawn.astype(np.uint8).tobytes())


def _picture(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """dwt2d: raw RGB behind a header that nobody reads; where the program looks for it."""
    folder = place / "data" / "dwt2d"
    folder.mkdir(parents=True)
    count = sizes.image * sizes.image * 3 + 64
    (folder / "rgb.bmp").write_bytes(draw.integers(0, 255, count).astype(np.uint8).tobytes())


def _video(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """heartwall: an uncompressed 8-bit grey AVI whose picture moves by a pixel a frame."""
    width, height = _FRAME
    first = (draw.random((height, width)) * 255).astype(np.uint8)
    frames = [np.roll(first, number, 1) for number in range(sizes.frames)]
    (place / "test.avi").write_bytes(_avi(frames))


def _floats(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """hybridsort: numbers, one a line."""
    _column(place / "floats", draw.random(sizes.floats))


def _points(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """kmeans: per point its number and 34 features, around five centres."""
    centres = draw.random((5, 34)) * 100
    which = np.concatenate([np.arange(5), draw.integers(0, 5, sizes.points - 5)])
    features = centres[which] + draw.random((sizes.points, 34))
    numbered = np.column_stack([np.arange(sizes.points), features])
    np.savetxt(place / "features", numbered, fmt="%d" + " %.3f" * 34)


def _bases(place: Path, draw: np.random.Generator, sizes: _Sizes) -> None:
    """mummergpu: a reference, and queries cut out of it where their names say."""
    bases = "".join(draw.choice(list("ACGT"), sizes.bases))
    lines = (bases[start : start + 70] for start in range(0, len(bases), 70))
    (place / "reference.fna").write_text(">reference\n" + "\n".join(lines) + "\n")
    starts = draw.integers(0, sizes.bases - 100, sizes.queries)
    queries = (f">q_{start}\n{bases[start : start + 100]}\n" for start in starts)
    (place / "queries.fna").write_text("".join(queries))


def _cells(place: Path, draw: np.random.Generator, _: _Sizes) -> None:
    """leukocyte: CELLS bright discs that move by a pixel a frame, upside down as in an AVI."""
    width, height = 80 * CELLS, 340
    rows, columns = np.mgrid[0:height, 0:width]
    frames = []
    for number in range(3):
        picture = 40 + draw.random((height, width)) * 10
        for cell in range(CELLS):
            x, y = 40 + 80 * cell + number, 219 + 40 * (cell % 3 - 1)
            picture += 150 / (1 + np.exp(np.hypot(columns - x, rows - y) - 11))
        frames.append(np.clip(picture, 0, 255).astype(np.uint8)[::-1])
    (place / "cells.avi").write_bytes(_avi(frames))


def _avi(frames: Sequence[npt.NDArray[np.uint8]]) -> bytes:
    """An uncompressed 8-bit grey video."""
    height, width = frames[0].shape
    pixels, count = width * height, len(frames)
    main_header = struct.pack(
        "<14I", 40000, pixels * 25, 0, 0x10, count, 0, 1, pixels, width, height, 0, 0, 0, 0
    )
    stream_header = b"vidsDIB " + struct.pack(
        "<I2H8I4h", 0, 0, 0, 0, 1, 25, 0, count, pixels, 0xFFFFFFFF, 0, 0, 0, width, height
    )
    stream_format = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, pixels, 0, 0, 0, 0)
    stream = _list(b"strl", _chunk(b"strh", stream_header) + _chunk(b"strf", stream_format))
    headers = _list(b"hdrl", _chunk(b"avih", main_header) + stream)
    movie = index = b""
    offset = 4
    for picture in frames:
        frame = _chunk(b"00db", picture.tobytes())
        index += b"00db" + struct.pack("<III", 0x10, offset, pixels)
        offset += len(frame)
        movie += frame
    body = b"AVI " + headers + _list(b"movi", movie) + _chunk(b"idx1", index)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _chunk(tag: bytes, data: bytes) -> bytes:
    return tag + struct.pack("<I", len(data)) + data + (b"\0" if len(data) & 1 else b"")


def _list(tag: bytes, data: bytes) -> bytes:
    return b"LIST" + struct.pack("<I", len(data) + 4) + tag + data


def _column(path: Path, numbers: Numbers) -> None:
    np.savetxt(path, numbers, fmt="%.6g")
