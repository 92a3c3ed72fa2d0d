"""A translation unit's device code, from IR to an object file: the whole path, top to bottom."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.cpu.called_library import library_function, reflect_strings
from drano.dynamic.cpu.context import FunctionContext, SharedVariable, UnitContext, parameters
from drano.dynamic.cpu.device_function import function_source
from drano.dynamic.cpu.errors import unsupported
from drano.dynamic.cpu.helpers.lookup import closure, has_helper
from drano.dynamic.cpu.lane_steps import lane_functions
from drano.dynamic.cpu.native import compile_object
from drano.dynamic.cpu.plan import make_plan
from drano.dynamic.cpu.rewrites.async_copies import with_async_copies
from drano.dynamic.cpu.rewrites.local_bounds import DECLARATION as LOCAL_DECLARATION
from drano.dynamic.cpu.rewrites.local_bounds import local_checks
from drano.dynamic.cpu.rewrites.matrix_assembly import with_matrix_assembly
from drano.dynamic.cpu.rewrites.shared_numbers import with_shared_pointers
from drano.dynamic.cpu.rewrites.tensor_fragments import with_tensor_fragments
from drano.dynamic.cpu.scheduler.cooperative_groups import (
    GRID_BARRIER,
    RESERVED,
    with_grid_barrier,
    with_reserved_memory,
)
from drano.dynamic.cpu.scheduler.step_function import Driver
from drano.dynamic.cpu.translated_text import quoted
from drano.dynamic.cpu.unit_table import KernelEntry, unit_tables
from drano.dynamic.cpu.variables import (
    exported_variables,
    mentioned,
    native_variables,
    shared_layout,
    shared_names,
)
from drano.dynamic.instrument.block_work import BlockWork, function_work
from drano.dynamic.instrument.counting_calls import instrument
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.printed_instructions import GLOBAL_TOKEN
from drano.dynamic.instrument.proved_patterns import proved_patterns
from drano.ir import model as m
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.inline_assembly.inline_ptx import without_inline_ptx
from drano.ir.prepare.inlining import has_outside_linkage, is_exported
from drano.ir.prepare.passes import PreparedModule, prepare, simplified
from drano.ir.read.reader import read_module
from drano.model.settings import View
from drano.model.translation_unit import LaunchSite
from drano.support.errors import IRError

RELOCATABLE_PREFIX = "__drano_dev_"
_WAITS = re.compile(rf"@(?:llvm\.nvvm\.bar(?:rier|\.)|{GRID_BARRIER}\b)")
_KNOWN = ("llvm.", "__nv", "__drano", "__assertfail", "vprintf", "malloc", "free", "cuda")

Launches: TypeAlias = Callable[[], Sequence[LaunchSite]]

_METADATA = """
attributes #0 = { noinline nounwind }
attributes #1 = { nounwind }
!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = !{!"llvm.loop.vectorize.enable", i1 false}
!5 = distinct !{!5, !3, !4}
!8 = !{!"branch_weights", i32 1, i32 100000}
!9 = !{}
!12 = !{!"branch_weights", i32 100000, i32 1}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.unroll.count", i32 8}
"""


class DeviceObject(Struct, frozen=True):
    """``object``: an ELF relocatable file; ``sites``: what it counts, by number."""

    object: bytes
    sites: tuple[DeviceSite, ...]


_FAULT = """\
define {linkage}i32 {symbol}(ptr %w, i32 %m, ptr %t, i64 %s) {{
  call void @drano_fault(ptr %w, ptr @drano.unit, i32 -1, i32 %m, ptr @drano.text.{why})
  ret i32 1
}}
"""


def lower(
    ir_text: str,
    unit_id: str,
    *,
    path: str = "",
    trusted: bool = True,
    relocatable: bool = False,
    opt_level: int = 3,
    launches: Launches | None = None,
    view: View = View.COMPILED,
) -> DeviceObject:
    """Device IR, as the compiler front end gives it, as an object file for this machine.

    ``unit_id``: what the host code calls the unit; ``relocatable``: functions and variables may be
    of other units; ``launches``: asked for the block shapes to prove patterns for, None: every
    access is measured; ``view``: whether accesses are counted as written or as
    compiled. IRError for what is no device IR, and for what cannot be lowered.
    """
    text, sites = native_text(
        ir_text,
        unit_id,
        path=path,
        trusted=trusted,
        relocatable=relocatable,
        launches=launches,
        view=view,
    )
    return DeviceObject(compile_object(text, path, opt_level), sites)


def native_text(
    ir_text: str,
    unit_id: str,
    *,
    path: str = "",
    trusted: bool = True,
    relocatable: bool = False,
    launches: Launches | None = None,
    view: View = View.COMPILED,
) -> tuple[str, tuple[DeviceSite, ...]]:
    """The same as text: IR for this machine."""
    whole = with_reserved_memory(with_grid_barrier(ir_text))
    plain_text = without_inline_ptx(whole, executed=True, optimised=view is View.COMPILED)
    plain_text = with_shared_pointers(with_matrix_assembly(plain_text))
    plain_text = with_tensor_fragments(with_async_copies(plain_text))
    prepared = prepare(
        plain_text,
        path,
        trusted=trusted,
        exported=relocatable,
        waits=_WAITS,
        view=view,
        executed=True,
    )
    plain = read_module(prepared)
    patterns = None if launches is None else proved_patterns(plain, launches())
    checks = local_checks(prepared, plain)
    needed = (LOCAL_DECLARATION,) if checks else ()
    instrumented = instrument(prepared, plain, patterns, checks, needed)
    counted = simplified(instrumented.text, path, exported=relocatable)
    text = lowered_text(
        counted, unit_id, instrumented.sites, relocatable=relocatable,
        compiled=view is View.COMPILED,
    )  # fmt: skip
    return text, instrumented.sites


def lowered_text(
    counted: PreparedModule,
    unit_id: str,
    sites: tuple[DeviceSite, ...],
    *,
    relocatable: bool = False,
    compiled: bool = False,
) -> str:
    """IR for this machine of a module with counting calls."""
    module = read_module(counted)
    unit = _Unit(counted.path, counted, module, relocatable=relocatable, compiled=compiled)
    return unit.text(unit_id, sites)


class _Unit:
    """Lowers the functions of one module; used once."""

    def __init__(
        self, path: str, prepared: PreparedModule, module: m.Module, *, relocatable: bool,
        compiled: bool,
    ) -> None:  # fmt: skip
        self.path = path
        self.prepared = prepared
        self.module = module
        self.relocatable = relocatable
        self.compiled = compiled
        self.context = UnitContext(path, module, self._renamed())
        self.assembly: dict[str, str] = {}
        self.shared: dict[str, SharedVariable] = {}
        self.shared_bytes = 0
        self.work: list[tuple[int, BlockWork]] = []
        self.blocks = 0
        self.walked = {f.name: f for f in prepared.module.functions}

    def text(self, unit_id: str, sites: tuple[DeviceSite, ...]) -> str:
        """IR of the whole unit."""
        parts: list[str] = []
        kernels: list[KernelEntry] = []
        names = shared_names(self.module)
        called = [f for f in self.module.functions.values() if f.blocks and not f.is_kernel]
        bodies = self.prepared.split.functions
        common = {v for f in called for v in mentioned(bodies[f.name].body, names)}
        self.shared, self.shared_bytes = shared_layout(self.module, common, {}, 0)
        for function in called:
            parts += self._called(function, called)
        for function in self.module.kernels:
            entry, written = self._kernel(function, sites)
            kernels.append(entry)
            parts += written
        code = "\n".join(parts)
        code += "\n".join(self._library(code))
        variables = native_variables(
            self.prepared.split.rest, self.module, relocatable=self.relocatable
        )
        listed = [
            replace(v, token=self.context.symbol(v.token))
            for v in variables.values()
            if not self._only_reflected(v.name)
        ]
        tables = unit_tables(
            unit_id, kernels, sites, listed, work=self.work, block_count=self.blocks
        )
        types = [line for line in self.prepared.split.rest if line.startswith("%")]
        definitions = [self._with_names(v.definition) for v in variables.values()]
        others = [*self._undefined(definitions), *self._declarations(), *self._exported_kernels()]
        code += "\n".join([*others, ""])
        helpers = closure(code, self.assembly)
        return "\n".join([*types, *definitions, tables, *helpers, code, _METADATA])

    def _called(self, function: m.Function, called: list[m.Function]) -> list[str]:
        """A function that is called, or that only other units may call: where such a one cannot be
        lowered, calling it is a fault.
        """
        state = (list(self.work), self.blocks)
        try:
            if self.relocatable and self.shared_bytes:
                raise unsupported(
                    self.path, "__shared__ variable in a function of relocatable code",
                    function.location, function.display,
                )  # fmt: skip
            return self._function(function, self.shared, {})[1]
        except IRError:
            bodies = self.prepared.split.functions
            callers = [f.name for f in (*called, *self.module.kernels) if f.name != function.name]
            here = any(mentioned(bodies[name].body, {function.name}) for name in callers)
            if here or not self.relocatable or not is_exported(bodies[function.name]):
                raise
            self.work, self.blocks = state
            symbol = self.context.symbol(f"@{quoted(function.name)}")
            return [_FAULT.format(linkage="", symbol=symbol, why="closed")]

    def _with_names(self, definition: str) -> str:
        return GLOBAL_TOKEN.sub(lambda token: self.context.symbol(token[0]), definition)

    def _undefined(self, definitions: list[str]) -> list[str]:
        """Functions that only tables of function pointers mention: a call of one is a fault."""
        if self.relocatable:
            return []
        declared = {f.name for f in self.module.functions.values() if not f.blocks}
        declared |= {f.name for f in self.prepared.module.functions if f.is_declaration}
        return [
            _FAULT.format(linkage="internal ", symbol=f"@{quoted(name)}", why="undefined")
            for name in sorted(mentioned(definitions, declared))
        ]

    def _renamed(self) -> dict[str, str]:
        """Functions and variables of other units, and those that other units may know: the host's
        code has symbols of the same names. A kernel that kernels launch is its step.
        """
        steps = {
            f"@{quoted(k.name)}": f"@{quoted(f'drano.k.{k.name}.step')}"
            for k in self.module.kernels
        }
        if not self.relocatable:
            return steps
        functions = self.prepared.split.functions
        names = [f.name for f in self.module.functions.values() if f.blocks and not f.is_kernel]
        names = [name for name in names if is_exported(functions[name])]
        names += self._foreign()
        names += exported_variables(self.prepared.split.rest, self.module)
        renamed = {f"@{quoted(n)}": f"@{quoted(RELOCATABLE_PREFIX + n)}" for n in names}
        return {**renamed, **steps}

    def _foreign(self) -> list[str]:
        """Functions that are only declared and that are not the run-time library's."""
        declared = [f.name for f in self.prepared.module.functions if f.is_declaration]
        return [
            n for n in declared if not n.startswith(_KNOWN) and not has_helper(f"drano.call.{n}")
        ]

    def _declarations(self) -> list[str]:
        if not self.relocatable:
            return []
        return [
            f"declare i32 {self.context.symbol(f'@{quoted(name)}')}(ptr, i32, ptr, i64)"
            for name in self._foreign()
        ]

    def _exported_kernels(self) -> list[str]:
        """Names by which kernels of other units launch this unit's; of a template's instance there
        may be several.
        """
        if not self.relocatable:
            return []
        bodies = self.prepared.split.functions
        return [
            f"@{quoted(RELOCATABLE_PREFIX + k.name)} = weak alias i32 (ptr), "
            f"ptr @{quoted(f'drano.k.{k.name}.step')}"
            for k in self.module.kernels
            if has_outside_linkage(bodies[k.name])
        ]

    def _only_reflected(self, name: str) -> bool:
        return name in self.module.globals and self.module.globals[name].size == 0

    def _function(
        self,
        function: m.Function,
        shared: dict[str, SharedVariable],
        sites: Mapping[int, DeviceSite],
    ) -> tuple[FunctionContext, list[str]]:
        """A kernel, or a function that is called, and its native functions."""
        text = self.prepared.split.functions[function.name]
        source = function_source(
            self.path, self.module, function, text, self.walked[function.name], self.assembly,
            relocatable=self.relocatable,
        )  # fmt: skip
        plan = make_plan(source)
        symbol = f"drano.k.{function.name}"
        if not function.is_kernel:
            token = self.context.symbol(f"@{quoted(function.name)}")
            symbol = bare_name(token)
        context = FunctionContext(self.context, source, plan, symbol, shared, self.blocks)
        self.work += [(self.blocks + w.block, w) for w in function_work(self.module, function)]
        self.blocks += len(function.blocks)
        written = list(lane_functions(context))
        driver = Driver(context, {(node, level) for node, level, _ in written}, sites)
        return context, [*(part for _, _, part in written), driver.text()]

    def _kernel(
        self, function: m.Function, sites: tuple[DeviceSite, ...]
    ) -> tuple[KernelEntry, list[str]]:
        used = mentioned(
            self.prepared.split.functions[function.name].body, shared_names(self.module)
        )
        shared, shared_bytes = shared_layout(self.module, used, self.shared, self.shared_bytes)
        mine = {site.number: site for site in sites if site.kernel == function.name}
        context, written = self._function(function, shared, mine)
        places, size = parameters(function)
        entry = KernelEntry(
            function.name, f"{context.symbol}.step", context.plan.frame_bytes,
            context.local_bytes, shared_bytes, places, size, min(mine, default=0), len(mine),
            function.display, self._zeroed(shared), self.compiled,
        )  # fmt: skip
        return entry, written

    def _zeroed(self, shared: Mapping[str, SharedVariable]) -> tuple[int, int]:
        """Where the memory that cooperative groups reserve lies."""
        if RESERVED not in shared:
            return 0, 0
        return shared[RESERVED].offset, self.module.globals[RESERVED].size

    def _library(self, code: str) -> list[str]:
        """Library functions that the code calls, and those that they call."""
        functions = self.prepared.split.functions
        strings = reflect_strings(self.prepared.split.rest)
        names = frozenset(functions) - frozenset(self.prepared.roots)
        written: dict[str, str] = {}
        pending = [code]
        while pending:
            for name in sorted(mentioned(pending.pop().splitlines(), names) - written.keys()):
                written[name] = library_function(self.path, functions[name], strings, self.assembly)
                pending.append(written[name])
        return list(written.values())
