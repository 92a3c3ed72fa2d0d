"""Block shapes to analyse a kernel for: its launches, its bounds, the user's word, or a guess
that is marked as one. What the source shows wins over the user's hints.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import TypeAlias

from msgspec.structs import replace

from drano.analysis.thread_layout import rows_of
from drano.ir.model import Function
from drano.model.access import Launch
from drano.model.hardware import WARP_SIZE
from drano.model.settings import MAX_THREADS, AnalysisOptions, KernelHint
from drano.model.span import Span
from drano.model.translation_unit import Argument, LaunchSite, Shifted

_ENDINGS = ("__static__", "__intern__", ".")
Dim: TypeAlias = tuple[int | None, int | None, int | None]


def launch_shapes(
    function: Function, launches: Sequence[LaunchSite], options: AnalysisOptions
) -> list[tuple[Launch, tuple[Argument, ...]]]:
    """Known block shapes with the integer arguments common to their launches; never empty.

    The exact shape in the source wins over launches, these over what the kernel's own code tells
    (``ir/block_guards.py``), this over the kernel's hint, that over ``options.block``. An assumed
    shape stands for any block that is a multiple of 32 threads wide; also for launches in the
    source whose shape is not known, or that are more than ``options.max_shapes``, and for those
    that may follow where the kernel is only named. What is known of the shape of a launch is kept.
    Arguments of a launch whose shape is known in some ways only are those common to all ways: with
    ``argc > 1 ? atoi(argv[1]) : 64`` threads, too, sizes may be others than the usual ones.
    """
    hint = hint_for(function, options)
    return [
        (launch, with_values(function, arguments, hint))
        for launch, arguments in _shapes(function, launches, hint, options)
    ]


def launches_known(
    function: Function, launches: Sequence[LaunchSite], options: AnalysisOptions
) -> bool:
    """Whether ``launch_shapes`` has all shapes from launches in the source, and nothing else."""
    blocks = [site.block for site in launches_of(function, launches)]
    if _named_otherwise(function, launches):
        return False
    return 0 < len(set(blocks)) <= options.max_shapes and not any(None in b for b in blocks)


def launches_of(function: Function, launches: Sequence[LaunchSite]) -> list[LaunchSite]:
    """The launches of one kernel that the source shows, with their grids in blocks."""
    shown = [site for site in launches if not site.named]
    exact = [site for site in shown if site.kernel == function.name]
    own = exact or [site for site in shown if _may_be(function, site)]
    if function.cluster == (1, 1, 1):
        return own
    return [replace(site, grid=_in_blocks(site.grid, function.cluster)) for site in own]


def _in_blocks(grid: Dim, cluster: tuple[int, int, int]) -> Dim:
    x, y, z = (a if a is None else a * b for a, b in zip(grid, cluster, strict=True))
    return x, y, z


def _may_be(function: Function, site: LaunchSite) -> bool:
    """Whether a site that has not just its symbol may mean a kernel, not another instance of a
    template or another overload: the site has a name alone, or the symbol got an ending, as clang
    gives it to internal ones.
    """
    if site.kernel_name != function.source_name:
        return False
    if site.kernel == site.kernel_name:
        return not site.external
    return function.name.startswith(tuple(site.kernel + ending for ending in _ENDINGS))


def _named_otherwise(function: Function, launches: Sequence[LaunchSite]) -> bool:
    """Whether the host code may launch the kernel in ways that the source does not show."""
    return any(
        site.named and (site.kernel == function.name or _may_be(function, site))
        for site in launches
    )


def hint_for(function: Function, options: AnalysisOptions) -> KernelHint | None:
    """The first hint that fits the kernel's bare, short (``tr<4>``) or mangled name."""
    names = (function.source_name, function.display, function.name)
    fitting = (h for h in options.kernels if any(fnmatchcase(name, h.kernel) for name in names))
    return next(fitting, None) if function.is_kernel else None


def with_values(
    function: Function, arguments: tuple[Argument, ...], hint: KernelHint | None
) -> tuple[Argument, ...]:
    """The hint's parameter values where the launches do not give one."""
    if hint is None or not hint.values:
        return arguments
    hinted = dict(hint.values)
    known = arguments + (None,) * (len(function.args) - len(arguments))
    return tuple(
        hinted.get(argument.name) if value is None else value
        for argument, value in zip(function.args, known, strict=False)
    )


