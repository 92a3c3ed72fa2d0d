"""Variance: which values differ between the lanes of a warp, by data, by control and in time.

The scenarios are those that LLVM's tests of its uniformity analysis for NVPTX have (daorder,
diverge, hidden_diverge, irreducible), as kernels of our own.
"""

from __future__ import annotations

import pytest

from drano.analysis.control_structure import Structure
from drano.analysis.thread_layout import assumed_layout
from drano.analysis.warp import WarpState, interpret
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.access import Launch
from drano.model.settings import AnalysisOptions

HEAD = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
define ptx_kernel void @k(ptr %out, i32 %n, i32 %a, i32 %b) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""

# The condition does not depend on the thread, what is computed on both sides does.
UNIFORM_BRANCH = """
  %negative = icmp slt i32 %n, 0
  br i1 %negative, label %then, label %else
then:
  %left = add i32 %a, %tid
  br label %join
else:
  %right = add i32 %b, %tid
  br label %join
join:
  %chosen = phi i32 [ %a, %then ], [ %b, %else ]
  %sum = phi i32 [ %left, %then ], [ %right, %else ]
  ret void
"""
# c = a; if (tid < 5) c = b: lanes meet again with different values.
SYNC = """
  %few = icmp slt i32 %tid, 5
  br i1 %few, label %then, label %join
then:
  %doubled = mul i32 %a, 2
  br label %join
join:
  %c = phi i32 [ %a, %entry ], [ %b, %then ]
  %same = phi i32 [ %a, %entry ], [ %a, %then ]
  ret void
"""
# What differs by control decides a branch that looks uniform, and so on.
MIXED = """
  %few = icmp slt i32 %tid, 5
  br i1 %few, label %then, label %join
then:
  br label %join
join:
  %c = phi i32 [ %a, %entry ], [ %b, %then ]
  %negative = icmp slt i32 %c, 0
  br i1 %negative, label %less, label %end
less:
  br label %end
end:
  %d = phi i32 [ 1, %join ], [ 2, %less ]
  ret void
"""
# do i++; while (i < laneid): one number within the loop, different ones behind it.
TEMPORAL = """
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %lane
  br i1 %again, label %loop, label %exit
exit:
  %ten = icmp eq i32 %next, 10
  br i1 %ten, label %yes, label %no
yes:
  br label %no
no:
  %after = add i32 %next, 1
  ret void
"""
# The same with a bound that all lanes share.
STEADY = """
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %after = add i32 %next, 1
  ret void
"""
# Two exits, taken by different lanes at different times: both what is carried out and which exit.
TWO_EXITS = """
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %first = icmp sge i32 %i, %tid
  br i1 %first, label %left, label %body
body:
  %next = add i32 %i, 1
  %second = icmp slt i32 %next, %n
  br i1 %second, label %head, label %right
left:
  br label %join
right:
  br label %join
join:
  %which = phi i32 [ 1, %left ], [ 2, %right ]
  %count = phi i32 [ %i, %left ], [ %next, %right ]
  ret void
"""
# A divergent join in a loop whose trips all lanes make together.
JOIN_IN_LOOP = """
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %carried = phi i32 [ 0, %entry ], [ %mixed, %latch ]
  %few = icmp slt i32 %tid, %i
  br i1 %few, label %then, label %latch
then:
  br label %latch
latch:
  %mixed = phi i32 [ %a, %head ], [ %b, %then ]
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %head, label %exit
exit:
  %trips = add i32 %next, 0
  ret void
"""
# Constants meet behind a divergent branch and become a condition themselves.
HIDDEN = """
  %few = icmp slt i32 %tid, 5
  br i1 %few, label %then, label %join
then:
  br label %join
join:
  %flag = phi i1 [ true, %entry ], [ false, %then ]
  br i1 %flag, label %on, label %end
on:
  br label %end
end:
  %hidden = phi i32 [ %a, %join ], [ %b, %on ]
  %plain = add i32 %a, %b
  ret void
"""
# A condition that is uniform, inside of a branch that is not.
NESTED = """
  %few = icmp slt i32 %tid, 5
  br i1 %few, label %inner, label %outside
inner:
  %negative = icmp slt i32 %n, 0
  br i1 %negative, label %less, label %more
less:
  br label %meet
more:
  br label %meet
meet:
  %within = phi i32 [ 1, %less ], [ 2, %more ]
  br label %outside
outside:
  %all = phi i32 [ 0, %entry ], [ %within, %meet ]
  ret void
"""
# Lanes that part bring the same, and the warp as a whole decides whether it is that; then they
# bring what differs, and what only some of them bring.
SAME_OF_BOTH = """
  %negative = icmp slt i32 %n, 0
  br i1 %negative, label %first, label %join
first:
  %doubled = mul i32 %a, 2
  %one = icmp eq i32 %tid, 0
  br i1 %one, label %store, label %join
store:
  store i32 %doubled, ptr %out
  br label %join
join:
  %limit = phi i32 [ %b, %entry ], [ %doubled, %first ], [ %doubled, %store ]
  %flag = phi i1 [ false, %entry ], [ %negative, %first ], [ %negative, %store ]
  %mixed = phi i32 [ %b, %entry ], [ %doubled, %first ], [ %b, %store ]
  %three = phi i32 [ %b, %entry ], [ %doubled, %first ], [ %a, %store ]
  ret void
"""
# The branch that parts the lanes is above the one that the warp takes as a whole.
SAME_BELOW = """
  %one = icmp eq i32 %tid, 0
  br i1 %one, label %first, label %join
first:
  %negative = icmp slt i32 %n, 0
  br i1 %negative, label %less, label %join
less:
  br label %join
join:
  %limit = phi i32 [ %b, %entry ], [ %a, %first ], [ %a, %less ]
  %other = phi i32 [ %b, %entry ], [ %b, %first ], [ %a, %less ]
  %all = phi i32 [ %b, %entry ], [ %b, %first ], [ %b, %less ]
  ret void
"""
# Lanes that have left a loop at different iterations come by different exits with a counter.
SAME_OF_EXITS = """
  %negative = icmp slt i32 %n, 0
  br i1 %negative, label %head, label %join
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %big = icmp eq i32 %i, %tid
  br i1 %big, label %join, label %latch
latch:
  %next = add i32 %i, 1
  %again = icmp slt i32 %i, %n
  br i1 %again, label %head, label %join
join:
  %limit = phi i32 [ %b, %entry ], [ %a, %head ], [ %a, %latch ]
  %count = phi i32 [ %b, %entry ], [ %i, %head ], [ %i, %latch ]
  ret void
"""
# What a pointer's number is, of one that lanes share and of one that they do not.
ADDRESSES = """
  %own = getelementptr i8, ptr %out, i32 %tid
  %ours = getelementptr i8, ptr %out, i32 %n
  %different = ptrtoaddr ptr %own to i64
  %same = ptrtoaddr ptr %ours to i64
  store i64 %different, ptr %out
  store i64 %same, ptr %out
  ret void
"""
# Data and control dependence in either order: an outer counter feeds the inner loop's exit, whose
# result feeds the outer loop.
ORDER = """
  br label %outer
outer:
  %x = phi i32 [ 0, %entry ], [ %y, %after ]
  %i = phi i32 [ 0, %entry ], [ %i2, %after ]
  br label %inner
inner:
  %y = phi i32 [ %x, %outer ], [ %y2, %inner ]
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %y2 = add i32 %y, 3
  %j2 = add i32 %j, 1
  %bound = and i32 %tid, 3
  %again = icmp slt i32 %j2, %bound
  br i1 %again, label %inner, label %after
after:
  %i2 = add i32 %i, 1
  %more = icmp slt i32 %i2, %n
  br i1 %more, label %outer, label %end
end:
  ret void
"""
# A loop with two entries, that lanes enter differently.
IRREDUCIBLE = """
  %few = icmp slt i32 %tid, 5
  br i1 %few, label %first, label %second
first:
  %i = phi i32 [ 0, %entry ], [ %j2, %second ]
  %i2 = add i32 %i, 1
  %stay = icmp slt i32 %i2, %n
  br i1 %stay, label %second, label %end
second:
  %j = phi i32 [ 2, %entry ], [ %i2, %first ]
  %j2 = add i32 %j, 1
  %go = icmp slt i32 %j2, %n
  br i1 %go, label %first, label %end
end:
  %last = phi i32 [ %i2, %first ], [ %j2, %second ]
  ret void
"""
# The same, entered by all lanes in one way: what differs comes from the exit alone.
IRREDUCIBLE_EXIT = """
  %negative = icmp slt i32 %n, 0
  br i1 %negative, label %first, label %second
first:
  %i = phi i32 [ 0, %entry ], [ %j2, %second ]
  %i2 = add i32 %i, 1
  br label %second
second:
  %j = phi i32 [ 2, %entry ], [ %i2, %first ]
  %j2 = add i32 %j, 1
  %go = icmp slt i32 %j2, %tid
  br i1 %go, label %first, label %end
end:
  %last = add i32 %j2, 0
  ret void
"""


