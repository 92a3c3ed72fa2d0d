"""The keys of a configuration file: one table, from which files are read and the schema is made.

A ``Kind`` is a shape of values: how a value is read (ValueError says what is wrong with it, as
"expected …") and what JSON schema describes it. Paths are relative to the file's directory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from drano.frontend.commands.nvcc_options import translate_nvcc_args
from drano.frontend.template_instances import MAX_NAME, is_template_id
from drano.model.finding import Severity
from drano.model.settings import MAX_BLOCK, MAX_GRID, Domain, View, block_problem
from drano.rules import RULES, KernelRule
from drano.support.errors import IRError

MAX_TEXT = 10_000
MAX_ITEMS = 10_000
_NO_NUL = r"^[^\u0000]*$"


class Kind(Struct, frozen=True):
    """``read(value, directory)``; ``schema``: without the description."""

    read: Callable[[Any, str], Any]
    schema: Mapping[str, Any]


class Key(Struct, frozen=True):
    """``field``: of the class that the key's table becomes."""

    field: str
    kind: Kind
    text: str


Table = Mapping[str, Key]


def _text(value: Any, _directory: str = "") -> str:
    if not isinstance(value, str):
        raise ValueError("expected a string")
    if len(value) > MAX_TEXT or "\0" in value:
        raise ValueError(f"expected a string of at most {MAX_TEXT} characters, without NUL")
    return value


def _path(value: Any, directory: str) -> str:
    text = _text(value)
    if not text:
        raise ValueError("expected a path")
    return os.path.normpath(os.path.join(directory, text))


