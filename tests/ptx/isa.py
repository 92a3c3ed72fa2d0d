"""The instructions in ``isa.txt``: ``KNOWN`` are translated; of ``OPAQUE`` the result is unknown,
and nothing else happens; ``ACCESSES`` are accesses that nothing more is known of, ``BULK`` those
whose bytes lie side by side.
"""

from __future__ import annotations

from pathlib import Path

_TYPES = {"r": "b32", "d": "b64", "h": "b16", "f": "f32", "e": "f64", "p": "pred", "q": "b128"}


def _section(name: str) -> list[str]:
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    section = text.split(f"[{name}]\n")[1].split("\n[")[0]
    return [line for line in section.splitlines() if line]


KNOWN, OPAQUE = _section("known"), _section("opaque")
ACCESSES, BULK = _section("access"), _section("bulk")


def module(instruction: str, *, line: int = 20) -> str:
    """A module with a kernel that executes the instruction, in that line."""
    registers = " ".join(f".reg .{type_} %{name}<9>;" for name, type_ in _TYPES.items())
    head = (
        ".version 9.0\n.target sm_100a\n.address_size 64\n"
        ".global .align 16 .b8 table[64];\n.const .align 16 .b8 coef[64];\n"
        ".global .texref image;\n.shared .align 16 .b8 tile[64];\n"
        ".func (.param .b32 r) callee (.param .b32 a) { ret; }\n.func done { ret; }\n"
        f".visible .entry k(.param .u64 p) {{\n{registers}\n"
        ".param .b32 res; .param .b32 arg;\nld.param.u64 %d1, [p];\n"
    )
    padding = "\n" * (line - 1 - head.count("\n"))
    return f"{head}{padding}{instruction};\nover: ret;\n}}\n"