@pytest.mark.parametrize(
    ("body", "uniform", "divergent"),
    [
        (UNIFORM_BRANCH, "negative chosen", "left right sum"),
        (SYNC, "doubled same", "few c"),
        (MIXED, "", "few c negative d"),
        (TEMPORAL, "i next", "again ten after"),
        (STEADY, "i next again after", ""),
        (TWO_EXITS, "i next second", "first which count"),
        (JOIN_IN_LOOP, "i next again trips", "few mixed carried"),
        (HIDDEN, "plain", "few flag hidden"),
        (NESTED, "negative within", "few all"),
        (SAME_OF_BOTH, "negative doubled limit flag", "one mixed three"),
        (SAME_BELOW, "negative all", "one limit other"),
        (SAME_OF_EXITS, "negative i", "big count"),
        (ADDRESSES, "same", "different"),
        (ORDER, "i i2 more j j2", "again y x"),
        (IRREDUCIBLE, "", "few i j i2 j2 last"),
        (IRREDUCIBLE_EXIT, "negative", "go last"),
    ],
)
def test_scenarios(body: str, uniform: str, divergent: str) -> None:
    known = uniformity(HEAD + body + "}\n")
    assert {name for name in uniform.split() if not known[name]} == set()
    assert {name for name in divergent.split() if known[name]} == set()


def uniformity(text: str) -> dict[str, bool]:
    """Of each named value: whether all lanes of a warp agree, as an instruction behind it sees it.

    A value of a loop that lanes leave at different times is uniform in the loop.
    """
    module = read_module(prepare(text, "uniformity.ll", trusted=True))
    function = module.functions["k"]
    layout = assumed_layout(Launch((32, 1, 1), assumed=True))
    run = interpret(WarpState(module, function, Structure(function), layout, AnalysisOptions()))
    values = ((i.name, run.env[i.index]) for block in function.blocks for i in block.instructions)
    return {name: run.warp.is_uniform(value) for name, value in values if value is not None}
