"""Tables for the host: where the sites' counts are, and where their addresses come from."""

from __future__ import annotations

from collections.abc import Mapping

from drano.dynamic.cpu.variables import NativeVariable
from drano.dynamic.gpu.counting.counting_calls import CountedModule, SlotRange
from drano.dynamic.gpu.counting.sampling import Sampled
from drano.dynamic.gpu.replay.address_roots import Root, roots_of
from drano.dynamic.gpu.replay.repeatable import Key
from drano.dynamic.gpu.replay.written_arrays import written_arrays
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.ir import model as m

_ROOT, _PARAMETER = "{ i32, i32, i32, i32 }", "{ i32, i32 }"


def site_places(
    made: CountedModule, sampled: Sampled, module: m.Module, sample: int, repeats: Mapping[str, Key]
) -> tuple[str, str]:
    """IR of where the sites' counts are, and of what the kernels' second forms are; of its
    registration.
    """
    place = "{ i32, i32, i32, i32, i64 }"
    kernel = "{ i32, i32, [3 x i32], i32, i32, i32, i32, i32 }"
    rows = [
        f"{place} {{ i32 {p.slot}, i32 {p.shared}, i32 {p.group}, i32 {p.histogram}, "
        f"i64 {p.cost} }}"
        for both in zip(*made.places, strict=True)
        for p in both
    ]
    forms: list[str] = []
    parameters: list[str] = []
    touches: list[str] = []
    for number, function in enumerate(module.kernels):
        name = function.name
        key = repeats.get(name)
        first = len(parameters) if key is not None else -1
        parameters += [
            f"{_PARAMETER} {{ i32 {p.size}, i32 {int(p.place)} }}"
            for p in (key.parameters if key is not None else ())
        ]
        touched = [(root, 0) for root in sorted(key.contents)] if key is not None else []
        written = written_arrays(module, function)
        touched += [(root, 1) for root in ([Root()] if written is None else sorted(written))]
        touches += [
            f"{_ROOT} {{ i32 {number}, i32 {root.parameter}, i32 {root.offset}, i32 {writes} }}"
            for root, writes in touched
        ]
        proofs = made.proofs.get(name)
        own = made.ranges.get(name, SlotRange(-1, 0, 0))
        shape = ", ".join(f"i32 {n}" for n in (proofs and proofs.block) or (0, 0, 0))
        forms.append(
            f"{kernel} {{ i32 {sampled.slots.get(name, -1)}, "
            f"i32 {int(proofs is not None)}, [3 x i32] [{shape}], "
            f"i32 {own.parameters}, i32 {own.first}, i32 {own.count}, i32 {first}, "
            f"i32 {len(function.args)} }}"
        )
    lines = []
    for variable, type_, values in (
        ("places", place, rows), ("forms", kernel, forms), ("parameters", _PARAMETER, parameters),
        ("touches", _ROOT, touches),
    ):  # fmt: skip
        value = f"[{', '.join(values)}]" if values else "zeroinitializer"
        lines.append(f"@drano.{variable} = internal constant [{len(values)} x {type_}] {value}")
    return (
        "\n".join(
            [
                *lines,
                "declare void @drano_register_places(ptr, ptr, i32, ptr, i32, ptr, ptr, i32)\n",
            ]
        ),
        "  call void @drano_register_places(ptr @drano.unit, ptr @drano.places, "
        f"i32 {sampled.end}, ptr @drano.forms, i32 {sample}, ptr @drano.parameters, "
        f"ptr @drano.touches, i32 {len(touches)})\n",
    )


def address_roots(
    module: m.Module, sites: tuple[DeviceSite, ...], variables: list[NativeVariable]
) -> tuple[str, str]:
    """IR of where the sites' addresses come from; of its registration."""
    numbers = {variable.name: number for number, variable in enumerate(variables)}
    known = roots_of(module)
    rows = []
    for site in sites:
        roots = known.get((site.kernel, site.ordinal), ()) if site.ordinal is not None else ()
        if all(not root.variable or root.variable in numbers for root in roots):
            rows += [
                f"{_ROOT} {{ i32 {site.number}, i32 {root.parameter}, i32 {root.offset}, "
                f"i32 {numbers.get(root.variable, -1)} }}"
                for root in roots
            ]
    value = f"[{', '.join(rows)}]" if rows else "zeroinitializer"
    return (
        f"@drano.roots = internal constant [{len(rows)} x {_ROOT}] {value}\n"
        "declare void @drano_register_roots(ptr, ptr, i32)\n",
        f"  call void @drano_register_roots(ptr @drano.unit, ptr @drano.roots, i32 {len(rows)})\n",
    )


def own_sites(kernel: str, sites: tuple[DeviceSite, ...]) -> tuple[int, int]:
    """The first of a kernel's sites, and how many it has."""
    mine = [site.number for site in sites if site.kernel == kernel]
    return min(mine, default=0), len(mine)
