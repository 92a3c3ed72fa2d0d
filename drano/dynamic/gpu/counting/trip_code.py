"""The functions that count all accesses of a loop before it begins, as IR.

Means: what decides a loop's requests is copied to where the loop is entered: its number of
iterations, the address of each access in the first one, and its step. Values from outside the loop
are parameters of the function. Functions of ``runtime/gpu/counting.cu`` that are not inlined do the
work, one call for each entry of the segment.
Assumptions: the text is what ``instrument`` wrote, and the loop is one of ``trips``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from drano.dynamic.gpu.counting.proved_costs import FixedCost, PrefixCost
from drano.dynamic.gpu.counting.segment_code import Code, cost_table
from drano.dynamic.gpu.counting.segments import Counted, Segment, is_generic, kind_number
from drano.dynamic.gpu.counting.trips import Trip
from drano.dynamic.instrument.printed_instructions import (
    LOCAL_TOKEN,
    argument_tokens,
    printed_function,
)
from drano.ir import model as m
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.inlining import FunctionText
from drano.ir.target import AddressSpace

TRIP_LIBRARY = (
    "void @drano_loop_global(i32, i32, i64, i64, i64, i32, i32)",
    "void @drano_loop_shared(i32, i32, i64, i64, i64, i32, i32)",
    "void @drano_loop_generic(i32, i32, i32, i64, i64, i64, i32, i32)",
    "void @drano_loop_prefix(i32, i32, i64, i64, i64, i32, i32, ptr addrspace(4))",
    "void @drano_loop_requests(i32, i32, i64)",
)
_STEADY = 64
_PHI = re.compile(r"\[ (.+?), %((?:\"[^\"]*\"|[-\w.$]+)) \]")
_LABEL = re.compile(r'("[^"]*"|[-\w.$]+):')
_FLAGS = re.compile(r" (?:nsw|nuw|inbounds|nusw|exact|disjoint|nneg)\b")


class LoopText(Struct, frozen=True):
    """A loop as printed: ``trip``; ``inside``: its values, as they are computed; ``tokens``: what
    values of the function are printed as, by number; ``types``: of those that may be parameters, as
    printed, empty of others.
    """

    trip: Trip
    inside: Mapping[str, str]
    tokens: Mapping[int, str]
    types: Mapping[str, str]

    def has_copy(self, text: str) -> bool:
        """Whether ``text``, as printed, depends on integers and pointers from outside only."""
        pending, seen = [text], set[str]()
        while pending:
            new = set(LOCAL_TOKEN.findall(pending.pop())) - seen
            seen |= new
            pending += [self.inside[token] for token in new if token in self.inside]
        return all(self.types.get(token, "?") for token in seen - self.inside.keys())


class TripSegment(Segment, kw_only=True):
    """Accesses that a loop makes in each iteration; ``early``: before it is left; ``leaves``: the
    values that their function is called with.
    """

    loop: LoopText
    early: bool
    leaves: dict[str, str] = field(default_factory=dict)


def loop_text(trip: Trip, text: FunctionText, function: m.Function) -> LoopText:
    """The loop in the ``text`` of its function."""
    inside: dict[str, str] = {}
    arguments = argument_tokens(text)[: len(function.args)]
    printed = {bare_name(token): token for token in arguments}
    rows = {i.row: i for i in printed_function(text, ()).instructions.values() if i.token}
    block = ""
    for row, line in enumerate(text.body):
        label = _LABEL.match(line)
        block = bare_name(f"%{label[1]}") if label is not None else block
        if row in rows:
            printed[bare_name(rows[row].token)] = rows[row].token
            if block in trip.early or block in trip.late:
                inside[rows[row].token] = rows[row].text
    tokens = {a.index: token for a, token in zip(function.args, arguments, strict=True)}
    types = {a.index: a.type for a in function.args}
    for i in (i for b in function.blocks for i in b.instructions if i.name in printed):
        tokens[i.index], types[i.index] = printed[i.name], i.type
    return LoopText(
        trip, inside, tokens, {tokens[number]: _printed_type(t) for number, t in types.items()}
    )


def _printed_type(type_: m.Type) -> str:
    match type_:
        case m.IntType(bits=bits):
            return f"i{bits}"
        case m.PointerType(space=space):
            return f"ptr addrspace({space})" if space else "ptr"
    return ""


def is_known(access: Counted, loop: LoopText) -> bool:
    """Whether the loop's entry can tell all of its requests."""
    if isinstance(access.known, FixedCost):
        return True
    return access.site.ordinal in loop.trip.steps and loop.has_copy(access.pointer)


def is_worth_it(accesses: Sequence[Counted], loop: LoopText) -> bool:
    """Whether the entry has less to do than the loop would have: where requests in global memory
    would be looked at one by one, or the loop is sure to iterate often.
    """
    places = (a for a in accesses if not isinstance(a.known, FixedCost | PrefixCost))
    return loop.trip.constant or any(a.site.space != AddressSpace.SHARED for a in places)


def comes_round_known(loop: LoopText) -> bool:
    """Whether its entry can tell how often the loop iterates."""
    ends = (loop.tokens[o.index] for o in loop.trip.test if isinstance(o, m.Local))
    return all(loop.has_copy(token) for token in ends)