def _flag(value: Any, _directory: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def _whole(value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"expected an integer from {least} to {most}")
    return value


def _list_of(kind: Kind) -> Kind:
    def read(value: Any, directory: str) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > MAX_ITEMS:
            raise ValueError(f"expected a list of at most {MAX_ITEMS}")
        return tuple(kind.read(item, directory) for item in value)

    return Kind(read, {"type": "array", "items": dict(kind.schema), "maxItems": MAX_ITEMS})


def _number(least: int, most: int) -> Kind:
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Kind(lambda value, _: _whole(value, least, most), schema)


def _choice(*choices: str, convert: Callable[[str], Any] = str) -> Kind:
    def read(value: Any, _directory: str) -> Any:
        if value not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return convert(value)

    return Kind(read, {"enum": list(choices)})


def _code(value: Any, _directory: str) -> str:
    code = _text(value)
    if not code or not any(known.startswith(code) for known in RULES):
        raise ValueError(f"'{value}' is not a rule; known rules: {', '.join(RULES)}")
    return code


def _shape(most: tuple[int, int, int], check: Callable[[tuple[int, int, int]], str]) -> Kind:
    def read(value: Any, _directory: str) -> tuple[int, int, int]:
        sizes = value if isinstance(value, list) else [value]
        if not 1 <= len(sizes) <= 3:
            raise ValueError("expected one to three sizes")
        x, y, z = [
            *(_whole(size, 1, limit) for size, limit in zip(sizes, most, strict=False)),
            *[1] * (3 - len(sizes)),
        ]
        problem = check((x, y, z))
        if problem:
            raise ValueError(problem)
        return (x, y, z)

    sizes = [{"type": "integer", "minimum": 1, "maximum": limit} for limit in most]
    several = {"type": "array", "prefixItems": sizes, "minItems": 1, "maxItems": 3}
    return Kind(read, {"oneOf": [sizes[0], several]})


def _power(value: Any, _directory: str) -> int:
    number = _whole(value, 1, 1 << 20)
    if number & (number - 1):
        raise ValueError("expected a power of two")
    return number


def _amount(value: Any, least: float, most: float) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    if not good or not least <= value <= most:
        raise ValueError(f"expected a number from {least:g} to {most:g}")
    return float(value)


def _amounts(least: float, most: float) -> Kind:
    schema = {"type": "number", "minimum": least, "maximum": most}
    return Kind(lambda value, _: _amount(value, least, most), schema)


def _flags(value: Any, directory: str) -> tuple[str, ...]:
    """Files come with sources, from anywhere: only flags that are harmless to parse with."""
    given = _TEXTS.read(value, directory)
    try:
        found = translate_nvcc_args(given, directory)
    except IRError as error:
        raise ValueError(error.reason) from None
    unused = [*found.dropped, *found.inputs, *found.options.code_generation]
    if unused:
        raise ValueError(f"'{unused[0]}' is allowed only on the command line, after --")
    options = found.options
    if options.cuda_path is not None:
        raise ValueError(f"'{options.cuda_path}' is a CUDA SDK: set cuda-path instead")
    flags = [f"-I{path}" for path in options.include_dirs]
    flags += [f"-D{define}" for define in options.defines]
    flags += [f"-U{name}" for name in options.undefines]
    for path in options.force_includes:
        flags += ["-include", path]
    return (*flags, *options.flags)


def _instance(value: Any, _directory: str) -> str:
    text = _text(value)
    if not is_template_id(text):
        raise ValueError("expected a kernel template with arguments, as in k<float, 4>")
    return text


def _pairs(kind: Kind, names: Mapping[str, Any]) -> Kind:
    """A table of the user's own names."""

    def read(value: Any, directory: str) -> tuple[tuple[str, Any], ...]:
        if not isinstance(value, dict) or len(value) > MAX_ITEMS:
            raise ValueError("expected a table")
        return tuple((_text(name), kind.read(item, directory)) for name, item in value.items())

    schema = {"type": "object", "additionalProperties": dict(kind.schema), **names}
    return Kind(read, schema)


_TEXT = Kind(_text, {"type": "string", "maxLength": MAX_TEXT, "pattern": _NO_NUL})
_TEXTS = _list_of(_TEXT)
_PATH = Kind(_path, {"type": "string", "maxLength": MAX_TEXT, "minLength": 1, "pattern": _NO_NUL})
_PATHS = _list_of(_PATH)
_FLAG = Kind(_flag, {"type": "boolean"})
_CODE = Kind(_code, {"enum": sorted({code[:n] for code in RULES for n in range(1, 7)})})
_CODES = _list_of(_CODE)
_POWER = Kind(_power, {"enum": [1 << n for n in range(21)]})
_BLOCK = _shape(MAX_BLOCK, block_problem)
_GRID = _shape(MAX_GRID, lambda _: "")
_FLAGS = Kind(_flags, _TEXTS.schema)
_INSTANCES = _list_of(
    Kind(_instance, {"type": "string", "maxLength": MAX_NAME, "pattern": "^[^<]+<.*>$"})
)
_WORD = 1 << 63

COMPILE: Table = {
    "include-dirs": Key("include_dirs", _PATHS, "Header search directories (-I)."),
    "defines": Key("defines", _TEXTS, "Macros to define, as NAME or NAME=VALUE (-D)."),
    "undefines": Key("undefines", _TEXTS, "Macros to undefine (-U)."),
    "force-includes": Key("force_includes", _PATHS, "Headers to include first (-include)."),
    "std": Key("std", _TEXT, "C++ standard, such as c++17."),
    "arch": Key("arch", _TEXT, "GPU architecture to compile for, such as sm_90."),
    "cuda-path": Key("cuda_path", _PATH, "CUDA SDK to use instead of the bundled headers."),
    "compile-commands": Key(
        "compile_commands", _PATH, "compile_commands.json, or the directory containing it."
    ),
    "find-compile-commands": Key(
        "find_commands", _FLAG, "Search for compile_commands.json if none is given."
    ),
    "stub-missing-headers": Key(
        "stub_missing_headers",
        _FLAG,
        "No effect: drano always continues without missing headers.",
    ),
    "flags": Key(
        "flags", _FLAGS, "More compiler flags; only those that affect parsing are allowed."
    ),
    "instantiate": Key(
        "instantiate", _INSTANCES, "Kernel template instances to analyse, such as k<float, 4>."
    ),
    "timeout": Key("timeout", _amounts(0.001, 1e6), "Time limit for one file, in seconds."),
}
ANALYSIS: Table = {
    "domain": Key("domain", _choice(*Domain, convert=Domain), "Analysis to run: warp or gpudrano."),
    "view": Key(
        "view",
        _choice(*View, convert=View),
        "Judge accesses as written in the source, or as compiled (merged, moved, removed).",
    ),
    "tid-y": Key("tid_y", _FLAG, "gpudrano: use the variant that models threadIdx.y."),
    "block": Key("block", _BLOCK, "Block shape for kernels without a visible launch."),
    "pointer-alignment": Key(
        "pointer_alignment", _POWER, "Alignment of kernel pointer parameters, in bytes."
    ),
    "assume": Key(
        "assume",
        _pairs(_amounts(0.0, 1e15), {}),
        "Values assumed for names in costs and conditions.",
    ),
}
KERNEL: Table = {
    "name": Key("kernel", _TEXT, "Kernel name, as a shell pattern (* ? [])."),
    "block": Key("block", _BLOCK, "Block shape if no launch is visible."),
    "grid": Key("grid", _GRID, "Grid size of the launches."),
    "values": Key(
        "values", _pairs(_number(-_WORD, _WORD - 1), {}), "Values of integer parameters, by name."
    ),
    "alignment": Key("alignment", _POWER, "Alignment of the pointer parameters, in bytes."),
}
RULE: Table = {
    "min-excess": Key(
        "min_excess",
        _amounts(1.0, 1e6),
        "Report only accesses that may move at least this many times the data they need.",
    ),
    "level": Key("level", _choice(*Severity), "Severity of the rule's findings."),
}
KERNEL_RULE: Table = {
    "level": RULE["level"],
    "min-occupancy": Key(
        "min_occupancy", _amounts(0.0, 1.0), "Report kernels with occupancy below this share."
    ),
    "gpu": Key("gpu", _TEXT, "GPU to compute occupancy for, such as sm_80 or H100."),
}
RULE_TABLES: Mapping[str, Table] = {
    code: KERNEL_RULE if isinstance(rule, KernelRule) else RULE for code, rule in RULES.items()
}
GENERAL: Table = {
    "select": Key("select", _CODES, "Enable only these rules, by code prefix."),
    "extend-select": Key("extend_select", _CODES, "Also enable these rules."),
    "ignore": Key("ignore", _CODES, "Disable these rules; the longer prefix wins."),
    "exclude": Key(
        "exclude",
        _TEXTS,
        "Files to skip and headers not to report on, as .gitignore patterns.",
    ),
    "system-headers": Key(
        "system_headers",
        _FLAG,
        "Also analyse kernels of system and SDK headers (CUB, Thrust), and report findings there.",
    ),
    "allow-not-analysed": Key(
        "allow_not_analysed", _FLAG, "Do not fail on kernels and files that do not compile."
    ),
    "per-file-ignores": Key(
        "per_file_ignores", _pairs(_CODES, {}), "Rules to ignore per file pattern."
    ),
}
