r"""The fingerprint that GitHub's code scanning gives a result: ``primaryLocationLineHash``.

GitHub tells an alert that moved from a new one by a hash of the 100 characters from the start of
its line on, blanks left out, and by which occurrence of that hash in the file it is. Its upload
action computes the hash itself where a report has none, and warns where a report has another one;
so this is the same function, on UTF-16 code units as in JavaScript:

    hash(line) = c[0]·37⁹⁹ + c[1]·37⁹⁸ + … + c[99]  modulo 2⁶⁴

over the text from the line's start on with spaces and tabs removed and line ends made ``\n``,
followed by one unit 65535 and then zeros. (The action rolls the hash through the file; as what
leaves its window is subtracted exactly, only the 100 units count, and each line can be hashed on
its own.)
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

_WINDOW = 100
_BASE = 37
_END = 65535
_MASK = (1 << 64) - 1
_LINES_AT_ONCE = 4096  # 100 words each: 3 MB


def line_hashes(content: bytes) -> tuple[str, ...]:
    """``HASH:OCCURRENCE`` of each line, the first line's at index 0.

    >>> line_hashes(b"")
    ('c129715d7a2bc9a3:1',)
    """
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace(" ", "").replace("\t", "")
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), "<u2").astype(np.uint64)
    padded = np.concatenate([units, np.array([_END] + [0] * (_WINDOW - 1), np.uint64)])
    starts = np.concatenate([[0], np.flatnonzero(units == ord("\n")) + 1])
    powers = np.array([pow(_BASE, n, 1 << 64) for n in range(_WINDOW - 1, -1, -1)], np.uint64)
    windows = sliding_window_view(padded, _WINDOW)
    seen: Counter[int] = Counter()
    hashes: list[str] = []
    for begin in range(0, len(starts), _LINES_AT_ONCE):
        # Arrays of uint64 wrap around without a word, which is what is wanted.
        chosen = windows[starts[begin : begin + _LINES_AT_ONCE]]
        for value in (chosen * powers).sum(axis=1, dtype=np.uint64).tolist():
            seen[value] += 1
            hashes.append(f"{value & _MASK:x}:{seen[value]}")
    return tuple(hashes)
