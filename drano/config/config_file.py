"""Configuration files: ``drano.toml``, or ``[tool.drano]`` in ``pyproject.toml``.

For each source the nearest file upward from its directory is used, alone; ``drano.toml`` wins over
a ``pyproject.toml`` beside it. Files come with sources, from anywhere: they can only change
settings, run nothing, and a malformed one is one clear error.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from drano.config.file_keys import ANALYSIS, COMPILE, GENERAL, KERNEL, RULE_TABLES, Key, Table
from drano.frontend.commands.compile_database import cuda_units
from drano.frontend.commands.find_database import Databases
from drano.model.settings import AnalysisOptions, CompileOptions, Config, KernelHint, RuleOptions
from drano.rules import RULES
from drano.support.errors import IRError
from drano.support.input_files import holds_kernel
from drano.support.regular_files import UnfitFileError, is_file, read_regular

FILE_NAME = "drano.toml"
PROJECT_FILE = "pyproject.toml"
_MAX_BYTES = 1 << 20
_MAX_KERNELS = 10_000
_TABLES = ("compile", "rules", "kernels")


class ConfigError(Exception):
    """``str()`` is one line: the file, and what is wrong with it."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(" ".join(f"{path}: {reason}".split()))


class ConfigFiles(Struct):
    """The settings of each source: ``files(path) -> Config``; files are read once.

    ``overlay`` puts the command line over what a file says. ``only``: this file for all sources;
    ``isolated``: none at all. ``databases``: the compilation databases that were found for sources
    whose settings name none.
    """

    overlay: Callable[[Config], Config] = lambda config: config
    only: str | None = None
    isolated: bool = False
    databases: Databases = field(default_factory=Databases)
    _by_directory: dict[str, Config] = field(default_factory=dict)
    _by_file: dict[str, Config] = field(default_factory=dict)

    def __call__(self, path: str) -> Config:
        """Raises ConfigError."""
        directory = str(Path(path).parent)
        known = self._by_directory.get(directory)
        if known is None:
            known = self._by_directory[directory] = self._read(self.file_for(path))
        options = known.compile
        if options.compile_commands is not None or not options.find_commands:
            return known
        database = self.databases.of(path)
        if database is None:
            return known
        return replace(known, compile=replace(options, compile_commands=database))

    def units_below(self, directory: str) -> list[str]:
        """Sources below ``directory`` (absolute) that its compilation database compiles as CUDA, of
        those with kernels in them; [] where it cannot be used. Raises ConfigError.
        """
        database = self(str(Path(directory, "-"))).compile.compile_commands
        self.databases.taken.pop(str(Path(directory, "-")), None)
        try:
            units = () if database is None else cuda_units(database)
        except IRError:
            return []  # which the files that it is for will say
        return [p for p in units if Path(p).is_relative_to(directory) and holds_kernel(p)]

    def file_for(self, path: str) -> str | None:
        """The file that the settings of ``path`` (absolute) come from."""
        if self.isolated:
            return None
        return self.only if self.only is not None else find_config(path)

    def _read(self, file: str | None) -> Config:
        key = file or ""
        if key not in self._by_file:
            base = Config() if file is None else load_config(file)
            self._by_file[key] = self.overlay(base)
        return self._by_file[key]


def find_config(path: str) -> str | None:
    """The nearest configuration file upward from the directory of ``path`` (absolute)."""
    for directory in Path(path).parents:
        own, project = directory / FILE_NAME, directory / PROJECT_FILE
        if is_file(own):
            return str(own)
        if is_file(project) and _section(str(project)) is not None:
            return str(project)
    return None


def load_config(path: str) -> Config:
    """The settings in a file, over the defaults. Raises ConfigError."""
    table = _section(path) if Path(path).name == PROJECT_FILE else _parse(path)
    return config_of(table or {}, path)


def config_of(table: Mapping[str, Any], path: str) -> Config:
    """The settings in a table that was read from the file ``path``. Raises ConfigError."""
    directory = str(Path(path).parent.absolute())
    known = {**GENERAL, **ANALYSIS, **dict.fromkeys(_TABLES)}
    for name in table:
        _known(name, known, "", path)
    where = _Place(path, directory)
    rules = _table(table.get("rules", {}), "rules", path)
    for code in rules:
        _known(code, RULES, "rules.", path)
    return Config(
        compile=replace(
            CompileOptions(), **where.read(table.get("compile", {}), COMPILE, "compile")
        ),
        analysis=replace(
            AnalysisOptions(),
            **where.read({k: v for k, v in table.items() if k in ANALYSIS}, ANALYSIS, ""),
            kernels=tuple(
                _kernel(where, entry, f"kernels[{n}]")
                for n, entry in enumerate(_array(table.get("kernels", []), path))
            ),
        ),
        rules=tuple(
            (code, RuleOptions(**where.read(rules[code], RULE_TABLES[code], f"rules.{code}")))
            for code in sorted(rules)
        ),
        root=directory,
        **where.read({k: v for k, v in table.items() if k in GENERAL}, GENERAL, ""),
    )


class _Place(Struct, frozen=True):
    path: str
    directory: str

    def read(self, value: Any, keys: Table, name: str) -> dict[str, Any]:
        """A table's values by field of the class that it becomes."""
        table = _table(value, name, self.path)
        prefix = f"{name}." if name else ""
        found: dict[str, Any] = {}
        for key, item in table.items():
            entry: Key = _known(key, keys, prefix, self.path)
            try:
                found[entry.field] = entry.kind.read(item, self.directory)
            except ValueError as error:
                raise ConfigError(self.path, f"{prefix}{key}: {error}") from None
        return found


def _kernel(where: _Place, entry: Any, name: str) -> KernelHint:
    found = where.read(entry, KERNEL, name)
    if "kernel" not in found:
        raise ConfigError(where.path, f"{name}: 'name' is missing")
    return KernelHint(**found)


def _known(name: str, keys: Mapping[str, Any], prefix: str, path: str) -> Any:
    """The entry of a key. Raises ConfigError, with the nearest known key, for any other."""
    if name in keys:
        return keys[name]
    near = difflib.get_close_matches(name[:100], keys, n=1, cutoff=0.0)
    hint = f"; did you mean '{prefix}{near[0]}'?" if near else ""
    raise ConfigError(path, f"unknown key '{prefix}{name[:100]}'{hint}")


def _table(value: Any, name: str, path: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(path, f"{name}: expected a table")
    return value


def _array(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MAX_KERNELS:
        raise ConfigError(path, "kernels: expected an array of tables, [[kernels]]")
    return value


# --- files -----------------------------------------------------------------------------------


def _section(path: str) -> Mapping[str, Any] | None:
    """``[tool.drano]`` of a ``pyproject.toml``; None where there is none."""
    if b"drano" not in _content(path):
        return None  # somebody else's file, which may be as broken as it likes
    tool = _parse(path).get("tool", {})
    section = tool.get("drano") if isinstance(tool, dict) else None
    return None if section is None else _table(section, "tool.drano", path)


def _parse(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_content(path).decode("utf-8"))
    except UnicodeDecodeError:
        raise ConfigError(path, "is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(path, f"is not TOML: {error}") from None
    except RecursionError:
        raise ConfigError(path, "cannot be read as TOML: nested too deeply") from None


def _content(path: str) -> bytes:
    try:
        return read_regular(path, _MAX_BYTES)
    except UnfitFileError:
        raise ConfigError(path, "is not a regular file of less than 1 MB") from None
    except OSError as error:
        raise ConfigError(path, f"cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise ConfigError(path.replace("\0", "?"), "is not a file name") from None
