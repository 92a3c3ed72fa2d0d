"""Writes the reference that is made from the code: ``python docs/scripts/reference.py``.

The command line, the keys of ``drano.toml``, and the fields of the two JSON formats. (The rules are
``python -m drano rule --all > docs/reference/rules.md``.) A test compares.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from drano.config.arguments import build_parser
from drano.config.settings_text import config_schema

REFERENCE = Path(__file__).resolve().parents[1] / "reference"
MADE = "Written by `python docs/scripts/reference.py`"


def pages() -> dict[str, str]:
    """The text of each page, by its name."""
    return {
        "commands.md": commands(),
        "settings.md": settings(),
        "json-report.md": json_page(
            "The JSON report",
            "drano/output/formats/schema.json",
            "`drano check --output-format json` prints one document with every access, coalesced"
            " ones,\ntoo. `jsonl` prints a line for each finding: a `finding` as below.",
        ),
        "json-profile.md": json_page(
            "The JSON profile",
            "drano/dynamic/profiles/profile_schema.json",
            "What a program built by `drano cc` or `drano run` writes when it ends, and what\n"
            "`drano profile merge` and `drano profile import-ncu` write."
            " [Profiles](profile.md) says what the\ncounts mean.",
        ),
    }


# --- the command line ------------------------------------------------------------------------


def commands() -> str:
    """One section for each command."""
    parser = build_parser()
    parts = [f"# Commands\n\n{MADE}; `drano COMMAND --help` says the same.\n"]
    parts += [command(name, words, sub) for name, words, sub in children(parser)]
    return "\n".join(parts)


def children(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Name, summary and parser of each command, commands of commands after theirs."""
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        words = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for name, sub in action.choices.items():
            yield sub.prog, words.get(name, ""), sub
            yield from children(sub)


def command(name: str, words: str, parser: argparse.ArgumentParser) -> str:
    """A command's arguments and options as a table."""
    hidden = (argparse._HelpAction, argparse._SubParsersAction)
    actions = [a for a in parser._actions if not isinstance(a, hidden)]
    rows = [(call(a), cell(meaning(a))) for a in actions if a.help != argparse.SUPPRESS]
    text = f"{words[:1].upper()}{words[1:]}.{SEE.get(name, '')}\n"
    return "\n".join([f"## {name}\n", text, table(("Argument", "Meaning"), rows)]).rstrip() + "\n"


SEE = {
    "drano cc": " Its flags are nvcc's and [its own](../guide/run-cpu.md#in-nvccs-place).",
    "drano run": " Flags are those of `drano cc`.",
}


def call(action: argparse.Action) -> str:
    """How it is written: `--output-file FILE`, `-o FILE`."""
    value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
    if action.choices is not None and not action.metavar:
        value = "|".join(map(str, action.choices))
    value = (" ".join(value) if isinstance(value, tuple) else value).replace("|", "\\|")
    if not action.option_strings:
        more = {"*": " …", "+": " …", "...": " …"}.get(str(action.nargs), "")
        return f"`{value}{more}`"
    return ", ".join(f"`{f'{option} {value}'.strip()}`" for option in action.option_strings)


def meaning(action: argparse.Action) -> str:
    """The help text, with its default where that is told."""
    if action.help:
        return action.help % {**vars(action), "prog": "drano"}
    if action.choices is not None and action.default is not None:
        return f"`{action.default}` where it is not given"
    if action.choices is not None:
        return "what to do"
    return "as the compiler has it" if action.option_strings else "a file"


# --- schemas ---------------------------------------------------------------------------------


def settings() -> str:
    """The keys of a configuration file, each table with its own."""
    schema = config_schema()
    top = schema["properties"]
    intro = (
        f"# Keys of drano.toml\n\n{MADE} from\n"
        "[the schema](../../drano/config/config_schema.json). "
        "In `pyproject.toml` the same keys stand below\n`[tool.drano]`. "
        "[Configure drano](../guide/configuration.md) has an example and says what wins over\n"
        "what.\n"
    )
    parts = [intro, "## Top level\n\n" + fields({k: top[k] for k in top if k not in NESTED})]
    parts.append("## [compile]\n\n" + fields(top["compile"]["properties"]))
    parts.append(
        f"## [[kernels]]\n\n{top['kernels']['description']}\n\n"
        + fields(top["kernels"]["items"]["properties"])
    )
    every: dict[str, dict[str, Any]] = {}
    rules: dict[str, list[str]] = {}
    for code, rule in top["rules"]["properties"].items():
        for key, value in rule["properties"].items():
            every[key] = value
            rules.setdefault(key, []).append(code)
    rows = [
        (f"`{key}`", kind(value), cell(value["description"]), ", ".join(rules[key]))
        for key, value in every.items()
    ]
    parts.append("## [rules.CODE]\n\n" + table(("Key", "Value", "Meaning", "Rules"), rows))
    return "\n".join(parts)


NESTED = ("compile", "kernels", "rules")


def json_page(title: str, path: str, intro: str) -> str:
    """The fields of a format: the document's, then those of each object in it."""
    package, _, name = path.partition("/")
    schema = json.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
    parts = [f"# {title}\n\n{intro}\n\n{MADE} from [the schema](../../{path}).\n"]
    parts.append("## The document\n\n" + fields(schema["properties"]))
    for name, definition in schema["$defs"].items():
        words = definition.get("description", "")
        text = f"{cell(words)}\n\n" if words else ""
        known = definition.get("properties", {})
        parts.append(f"## {name}\n\n{text}" + (fields(known) if known else kind(definition) + "\n"))
    return "\n".join(parts)


def fields(properties: Mapping[str, Mapping[str, Any]]) -> str:
    """A row for each field."""
    rows = [
        (f"`{name}`", kind(value), cell(value.get("description", "")))
        for name, value in properties.items()
    ]
    return table(("Key", "Value", "Meaning"), rows)


def kind(value: Mapping[str, Any]) -> str:
    """A schema in a few words: "list of text"."""
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return choices(value["enum"])
    for several in ("oneOf", "anyOf"):
        if several in value:
            return " or ".join(map(kind, value[several]))
    named = value.get("type", "any")
    if isinstance(named, list):
        return " or ".join(map(NAMES.__getitem__, named))
    if named == "array":
        items = value.get("items") or next(iter(value.get("prefixItems", [])), {})
        return f"list of {kind(items)}"
    extra = value.get("additionalProperties")
    if named == "object" and isinstance(extra, Mapping):
        return f"table of {kind(extra)}"
    return NAMES[named]


def choices(values: list[Any]) -> str:
    """Few values by name; codes of rules and powers of two in a word."""
    if all(isinstance(v, str) and v and "DRN901".startswith(v[:3]) for v in values):
        return "prefix of a rule's code"
    if len(values) > 12:
        return f"`{values[0]}`, `{values[1]}`, `{values[2]}` … `{values[-1]}`"
    return ", ".join(f"`{v}`" if v else '`""`' for v in values)


NAMES = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
    "object": "table", "null": "null", "any": "any", "array": "list",
}  # fmt: skip


def cell(text: str) -> str:
    """Text in a table's cell."""
    plain = re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split())).replace("|", "\\|")
    parts = plain.split("`")
    return "`".join(p.replace("<", "&lt;") if n % 2 == 0 else p for n, p in enumerate(parts))


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Markdown; nothing where there are no rows."""
    body = [f"| {' | '.join(row)} |" for row in rows]
    lines = [f"| {' | '.join(head)} |", "| " + " | ".join("---" for _ in head) + " |", *body]
    return "\n".join(lines) + "\n" if body else ""


if __name__ == "__main__":
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")
