"""Counting only some blocks: each kernel is generated as it is, and once more for the sample.

Means: kernel ``K`` stays uncounted; ``K_drano_sampled`` beside it has two bodies, a plain and a
counted one, and a hash of the block's index chooses between them at its beginning. (There is one
more such kernel for ``K_drano_proved``, if that exists.) The run-time library launches one or the
other (``runtime/gpu/forms.c``), so that launches outside the sample cost nothing. The second kernel
may take no more registers than the first (``within_registers``), or fewer of its blocks would run
at a time. Functions that are called exist twice as well: counted bodies call counted ones.
Assumptions: both texts are of one prepared module. Limits: what is called through a pointer is not
counted in a sample; the copies have no line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.gpu.counting.counting_calls import NAME, PROVED, CountedModule, renamed
from drano.dynamic.instrument.printed_instructions import argument_tokens, header_arguments
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.inlining import FunctionText, SplitText, references, split_module

SUFFIX = "_drano_sampled"
_COUNTED = ".drano.counted"
_PLAIN = ".drano.plain"
_TYPE = re.compile(r"[\w%.\"$-]+(?: addrspace\(\d+\))?|[\[{<].*[\]}>]")
_ENTRY = re.compile(r"^\.visible \.entry (\S+?)\((?:.|\n)*?\)(?=\n)", re.MULTILINE)
_USED = re.compile(r"Compiling entry function '([^']+)'(?:.|\n)*?Used (\d+) registers")
# With so many each, a multiprocessor's registers are enough for all the threads it can hold.
_FREE, _STEP = 32, 8


class Sampled(Struct, frozen=True):
    """``text``: the module; ``slots``: where each kernel's blocks are counted, by kernel; ``end``:
    how many slots there are.
    """

    text: str
    slots: Mapping[str, int]
    end: int


def sampled_module(plain: str, counted: CountedModule) -> Sampled:
    """One module of ``plain`` and of the same one ``counted``, with the second kernels."""
    before, after = split_module(plain), split_module(counted.text)
    twice = _counted_functions(before, after)
    others = {name: f"{name}{_COUNTED}" for name in twice if not before.functions[name].is_kernel}
    lines = [*after.rest]
    slots: dict[str, int] = {}
    for name, function in after.functions.items():
        own = before.functions.get(name)
        kernel = name.removesuffix(PROVED)
        if own is None and kernel not in counted.proofs:  # of the counting itself
            lines += _whole(function)
            continue
        if own is not None:
            lines += _whole(own)
        if own is not None and name not in twice:
            continue
        if not function.is_kernel:
            lines += _whole(_calling(renamed(function, others[name]), others))
            continue
        slot = slots.setdefault(kernel, counted.slots + len(slots))
        lines += _chosen(function, own or before.functions[kernel], slot, others)
    lines += ["declare i1 @drano_sampled(i32)", ""]
    return Sampled("\n".join(lines), slots, counted.slots + len(slots))


def _counted_functions(before: SplitText, after: SplitText) -> set[str]:
    """Functions that count, or call one that does."""
    known = before.functions
    twice = {name for name in known if known[name].body != after.functions[name].body}
    callers = {name: references(function, known) for name, function in known.items()}
    while more := {name for name in known if name not in twice and twice & callers[name].keys()}:
        twice |= more
    return twice


def _whole(function: FunctionText) -> list[str]:
    return [function.header, *function.body, "}"]


def _calling(function: FunctionText, others: Mapping[str, str]) -> FunctionText:
    """The function with other functions in the places of those that it calls."""

    def other(match: re.Match[str]) -> str:
        name = bare_name(match[0])
        return f'@"{others[name]}"' if name in others else match[0]

    body = tuple(NAME.sub(other, line) for line in function.body) if others else function.body
    return replace(function, body=body)


def _chosen(
    counted: FunctionText, plain: FunctionText, slot: int, others: Mapping[str, str]
) -> list[str]:
    """A kernel that chooses between two functions, which LLVM inlines. What a kernel's parameters
    are (by value, without aliases) is said of the kernel's own.
    """
    names = argument_tokens(plain)
    found = (_TYPE.match(part) for part in header_arguments(plain))
    types = [match[0] if match else "ptr" for match in found]
    given = ", ".join(f"{t} {n}" for t, n in zip(types, names, strict=True))
    lines: list[str] = []
    for part, function in ((_COUNTED, _calling(counted, others)), (_PLAIN, plain)):
        copy = renamed(function, f"{counted.name}{part}")
        header = f'define internal void @"{copy.name}"({given}) alwaysinline convergent nounwind {{'
        lines += [header, *copy.body, "}"]
    return [
        *lines,
        renamed(plain, f"{counted.name}{SUFFIX}").header,
        "drano.choice:",
        f"  %drano.chosen = call i1 @drano_sampled(i32 {slot})",
        "  br i1 %drano.chosen, label %drano.sample, label %drano.rest",
        "drano.sample:",
        f'  call void @"{counted.name}{_COUNTED}"({given})',
        "  ret void",
        "drano.rest:",
        f'  call void @"{counted.name}{_PLAIN}"({given})',
        "  ret void",
        "}",
    ]


def within_registers(ptx: str, report: str) -> str:
    """The code with limits for second kernels that take more registers than the first ones, in
    ``ptxas``'s ``report``, so many that fewer threads would run. The text itself if there are none.
    """
    used = {name: int(count) for name, count in _USED.findall(report)}

    def limit(match: re.Match[str]) -> str:
        first = used.get(match[1].removesuffix(SUFFIX).removesuffix(PROVED), 0)
        most = max(_FREE, -(-first // _STEP) * _STEP)
        if not match[1].endswith(SUFFIX) or not first or used.get(match[1], 0) <= most:
            return match[0]
        return f"{match[0]}\n.maxnreg {most}"

    return _ENTRY.sub(limit, ptx)
