"""The settings of a file's analysis in an editor.

``arguments`` are those of ``drano check``, from the client's settings, so that both have one
grammar; they go over the nearest configuration file as they do there. A ``compile_commands.json``
is found as it is there, in the workspace's folders where there is no repository.
"""

from __future__ import annotations

import argparse
import glob
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from drano.config.argument_values import block_shape
from drano.config.arguments import parse, settings_from
from drano.config.command_parser import UsageError
from drano.config.config_file import FILE_NAME, PROJECT_FILE
from drano.frontend.commands.compile_database import NAME
from drano.model.settings import Config, KernelHint

CONFIG_NAMES = frozenset({FILE_NAME, PROJECT_FILE, NAME})
MAX_DEBOUNCE_MS = 5000
MAX_WORKERS = 16

Shape = tuple[int, int, int]


class Settings(Struct, frozen=True):
    """What a client can set.

    ``debounce``: seconds of quiet before a changed text is analysed; ``status``: whether to notify
    the client of work begun and ended; ``options``: the parsed ``arguments``.
    """

    debounce: float = 0.15
    workers: int = 2
    inlay_hints: bool = True
    code_lenses: bool = True
    status: bool = False
    options: argparse.Namespace = field(default_factory=lambda: _parsed(()))

    @classmethod
    def of_client(cls, given: object) -> Settings:
        """Raises UsageError, one line, for what cannot be used."""
        values: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
        nested = values.get("drano")
        if isinstance(nested, Mapping):
            values = nested
        arguments = values.get("arguments", [])
        if not isinstance(arguments, list | tuple) or not all(
            isinstance(a, str) for a in arguments
        ):
            raise UsageError("setting 'arguments': expected a list of strings")
        options = _parsed(arguments)
        # A workspace may have settings, too: consent has one of its own.
        options.compile_triton = None
        python = values.get("compileTriton", False)
        if not isinstance(python, bool | str):
            raise UsageError("setting 'compileTriton': expected true, false or a Python's path")
        if python:
            options.compile_triton = "self" if python is True else python
        settings_from(options)
        return cls(
            debounce=_number(values, "debounce", 150, MAX_DEBOUNCE_MS) / 1000,
            workers=max(1, _number(values, "workers", 2, MAX_WORKERS)),
            inlay_hints=values.get("inlayHints", True) is not False,
            code_lenses=values.get("codeLenses", True) is not False,
            status=values.get("status") is True,
            options=options,
        )


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    try:
        return parse(["check", *_before(arguments), "unit.cu", *_behind(arguments)])
    except SystemExit:  # --help has printed and left
        raise UsageError("setting 'arguments': expected options that change the analysis") from None


def _before(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _behind(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[arguments.index("--") :] if "--" in arguments else ()


def _number(values: Mapping[str, Any], name: str, default: int, most: int) -> int:
    value = values.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise UsageError(f"setting '{name}': expected a number from 0 to {most}")
    return int(value)


def config_for(
    path: str, settings: Settings, folders: Sequence[str], shapes: Mapping[str, Shape]
) -> Config:
    """The settings that the file at ``path`` is analysed with; files are read anew each time.

    ``shapes``: block shapes that the user has set for kernels, by the kernel's name.
    Raises ConfigError for a configuration file that cannot be used.
    """
    files = settings_from(settings.options)
    files.databases.roots = tuple(folders)
    config = files(path)
    # a hover tells of every access
    analysis = replace(config.analysis, derive_all=True)
    config = replace(config, analysis=analysis)
    if not shapes:
        return config
    hints = [KernelHint(glob.escape(name), block=shape) for name, shape in shapes.items()]
    analysis = replace(config.analysis, kernels=(*hints, *config.analysis.kernels))
    return replace(config, analysis=analysis)


def parse_shape(text: str) -> Shape:
    """A block shape as on the command line. Raises UsageError."""
    try:
        return block_shape(text.strip())
    except argparse.ArgumentTypeError as error:
        raise UsageError(str(error)) from error
