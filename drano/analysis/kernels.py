"""Every kernel of a module, by one of two domains: block shapes in, one ``Access`` per site out."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.access import (
    Hidden,
    as_if_coalesced,
    location_of,
    make_access,
    nothing_hidden,
    place_of,
    unjudged_access,
)
from drano.analysis.access_sites import Site, memory_sites
from drano.analysis.blocks.block_shapes import hint_for, launch_shapes, launches_known, launches_of
from drano.analysis.blocks.plausible_blocks import (
    in_assumed_shape,
    is_bad,
    is_barrier,
    is_good,
    plausible_shapes,
    resting_on_shape,
)
from drano.analysis.callers import Way, ways
from drano.analysis.control_structure import Structure
from drano.analysis.cost import CostModel, structural_cost
from drano.analysis.cost.launch_counts import host_nest, without_places
from drano.analysis.cost.unrolled import shared_among_copies
from drano.analysis.definitions import Definitions
from drano.analysis.incremental.remembered import Context, KernelResult, Shapes
from drano.analysis.needed_values import unneeded_values
from drano.analysis.points_to import Spaces
from drano.analysis.source_accesses import origins, removed_accesses
from drano.analysis.spaces import reported_space
from drano.analysis.thread_layout import layout_of
from drano.analysis.unseen_accesses import unseen_accesses
from drano.analysis.warp import (
    Pitches,
    Presenter,
    WarpState,
    also_by_nvcc,
    control_facts,
    counting_facts,
    for_any_stride,
    if_in_turn,
    if_inside,
    interpret,
    judge,
    judge_bulk,
    judge_unreached,
    judge_unseen,
    may_rest_on_borders,
    measured_reuse,
    reached_in_some_shape,
    reuse,
    stops_block,
    vectors,
)
from drano.ir.model import Branch, Call, Function, Module, Switch
from drano.model.access import Access, Launch
from drano.model.finding import ControlFact, Severity
from drano.model.judgement import CountRange, Judgement, Space
from drano.model.report import Diagnostic, KernelInfo, NotAnalysed
from drano.model.settings import MAX_THREADS, AnalysisOptions, Domain
from drano.model.source_access import RemovedAccess
from drano.model.span import Span
from drano.model.symbols import plain_symbol
from drano.model.system_headers import user_location
from drano.model.translation_unit import Argument, LaunchSite
from drano.support.errors import IRError
from drano.support.own_failures import internal_error

NO_TIME = "the time for its file is up; a larger --timeout allows more"


class AnalysisResult(Struct, frozen=True):
    """Kernels in order of appearance, their accesses in program order. ``removed``: what compiling
    leaves nothing of; ``not_analysed``: functions that a defect of drano cost, or that there was
    no time for.
    """

    kernels: tuple[KernelInfo, ...]
    accesses: tuple[Access, ...]
    control: tuple[ControlFact, ...] = ()
    removed: tuple[RemovedAccess, ...] = ()
    not_analysed: tuple[NotAnalysed, ...] = ()


def analyse_module(
    module: Module,
    launches: Sequence[LaunchSite],
    options: AnalysisOptions,
    known: Mapping[str, KernelResult] = MappingProxyType({}),
    until: float = math.inf,
    *,
    hidden: Hidden = nothing_hidden,
) -> AnalysisResult:
    """Analyse every kernel, and every device function that could not be inlined.

    ``known``: what was found in functions, which need no instructions then. ``until``: on the
    monotonic clock, when there has to be an answer: functions that may take longer, as the slowest
    so far did, are not analysed. ``hidden``: where nobody will be told of accesses, which are only
    counted then, as if they were coalesced.
    """
    slowest = 0.0
    kernels: list[KernelInfo] = []
    accesses: list[Access] = []
    control: list[ControlFact] = []
    removed: list[RemovedAccess] = []
    lost: list[NotAnalysed] = []
    spaces = Spaces(module)
    called = ways(module)
    results = dict(known)
    for name in by_turns([n for n, f in module.functions.items() if f.blocks and n not in known]):
        started = time.monotonic()
        results[name] = KernelResult((), failure=NO_TIME)
        if started + slowest < until:
            results[name] = analyse_function(
                module, module.functions[name], launches, options, spaces, hidden=hidden
            )
        slowest = max(slowest, time.monotonic() - started)
    for function in module.functions.values():
        found = results.get(function.name)
        if found is None:
            continue
        accesses += _with_way(found.accesses, called.get(function.name))
        control += found.control
        removed += found.removed
        if found.failure:
            lost.append(_lost(function, found.failure))
        elif function.is_kernel:
            kernels.append(_info(function, launches, options, found))
    return AnalysisResult(
        tuple(kernels), tuple(accesses), tuple(control), tuple(removed), tuple(lost)
    )


def by_turns(symbols: Sequence[str]) -> list[str]:
    """Functions in the order of their analysis: the first instance of each template, then the
    second of each, so that each has some when the time is up. Templates of one name, in several
    namespaces, count as one.

    >>> by_turns(["_Z1kIfEvv", "_Z1kIdEvv", "_ZN1n1gIfEEvv", "plain"])
    ['_Z1kIfEvv', '_ZN1n1gIfEEvv', 'plain', '_Z1kIdEvv']
    """
    seen = Counter[str]()
    turns = list[tuple[int, str]]()
    for symbol in symbols:
        name = plain_symbol(symbol)
        turns.append((seen[name], symbol))
        seen[name] += 1
    return [symbol for _, symbol in sorted(turns, key=lambda turn: turn[0])]


def analyse_function(
    module: Module,
    function: Function,
    launches: Sequence[LaunchSite],
    options: AnalysisOptions,
    spaces: Spaces,
    *,
    hidden: Hidden = nothing_hidden,
) -> KernelResult:
    """What is found in one function of a module; a defect of drano costs this function, no other.
    ``hidden``: see ``analyse_module``.

    Raises ``IRError`` of input that is refused, and ``MemoryError``.
    """
    try:
        if options.domain is Domain.GPUDRANO:
            return KernelResult(tuple(_paper(module, function, launches, options)))
        shapes, own = launch_shapes(function, launches, options), launches_of(function, launches)
        return _warp(module, function, shapes, own, options, spaces, hidden)
    except (IRError, MemoryError):
        raise
    except Exception as error:
        return KernelResult((), failure=internal_error(error))


def _lost(function: Function, failure: str) -> NotAnalysed:
    place = function.location
    at = Span("", 0, 0) if place is None else place.span
    cause = Diagnostic(at.path, at.line, at.column, Severity.ERROR, failure)
    return NotAnalysed(function.display, function.name, place, cause, defect=True)


def context_of(
    function: Function, launches: Sequence[LaunchSite], options: AnalysisOptions
) -> Context:
    """All besides its module that the analysis of a function depends on."""
    own = launches_of(function, launches)
    dims = [(site.grid, site.block) for site in own]
    shapes = launch_shapes(function, launches, options)
    return shapes, list(zip(dims, without_places(own), strict=True))


def _info(
    function: Function,
    launches: Sequence[LaunchSite],
    options: AnalysisOptions,
    found: KernelResult,
) -> KernelInfo:
    paper = options.domain is Domain.GPUDRANO
    shapes: Shapes = [] if paper else launch_shapes(function, launches, options)
    sites = launches_of(function, launches)
    return KernelInfo(
        function.display,
        function.name,
        function.location,
        tuple(launch for launch, _ in shapes),
        len(found.accesses),
        launches_known(function, launches, options),
        tuple(dict.fromkeys(site.span for site in sites)),
        *found.work,
        host_nest(sites[0]) if sites else (),
    )


def _with_way(accesses: Sequence[Access], way: Way | None) -> Sequence[Access]:
    """Accesses of a function that is no kernel, with the calls that lead to it."""
    if way is None:
        return accesses
    return [replace(access, callers=way.frames, recursive=way.recursive) for access in accesses]


def _paper(
    module: Module, function: Function, launches: Sequence[LaunchSite], options: AnalysisOptions
) -> list[Access]:
    from drano.analysis import paper  # noqa: PLC0415 - the domain that is asked for, only

    explained = paper.explain_function(module, function, options)
    sites = [site for site, _, _ in explained]
    model = structural_cost(
        function, Structure(function), Definitions(module, function), sites,
        launches_of(function, launches), dict(options.assume),
    )  # fmt: skip
    return [
        make_access(
            function,
            site,
            place,
            judgement,
            None,
            model.cost(site, judgement),
            model.nest(site.block),
        )
        for site, place, judgement in explained
    ]


def _warp(
    module: Module,
    function: Function,
    shapes: Shapes,
    launches: Sequence[LaunchSite],
    options: AnalysisOptions,
    spaces: Spaces,
    hidden: Hidden,
) -> KernelResult:
    """Judge each site under every block shape; the costliest answer stands for it."""
    structure = Structure(function)
    every_site = memory_sites(function)
    sites, unjudged = list[Site](), list[Site]()
    for site in every_site:
        (unjudged if hidden(location_of(function, site)) else sites).append(site)
    absent = dict(options.absent)
    unseen_sites = [*unseen_accesses(function, module.functions, len(every_site), absent)]
    told = [*sites, *(u.site for u in unseen_sites if not hidden(location_of(function, u.site)))]
    if not told and not _told_of_control(function, hidden):
        accesses = tuple(unjudged_access(function, site) for site in unjudged)
        return KernelResult(accesses, removed=removed_accesses(function))
    asked = spaces.questions
    worst: dict[int, tuple[Judgement, WarpState]] = {}
    orders: dict[int, tuple[int, bool, float]] = {}
    every: dict[int, list[Judgement]] = {}
    control: list[ControlFact] = []
    hint = hint_for(function, options)
    grid = hint.grid if hint is not None else None
    if hint is not None and hint.alignment is not None:
        options = replace(options, pointer_alignment=hint.alignment)
    most = function.max_threads or MAX_THREADS
    runs: list[WarpState] = []
    unneeded = unneeded_values(function, structure.operands)

    def judged_for(
        launch: Launch, arguments: tuple[Argument, ...], wanted: Sequence[Site] = sites
    ) -> tuple[WarpState, list[tuple[Site, Judgement]]]:
        run, said = answers_for(launch, arguments, wanted, inside=False)
        open_sites = [site for site, judgement in said if may_rest_on_borders(judgement)]
        if not run.meets_borders or not open_sites:
            return run, said
        inner = dict(answers_for(launch, arguments, open_sites, inside=True)[1])
        return run, [
            (site, if_inside(judgement, inner[site]) if site in inner else judgement)
            for site, judgement in said
        ]

    def answers_for(
        launch: Launch, arguments: tuple[Argument, ...], wanted: Sequence[Site], *, inside: bool
    ) -> tuple[WarpState, list[tuple[Site, Judgement]]]:
        layout = layout_of(launch, grid, most)
        run = interpret(
            WarpState(
                module, function, structure, layout, options, arguments, unneeded, inside=inside
            )
        )
        runs.append(run)
        pitches = Pitches(run, sites)
        found = ((site, judge(run, site, spaces)) for site in wanted)
        known = [(site, pitches.weigh(site, said)) for site, said in found if said is not None]
        known = [(site, also_by_nvcc(run, site, said)) for site, said in known]
        return run, [
            (site, if_in_turn(run, site, for_any_stride(run, site, said))) for site, said in known
        ]

    definitions = Definitions(module, function)
    assumed: list[WarpState] = []
    for launch, arguments in shapes:
        run, said = judged_for(launch, arguments)
        facts = list(control_facts(run)) if function.is_kernel else []
        for other in plausible_shapes(function, launch) if any(map(is_barrier, facts)) else ():
            elsewhere = list(control_facts(judged_for(other, arguments, ())[0]))
            facts = resting_on_shape(facts, elsewhere, other)
        control += facts
        for site, judgement in said:
            every.setdefault(site.ordinal, []).append(judgement)
            order = judgement.order(assumed=launch.assumed)
            if site.ordinal not in orders or order > orders[site.ordinal]:
                orders[site.ordinal] = order
                worst[site.ordinal] = (judgement, run)
        if launch.assumed:
            assumed.append(run)
    for ordinal, (judgement, run) in worst.items():
        worst[ordinal] = _within_all(judgement, every[ordinal]), run
    unreached = [site for site in sites if site.ordinal not in worst] if assumed else []
    if unreached:
        blocks = frozenset[int]().union(*(reached_in_some_shape(r, definitions) for r in assumed))
        for site in unreached:
            if site.block in blocks:
                worst[site.ordinal] = judge_unreached(assumed[-1], site, spaces), assumed[-1]
    otherwise: dict[int, tuple[int, int, int]] = {}
    for launch, arguments in shapes if function.is_kernel else ():
        doubtful = {
            ordinal
            for ordinal, (judgement, run) in worst.items()
            if run.layout.launch == launch and is_bad(judgement)
        }
        good = {
            ordinal
            for ordinal, (judgement, run) in worst.items()
            if run.layout.launch == launch and is_good(judgement)
        }
        others = plausible_shapes(function, launch) if doubtful or good else ()
        for other in others:
            if not doubtful and (not good or other is not others[-1]):
                continue  # the last one has the shortest rows
            open_sites = [s for s in sites if s.ordinal in doubtful or s.ordinal in good]
            _, said = judged_for(other, arguments, open_sites)
            fine = {s.ordinal for s, judgement in said if not is_bad(judgement)} & doubtful
            worse = {s.ordinal for s, judgement in said if not is_good(judgement)} & good
            otherwise |= dict.fromkeys(fine | worse, other.block)
            doubtful -= fine
            good -= worse
    sources = origins(function, sites, lambda block: len(structure.loops_of[block]))
    presenter = Presenter(module, function, structure, worst, sites)
    models: dict[int, CostModel] = {}
    found = []
    wide = vectors(worst, sites)
    counted = reuse(worst, sites) if options.reuse else {}
    if options.reuse and options.measured is not None:
        counted = measured_reuse(function.name, sites, options.measured, counted)
    for site in sites:
        if site.ordinal not in worst:
            continue
        place = place_of(function, site)
        judgement = presenter.present(site, place)
        run = worst[site.ordinal][1]
        launch = run.layout.launch
        model = models.get(id(run))
        if model is None:
            model = models[id(run)] = CostModel(
                function, structure, definitions, every_site, counting_facts(run), launch,
                launches, grid, dict(options.assume),
            )  # fmt: skip
        access = make_access(
            function, site, place, judgement, launch, model.cost(site, judgement),
            model.nest(site.block),
        )  # fmt: skip
        more: dict[str, object] = {"loops": len(structure.loops_of[site.block])}
        vector = wide.get(site.ordinal)
        if vector is not None:
            more |= {"vector": vector.count, "vector_needs": vector.needs}
        if site.ordinal in counted:
            more["reuse"] = counted[site.ordinal]
        if site.ordinal in sources:
            origin = sources[site.ordinal]
            more |= {"origin": origin, "cost": shared_among_copies(access.cost, origin)}
        if site.ordinal in otherwise:
            more["otherwise"] = otherwise[site.ordinal]
            if is_good(judgement):
                more["judgement"] = in_assumed_shape(judgement, otherwise[site.ordinal])
        found.append(replace(access, **more))
    found += (unjudged_access(function, site) for site in unjudged)
    reached = [run for _, run in worst.values()] or assumed[-1:]
    for unseen in unseen_sites:
        space = unseen.space
        if space is Space.GENERIC and unseen.through_pointer:
            pointer, block = unseen.site.pointer, unseen.site.block
            space = reported_space(str(spaces.space(function, pointer, block)))
        if unseen.good_if is None:
            judgement = judge_unseen(space, unseen.reason)
        else:
            judgement = judge_bulk(space, unseen.reason, unseen.good_if)
        place = place_of(function, unseen.site)
        shape = reached[0].layout.launch if reached else None
        found.append(make_access(function, unseen.site, place, judgement, shape))
    judged = [(site, worst[site.ordinal][0]) for site in sites if site.ordinal in worst]
    judged += [(site, as_if_coalesced(site)) for site in unjudged]
    work = next((model.work(judged) for model in models.values()), (0.0, 0.0, 32))
    gone = removed_accesses(function)
    for run in runs:
        run.forget()
    return KernelResult(tuple(found), tuple(control), spaces.questions > asked, work, gone)


def _told_of_control(function: Function, hidden: Hidden) -> bool:
    """Whether branches or barriers of a function are where somebody will be told of them."""
    if not function.is_kernel:
        return False
    ends = (
        instruction
        for block in function.blocks
        for instruction in block.instructions
        if isinstance(instruction, Branch | Switch)
        or (isinstance(instruction, Call) and stops_block(instruction))
    )
    places = (end.location or function.location for end in ends)
    return any(place is None or not hidden(user_location(place)) for place in places)


def _within_all(judgement: Judgement, every: Sequence[Judgement]) -> Judgement:
    """The judgement for one block shape, with bounds that hold in the others as well."""
    if len(every) < 2:
        return judgement
    return replace(
        judgement,
        lines=_hull(judgement.lines, [other.lines for other in every]),
        sectors=_hull(judgement.sectors, [other.sectors for other in every]),
        wavefronts=_hull(judgement.wavefronts, [other.wavefronts for other in every]),
    )


def _hull(own: CountRange | None, every: Sequence[CountRange | None]) -> CountRange | None:
    known = [counts for counts in every if counts is not None]
    if own is None or not known:
        return own
    least = min(counts.minimum for counts in known)
    most = max(counts.maximum for counts in known)
    if (least, most) == (own.minimum, own.maximum):
        return own
    return replace(own, minimum=least, maximum=most)
