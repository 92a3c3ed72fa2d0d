"""Control flow that CUDA source rarely shows: irreducible cycles, odd shapes, hostile sizes."""

from __future__ import annotations

import time

import pytest

from tests.analysis.paper.states import module_of, stores

BEGIN = "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"


def last(body: str) -> str:
    found = stores(
        module_of(f"define ptx_kernel void @k(ptr %p, i32 %n) {{\nentry:\n{BEGIN}{body}\n}}\n"), "k"
    )
    return found[-1]


def put(index: str) -> str:
    return (
        f"  %e = sext i32 {index} to i64\n  %a = getelementptr float, ptr %p, i64 %e\n"
        "  store float 0.0, ptr %a\n  ret void"
    )


IRREDUCIBLE = """  %c = icmp slt i32 {left}, %n
  br i1 %c, label %one, label %two
one:
  %x = phi i32 [ 0, %entry ], [ %y, %two ]
  %x1 = add i32 %x, 1
  %cx = icmp slt i32 %x1, %n
  br i1 %cx, label %two, label %out
two:
  %y = phi i32 [ 5, %entry ], [ %x1, %one ]
  %cy = icmp sgt i32 %y, %n
  br i1 %cy, label %one, label %out
out:
  %z = phi i32 [ %x, %one ], [ %y, %two ]
"""


@pytest.mark.parametrize("left", ["%t", "7"])
def test_irreducible_control_flow_ends_and_is_unknown(left: str) -> None:
    body = IRREDUCIBLE.format(left=left) + put("%z")
    assert last(body) == "⊤ | ⊤ | flagged"


def test_functions_that_are_not_inlined_know_nothing_of_their_arguments() -> None:
    text = f"""define void @again(ptr %p, i32 %n) {{
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %more, label %out
more:
  %m = sub i32 %n, 1
  call void @again(ptr %p, i32 %m)
  br label %out
out:
{put("%n")}
}}
define ptx_kernel void @k(ptr %p, i32 %n) {{
  call void @again(ptr %p, i32 %n)
  ret void
}}
"""
    assert stores(module_of(text), "again") == ["⊤ | ⊤ | flagged"]


def test_undefined_values_at_a_merge_are_no_values() -> None:
    body = """  %c = icmp slt i32 %t, %n
  br i1 %c, label %set, label %out
set:
  br label %out
out:
  %x = phi i32 [ %n, %set ], [ undef, %entry ]
"""
    assert last(body + put("%x")) == "0 | ⊤ | fine"


def test_unreachable_stores_are_not_judged() -> None:
    body = "  br i1 false, label %dead, label %out\ndead:\n  store i32 0, ptr %p\n  br label %out\n"
    assert last(body + "out:\n" + put("%t")) == "1 (elements of 4 bytes) | ⊤ | fine"
    text = (
        f"define ptx_kernel void @k(ptr %p, i32 %n) {{\nentry:\n{BEGIN}{body}out:\n  ret void\n}}"
    )
    assert stores(module_of(text), "k") == []


def test_short_circuit_values_keep_what_they_know() -> None:
    body = """  %u = icmp slt i32 %n, 3
  br i1 %u, label %rhs, label %end
rhs:
  %one = icmp eq i32 %t, %n
  br label %end
end:
  %both = phi i1 [ false, %entry ], [ %one, %rhs ]
  br i1 %both, label %then, label %out
then:
  %m = mul i32 %t, %n
  %e = sext i32 %m to i64
  %a = getelementptr float, ptr %p, i64 %e
  store float 0.0, ptr %a
  br label %out
out:
  ret void"""
    assert last(body) == "⊤ | FF⁻ | fine"


def test_both_sides_with_one_thread_each_make_two() -> None:
    body = """  %c = icmp eq i32 %t, 3
  br i1 %c, label %here, label %next
next:
  %d = icmp eq i32 %t, 4
  br i1 %d, label %here, label %out
here:
  %m = mul i32 %t, %n
  %e = sext i32 %m to i64
  %a = getelementptr float, ptr %p, i64 %e
  store float 0.0, ptr %a
  br label %out
out:
  ret void"""
    assert last(body) == "⊤ | ⊤ | flagged"


