"""Kernels of the kinds that once got an answer which a run refutes, as small as they go.

Every one is analysed and executed like the random kernels of ``fuzz``.
"""

from __future__ import annotations

import pytest

from drano.analysis.access_sites import memory_sites
from drano.analysis.points_to import Spaces
from drano.analysis.warp import judge
from drano.model.judgement import Space, Verdict
from tests.analysis.warp.fuzz.harness import analysed, check, read

HEADER = """target triple = "nvptx64-nvidia-cuda"
@sh = internal addrspace(3) global [256 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.smax.i32(i32, i32)
declare i8 @llvm.umin.i8(i8, i8)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
define ptx_kernel void @kernel(ptr %p, ptr %q, ptr %r, i32 %n, i32 %m, i32 %k, i64 %l) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""

STORE = """
  %place = getelementptr i32, ptr %p, i32 %index
  store i32 0, ptr %place, align 4
  ret void
}
"""

KERNELS = {
    "a branch on (lane and n) negated is taken by some lanes whatever n is": """
  %low = icmp slt i32 %tid, 16
  %any = icmp sgt i32 %n, 0
  %both = and i1 %low, %any
  %not = xor i1 %both, true
  br i1 %not, label %here, label %done
here:
  %index = add i32 %tid, 0
  %first = getelementptr i32, ptr %q, i32 %index
  store i32 0, ptr %first, align 4
  br label %done
done:
  %index2 = add i32 %tid, 0
  %place = getelementptr i32, ptr %p, i32 %index2
  store i32 0, ptr %place, align 4
  ret void
}
""",
    "a value merged in a loop that lanes leave at different iterations": """
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %yes, label %latch
yes:
  br label %latch
latch:
  %merged = phi i32 [ %n, %head ], [ %m, %yes ]
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %tid
  br i1 %more, label %head, label %done
done:
  %few = and i32 %merged, 1023
  %index = mul i32 %few, 64
""" + STORE,
    "a value that leaves a loop by a phi at its exit": """
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %out = icmp eq i32 %i, %n
  br i1 %out, label %done, label %latch
latch:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %tid
  br i1 %more, label %head, label %done
done:
  %left = phi i32 [ %i, %head ], [ %i, %latch ]
  %index = mul i32 %left, 64
""" + STORE,
    "a condition of the last iteration is another one for each lane": """
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %stop = icmp eq i32 %i, 3
  br i1 %stop, label %early, label %latch
early:
  br label %done
latch:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %tid
  br i1 %more, label %head, label %late
late:
  br label %done
done:
  %left = phi i32 [ 0, %early ], [ 4096, %late ]
  %index = add i32 %left, 0
""" + STORE,
    "lanes that continue a loop by different back edges": """
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %one, %a ], [ %two, %b ]
  %sum = phi i32 [ 0, %entry ], [ 64, %a ], [ %n, %b ]
  %more = icmp slt i32 %i, 3
  br i1 %more, label %body, label %done
body:
  %low = icmp slt i32 %tid, 7
  br i1 %low, label %a, label %b
a:
  %one = add nsw i32 %i, 1
  br label %head
b:
  %two = add nsw i32 %i, 1
  br label %head
done:
  %index = and i32 %sum, 65535
""" + STORE,
    "lanes that go round again before they meet the others": """
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = icmp slt i32 %i, %tid
  br i1 %a, label %body, label %second
second:
  %b = icmp slt i32 %i, 2
  %far = mul i32 %i, 64
  %there = getelementptr i32, ptr %q, i32 %far
  store i32 0, ptr %there, align 4
  br i1 %b, label %body, label %done
body:
  %next = add nsw i32 %i, 1
  br label %head
done:
  %index = add i32 %tid, 0
""" + STORE,
    "exclusive or of what is known per lane and what the warp shares": """
  %low = icmp slt i32 %tid, 16
  %any = icmp sgt i32 %n, 0
  %either = xor i1 %low, %any
  %index = select i1 %either, i32 0, i32 4096
""" + STORE,
    "edges that are not taken together": """
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %join, label %split
split:
  %low = icmp slt i32 %tid, 16
  br i1 %low, label %join, label %gone
gone:
  ret void
join:
  %index = add i32 %tid, 0
""" + STORE,
    "a local array filled while lanes leave the loop": """
  %array = alloca [2 x i32]
  %other = getelementptr i32, ptr %array, i32 1
  store i32 0, ptr %other
  store i32 0, ptr %array
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  store i32 %i, ptr %array
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %tid
  br i1 %more, label %head, label %done
done:
  %which = and i32 %n, 1
  %where = getelementptr i32, ptr %array, i32 %which
  %got = load i32, ptr %where
  %index = mul i32 %got, 64
""" + STORE,
    "thirty-two rows of threads": """
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %many = icmp ugt i32 %z, 1
  %index = select i1 %many, i32 %tid, i32 0
