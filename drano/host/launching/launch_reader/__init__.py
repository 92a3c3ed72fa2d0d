"""Reads the launches of one translation unit from libclang's tree of its host side.

Each launch is followed through the function that holds it (``interpreter``), through templates as
they were instantiated, and from up to ``MAX_CALLERS`` levels of callers. One launch of the source
gives one ``LaunchSite`` for each different shape with which the code reaches it.

Assumptions: calls seen in this translation unit, and those that other units tell of
(``cross_unit``), stand for all calls of a function, unless it is virtual or named otherwise than to
call it; a variable is known only as ``interpreter`` says.
Limits: launches through other function pointers have no known kernel and are left out; but that a
kernel which is launched is also *named* otherwise than where that is followed, and so may be
launched in ways unknown, is a site of its own (``mentions``, ``handed_kernels``). Launches from
device code are read as the host's are. An error in the source costs what depends on it, not the
rest.
"""

from __future__ import annotations

from drano.host.launching.launch_reader.reader import Reader

__all__ = ["Reader"]