def test_threads_that_leave_a_loop_one_by_one_are_many_after_it() -> None:
    body = """  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %c = icmp eq i32 %i, %t
  br i1 %c, label %found, label %next
next:
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %head, label %out
found:
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  store float 0.0, ptr %a
  ret void
out:
  ret void"""
    assert last(body) == "⊤ | ⊤ | flagged"


def test_values_that_a_loop_does_not_change_survive_its_exit() -> None:
    body = """  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %k = add i32 %t, %n
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %t
  br i1 %c, label %head, label %out
out:
"""
    assert last(body + put("%k")) == "1 (elements of 4 bytes) | ⊤ | fine"


@pytest.mark.parametrize(
    ("lines", "index"),
    [
        ("  %i = ptrtoint ptr %p to i64\n  %x = trunc i64 %i to i32\n", "%x"),
        ("  %b = icmp slt i32 %n, 3\n  %x = zext i1 %b to i32\n", "%x"),
        ("  %b = icmp slt i32 %n, 3\n  %x = select i1 %b, i32 3, i32 %n\n", "%x"),
        ("  %v = insertelement <2 x i32> undef, i32 %n, i32 0\n"
         "  %x = extractelement <2 x i32> %v, i32 0\n", "%x"),
        ("  %v = insertvalue {i32, i32} undef, i32 %n, 0\n"
         "  %x = extractvalue {i32, i32} %v, 0\n", "%x"),
    ],
)  # fmt: skip
def test_uniform_whatever_the_kind(lines: str, index: str) -> None:
    assert last(lines + put(index)) == "0 | ⊤ | fine"


@pytest.mark.parametrize(
    "lines",
    [
        "  %b = icmp slt i32 %t, 3\n  %x = zext i1 %b to i32\n",
        "  %b = icmp slt i32 %t, 3\n  %x = select i1 %b, i32 3, i32 %n\n",
        "  %f = sitofp i32 %t to float\n  %x = fptosi float %f to i32\n",
        "  %v = insertelement <2 x i32> undef, i32 %t, i32 0\n"
        "  %x = extractelement <2 x i32> %v, i32 0\n",
        "  %x = add i32 undef, 0\n",
        "  %x = atomicrmw add ptr %p, i32 1 seq_cst\n",
        '  %x = call i32 asm "fns.b32 $0, $1, 0, 1;", "=r,r"(i32 %n)\n',
    ],
)
def test_unknown_whatever_the_kind(lines: str) -> None:
    assert last(lines + put("%x")) == "⊤ | ⊤ | flagged"


def test_long_chains_of_branches_and_nested_loops_take_linear_time() -> None:
    chain = [BEGIN, "  br label %b0\n"]
    count = 3000
    chain += [
        f"b{k}:\n  %c{k} = icmp slt i32 %t, {k}\n  br i1 %c{k}, label %s{k}, label %b{k + 1}\n"
        f"s{k}:\n  br label %b{k + 1}\n"
        for k in range(count)
    ]
    chain.append(f"b{count}:\n  ret void\n")
    text = f"define ptx_kernel void @k(ptr %p, i32 %n) {{\nentry:\n{''.join(chain)}}}\n"
    module = module_of(text)
    started = time.perf_counter()
    assert stores(module, "k") == []
    assert time.perf_counter() - started < 10

    depth = 60
    nest = [BEGIN, "  br label %h0\n"]
    for k in range(depth):
        before = "entry" if k == 0 else f"h{k - 1}"
        nest.append(
            f"h{k}:\n  %i{k} = phi i32 [ 0, %{before} ], [ %j{k}, %l{k} ]\n"
            f"  br label %{f'h{k + 1}' if k + 1 < depth else 'body'}\n"
        )
    nest.append(f"body:\n  br label %l{depth - 1}\n")
    for k in reversed(range(depth)):
        after = f"l{k - 1}" if k else "out"
        nest.append(
            f"l{k}:\n  %j{k} = add i32 %i{k}, %t\n  %c{k} = icmp slt i32 %j{k}, %n\n"
            f"  br i1 %c{k}, label %h{k}, label %{after}\n"
        )
    nest.append("out:\n" + put("%i0") + "\n")
    text = f"define ptx_kernel void @k(ptr %p, i32 %n) {{\nentry:\n{''.join(nest)}}}\n"
    started = time.perf_counter()
    assert stores(module_of(text), "k") == ["⊤ | ⊤ | flagged"]
    assert time.perf_counter() - started < 10
