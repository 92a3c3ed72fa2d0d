"""Numbers of the hardware that all GPUs share, and the ratios by which requests are judged.

A *line* is a 128-byte cache line, a *sector* a 32-byte quarter of it; shared memory has banks of
words. The lattices have a ``WARP_SIZE`` of their own, as they import nothing of drano's model.
"""

from __future__ import annotations

WARP_SIZE = 32
LINE_BYTES = 128
SECTOR_BYTES = 32
BANKS = 32
WORD_BYTES = 4

UNCOALESCED_FROM = 1.3
"""Sectors moved for each that is needed, from which on an access is uncoalesced."""

COALESCED_TO = 1.02
"""The same ratio, up to which it is coalesced; between the two it is merely misaligned."""
