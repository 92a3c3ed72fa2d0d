"""Kernels of common kinds that must get a proof, not "unknown"; all of them run, too."""

from __future__ import annotations

import pytest

from drano.analysis.access_sites import memory_sites
from drano.analysis.points_to import Spaces
from drano.analysis.warp import judge
from drano.model.judgement import Space, Verdict
from tests.analysis.warp.fuzz.harness import analysed, check, read
from tests.analysis.warp.test_soundness import HEADER, STORE

COALESCED = {
    "an unsigned index below a signed parameter": """
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %few = and i32 %block, 65535
  %start = mul i32 %few, 32
  %index = add i32 %start, %tid
  %inside = icmp ult i32 %index, %n
  br i1 %inside, label %here, label %done
done:
  ret void
here:
"""
    + STORE,
    "a grid's stride loop with an unsigned counter": """
  br label %head
head:
  %index = phi i32 [ %tid, %entry ], [ %next, %body ]
  %more = icmp ult i32 %index, %n
  br i1 %more, label %body, label %done
body:
  %place = getelementptr i32, ptr %p, i32 %index
  store i32 0, ptr %place, align 4
  %next = add nuw i32 %index, 1024
  br label %head
done:
  ret void
}
""",
    "the rest behind a loop up to a multiple of 32": """
  %rest = srem i32 %n, 32
  %limit = sub nsw i32 %n, %rest
  %low = and i32 %m, -32
  br label %head
head:
  %i = phi i32 [ %tid, %entry ], [ %next, %head ]
  %next = add i32 %i, 128
  %more = icmp slt i32 %next, %low
  br i1 %more, label %head, label %after
after:
  %index = add i32 %next, 0
"""
    + STORE,
    "a neighbour that is held within an array": """
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %few = and i32 %block, 65535
  %start = mul i32 %few, 32
  %x = add i32 %start, %tid
  %there = sub nsw i32 %x, %m
  %above = call i32 @llvm.smax.i32(i32 %there, i32 0)
  %last = add nsw i32 %n, -1
  %index = call i32 @llvm.smin.i32(i32 %above, i32 %last)
"""
    + STORE,
    "a neighbour that is held, at a distance that may wrap around": """
  %there = sub i32 %tid, %m
  %below = icmp slt i32 %there, 0
  %above = select i1 %below, i32 0, i32 %there
  %last = add nsw i32 %n, -1
  %beyond = icmp sgt i32 %above, %last
  %index = select i1 %beyond, i32 %last, i32 %above
"""
    + STORE,
    "a structure in local memory": """
  %this = alloca { ptr, i32, i32 }, align 8
  %size = getelementptr i8, ptr %this, i64 8
  %first = getelementptr i8, ptr %this, i64 12
  store ptr %q, ptr %this
  store i32 %m, ptr %size
  store i32 %tid, ptr %first
  %one = icmp sgt i32 %k, 0
  %at = select i1 %one, i64 12, i64 12
  %any = getelementptr i8, ptr %this, i64 %at
  %index = load i32, ptr %any
"""
    + STORE,
    "a local array that one of two pointers walks": """
  %array = alloca [4 x i32], align 8
  %k3 = and i32 %k, 3
  %start = getelementptr i32, ptr %array, i32 %k3
  store i32 %n, ptr %start
  %m3 = and i32 %m, 3
  %other = getelementptr i32, ptr %array, i32 %m3
  store i32 %n, ptr %other
  %n0 = load i32, ptr %start
  %row = mul i32 %n0, 1024
  %index = add i32 %row, %tid
"""
    + STORE,
    "places kept in a local array": """
  %array = alloca [4 x i32], align 8
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %row = mul i32 %i, 1024
  %mine = add i32 %row, %tid
  %place4 = getelementptr i32, ptr %array, i32 %i
  store i32 %mine, ptr %place4
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 4
  br i1 %more, label %head, label %after
after:
  %k3 = and i32 %k, 3
  %from = getelementptr i32, ptr %array, i32 %k3
  %index = load i32, ptr %from
"""
    + STORE,
    "the left neighbour, not below the first": """
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %few = and i32 %block, 65535
  %start = mul nsw i32 %few, 64
  %own = add nsw i32 %start, %tid
  %left = add nsw i32 %own, -1
  %index = call i32 @llvm.smax.i32(i32 %left, i32 0)
"""
    + STORE,
    "a break as the compiler writes it, by a number for where to go": """
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %row = mul i32 %i, 1024
  %place5 = add i32 %row, %tid
  %out = icmp sge i32 %place5, 3000
  br i1 %out, label %leave, label %go
leave:
  br label %cleanup
go:
  %there = getelementptr i32, ptr %q, i32 %place5
  store i32 0, ptr %there, align 4
  br label %cleanup
cleanup:
  %slot = phi i32 [ 2, %leave ], [ 0, %go ]
  switch i32 %slot, label %done [ i32 0, label %again ]
again:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 5
  br i1 %more, label %head, label %done
done:
  %index = add i32 %tid, 0
"""
    + STORE,
}


@pytest.mark.parametrize("name", COALESCED)
@pytest.mark.parametrize("shape", [None, (64, 1, 1)])
def test_coalesced(name: str, shape: tuple[int, int, int] | None) -> None:
    text = HEADER + COALESCED[name]
    case = analysed(read(text), shape)
    sites = memory_sites(case.function)
    judged = [
        found
        for site in sites
        if (found := judge(case.run, site, Spaces(case.run.module))) is not None
    ]
    answers = [found for found in judged if found.space is Space.GLOBAL]
    assert answers
    assert {answer.verdict for answer in answers} == {Verdict.COALESCED}, answers
    for seed in range(3):
        check(text, shape, seed)
