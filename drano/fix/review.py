"""Changes as a review of a pull request on GitHub, whose comments hold suggestions.

What is printed is the body of ``POST /repos/OWNER/NAME/pulls/NUMBER/reviews``, for
``gh api --input -``.
Limits: GitHub takes comments only on lines that are in the pull request's diff.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from drano.fix.search import Offer


def review(
    before: Mapping[str, bytes], after: Mapping[str, bytes], made: Sequence[Offer], root: str
) -> str:
    """One comment for each stretch of lines that changes, paths below ``root``."""
    comments: list[dict[str, Any]] = []
    for path, text in after.items():
        old, new = (t.decode("utf-8", "replace").split("\n") for t in (before[path], text))
        titles = [
            f"{offer.fix.title} ({offer.promise})" for offer in made if path in offer.fix.paths
        ]
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for kind, first, last, start, end in matcher.get_opcodes():
            if kind != "equal":
                comments.append(
                    _comment(os.path.relpath(path, root), old, new, (first, last, start, end))
                )
                comments[-1]["body"] = "; ".join(titles) + "\n" + comments[-1]["body"]
    return json.dumps({"event": "COMMENT", "comments": comments}, indent=2) + "\n"


def _comment(
    path: str, old: Sequence[str], new: Sequence[str], stretch: tuple[int, int, int, int]
) -> dict[str, Any]:
    first, last, start, end = stretch
    if first == last:  # an insertion replaces the line that it stands before
        last, end = last + 1, end + 1
    suggested = "\n".join(new[start:end])
    body = f"```suggestion\n{suggested}\n```" if end > start else "```suggestion\n```"
    place: dict[str, Any] = {"path": path, "side": "RIGHT", "line": last, "body": body}
    if last - first > 1:
        place |= {"start_line": first + 1, "start_side": "RIGHT"}
    return place