""" + STORE,
    "the absolute value of what is negative when signed": """
  %large = or i32 %tid, -2147483648
  %size = call i32 @llvm.abs.i32(i32 %large, i1 false)
  %index = lshr i32 %size, 4
""" + STORE,
    "the lesser of narrow numbers that wrap": """
  %narrow = trunc i32 %tid to i8
  %more = add i8 %narrow, 250
  %least = call i8 @llvm.umin.i8(i8 %more, i8 100)
  %index = zext i8 %least to i32
""" + STORE,
    "a shuffle by more than the width of a warp": """
  %index = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %tid, i32 33, i32 0)
""" + STORE,
    "division by a number that is negative when signed": """
  %narrow = trunc i32 %tid to i8
  %by = add i8 100, 100
  %part = sdiv i8 %narrow, %by
  %rest = srem i8 %narrow, %by
  %wide = sext i8 %part to i32
  %low = sext i8 %rest to i32
  %scaled = mul i32 %wide, 64
  %index = add i32 %scaled, %low
""" + STORE,
    "threads of a narrow index that wraps meet again": """
  %narrow = trunc i32 %tid to i8
  %fast = mul i8 %narrow, 64
  %start = trunc i32 %n to i8
  %sum = add i8 %fast, %start
  %index = sext i8 %sum to i32
""" + STORE,
    "a choice of what wraps around has no bounds": """
  %truth = icmp slt i32 %m, 0
  %narrow = trunc i32 %n to i8
  %small = and i8 %narrow, 127
  %negative = sub i8 -1, %small
  %twice = add i8 %negative, %negative
  %chosen = select i1 %truth, i8 0, i8 %twice
  %wide = sext i8 %chosen to i32
  %above = icmp sgt i32 %wide, 0
  %step = select i1 %above, i32 64, i32 1
  %index = mul i32 %tid, %step
""" + STORE,
    "lanes that a narrow index parts by whole rows of banks": """
  %lanes = trunc i32 %tid to i8
  %start = trunc i32 %n to i8
  %sum = add i8 %lanes, %start
  %wide = zext i8 %sum to i32
  %odd = and i32 %tid, 1
  %even = sub i32 %wide, %odd
  %word = getelementptr i16, ptr addrspace(3) @sh, i32 %even
  store i16 0, ptr addrspace(3) %word, align 2
  %index = add i32 %tid, 0
""" + STORE,
    "each lane one of two patterns, one of them nearly shared": """
  %index.a = mul i32 %tid, 0
  %zero = icmp eq i32 %tid, 0
  %a = select i1 %zero, i32 1024, i32 0
  %b = select i1 %zero, i32 0, i32 1024
  %source = getelementptr i32, ptr %q, i32 %tid
  %data = load i32, ptr %source, align 4
  %truth = trunc i32 %data to i1
  %index = select i1 %truth, i32 %a, i32 %b
""" + STORE,
    "a vote of eight lanes, not of the warp": """
  %first = and i32 %tid, 24
  %members = shl i32 255, %first
  %some = icmp ult i32 %tid, 13
  %votes = call i32 @llvm.nvvm.vote.ballot.sync(i32 %members, i1 %some)
  %few = and i32 %votes, 16711935
  %index = mul i32 %few, 64
""" + STORE,
    "a local array read between its elements": """
  %array = alloca [4 x i32]
  %b1 = getelementptr i32, ptr %array, i32 1
  %b2 = getelementptr i32, ptr %array, i32 2
  %b3 = getelementptr i32, ptr %array, i32 3
  store i32 %tid, ptr %array
  store i32 %tid, ptr %b1
  store i32 %tid, ptr %b2
  store i32 %tid, ptr %b3
  %which = and i32 %n, 3
  %off = getelementptr i16, ptr %array, i32 %which
  %index = load i32, ptr %off, align 2
""" + STORE,
    "a pointer to one of two local arrays": """
  %a = alloca [2 x i32]
  %b = alloca [2 x i32]
  %a1 = getelementptr i32, ptr %a, i32 1
  %b1 = getelementptr i32, ptr %b, i32 1
  store i32 0, ptr %a
  store i32 0, ptr %b
  store i32 0, ptr %a1
  store i32 0, ptr %b1
  %c = icmp sgt i32 %n, 0
  %either = select i1 %c, ptr %a, ptr %b
  %w = and i32 %m, 1
  %there = getelementptr i32, ptr %either, i32 %w
  store i32 %tid, ptr %there
  %v = and i32 %k, 1
  %av = getelementptr i32, ptr %a, i32 %v
  %got = load i32, ptr %av
  %index = mul i32 %got, 64
""" + STORE,
    "a local array that holds what an earlier iteration stored": """
  %array = alloca [2 x i32]
  %v = and i32 %k, 1
  %place1 = getelementptr i32, ptr %array, i32 %v
  store i32 0, ptr %place1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %now = mul i32 %i, %tid
  %old = load i32, ptr %place1
  %apart = sub i32 %old, %now
  %far = mul i32 %apart, 64
  %there = getelementptr i32, ptr %q, i32 %far
  store i32 0, ptr %there, align 4
  store i32 %now, ptr %place1
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 4
  br i1 %more, label %head, label %done
