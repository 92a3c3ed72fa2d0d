"""Separate compilation for a GPU: what objects keep of their device code, what a link makes of it.

Means: ``-dc`` leaves the unit's device IR in its object (``embedded``); a link takes it from its
inputs (``gathered_objects``), joins it (``one_module``), counts and compiles it as one unit
(``device_code``), and adds an object that registers all of it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import llvmlite.binding as llvm

from drano.dynamic.cpu.native import compile_object
from drano.dynamic.gpu.counting.counting_calls import Choices
from drano.dynamic.gpu.device_code import Build, gpu_unit
from drano.dynamic.gpu.linking.embedded import EmbeddedUnit, embedded_ir, linked_ir
from drano.dynamic.gpu.linking.gathered_objects import gather
from drano.dynamic.gpu.linking.one_module import linked_units, newest
from drano.dynamic.gpu.managed import NAMES_SECTION
from drano.frontend.toolchain import Clang

# What clang calls static kernels and variables in the host's tables: another suffix for each unit.
_STATIC = re.compile(r"(.+?)__(?:intern|static)__[0-9a-f]{1,16}")
_NAMES = frozenset({b".llvm.rodata.offloading", NAMES_SECTION.encode()})


def static_names(host_object: bytes) -> dict[str, str]:
    """Names of static kernels and variables, and what a host object's table calls them."""
    sections = llvm.ObjectFileRef.from_data(host_object).sections()
    names = [n for s in sections if s.name() in _NAMES for n in s.data().split(b"\0")]
    found = (_STATIC.fullmatch(name.decode("utf-8", "surrogateescape")) for name in names)
    return {match[1]: match[0] for match in found if match is not None}


def embedding_object(unit: EmbeddedUnit) -> bytes:
    """An object, to be joined with the host's, that holds the unit's device code."""
    return compile_object(embedded_ir(unit), unit.path, 0)


def linked_objects(
    words: Sequence[str], output: str, clang: Clang, ptxas: Path | None
) -> list[bytes]:
    """Objects to be added to a link of ``words``: none where there is no device code to be linked.

    ``output``: what the link makes, for errors. Raises IRError.
    """
    gathered = gather(words)
    if not gathered.units and not gathered.members:
        return []
    linked = linked_units(gathered)
    if not linked.units:
        return []
    wanted = linked.units[0].wanted
    number = hashlib.sha256("\0".join(u.identity for u in linked.units).encode()).hexdigest()
    launches = linked.launches
    made = gpu_unit(Build(
        linked.ir, number[:32], output, newest(u.arch for u in linked.units), clang, ptxas,
        Choices(words=not wanted.sample, histogram=wanted.histogram),
        counted=wanted.counted, lines=wanted.lines, sample=wanted.sample, written=wanted.written,
        operations=wanted.operations,
        launches=None if launches is None else lambda: launches, linked=True,
    ))  # fmt: skip
    own = [made.table, compile_object(linked_ir(linked.units), output, 0)]
    return [*own, made.replays] if made.replays else own
