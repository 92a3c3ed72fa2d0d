"""The command that compiles a source as a plan says, with what is precompiled for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.frontend.clang_flags import prelude_arguments, user_arguments
from drano.frontend.headers import include_pch as preamble
from drano.frontend.headers import integer_names, old_cccl, prelude_pch, stand_ins
from drano.frontend.headers.common_headers import common_headers
from drano.frontend.headers.overlay import overlay_flags
from drano.frontend.include_flags import include_directories
from drano.frontend.repair.next_try import Plan, Side
from drano.frontend.sdk.headers import CudaHeaders
from drano.frontend.text.text_scan import TextScan, scan_text
from drano.frontend.toolchain import Clang, HostHeaders
from drano.model.settings import CompileOptions

_DIRECTORY_FLAGS = ("-I", "-isystem", "-iquote", "-idirafter")


class Toolchain(Struct, frozen=True):
    """What compiles a unit: clang, CUDA's headers, the host's."""

    clang: Clang
    headers: CudaHeaders
    host: HostHeaders


def searched_directories(options: CompileOptions, tools: Toolchain) -> list[str]:
    """Directories that clang looks into for headers, most of them."""
    given = (place for _, place in include_directories(options.flags, _DIRECTORY_FLAGS))
    headers = tools.headers
    own = [headers.root / "include", *headers.extra_includes, Path("/usr/include")]
    return [*options.include_dirs, *given, *map(str, own)]


def command_of(
    path: str,
    content: bytes,
    options: CompileOptions,
    tools: Toolchain,
    plan: Plan,
    directory: Path,
) -> tuple[list[str], Path | None, Path | None]:
    """The command but for input and outputs, the prelude and the preamble that it reads."""
    options = replace(options, std=plan.found.standard or options.std)
    base = base_of(options, tools, plan.side)
    if plan.relocatable:
        base += ["-fgpu-rdc", "-D__CUDACC_RDC__"]
    user = user_arguments(options)
    last = [*plan.found.flags, *stand_ins.OWN_STUB_FLAGS]
    prelude = None
    if plan.precompiled:
        shared = plan.common and not plan.sdk_first
        text = plan.texts.get(path, content)
        scan = scan_text(path, [*user, *last], text) if shared else None
        prelude = prelude_of(base, user, tools, scan)
    first = own_preamble(path, content, options, base, prelude, user)
    used = None
    texts = plan.texts
    if first is not None and plan.preambles and _untouched(plan, path, content):
        used = first.pch if preamble.usable(first, user) else None
    if first is not None and used is not None:
        texts = {**texts, path: preamble.without_block(content, len(first.block))}
    arguments = list(base)
    if prelude is not None:
        arguments += prelude_pch.included(used or prelude)
    else:
        arguments += ["-include", str(prelude_pch.PRELUDE)]
    if plan.sdk_first:
        arguments.append(f"-I{tools.headers.root / 'include'}")
    if plan.standard_library:
        arguments += ["-include", str(prelude_pch.STANDARD_LIBRARY)]
    if plan.old_cccl:
        arguments += old_cccl.FLAGS
    if plan.thrust_headers:
        arguments += old_cccl.THRUST_FLAGS
    arguments += integer_names.flags(plan.found.integers)
    arguments += [*user, *last]
    arguments += overlay_flags(texts, directory)
    return arguments, prelude, used


def base_of(options: CompileOptions, tools: Toolchain, side: Side) -> list[str]:
    """Clang with the flags that every unit gets, and those of the side."""
    return [
        tools.clang.path,
        *prelude_arguments(options, tools.headers, tools.host),
        *side.flags,
    ]


def prelude_of(
    base: Sequence[str], user: Sequence[str], tools: Toolchain, scan: TextScan | None
) -> Path | None:
    """The precompiled prelude, with what ``scan`` found that a unit includes of the SDK."""
    choices = () if scan is None else common_headers(scan, user)
    macros = frozenset[str]() if scan is None else scan.macros
    command = (*base, *prelude_pch.prelude_flags(user))
    key = f"{tools.clang.version_text} {tools.headers.key}"
    return prelude_pch.prelude_pch(command, key, choices, macros)


def own_preamble(
    path: str,
    content: bytes,
    options: CompileOptions,
    base: Sequence[str],
    prelude: Path | None,
    user: Sequence[str],
) -> preamble.Preamble | None:
    """The source's leading block; one that needs an empty stand-in cannot be precompiled."""
    if prelude is None:
        return None
    return preamble.preamble_of(path, content, base, prelude, (*user, *stand_ins.OWN_STUB_FLAGS))


def _untouched(plan: Plan, path: str, content: bytes) -> bool:
    """Whether nothing of the plan changes what the leading block means."""
    repaired = plan.sdk_first or plan.relocatable or plan.standard_library or plan.old_cccl
    repaired = repaired or plan.thrust_headers
    repaired = repaired or bool(plan.found.integers)
    return not repaired and plan.texts in ({}, {path: content})


def input_of(path: str, directory: Path) -> list[str]:
    """The input; text of a file that does not exist yet is included into an empty one.

    The driver looks for its input on the disk only, the preprocessor in the overlay, too.
    """
    if Path(path).exists():
        return [path]
    empty = directory / "unit.cu"
    empty.write_bytes(b"")
    return ["-include", path, str(empty)]
