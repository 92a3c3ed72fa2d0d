"""Parts of a page that are loaded when they are looked at: compressed, in the page itself.

A page that is opened as a file may not read other files. So what most readers never open (the
sources, the pictures) is text in the page that the browser does not parse: a list of fragments of
HTML as JSON, by gzip, in base64. The same parts give the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence

_LEVEL = 9


def packed(parts: Sequence[str]) -> str:
    """Fragments of a page as a browser unpacks them: base64, gzip, JSON."""
    data = json.dumps(list(parts)).encode("ascii")
    return base64.b64encode(gzip.compress(data, _LEVEL, mtime=0)).decode("ascii")