done:
  %index = add i32 %tid, 0
""" + STORE,
    "lanes that take part in some iterations only": """
  %array = alloca [2 x i32]
  %v = and i32 %k, 1
  %place1 = getelementptr i32, ptr %array, i32 %v
  store i32 7, ptr %place1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %mine = add i32 %i, %tid
  %two = and i32 %mine, 2
  %some = icmp eq i32 %two, 0
  br i1 %some, label %in, label %latch
in:
  %old = load i32, ptr %place1
  %far = mul i32 %old, 64
  %there = getelementptr i32, ptr %q, i32 %far
  store i32 0, ptr %there, align 4
  store i32 %i, ptr %place1
  br label %latch
latch:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 8
  br i1 %more, label %head, label %done
done:
  %index = add i32 %tid, 0
""" + STORE,
    "two numbers that are both zero in some lanes": """
  %row = and i32 %tid, 24
  %half = and i32 %n, 1
  %either = or i32 %row, %half
  %zero = icmp eq i32 %either, 0
  br i1 %zero, label %in, label %out
in:
  %far = mul i32 %tid, 64
  %there = getelementptr i32, ptr %q, i32 %far
  store i32 0, ptr %there, align 4
  br label %out
out:
  %neither = icmp ne i32 %either, 0
  %step = select i1 %neither, i32 64, i32 1
  %index = mul i32 %tid, %step
""" + STORE,
    "numbers of a loop that lanes left at different iterations, both zero": """
  %low = and i32 %tid, 7
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %left = sub i32 %low, %i
  %either = or i32 %left, %i
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %low
  br i1 %more, label %head, label %done
done:
  %zero = icmp eq i32 %either, 0
  %step = select i1 %zero, i32 1, i32 64
  %index = mul i32 %tid, %step
""" + STORE,
    "the high bits of an index times an unknown number": """
  %hash = mul i32 %tid, %n
  %high = lshr i32 %hash, 22
  %mixed = add i32 %hash, %m
  %part = udiv i32 %mixed, 4194304
  %index = add i32 %high, %part
""" + STORE,
    "the high bits of an index times a known number that wraps often": """
  %hash = mul i32 %tid, -1640531535
  %mixed = add i32 %hash, %n
  %index = lshr i32 %mixed, 22
""" + STORE,
    "quotients on both sides of zero": """
  %signed = sub i32 %tid, 16
  %small = and i32 %n, 63
  %size = add i32 %small, 1
  %quotient = sdiv i32 %signed, %size
  %rest = srem i32 %signed, %size
  %long = mul i32 %rest, 32
  %sum = add i32 %long, %quotient
  %index = add i32 %sum, 4096
""" + STORE,
    "a quotient of what lanes hold that left a loop at different iterations": """
  %low = and i32 %tid, 7
  %size = or i32 %n, 1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %next = add i32 %i, 3
  %more = icmp ult i32 %next, %low
  br i1 %more, label %head, label %done
done:
  %where = add i32 %i, %tid
  %index = udiv i32 %where, %size
""" + STORE,
    "bytes of an index that wraps at eight bits": """
  %narrow = trunc i32 %tid to i8
  %start = trunc i32 %n to i8
  %sum = add i8 %narrow, %start
  %index = zext i8 %sum to i32
  %byte = getelementptr i8, ptr %q, i32 %index
  store i8 0, ptr %byte, align 1
""" + STORE,
}  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("shape", [None, (64, 1, 1), (16, 16, 1)])
def test_no_run_refutes(name: str, shape: tuple[int, int, int] | None) -> None:
    for seed in range(4):
        check(HEADER + KERNELS[name], shape, seed)


PARAMETER = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @kernel(ptr byval({ i32, i32 }) align 4 %s, ptr %p, i64 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  STORE
  %bit = and i64 %n, 1
  %field = getelementptr i32, ptr %s, i64 %bit
  %got = load i32, ptr %field, align 4
  %index = mul i32 %got, 64
  %place = getelementptr i32, ptr %p, i32 %index
  store i32 0, ptr %place, align 4
  ret void
}
"""


@pytest.mark.parametrize(
    ("store", "verdict"),
    [
        ("", Verdict.COALESCED),
        ("store i32 7, ptr %s, align 4", Verdict.COALESCED),
        ("store i32 %tid, ptr %s, align 4", Verdict.UNKNOWN),
    ],
)
def test_a_parameter_by_value_is_the_same_for_all_until_written(
    store: str, verdict: Verdict
) -> None:
    case = analysed(read(PARAMETER.replace("STORE", store)), (64, 1, 1))
    judged = [
        judge(case.run, site, Spaces(case.run.module)) for site in memory_sites(case.function)
    ]
    found = [answer.verdict for answer in judged if answer and answer.space is Space.GLOBAL]
    assert found == [verdict]
