"""How CUDA's library learns of linked device code, instead of by each unit's constructor.

Means: with relocatable device code clang leaves a table of kernels and variables in each host
object, which the linker joins. A constructor hands it to the run-time library
(``runtime/gpu/linked.c``), with the fat binary and the names in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from drano.dynamic.cpu.translated_text import constant_text

_WRAPPER_MAGIC = 0x466243B1


def strings_table(symbol: str, texts: Sequence[str]) -> list[str]:
    """Definitions of strings, called by the symbol and their number."""
    return [
        constant_text(f"{symbol}.{k}", text.encode("utf-8", "surrogateescape"))
        for k, text in enumerate(texts)
    ]


def registration(binary: bytes, names: Sequence[str]) -> tuple[str, str]:
    """IR of the fat binary and of its ``names``; of its registration."""
    strings = strings_table("@drano.linked", names)
    rows = ", ".join(f"ptr @drano.linked.{k}" for k in range(len(names)))
    table = f"[{rows}]" if rows else "zeroinitializer"
    code = constant_text("@drano.binary", binary)
    return (
        "\n".join(
            [
                *strings,
                f"@drano.linked = internal constant [{len(names)} x ptr] {table}",
                f'{code}, section ".nv_fatbin", align 16',
                "@drano.wrapper = internal constant { i32, i32, ptr, ptr } "
                f"{{ i32 {_WRAPPER_MAGIC}, i32 1, ptr @drano.binary, ptr null }}, "
                'section ".nvFatBinSegment", align 8',
                "@__start_llvm_offload_entries = extern_weak hidden global i8",
                "@__stop_llvm_offload_entries = extern_weak hidden global i8",
                "declare void @drano_register_linked(ptr, ptr, ptr, ptr, i32)\n",
            ]
        ),
        "  call void @drano_register_linked(ptr @drano.wrapper, "
        "ptr @__start_llvm_offload_entries, ptr @__stop_llvm_offload_entries, "
        f"ptr @drano.linked, i32 {len(names)})\n",
    )
