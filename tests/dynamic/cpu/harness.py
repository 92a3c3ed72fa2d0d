"""Compile CUDA source through the CPU back end and call its kernels with numpy arrays."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from drano.dynamic.cpu import lower
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.frontend.clang import compile_unit
from drano.frontend.toolchain import find_clang
from drano.model.settings import CompileOptions, View

HERE = Path(__file__).parent
ABI = Path(__file__).parents[3] / "drano" / "dynamic" / "runtime"


class _Param(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint32), ("bytes", ctypes.c_uint32)]


class _Kernel(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("step", ctypes.c_void_p), ("frame_bytes", ctypes.c_uint32),
        ("local_bytes", ctypes.c_uint32), ("static_shared_bytes", ctypes.c_uint32),
        ("param_count", ctypes.c_uint32), ("params_bytes", ctypes.c_uint32),
        ("params", ctypes.POINTER(_Param)), ("first_site", ctypes.c_uint32),
        ("site_count", ctypes.c_uint32), ("display", ctypes.c_char_p),
        ("zero_offset", ctypes.c_uint32), ("zero_bytes", ctypes.c_uint32),
        ("compiled", ctypes.c_uint32),
    ]  # fmt: skip


class _Variable(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("address", ctypes.c_void_p), ("bytes", ctypes.c_uint64),
        ("space", ctypes.c_uint8),
    ]  # fmt: skip


class _UnitTable(ctypes.Structure):
    _fields_ = [
        ("abi", ctypes.c_uint32), ("id", ctypes.c_char_p), ("kernels", ctypes.POINTER(_Kernel)),
        ("kernel_count", ctypes.c_uint32), ("sites", ctypes.c_void_p),
        ("site_count", ctypes.c_uint32), ("variables", ctypes.POINTER(_Variable)),
        ("variable_count", ctypes.c_uint32), ("site_base", ctypes.c_uint32),
        ("proofs", ctypes.c_void_p),
    ]  # fmt: skip


RECORD = np.dtype(
    [
        ("site", "u4"), ("mask", "u4"), ("warp", "u4"), ("block", "u4"), ("shared", "u4"),
        ("padding", "u4"), ("address", "u8", 32),
    ]
)  # fmt: skip
"""As in ``harness.c``. ``shared``: which lanes' addresses are in the block's shared memory."""


class WarpAccess(Struct, frozen=True):
    """One access of one warp: ``addresses`` of the active lanes, by lane."""

    site: DeviceSite
    mask: int
    addresses: dict[int, int]


class FaultError(Exception):
    """The kernel ended early."""


class Program:
    """One loaded unit."""

    def __init__(self, library: Path, sites: tuple[DeviceSite, ...]) -> None:
        self.sites = sites
        self.library = ctypes.CDLL(str(library))
        self.library.harness_unit.restype = ctypes.POINTER(_UnitTable)
        self.library.harness_fault.restype = ctypes.c_char_p
        self.library.harness_records.restype = ctypes.c_size_t
        self.library.harness_accesses.restype = ctypes.c_uint64
        self.table = self.library.harness_unit().contents

    @property
    def kernels(self) -> dict[str, _Kernel]:
        """The kernels by symbol."""
        rows = (self.table.kernels[k] for k in range(self.table.kernel_count))
        return {row.name.decode(): row for row in rows}

    def variable(self, name: str) -> int:
        """Address of a device variable."""
        for k in range(self.table.variable_count):
            if self.table.variables[k].name.decode() == name:
                return int(self.table.variables[k].address)
        raise KeyError(name)

    def symbol(self, name: str) -> str:
        """The one kernel whose symbol holds ``name``."""
        found = [s for s in self.kernels if name == s or f"{len(name)}{name}" in s]
        assert len(found) == 1, found
        return found[0]

    def launch(
        self,
        name: str,
        grid: Sequence[int] | int,
        block: Sequence[int] | int,
        *arguments: object,
        shared: int = 0,
        record: bool | str = False,
        printed: Path | None = None,
    ) -> list[WarpAccess]:
        """Run a kernel on numpy arrays (by address), numpy scalars and bytes (structures).

        ``record``: True returns the accesses, "rows" keeps them for ``records``.
        """
        symbol = self.symbol(name)
        kernel = self.kernels[symbol]
        assert kernel.param_count == len(arguments)
        buffer = bytearray(max(1, kernel.params_bytes))
        for k, argument in enumerate(arguments):
            place = kernel.params[k]
            data = _bytes(argument)
            assert len(data) == place.bytes, (k, len(data), place.bytes)
            buffer[place.offset : place.offset + place.bytes] = data
        self.library.harness_record(int(bool(record)))
        three = ctypes.c_int32 * 3
        status = self.library.harness_launch(
            symbol.encode(), three(*_three(grid)), three(*_three(block)),
            ctypes.c_uint32(shared), (ctypes.c_char * len(buffer)).from_buffer(buffer),
            str(printed).encode() if printed else None,
        )  # fmt: skip
        if status:
            raise FaultError(f"{status}: {self.library.harness_fault().decode()}")
        return self._accesses() if record is True else []

    def records(self) -> np.ndarray[Any, np.dtype[np.void]]:
        """What the last launch recorded, as rows of type ``RECORD``."""
        pointer = ctypes.c_void_p()
        count = self.library.harness_records(ctypes.byref(pointer))
        if not count:
            return np.zeros(0, RECORD)
        data = ctypes.string_at(pointer.value or 0, count * RECORD.itemsize)
        return np.frombuffer(data, RECORD)

    def _accesses(self) -> list[WarpAccess]:
        result = []
        for row in self.records():
            mask = int(row["mask"])
            lanes = {n: int(row["address"][n]) for n in range(32) if mask >> n & 1}
            result.append(WarpAccess(self.sites[row["site"]], mask, lanes))
        return result


def _three(shape: Sequence[int] | int) -> tuple[int, int, int]:
    given = (shape,) if isinstance(shape, int) else tuple(shape)
    x, y, z = (*given, 1, 1)[:3]
    return x, y, z


def _bytes(argument: object) -> bytes:
    if isinstance(argument, np.ndarray):
        return int(argument.ctypes.data).to_bytes(8, "little")
    if isinstance(argument, np.generic):
        return argument.tobytes()
    assert isinstance(argument, bytes)
    return argument


@cache
def _directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="drano-simt-")


@cache
def _runtime() -> Path:
    target = Path(_directory().name) / "harness.o"
    command = [
        find_clang().path, "-std=c11", "-O2", "-fPIC", "-Wall", "-Wextra", f"-I{ABI}", "-c",
        str(HERE / "harness.c"), "-o", str(target),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    return target


@cache
def program(
    source: str, *more: str, opt_level: int = 2, arch: str = "sm_70", view: View = View.COMPILED
) -> Program:
    """The CUDA ``source``, compiled, lowered, linked and loaded; ``more``: other units that it
    calls (relocatable device code).
    """
    return load(source, *more, opt_level=opt_level, arch=arch, view=view)[0]


def load(
    source: str, *more: str, opt_level: int = 2, arch: str = "sm_70", view: View = View.COMPILED
) -> tuple[Program, str]:
    """The same, not remembered, and the source's device IR."""
    directory = Path(tempfile.mkdtemp(dir=_directory().name))
    objects = []
    ir = ""
    sites: tuple[DeviceSite, ...] = ()
    for number, text in enumerate((source, *more)):
        file = directory / (f"unit{number}.cu" if number else "unit.cu")
        file.write_text(text)
        flags = ("-fgpu-rdc",) if more else ()
        unit = compile_unit(str(file), CompileOptions(arch=arch, flags=flags))
        assert unit.ir is not None, unit.diagnostics
        lowered = lower(
            unit.ir,
            f"unit{number}",
            path=str(file),
            opt_level=opt_level,
            relocatable=bool(more),
            view=view,
        )
        sites, ir = sites or lowered.sites, ir or unit.ir
        objects.append(str(file.with_suffix(".o")))
        Path(objects[-1]).write_bytes(lowered.object)
    command = [
        find_clang().path, "-shared", "-o", str(directory / "unit.so"), *objects,
        str(_runtime()), "-lm", "-lpthread",
    ]  # fmt: skip
    subprocess.run(command, check=True)
    return Program(directory / "unit.so", sites), ir
