"""Which CUDA SDK the units of a run were compiled with, and who chose it, for ``-v``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from drano.frontend.commands.compile_database import with_compile_commands
from drano.frontend.sdk.headers import cuda_headers
from drano.model.settings import CompileOptions
from drano.support.errors import IRError


def sdks_in_use(units: Iterable[tuple[str, CompileOptions]]) -> list[tuple[str, int]]:
    """Each SDK in words, and for how many of ``units`` (path, options) it is taken."""
    found: Counter[str] = Counter()
    for path, options in units:
        try:
            found[_sdk_of(path, options)] += 1
        except IRError:
            continue  # the unit's own report says it
    return list(found.items())


def _sdk_of(path: str, options: CompileOptions) -> str:
    chosen = with_compile_commands(path, options).cuda_path
    headers = cuda_headers(chosen)
    said = f"CUDA {headers.version_text} from {headers.origin}"
    if chosen is None:
        return said
    return f"{said} ({'compile commands' if options.cuda_path is None else '--cuda-path'})"
