"""The unit's table, as the run-time library reads it: kernels, sites, variables, constructor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.context import Parameter
from drano.dynamic.cpu.translated_text import constant_text
from drano.dynamic.cpu.variables import NativeVariable
from drano.dynamic.instrument.block_work import BlockWork
from drano.dynamic.instrument.counting_calls import KIND_NUMBERS
from drano.dynamic.instrument.loop_nesting import LoopPlace
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.proved_patterns import Pattern
from drano.model.span import Location

CONSTRUCTORS = ".init_array.00200"
"""Before the constructors without a priority, of which the host code's registration is one.
Not ``llvm.global_ctors``: llvmlite's target would use ``.ctors``, which nobody runs any more."""


class KernelEntry(Struct, frozen=True):
    """One row of the kernel table. ``zeroed``: offset and size of shared memory that is zero when a
    block begins; ``compiled``: its accesses are those of optimised code.
    """

    name: str
    step: str
    frame_bytes: int
    local_bytes: int
    shared_bytes: int
    parameters: tuple[Parameter, ...]
    parameter_bytes: int
    first_site: int
    site_count: int
    display: str = ""
    zeroed: tuple[int, int] = (0, 0)
    compiled: bool = False


class Strings(Struct):
    """String constants, each once."""

    known: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def name(self, text: str) -> str:
        """The symbol of a zero-terminated string."""
        symbol = self.known.get(text)
        if symbol is None:
            symbol = self.known[text] = f"@drano.string.{len(self.known)}"
            self.lines.append(constant_text(symbol, text.encode("utf-8", "surrogateescape")))
        return symbol


def unit_tables(
    unit_id: str,
    kernels: Sequence[KernelEntry],
    sites: Sequence[DeviceSite],
    variables: Iterable[NativeVariable],
    further: tuple[str, str] = ("", ""),
    *,
    work: Sequence[tuple[int, BlockWork]] = (),
    block_count: int = 0,
) -> str:
    """IR of the table and of the constructor that registers it. ``further``: definitions, and
    what else the constructor does, of another back end; ``work``: what the unit's block of each
    number executes.
    """
    strings = Strings()
    lines = []
    rows = []
    for number, kernel in enumerate(kernels):
        places = [f"{abi.PARAM} {{ i32 {p.offset}, i32 {p.bytes} }}" for p in kernel.parameters]
        table = f"@drano.params.{number}"
        lines.append(_array(table, abi.PARAM, places))
        rows.append(
            f"{abi.KERNEL} {{ ptr {strings.name(kernel.name)}, ptr @{kernel.step}, "
            f"i32 {kernel.frame_bytes}, i32 {kernel.local_bytes}, i32 {kernel.shared_bytes}, "
            f"i32 {len(places)}, i32 {kernel.parameter_bytes}, ptr {table}, "
            f"i32 {kernel.first_site}, i32 {kernel.site_count}, "
            f"ptr {strings.name(kernel.display)}, i32 {kernel.zeroed[0]}, i32 {kernel.zeroed[1]}, "
            f"i32 {int(kernel.compiled)} }}"
        )
    lines.append(_array("@drano.kernels", abi.KERNEL, rows))
    patterns: dict[tuple[Pattern, ...], str] = {}
    site_rows = [_site(site, strings, _patterns(site, patterns, lines)) for site in sites]
    lines.append(_array("@drano.sites", abi.SITE, site_rows))
    variable_rows = [
        f"{abi.VARIABLE} {{ ptr {strings.name(v.name)}, ptr {v.token}, i64 {v.bytes}, "
        f"i8 {v.space} }}"
        for v in variables
        if v.listed
    ]
    lines.append(_array("@drano.variables", abi.VARIABLE, variable_rows))
    work_rows = [_work(number, item, strings) for number, item in work]
    lines.append(_array("@drano.work", abi.WORK, work_rows))
    lines.append(
        f"@drano.unit = internal global {abi.UNIT} {{ i32 {abi.ABI}, ptr {strings.name(unit_id)}, "
        f"ptr @drano.kernels, i32 {len(rows)}, ptr @drano.sites, i32 {len(site_rows)}, "
        f"ptr @drano.variables, i32 {len(variable_rows)}, i32 0, ptr null, "
        f"ptr @drano.work, i32 {len(work_rows)}, i32 {block_count}, i32 0 }}"
    )
    lines += strings.lines
    lines.append(_CONSTRUCTOR.format(further=further[1]))
    lines.append(further[0])
    return "\n".join(lines) + "\n"


def _array(name: str, type_: str, rows: Sequence[str]) -> str:
    value = "[ " + ", ".join(rows) + " ]" if rows else "zeroinitializer"
    return f"{name} = internal constant [{len(rows)} x {type_}] {value}"