def _shapes(
    function: Function,
    launches: Sequence[LaunchSite],
    hint: KernelHint | None,
    options: AnalysisOptions,
) -> list[tuple[Launch, tuple[Argument, ...]]]:
    if function.required_threads is not None:
        return [(Launch(function.required_threads, assumed=False), ())]
    given = hint.block if hint is not None and hint.block is not None else options.block
    rest = Launch(given or (WARP_SIZE, 1, 1), assumed=given is None)
    told = function.told_threads
    rest = shape_of(told, given) or rest
    found: dict[Launch, list[tuple[Argument, ...]]] = {}
    open_places: dict[Span, list[tuple[Argument, ...]]] = {}
    known: list[tuple[Launch, LaunchSite]] = []
    unknown: list[tuple[Argument, ...]] = [()] if _named_otherwise(function, launches) else []
    for site in launches_of(function, launches):
        launch = shape_of(_merged(site.block, told), given)
        if launch is None or (launch not in found and len(found) >= options.max_shapes):
            unknown.append(site.arguments)
        else:
            found.setdefault(launch, []).append(site.arguments)
        if None in site.block:
            open_places.setdefault(site.span, []).append(site.arguments)
        elif launch in found:
            known.append((launch, site))
    for launch, site in known:
        found[launch] += open_places.get(site.span, ())
    if unknown or not found:
        found.setdefault(rest, []).extend(unknown)
    return [(launch, common_arguments(arguments)) for launch, arguments in found.items()]


def _merged(block: Dim, told: Dim) -> Dim:
    """A launch's sizes with those that the kernel tells, where they do not contradict each other:
    then the launch accesses nothing behind the kernel's guard.
    """
    if any(None not in {a, b} and a != b for a, b in zip(block, told, strict=True)):
        return block
    x, y, z = (b if a is None else a for a, b in zip(block, told, strict=True))
    return x, y, z


def shape_of(block: Dim, given: tuple[int, int, int] | None = None) -> Launch | None:
    """What to take for a launch of which some sizes are known, or all; None: nothing can be said.
    ``given``: the user's word, for what is not known.

    >>> shape_of((4, 8, None))
    Launch(block=(4, 8, 1), assumed=False, partly=(4, 8, None))
    >>> shape_of((None, 8, 1))
    Launch(block=(32, 8, 1), assumed=True, partly=(None, 8, 1))
    """
    x, y, z = block
    known = [size for size in block if size is not None]
    if not known or min(known) < 1 or math.prod(known) > MAX_THREADS:
        return None
    if x is not None and y is not None and z is not None:
        return Launch((x, y, z), assumed=False)
    if given is not None and all(a in {b, None} for a, b in zip(block, given, strict=True)):
        return Launch(given, assumed=False)
    if x is None:
        fits = WARP_SIZE * math.prod(known) <= MAX_THREADS
        return Launch((WARP_SIZE, y or 1, z or 1), assumed=True, partly=block) if fits else None
    axis, row, rows = rows_of(block)
    # Where a layer ends within a warp is not known when two sizes are not.
    assumed = axis == 1 and z != 1 and row % WARP_SIZE != 0
    deep = 1 if z is None else z
    shape = (x, rows, deep) if axis == 1 else (x, y or 1, rows)
    return Launch(shape, assumed, block)


def common_arguments(launches: Sequence[tuple[Argument, ...]]) -> tuple[Argument, ...]:
    """Arguments that are the same constant in every launch, and pointers that are moved in one of
    them, by what is known of all; None elsewhere.
    """
    return tuple(map(_common, zip_longest(*launches)))


def _common(column: tuple[Argument, ...]) -> Argument:
    moved = [value for value in column if isinstance(value, Shifted)]
    if moved:
        likely = all(value.likely_start for value in moved)
        return Shifted(math.gcd(*(value.unit for value in moved)), likely)
    return column[0] if all(value == column[0] for value in column) else None