def trip_function(segment: TripSegment, first: int, tables: dict[tuple[int, ...], str]) -> str:
    """IR of the function that counts all requests of the segment, whose entries are from slot
    ``first`` on; the segment gets to know what it is called with.
    """
    code = Code()
    copies = _Copies(segment.loop, code, tables)
    times = _times_round(segment.loop.trip, copies, code)
    if segment.early:
        times = code.value(f"add i64 {times}, 1")
    else:
        some = code.value(f"icmp ne i64 {times}, 0")
        code.branch(some, "some", "done")
        code.label("some")
    mask = code.value("call i32 @drano_mask()")
    for entry, (number, *_) in enumerate(segment.classes()):
        _count(segment, number, f"i32 {mask}", f"i64 {times}", first + entry, copies)
    if segment.entries() > len(segment.classes()):
        slot = code.value(f"add i32 %set, {first + segment.entries() - 1}")
        code.add(f"call void @drano_loop_requests(i32 {mask}, i32 {slot}, i64 {times})")
    code.add("br label %done")
    code.label("done")
    code.add("ret void")
    segment.leaves = copies.leaves
    parameters = ["i32 %set"]
    parameters += [f"{segment.loop.types[leaf]} {name}" for leaf, name in copies.leaves.items()]
    head = f"define internal void @drano.segment.{segment.number}({', '.join(parameters)})"
    return "\n".join([f"{head} alwaysinline convergent nounwind {{", "entry:", *code.lines, "}"])


def _count(
    segment: TripSegment, number: int, mask: str, times: str, entry: int, copies: _Copies
) -> None:
    access, code = segment.accesses[number], copies.code
    site = access.site
    step = None if site.ordinal is None else segment.loop.trip.steps[site.ordinal]
    shared = site.space == AddressSpace.SHARED
    address = _address(copies, access, shared, again=False)
    kind = kind_number(site)
    if step is None:
        moved = code.value(f"sub i64 {_address(copies, access, shared, again=True)}, {address}")
    else:
        moved, kind = str(step), kind | _STEADY
    arguments = f"{mask}, i32 {code.value(f'add i32 %set, {entry}')}, {times}, i64 {address}"
    arguments += f", i64 {moved}, i32 {site.bytes}, i32 {kind}"
    function = "shared" if shared else "global"
    if is_generic(site):
        function = "generic"
        elsewhere = code.value(f"add i32 %set, {segment.elsewhere[number]}")
        arguments = f"i32 {elsewhere}, {arguments}"
    if isinstance(access.known, PrefixCost):
        function = "prefix"
        table = cost_table(access.known, copies.tables)
        arguments = f"{arguments}, ptr addrspace(4) {table}"
    code.add(f"call void @drano_loop_{function}({arguments})")


def _address(copies: _Copies, access: Counted, shared: bool, *, again: bool) -> str:
    code, pointer = copies.code, f"ptr {copies.of_text(access.pointer, again=again)}"
    if shared:
        cast = code.value(f"addrspacecast {pointer} to ptr addrspace(3)")
        pointer = f"ptr addrspace(3) {cast}"
    return code.value(f"ptrtoint {pointer} to i64")


def _times_round(trip: Trip, copies: _Copies, code: Code) -> str:
    """How often the loop iterates, 64 bits wide."""
    low, high = (copies.of_operand(operand) for operand in trip.test)
    down = trip.step < 0
    if trip.predicate == "ne":
        left, right = (low, high) if down else (high, low)
        away = code.value(f"sub i{trip.bits} {left}, {right}")
        return away if trip.bits == 64 else code.value(f"zext i{trip.bits} {away} to i64")
    goes = code.value(f"icmp {trip.predicate} i{trip.bits} {low}, {high}")
    if trip.bits < 64:
        extend = "sext" if trip.predicate.startswith("s") else "zext"
        low, high = (code.value(f"{extend} i{trip.bits} {one} to i64") for one in (low, high))
    left, right = (low, high) if down else (high, low)
    away = code.value(f"sub i64 {left}, {right}")
    if trip.predicate.endswith("t"):
        away = code.value(f"sub i64 {away}, 1")
    steps = code.value(f"udiv i64 {away}, {abs(trip.step)}")
    more = code.value(f"add i64 {steps}, 1")
    return code.value(f"select i1 {goes}, i64 {more}, i64 0")


class _Copies(Struct):
    """Values of the loop as they are in its first iteration, and (``again``) in the second."""

    loop: LoopText
    code: Code
    tables: dict[tuple[int, ...], str]
    leaves: dict[str, str] = field(default_factory=dict)
    made: dict[tuple[str, bool], str] = field(default_factory=dict)

    def of_operand(self, operand: m.Local | m.IntConst) -> str:
        """An integer of the model."""
        if isinstance(operand, m.IntConst):
            return str(operand.value)
        return self.of_token(self.loop.tokens[operand.index], again=False)

    def of_text(self, text: str, *, again: bool) -> str:
        """A printed operand or instruction, with the copies of the loop's values."""
        return LOCAL_TOKEN.sub(lambda token: self.of_token(token[0], again=again), text)

    def of_token(self, token: str, *, again: bool) -> str:
        """A printed value."""
        if token not in self.loop.inside:
            if token not in self.loop.types:
                return token  # the name of a type
            return self.leaves.setdefault(token, f"%leaf{len(self.leaves)}")
        if (token, again) not in self.made:
            self.made[token, again] = self._copied(self.loop.inside[token], again=again)
        return self.made[token, again]

    def _copied(self, text: str, *, again: bool) -> str:
        if not text.startswith("phi "):
            text = _FLAGS.sub("", text) if again else text
            return self.code.value(self.of_text(text, again=again))
        values = {bare_name(f"%{label}"): value for value, label in _PHI.findall(text)}
        first = values.pop(self.loop.trip.entry, None)
        ((_, other),) = values.items()
        if first is None:  # of one value
            return self.of_text(other, again=again)
        return self.of_text(other if again else first, again=False)
