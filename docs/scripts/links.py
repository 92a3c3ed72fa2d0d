"""Whether each link of the built site leads somewhere: ``python docs/scripts/links.py SITE``.

Files and anchors of the site itself; links to other hosts are counted, not followed.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The targets and the anchors of one page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors = {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called by the parser."""
        for name, value in attrs:
            if name in {"href", "src"} and value is not None:
                self.targets.append(value)
            elif name in {"id", "name"} and value and tag != "meta":
                self.anchors.add(value)


def broken(site: Path) -> tuple[int, int, list[str]]:
    """How many links lead into the site, how many elsewhere, and which lead nowhere."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    inside, outside, lost = 0, 0, []
    for path, page in pages.items():
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                outside += 1
                continue
            inside += 1
            place = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchored = pages.get(place)
            missing = anchored is not None and unquote(parts.fragment) not in anchored.anchors
            if missing or not place.exists():
                lost.append(f"{path.relative_to(site.resolve())}: {target}")
    return inside, outside, lost


def main() -> int:
    """Status 1 where a link leads nowhere."""
    inside, outside, lost = broken(Path(sys.argv[1]))
    print(*lost, sep="\n", end="\n" if lost else "")
    print(f"{inside} links in the site, {len(lost)} of them broken; {outside} to other hosts")
    return 1 if lost or not inside else 0


if __name__ == "__main__":
    sys.exit(main())
