"""The settings of a file's analysis in an editor, and when they have changed.

``arguments`` are those of ``drano check``, from the client's settings, so that both have one
grammar. A ``compile_commands.json`` in the workspace folder (or its ``build``) is found by itself.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from drano.arguments import UsageError, block_shape, config_from, parse
from drano.config import Config

CONFIG_NAMES = frozenset({"drano.toml", "pyproject.toml", "compile_commands.json"})
_DATABASE = "compile_commands.json"
_DATABASE_FOLDERS = (".", "build")
MAX_DEBOUNCE_MS = 5000
MAX_WORKERS = 16


@dataclass(frozen=True, slots=True)
class Settings:
    """What a client can set. ``debounce``: seconds of quiet before a changed text is analysed;
    ``status``: whether to notify the client of work begun and ended.
    """

    arguments: tuple[str, ...] = ()
    debounce: float = 0.15
    workers: int = 2
    inlay_hints: bool = True
    code_lenses: bool = True
    status: bool = False
    config: Config = field(default_factory=Config)

    @classmethod
    def of_client(cls, given: object) -> Settings:
        """Raises UsageError, one line, for what cannot be used."""
        values: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
        nested = values.get("drano")
        if isinstance(nested, Mapping):
            values = nested
        arguments = values.get("arguments", [])
        if not isinstance(arguments, Sequence) or not all(isinstance(a, str) for a in arguments):
            raise UsageError("setting 'arguments': expected a list of strings")
        options = _parsed(arguments)
        return cls(
            arguments=tuple(arguments),
            debounce=_number(values, "debounce", 150, MAX_DEBOUNCE_MS) / 1000,
            workers=max(1, _number(values, "workers", 2, MAX_WORKERS)),
            inlay_hints=values.get("inlayHints", True) is not False,
            code_lenses=values.get("codeLenses", True) is not False,
            status=values.get("status") is True,
            config=config_from(options),
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


def config_for(path: str, settings: Settings, folders: Sequence[str]) -> Config:
    """The settings that the file at ``path`` is analysed with."""
    config = settings.config
    if config.compile.compile_commands is not None:
        return config
    folder = max((f for f in folders if Path(path).is_relative_to(f)), key=len, default=None)
    if folder is None:
        return config
    for name in _DATABASE_FOLDERS:
        database = Path(folder, name, _DATABASE)
        if database.is_file():
            found = dataclasses.replace(config.compile, compile_commands=str(database))
            return dataclasses.replace(config, compile=found)
    return config


def parse_shape(text: str) -> tuple[int, int, int]:
    """A block shape as on the command line. Raises UsageError."""
    try:
        return block_shape(text.strip())
    except argparse.ArgumentTypeError as error:
        raise UsageError(str(error)) from error
