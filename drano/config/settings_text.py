"""Settings as text: the JSON schema of configuration files, and ``--show-settings``.

``python -m drano.config.settings_text > drano/config/config_schema.json`` writes the schema that is
shipped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from drano.config.file_keys import ANALYSIS, COMPILE, GENERAL, KERNEL, RULE_TABLES, Table
from drano.model.settings import Config
from drano.rules import RULES

Json = dict[str, Any]


def config_schema() -> Json:
    """The JSON schema (draft 2020-12) of ``drano.toml`` and of ``[tool.drano]``."""
    compiling = _object(COMPILE, "How sources are compiled.")
    kernel = _object(KERNEL, "Launch hints for some kernels.")
    rules = {code: _object(RULE_TABLES[code], rule.summary + ".") for code, rule in RULES.items()}
    whole = _object({**GENERAL, **ANALYSIS}, "drano settings.")
    whole["properties"] |= {
        "compile": compiling,
        "rules": {
            "description": "Thresholds and severity levels, by rule.",
            "type": "object",
            "properties": rules,
            "additionalProperties": False,
        },
        "kernels": {
            "description": "Launch hints; the first entry that matches a kernel applies.",
            "type": "array",
            "items": {**kernel, "required": ["name"]},
        },
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "drano", **whole}


def _object(keys: Table, text: str) -> Json:
    properties = {name: {"description": key.text, **key.kind.schema} for name, key in keys.items()}
    return {
        "description": text,
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def settings_toml(config: Config) -> str:
    """The settings as a configuration file that would give the same."""
    lines = _lines({**GENERAL, **ANALYSIS}, _fields(config, config.analysis))
    lines += ["", "[compile]", *_lines(COMPILE, _fields(config.compile))]
    for code, options in config.rules:
        lines += ["", f"[rules.{code}]", *_lines(RULE_TABLES[code], _fields(options))]
    for hint in config.analysis.kernels:
        lines += ["", "[[kernels]]", *_lines(KERNEL, _fields(hint))]
    return "\n".join(lines) + "\n"


def _fields(*objects: Struct) -> Json:
    return {name: value for each in objects for name, value in asdict(each).items()}


def _lines(keys: Table, values: Mapping[str, Any]) -> list[str]:
    lines = []
    for name, key in keys.items():
        value = values[key.field]
        if value == () and key.kind.schema.get("type") == "object":
            lines.append(f"{name} = {{}}")
        elif value is not None:
            lines.append(f"{name} = {_value(value)}")
    return lines


def _value(value: Any) -> str:
    """TOML of a text, number, list, or of pairs, which are a table."""
    if isinstance(value, tuple):
        if value and all(isinstance(v, tuple) and isinstance(v[0], str) for v in value):
            return f"{{ {', '.join(f'{_value(k)} = {_value(v)}' for k, v in value)} }}"
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for DEL, and lone surrogates have no spelling in either.
        text = str(value).encode("utf-8", "replace").decode()
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


if __name__ == "__main__":
    print(json.dumps(config_schema(), indent=2))
