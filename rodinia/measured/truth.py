"""Readers of the ground-truth tables: what was measured, and what others reported.

* ``rodinia_hardware.csv``: Nsight Compute's counters by source line (``HardwareRow``)
* ``rodinia_authors.csv``: GPUDrano's own dynamic runs (``AuthorsRow``)
* ``original_flags.csv``: what the original pass flags (``OriginalFlag``)

A table with other columns, or a cell that is no number, is a ``TruthError`` naming file and line.
``file`` of a hardware row is relative to the suite's CUDA directory, of the others to the
program's.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

HARDWARE_FILE = "rodinia_hardware.csv"
AUTHORS_FILE = "rodinia_authors.csv"
ORIGINAL_FILE = "original_flags.csv"

Row = TypeVar("Row")


class TruthError(Exception):
    """A table cannot be used; ``str()`` is one line for the user."""


class HardwareRow(Struct, frozen=True):
    """Counters of one (line, kernel, kind, size, launch shape), summed over launches.

    ``warp_insts`` counts warps with no active lane too; ``thread_insts`` active threads;
    ``tags`` 128-byte lines looked up in L1; ``wavefronts`` and
    their ideal are shared memory's; ``program``: which one was run.
    """

    file: str
    line: int
    kernel: str
    kind: str
    space: str
    via: str
    bytes: int
    grid: str
    block: tuple[int, int, int]
    warp_insts: int
    thread_insts: int
    tags: int
    sectors: int
    ideal: int
    wavefronts: int = 0
    wavefronts_ideal: int = 0
    program: str = ""


class AuthorsRow(Struct, frozen=True):
    """Average 128-byte lines per warp access at one place, in one run with one input."""

    program: str
    file: str
    line: int
    column: int
    function: str
    kind: str
    aligned: bool
    average_lines: float
    executions: int


class OriginalFlag(Struct, frozen=True):
    """One flag of the original pass. ``intra``/``inter``: in which of its modes it is raised;
    ``index`` its abstract index, and ``base_bytes`` the size it took for the element.
    """

    program: str
    file: str
    line: int
    column: int
    kernel: str
    kind: str
    base_bytes: int
    index: str
    in_authors_makefile: bool
    intra: bool
    inter: bool


def locate(path: Path, name: str) -> Path:
    """The table ``name`` where ``path`` is it or the directory that holds it."""
    return path / name if path.is_dir() else path


def beside(path: Path, name: str) -> Path:
    """The table ``name`` in the directory ``path``, or beside the file ``path``."""
    return (path if path.is_dir() else path.parent) / name


def read_hardware(path: Path) -> tuple[HardwareRow, ...]:
    """``rodinia_hardware.csv``, or that file in the directory ``path``."""
    columns = (
        "file,line,kernel,kind,space,via,size_bytes,grid,block,warp_insts,thread_insts,"
        "l1_tag_requests,sectors,sectors_ideal"
    )
    return tuple(_rows(locate(path, HARDWARE_FILE), columns, _hardware_row))


def read_authors(path: Path) -> tuple[AuthorsRow, ...]:
    """``rodinia_authors.csv``, or that file in the directory ``path``."""
    columns = "program,file,line,column,function,kind,arrays_aligned,avg_lines,executions"
    return tuple(_rows(locate(path, AUTHORS_FILE), columns, _authors_row))


def read_verdicts(path: Path) -> dict[tuple[str, int], str]:
    """What another tool says of lines: a table of file, line, verdict (coalesced, uncoalesced)."""
    return dict(_rows(path, "file,line,verdict", _verdict_row))


def _verdict_row(cells: dict[str, str]) -> tuple[tuple[str, int], str]:
    if cells["verdict"] not in {"coalesced", "uncoalesced"}:
        raise ValueError(f"'{cells['verdict']}' is no verdict")
    return (cells["file"], int(cells["line"])), cells["verdict"]


def read_original(path: Path) -> tuple[OriginalFlag, ...]:
    """``original_flags.csv``, or that file in the directory ``path``."""
    columns = (
        "program,file,line,column,kernel,kind,base_size,abstract_index,in_authors_makefile,mode"
    )
    return tuple(_rows(locate(path, ORIGINAL_FILE), columns, _original_flag))


def _rows(path: Path, columns: str, make: Callable[[dict[str, str]], Row]) -> Iterator[Row]:
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, strict=True)
            missing = [name for name in columns.split(",") if name not in (reader.fieldnames or ())]
            if missing:
                raise TruthError(f"{path}: no column '{missing[0]}': not the table expected here")
            for cells in reader:
                if None in cells or None in cells.values():
                    raise TruthError(f"{path}:{reader.line_num}: wrong number of cells")
                try:
                    yield make(cells)
                except ValueError as error:
                    raise TruthError(f"{path}:{reader.line_num}: {error}") from error
    except OSError as error:
        raise TruthError(f"{path}: {error.strerror or error}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise TruthError(f"{path}: not a CSV table: {error}") from error


def _shape(text: str) -> tuple[int, int, int]:
    x, y, z = (int(part) for part in text.split("x"))
    return x, y, z


def _hardware_row(cells: dict[str, str]) -> HardwareRow:
    return HardwareRow(
        file=cells["file"],
        line=int(cells["line"]),
        kernel=cells["kernel"],
        kind=cells["kind"],
        space=cells["space"],
        via=cells["via"],
        bytes=int(cells["size_bytes"]),
        grid=cells["grid"],
        block=_shape(cells["block"]),
        warp_insts=int(cells["warp_insts"]),
        thread_insts=int(cells["thread_insts"]),
        tags=int(cells["l1_tag_requests"]),
        sectors=int(cells["sectors"]),
        ideal=int(cells["sectors_ideal"]),
        wavefronts=int(cells.get("wavefronts", 0)),
        wavefronts_ideal=int(cells.get("wavefronts_ideal", 0)),
        program=cells.get("program", ""),
    )


def _authors_row(cells: dict[str, str]) -> AuthorsRow:
    return AuthorsRow(
        program=cells["program"],
        file=cells["file"],
        line=int(cells["line"]),
        column=int(cells["column"] or 0),
        function=cells["function"],
        kind=cells["kind"],
        aligned=cells["arrays_aligned"] == "yes",
        average_lines=float(cells["avg_lines"]),
        executions=int(cells["executions"] or 0),
    )


def _original_flag(cells: dict[str, str]) -> OriginalFlag:
    mode = cells["mode"]
    if mode not in {"intra", "inter", "both"}:
        raise ValueError(f"mode '{mode}' is none of intra, inter, both")
    return OriginalFlag(
        program=cells["program"],
        file=cells["file"],
        line=int(cells["line"]),
        column=int(cells["column"]),
        kernel=cells["kernel"],
        kind=cells["kind"],
        base_bytes=int(cells["base_size"] or 0),
        index=cells["abstract_index"],
        in_authors_makefile=cells["in_authors_makefile"] == "yes",
        intra=mode != "inter",
        inter=mode != "intra",
    )
