"""A kernel of a unit with all of its launches.

Means: ``launched_kernel`` gives one that has one definition and one instance, whose launches are
all in the unit, and to which nothing else happens: its name stands nowhere else.
Limits: kernels that are templates, or have preprocessor directives in their text, are not known.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from drano.fix.host.calls import Call
from drano.fix.host.device_arrays import HostText, places_of
from drano.fix.source_tree import Body, body
from drano.frontend.libclang import Kind, Node, is_kernel
from drano.model.report import KernelInfo


class LaunchedKernel(Struct, frozen=True):
    """Its text, and its launches, of which there is one at least."""

    body: Body
    launches: tuple[Call, ...]

    @property
    def parameters(self) -> list[Node]:
        """In their order."""
        return [node for node in self.body.root.children if node.kind == Kind.PARM]


def launched_kernel(
    host: HostText, kernels: Sequence[KernelInfo], shown: Collection[str], name: str
) -> LaunchedKernel | None:
    """The kernel of a name; None where not all is known of it. ``shown``: what other units
    launch.
    """
    launches = tuple(one for one in host.launches or () if one.name == name.encode())
    functions = [one for one in host.unit.declared.functions if one.name == name]
    place = host.place(functions[0].cursor) if len(functions) == 1 else None
    infos = [kernel for kernel in kernels if kernel.name.rpartition("::")[2] == name]
    if not launches or place is None or len(infos) != 1 or name.encode() in host.hidden:
        return None
    if any(infos[0].symbol in text for text in shown):
        return None
    standing = places_of(host, functions[0].cursor, name.encode())
    if standing != {place, *((call.path, call.place) for call in launches)}:
        return None
    own = None if functions[0].pattern else body(host.unit, place[0], functions[0])
    if own is None or own.has_directives() or not is_kernel(functions[0].cursor):
        return None
    found = LaunchedKernel(own, launches)
    if any(len(host.arguments(one)) != len(found.parameters) for one in launches):
        return None
    return found
