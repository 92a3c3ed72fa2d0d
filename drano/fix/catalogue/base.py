"""What an edit of the catalogue is, and what it may look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec import Struct

from drano.fix.edit import Fix
from drano.fix.host.device_arrays import HostText
from drano.fix.source_tree import Body, Tree, body_of, parsed
from drano.fix.trial import Unit
from drano.model.finding import Finding
from drano.model.report import FileReport, KernelInfo
from drano.model.span import Location
from drano.model.system_headers import is_system_header


class Scene(Struct, frozen=True, dict=True):
    """A unit and what was found in it."""

    unit: Unit
    report: FileReport

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The user's files that the unit is made of, itself first."""
        more = (*self.report.dependencies, *self.report.host_dependencies)
        own = (path for path in more if not is_system_header(path))
        return tuple(dict.fromkeys((self.unit.path, *own)))

    @cached_property
    def tree(self) -> Tree | None:
        """The unit as libclang reads it."""
        return parsed(self.unit, self.files)

    @cached_property
    def host(self) -> HostText | None:
        """The text of the host's side, for edits that change launches or arrays."""
        return None if self.tree is None else HostText(self.tree)

    def body(self, finding: Finding) -> Body | None:
        """The function that a finding is in."""
        found = None if self.tree is None else body_of(self.tree, finding)
        if found is not None:
            self._kept.append(found)
        return found

    @cached_property
    def _kept(self) -> list[Body]:
        """Functions that other findings will ask for."""
        return []

    def instances(self, finding: Finding) -> tuple[KernelInfo, ...]:
        """The finding's kernel, and all that are made of the same text."""
        places: set[Location | None] = {
            kernel.location for kernel in self.report.kernels if kernel.name == finding.kernel
        }
        return tuple(
            k for k in self.report.kernels if k.location is not None and k.location in places
        )


class CatalogueEdit(Struct, frozen=True):
    """``rules``: whose findings it may mend; ``page``: what it does, in Markdown; ``propose``: what
    may mend a finding, the least change first. Nothing of it is offered before it is proved.
    """

    name: str
    rules: frozenset[str]
    page: str
    propose: Callable[[Finding, Scene], Iterator[Fix]]