def _patterns(site: DeviceSite, known: dict[tuple[Pattern, ...], str], lines: list[str]) -> str:
    """The table of a site's patterns; equal ones are there once."""
    if not site.patterns:
        return "null"
    name = known.get(site.patterns)
    if name is None:
        name = known[site.patterns] = f"@drano.patterns.{len(known)}"
        rows = [
            f"{abi.PATTERN} {{ [3 x i32] {_words(p.block or (0, 0, 0))}, "
            f"[32 x i32] {_words(p.offsets)} }}"
            for p in site.patterns
        ]
        lines.append(_array(name, abi.PATTERN, rows))
    return name


def _words(numbers: Sequence[int]) -> str:
    return "[" + ", ".join(f"i32 {number}" for number in numbers) + "]"


def _site(site: DeviceSite, strings: Strings, patterns: str) -> str:
    span = site.location.span
    ordinal = abi.NO_SITE if site.ordinal is None else site.ordinal
    return (
        f"{abi.SITE} {{ ptr {strings.name(span.path)}, i32 {span.line}, i32 {span.column}, "
        f"ptr {strings.name(site.kernel)}, ptr {strings.name(site.location.function)}, "
        f"ptr {strings.name(_calls(site.location))}, "
        f"i8 {KIND_NUMBERS[site.kind]}, i8 {site.space & 0xFF}, "
        f"i16 {min(site.align, 32)}, "
        f"i32 {site.bytes}, i32 {ordinal}, i32 {len(site.patterns)}, ptr {patterns}, "
        f"ptr {strings.name(_loops(site.loops))} }}"
    )


def _calls(location: Location) -> str:
    """As ``drano_site.inlined_at`` has it."""
    return "".join(f"{frame.span}\t{frame.function}\n" for frame in location.inlined_at)


def _loops(loops: Sequence[LoopPlace]) -> str:
    """As ``drano_site.loops`` has it."""
    return "".join(f"{loop.span}\t{loop.counter}\t{loop.depth}\n" for loop in loops)


def _work(number: int, work: BlockWork, strings: Strings) -> str:
    place, amounts = work.place, work.amounts
    span = place.location.span
    return (
        f"{abi.WORK} {{ ptr {strings.name(span.path)}, i32 {span.line}, i32 {number}, "
        f"ptr {strings.name(place.function)}, ptr {strings.name(place.location.function)}, "
        f"ptr {strings.name(_calls(place.location))}, ptr {strings.name(_loops(place.loops))}, "
        f"[3 x i32] {_words(amounts.flops)}, i32 {amounts.integers}, "
        f"[{len(amounts.classes)} x i32] {_words(amounts.classes)} }}"
    )


_CONSTRUCTOR = f"""@drano.text.clash = private unnamed_addr constant [52 x i8] \
c"lanes of one warp wait at different named barriers\\00\\00"
@drano.text.deep = private unnamed_addr constant [33 x i8] \
c"stack overflow by deep recursion\\00"
@drano.text.null = private unnamed_addr constant [32 x i8] \
c"call of a null function pointer\\00"
@drano.text.undefined = private unnamed_addr constant [30 x i8] \
c"call of an undefined function\\00"
@drano.text.closed = private unnamed_addr constant [94 x i8] \
c"unsupported: call from another unit of a function that has shared memory or waits at barriers\\00"
@drano.text.trap = private unnamed_addr constant [5 x i8] c"trap\\00"
@drano.constructor = internal global ptr @drano.register, section "{CONSTRUCTORS}", align 8
@llvm.used = appending global [1 x ptr] [ ptr @drano.constructor ], section "llvm.metadata"
declare void @drano_register_unit(ptr)
declare i32 @drano_access(ptr, ptr, i32, i32, ptr)
declare i32 @drano_row(ptr, ptr, i32, i64)
declare void @drano_fault(ptr, ptr, i32, i32, ptr)
declare void @drano_local_fault(ptr, ptr, i32, i32, i64, i64, i64, i64, i32)
declare void @drano_assert(ptr, ptr, i32, ptr, ptr, i32, ptr)
declare void @drano_texture(ptr, i64, i32, ptr, i32, ptr, i32)
declare void @drano_surface(ptr, i64, i32, ptr, i32, i32, ptr, i32)
declare i32 @drano_vprintf(ptr, i32, ptr, ptr)
declare i32 @drano_launch_device(ptr, ptr, ptr, ptr, ptr, i32, ptr)
declare i32 @drano_copy_device(ptr, ptr, i64, ptr, i64, i64, i64, ptr)
declare i32 @drano_fill_device(ptr, ptr, i64, i32, i64, i64, ptr)
declare ptr @drano_error_text(i32, i32)
declare void @drano_set_condition(i64, i32)
declare i32 @drano_space(ptr, ptr)
declare ptr @drano_device_malloc(i64)
declare void @drano_device_free(ptr)
define internal void @drano.register() {{{{
  call void @drano_register_unit(ptr @drano.unit)
{{further}}  ret void
}}}}
"""
