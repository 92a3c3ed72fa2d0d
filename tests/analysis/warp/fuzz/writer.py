"""The text of a random kernel: drawing choices, writing instructions, the module around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

POINTERS = ("p0", "p1", "p2")
INTEGERS = (("n", 32), ("m", 32), ("k", 32), ("l", 64))
SREGS = ("tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ctaid.x", "ctaid.y", "nctaid.x", "laneid")
SHARED_LENGTH = 256
# Shared memory holds anything: what only some stores have written would be taken for theirs.
_SHARED_CONTENT = (
    "  %seen = load i32, ptr %p1",
    "  %mine = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
    "  %content = xor i32 %seen, %mine",
    f"  %cell = and i32 %mine, {SHARED_LENGTH - 1}",
    "  %place = getelementptr i32, ptr addrspace(3) @sh, i32 %cell",
    "  store volatile i32 %content, ptr addrspace(3) %place",  # kept by the optimiser
)


class Writer:
    """Instructions so far. Mutable; used once."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._lines: list[str] = []
        self._entry: list[str] = []
        self._temporaries = 0
        self._labels = 0
        self._closed = False

    # --- drawing -----------------------------------------------------------------------------

    def _pick(self, options: Sequence[T]) -> T:
        return options[self._draw(st.integers(0, len(options) - 1))]

    def _flag(self, one_in: int = 2) -> bool:
        return self._draw(st.integers(0, one_in - 1)) == one_in - 1

    def _number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))

    # --- text --------------------------------------------------------------------------------

    def _module(self) -> str:
        parameters = ", ".join(
            [f"ptr %{name}" for name in POINTERS] + [f"i{bits} %{name}" for name, bits in INTEGERS]
        )
        declarations = [f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in SREGS]
        for bits in (8, 16, 32, 64):
            declarations += [
                f"declare i{bits} @llvm.{name}.i{bits}(i{bits}, i{bits})"
                for name in ("smin", "smax", "umin", "umax", "usub.sat")
            ]
            declarations += [
                f"declare i{bits} @llvm.{name}.i{bits}.i{bits}(i{bits}, i{bits})"
                for name in ("scmp", "ucmp")
            ]
            declarations.append(f"declare i{bits} @llvm.abs.i{bits}(i{bits}, i1)")
        declarations += [
            f"declare i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32, i32, i32, i32)"
            for mode in ("idx", "up", "down", "bfly")
        ]
        declarations += [
            "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)",
            "declare i1 @llvm.nvvm.vote.any.sync(i32, i1)",
            "declare i1 @llvm.nvvm.vote.all.sync(i32, i1)",
            "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        ]
        return "\n".join(
            [
                'target triple = "nvptx64-nvidia-cuda"',
                f"@sh = internal addrspace(3) global [{SHARED_LENGTH} x i32] undef, align 16",
                *declarations,
                f"define ptx_kernel void @kernel({parameters}) {{",
                "entry:",
                *self._entry,
                *_SHARED_CONTENT,
                *self._lines,
                "}",
            ]
        )

    def _line(self, text: str) -> None:
        self._lines.append("  " + text)

    def _value(self, text: str) -> str:
        name = f"%t{self._temporaries}"
        self._temporaries += 1
        self._line(f"{name} = {text}")
        return name

    def _label(self, kind: str) -> str:
        self._labels += 1
        return f"{kind}{self._labels}"

    def _start(self, label: str) -> None:
        if not self._closed:
            self._line(f"br label %{label}")
        self._lines.append(f"{label}:")
        self._closed = False

    def _close(self, text: str) -> None:
        if not self._closed:
            self._line(text)
        self._closed = True
