"""How the index of an access comes about, step by step: what ``drano explain`` prints.

From the pointer back through the SSA definitions to parameters, special registers and loads. A
step is what the source has a word for: a variable, a loaded value, a loop counter, a merge of
paths; compiler-made casts and unnamed intermediate results are part of the step they serve.
Both domains use it: what a value *is*, they say themselves (``Describe``).

Runs after the analysis and decides nothing. Steps are in program order, at most ``MAX_STEPS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from drano.analysis.access_sites import Site
from drano.analysis.definitions import Definitions
from drano.analysis.explain.source_expressions import (
    Expression,
    access_expression,
    definition,
    subscript,
)
from drano.ir.intrinsics import Meaning, meaning, short_name
from drano.ir.model import (
    Alloca,
    Atomic,
    Call,
    Instruction,
    Load,
    Local,
    Opaque,
    Operand,
    Phi,
    PointerType,
    Select,
    VoidType,
)
from drano.ir.uses import operands_of
from drano.model.access import AccessKind
from drano.model.judgement import Step
from drano.model.span import Span
from drano.model.system_headers import user_location

MAX_STEPS = 12
_MAX_VISITED = 200

# What a value is, in words, e.g. "threadIdx.x, +1 per lane"; "" when there is no word.
Describe = Callable[[Operand, int], str]


class Explainer:
    """Derivations of the accesses of one function; steps are remembered by value."""

    def __init__(
        self, definitions: Definitions, loop_headers: Iterable[int], describe: Describe
    ) -> None:
        self._definitions = definitions
        self._headers = frozenset(loop_headers)
        self._describe = describe
        self._steps: dict[int, Step | None] = {}
        self._made_of: dict[int, tuple[Instruction, ...]] = {}

    def derivation(self, site: Site, span: Span, expression: str, address: str) -> tuple[Step, ...]:
        """The steps to one access at ``span``. ``address``: what its address is, in words."""
        chosen = self._chosen(site.pointer)
        steps = [step for i in sorted(chosen) if (step := self._step(chosen[i])) is not None]
        index = next(self._definitions.indices(site.pointer), None)
        written = subscript(expression)
        if index is not None and written and not self._named(index):
            steps.append(Step(span, _join(f"index `{written}`", self._describe(index, site.block))))
        what = f"address of `{expression}`" if expression else "address"
        steps.append(Step(span, _join(what, address)))
        return tuple(dict.fromkeys(steps))

    def _named(self, index: Operand) -> bool:
        """Whether an index is a variable, or has a step of its own already."""
        i = self._definitions.of(index)
        return bool(self._definitions.name(index)) or (i is not None and self._step(i) is not None)

    def _chosen(self, pointer: Operand) -> dict[int, Instruction]:
        """The instructions worth a step, the nearest first, by number."""
        found: dict[int, Instruction] = {}
        seen: set[int] = set()
        first = self._definitions.of(pointer)
        pending = [] if first is None else [first]
        for i in pending:
            index = i.index
            if index in seen:
                continue
            seen.add(index)
            if self._step(i) is not None:
                found[index] = i
            if len(found) >= MAX_STEPS - 2 or len(seen) >= _MAX_VISITED:
                break
            sources = self._made_of.get(index)
            if sources is None:
                sources = self._made_of[index] = self._sources(i)
            pending += sources
        return found

    def _sources(self, i: Instruction) -> tuple[Instruction, ...]:
        """The instructions that make what an instruction reads."""
        made = (self._definitions.of(operand) for operand in _inputs(i))
        return tuple(source for source in made if source is not None)

    def _step(self, i: Instruction) -> Step | None:
        if i.index not in self._steps:
            self._steps[i.index] = self._make(i)
        return self._steps[i.index]

    def _make(self, i: Instruction) -> Step | None:
        span = user_location(i.location).span if i.location else None
        name = self._definitions.function.local_names.get(i.index, "")
        written = definition(span, name) if name and span else Expression("", 0, 0)
        if span is not None and written.text:
            span = Span(span.path, span.line, written.start)
        what = self._what(i, name, f"`{written.text or name}`" if name else "")
        if not what:
            return None
        return Step(span, _join(what, self._describe(Local(i.index), self._definitions.block(i))))

    def _what(self, i: Instruction, name: str, shown: str) -> str:
        match i:
            case Load():
                source = _loaded(i)
                if source and source in shown:
                    return f"{shown}, loaded"
                return f"{shown or 'a value'} loaded{f' from `{source}`' if source else ''}"
            case Phi():
                return self._merged(i, name)
            case Atomic():
                return f"{shown or 'a value'} returned by an atomic"
            case Call():
                return _called(i, shown)
            case Select():
                return shown or "one of two values, selected by a condition"
            case Opaque():
                return shown or "a value computed by an unsupported instruction"
            case _ if isinstance(i, Alloca) or isinstance(i.type, VoidType):
                return ""
            case _:
                return shown

    def _merged(self, i: Phi, name: str) -> str:
        what = f"`{name}`" if name else "a value"
        if self._definitions.block(i) in self._headers:
            return f"{what}, which changes in a loop"
        return f"{what} merged from {len(i.incoming)} paths"


def _loaded(i: Load) -> str:
    """The expression that a value was loaded from."""
    if i.location is None:
        return ""
    place = user_location(i.location)
    pointer = isinstance(i.type, PointerType)
    called = place is not i.location
    return access_expression(place.span, AccessKind.LOAD, called=called, pointer=pointer).text


def _called(i: Call, shown: str) -> str:
    kind = meaning(i.callee or "")
    if kind in {Meaning.THREAD_INDEX, Meaning.LANE, Meaning.UNIFORM, Meaning.SAME_POINTER}:
        return shown
    if kind is Meaning.LOAD:
        return f"{shown or 'a value'} loaded"
    if kind is Meaning.SHUFFLE:
        return f"{shown or 'a value'} taken from another lane"
    if shown:
        return shown
    return f"the result of `{short_name(i.callee or '') or 'a function pointer'}`"


def _inputs(i: Instruction) -> tuple[Operand, ...]:
    """What a derivation follows: it ends at loads, calls and atomics."""
    if isinstance(i, Load | Atomic | Alloca | Opaque):
        return ()
    if isinstance(i, Select):
        return (i.if_true, i.if_false)
    if isinstance(i, Call):
        pure = meaning(i.callee or "") in {Meaning.PURE, Meaning.SAME_POINTER, Meaning.SHUFFLE}
        return i.args if pure else ()
    return operands_of(i)


def _join(what: str, value: str) -> str:
    return f"{what}: {value}" if value else what
