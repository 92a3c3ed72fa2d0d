"""PTX in binaries: found, unpacked, and several modules read as one."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import lz4.block
import pytest
import zstandard

from drano.model.report import FileStatus
from drano.model.settings import Config
from drano.ptx import BinaryError, ptx_in
from drano.run.driver import check_unit


def ptx(stride: int, name: str = "k") -> str:
    """A module with a kernel that stores with a stride, by a function and a variable of its own."""
    return (
        ".version 9.0\n.target sm_90\n.address_size 64\n.global .u32 count;\n"
        ".func (.reg .b32 r) scaled (.reg .b32 x) {\n"
        f"mul.lo.u32 r, x, {4 * stride};\nret;\n}}\n"
        f".visible .entry {name}(.param .u64 .ptr out) {{\n"
        ".reg .b32 %r<4>; .reg .b64 %d<4>;\nld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\n"
        "call (%r2), scaled, (%r1);\ncvt.u64.u32 %d2, %r2;\nadd.s64 %d3, %d1, %d2;\n"
        "st.global.u32 [%d3], %r1;\nred.global.add.u32 [count], 1;\nret;\n}\n"
    )


def entry(text: str, arch: int = 90, *, packed: str = "", kind: int = 1) -> bytes:
    """One entry of a container, as nvcc 13 writes it."""
    data = text.encode() + b"\0"
    stored, flags, whole = data, 0x11, 0
    if packed == "lz4":
        stored, flags = lz4.block.compress(data, store_size=False), 0x2011
    elif packed == "zstd":
        stored, flags = zstandard.ZstdCompressor().compress(data), 0x8011
    if packed:
        whole = len(data)
    padded = stored + b"\0" * (-len(stored) % 8)
    size = len(stored) if packed else 0
    header = struct.pack(
        "<HHIQIIHHIIIQQQ", kind, 0x101, 72, len(padded), size, 0, 0, 9, arch, 64, 6, flags, 0, whole
    )
    return header.ljust(72, b"\0") + padded


def container(*entries: bytes) -> bytes:
    data = b"".join(entries)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(data)) + data


@pytest.mark.parametrize("packed", ["", "lz4", "zstd"])
def test_ptx_is_found_however_it_is_stored(packed: str) -> None:
    content = b"\x7fELF" + b"\1" * 333 + container(entry(ptx(2), packed=packed)) + b"\2" * 99
    (found,) = ptx_in(content)
    assert found.text.decode() == ptx(2)
    assert (found.arch, found.container) == (90, 0)


def test_of_one_container_the_newest_counts_and_machine_code_does_not() -> None:
    content = container(
        entry("\x7fELF", kind=2), entry(ptx(4), 80), entry(ptx(2), 90), entry(ptx(4), 75)
    )
    (found,) = ptx_in(content)
    assert found.text.decode() == ptx(2)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "holds no PTX"),
        (b"\x7fELF" + b"\0" * 100, "holds no PTX"),
        (container(entry("\x7fELF", kind=2)), "machine code, but no PTX"),
        (b"\x7fELF".ljust(18) + b"\xbe\0", "machine code, but no PTX"),
        (container(entry(ptx(2)))[:-20], "holds no PTX"),
        (container(entry(ptx(2))[:60].ljust(90, b"\xff")), "damaged"),
        (container(entry(ptx(2), packed="lz4").replace(b"\x11\x20", b"\x11\x80")), "unpacked"),
        (container(entry(ptx(2), packed="zstd").replace(b"\x11\x80", b"\x11\x20")), "unpacked"),
        (
            container(
                struct.pack("<HHIQIIHHIIIQQQ", 1, 0x101, 72, 8, 8, 0, 0, 9, 90, 0, 0, 0x2011, 0,
                            1 << 62).ljust(80, b"\0")
            ),
            "more than 64 MB",
        ),
    ],
)  # fmt: skip
def test_why_there_is_none(content: bytes, reason: str) -> None:
    with pytest.raises(BinaryError, match=reason):
        ptx_in(content)


def zstd_entry(stored: bytes, whole: int) -> bytes:
    """One that says that its text has ``whole`` bytes."""
    padded = stored + b"\0" * (-len(stored) % 8)
    header = struct.pack(
        "<HHIQIIHHIIIQQQ", 1, 0x101, 72, len(padded), len(stored), 0, 0, 9, 90, 64, 6, 0x8011, 0,
        whole,
    )  # fmt: skip
    return header.ljust(72, b"\0") + padded


def test_a_frame_that_is_larger_than_it_should_be_takes_no_memory(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb"
    bomb.write_bytes(container(zstd_entry(zstandard.ZstdCompressor().compress(bytes(1 << 30)), 99)))
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 28, 3 << 28))\n"
        "from drano.ptx import BinaryError, ptx_in\n"
        "try: ptx_in(open(sys.argv[1], 'rb').read())\n"
        "except BinaryError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, bomb], capture_output=True, text=True, check=True
    )
    assert done.stdout == "its device code cannot be unpacked: more than 99 bytes\n"


def test_a_frame_that_is_smaller_than_it_should_be_is_damaged() -> None:
    short = zstandard.ZstdCompressor().compress(b"abc")
    with pytest.raises(BinaryError, match="cannot be unpacked: 3 of 100 bytes"):
        ptx_in(container(zstd_entry(short, 100)))


def test_modules_of_several_units_are_one(tmp_path: Path) -> None:
    path = tmp_path / "app"
    modules = (ptx(2, "one"), ptx(4, "two"), ptx(4, "one"))
    path.write_bytes(b"\x7fELF" + b"".join(container(entry(text)) for text in modules))
    report = check_unit(str(path), Config())
    assert report.status is FileStatus.OK, report.diagnostics
    found = {
        (f.location.function, Path(f.location.span.path).name, f.location.span.line): f.message
        for f in report.findings
    }
    assert {key: "8 bytes" in text for key, text in found.items()} == {
        ("one", "app#1.sm_90.ptx", 16): True,
        ("two", "app#2.sm_90.ptx", 16): False,
    }


def test_an_error_names_the_line_of_the_ptx(tmp_path: Path) -> None:
    path = tmp_path / "app.fatbin"
    path.write_bytes(container(entry(ptx(2).replace("%d3, %d1", "%d3, %d9"))))
    report = check_unit(str(path), Config())
    assert report.unusable
    assert [d.message for d in report.diagnostics] == [
        "line 15 of its PTX: no PTX: %d9 is not declared"
    ]
