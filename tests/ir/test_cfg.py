"""Graph algorithms against networkx and against their own definitions."""

from __future__ import annotations

import time

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from drano.ir import cfg
from drano.ir.loops import Component, Order, loop_nest, weak_topological_order


@st.composite
def graphs(draw: st.DrawFn, max_nodes: int = 12) -> list[list[int]]:
    count = draw(st.integers(1, max_nodes))
    node = st.integers(0, count - 1)
    return [draw(st.lists(node, max_size=3)) for _ in range(count)]


def to_networkx(successors: list[list[int]]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(successors)))
    graph.add_edges_from((n, t) for n, targets in enumerate(successors) for t in targets)
    return graph


def expected_idom(graph: nx.DiGraph, root: int) -> dict[int, int]:
    found = {n: d for n, d in nx.immediate_dominators(graph, root).items() if d is not None}
    return found | {root: root}


@given(graphs())
def test_dominators_are_those_of_networkx(successors):
    expected = expected_idom(to_networkx(successors), 0)
    assert cfg.dominators(successors) == [expected.get(n, cfg.NONE) for n in range(len(successors))]


@given(graphs())
def test_dominator_tree_answers_like_path_cutting(successors):
    graph = to_networkx(successors)
    tree = cfg.DominatorTree.from_idom(cfg.dominators(successors))
    reachable = nx.descendants(graph, 0) | {0}
    for above in graph:
        cut = graph.copy()
        cut.remove_node(above)
        left = (nx.descendants(cut, 0) | {0}) if above != 0 else set()
        for below in graph:
            expected = above in reachable and below in reachable and below not in left
            assert tree.dominates(above, below) == expected


@given(graphs())
def test_post_dominators_of_graphs_with_and_without_ends(successors):
    count = len(successors)
    graph = to_networkx(successors).reverse()
    final = [
        min(c)
        for c in nx.strongly_connected_components(to_networkx(successors))
        if all(t in c for n in c for t in successors[n])
    ]
    graph.add_edges_from((count, n) for n in final)
    expected = expected_idom(graph, count)
    found = cfg.post_dominators(successors)
    assert found == [expected[n] for n in range(count)]


@given(graphs())
def test_components_are_those_of_networkx_callees_first(successors):
    components = cfg.strongly_connected_components(successors)
    expected = {frozenset(c) for c in nx.strongly_connected_components(to_networkx(successors))}
    assert {frozenset(c) for c in components} == expected
    place = {n: k for k, component in enumerate(components) for n in component}
    assert all(place[t] <= place[n] for n, targets in enumerate(successors) for t in targets)


def flatten(order: Order, heads: tuple[int, ...] = ()) -> list[tuple[int, tuple[int, ...]]]:
    """Nodes in order, each with the heads of the components around it."""
    flat: list[tuple[int, tuple[int, ...]]] = []
    for part in order:
        if isinstance(part, Component):
            inside = (*heads, part.head)
            flat.append((part.head, inside))
            flat += flatten(part.body, inside)
        else:
            flat.append((part, heads))
    return flat


@given(graphs())
def test_weak_topological_order_by_definition(successors):
    flat = flatten(weak_topological_order(successors))
    place = {node: k for k, (node, _) in enumerate(flat)}
    heads = dict(flat)
    assert sorted(place) == sorted(cfg.reverse_postorder(successors))
    for node, position in place.items():
        for target in successors[node]:
            assert position < place[target] or target in heads[node]


def test_weak_topological_order_example():
    assert weak_topological_order([[1], [2], [1, 3], []]) == (0, Component(1, (2,)), 3)


@given(graphs())
def test_every_reachable_cycle_is_in_a_loop(successors):
    nest = loop_nest(successors)
    reachable = set(cfg.reverse_postorder(successors))
    graph = to_networkx(successors).subgraph(reachable)
    cyclic = {n for c in nx.strongly_connected_components(graph) if len(c) > 1 for n in c}
    cyclic |= {n for n in reachable if n in successors[n]}
    assert {n for n in reachable if nest.innermost[n] != cfg.NONE} == cyclic
    tree = cfg.DominatorTree.from_idom(cfg.dominators(successors))
    for loop in nest.loops:
        assert loop.latches
        assert all(n in loop.body and t not in loop.body for n, t in loop.exits)
        assert loop.irreducible != all(tree.dominates(loop.header, n) for n in loop.body)
        if loop.parent != cfg.NONE:
            parent = nest.loops[loop.parent]
            assert loop.body < parent.body
            assert loop.depth == parent.depth + 1


def test_nested_and_irreducible_loops():
    nest = loop_nest([[1], [2, 3], [2, 1], []])
    assert [(loop.header, loop.body, loop.depth) for loop in nest.loops] == [
        (1, {1, 2}, 1),
        (2, {2}, 2),
    ]
    assert nest.loops[0].exits == ((1, 3),)
    assert [loop.header for loop in nest.containing(2)] == [2, 1]
    (loop,) = loop_nest([[1, 2], [2], [1, 3], []]).loops
    assert loop.irreducible


def test_infinite_loop_has_a_post_dominator():
    assert cfg.post_dominators([[1, 2], [1], []]) == [3, 3, 3]


def test_empty_graph():
    assert cfg.reverse_postorder([]) == []
    assert cfg.dominators([]) == []
    assert cfg.post_dominators([]) == []
    assert weak_topological_order([]) == ()
    assert loop_nest([]).loops == ()


def test_fifty_thousand_blocks():
    count = 50_000
    chain = [[n + 1, max(0, n - 3)] if n % 7 == 0 else [n + 1] for n in range(count - 1)] + [[]]
    started = time.process_time()
    assert cfg.dominators(chain)[count - 1] == count - 2
    cfg.post_dominators(chain)
    weak_topological_order(chain)
    loop_nest(chain)
    assert time.process_time() - started < 20
