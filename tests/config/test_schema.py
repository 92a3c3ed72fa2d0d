"""The shipped JSON schema of configuration files says what the reader does."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.config.config_file import ConfigError, config_of
from drano.config.settings_text import config_schema
from tests.config.test_config_file import EVERYTHING
from tests.conftest import ROOT

SCHEMA = config_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
# What the schema cannot say: products of sizes, and which compiler flags are harmless.
BEYOND = ("threads per block", "is allowed only on the command line")


def test_the_shipped_schema_is_up_to_date() -> None:
    shipped = (ROOT / "drano" / "config" / "config_schema.json").read_text(encoding="utf-8")
    assert shipped == json.dumps(SCHEMA, indent=2) + "\n", (
        "run: python -m drano.config.settings_text > drano/config/config_schema.json"
    )
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def accepted(table: dict[str, Any]) -> bool:
    try:
        config_of(table, "/p/drano.toml")
    except ConfigError as error:
        if BEYOND[0] in str(error) and "block" in table:  # the reader stops at the first error
            return accepted({key: table[key] for key in table if key != "block"})
        return any(reason in str(error) for reason in BEYOND)
    return True


def test_an_error_behind_one_that_the_schema_cannot_say_is_seen() -> None:
    table = {"block": [27, 38], "select": "DRN001"}
    assert VALIDATOR.is_valid(table) is accepted(table) is False
    assert VALIDATOR.is_valid({"block": [27, 38]}) is accepted({"block": [27, 38]}) is True


@pytest.mark.parametrize(
    "text",
    [
        EVERYTHING,
        "",
        'select = ["DRN001"]',
        "block = 7\n[rules.DRN004]",
        'selct = ["DRN001"]',
        "[compile]\nflags = 3",
        "[[kernels]]\nblock = 3",
        "[rules.DRN005]",
        'per-file-ignores = { "a" = "DRN001" }',
        "pointer-alignment = 48",
        "[compile]\ntimeout = 0",
        'select = [""]',
    ],
)
def test_schema_and_reader_agree_on_examples(text: str) -> None:
    table = tomllib.loads(text)
    assert VALIDATOR.is_valid(table) == accepted(table)


KEYS = ["select", "ignore", "exclude", "per-file-ignores", "domain", "tid-y", "block", "kernels",
        "pointer-alignment", "compile", "rules", "std", "flags", "timeout", "name", "values",
        "min-excess", "level", "DRN001", "alignment", "grid", "x"]  # fmt: skip
LEAVES = (
    st.sampled_from(["DRN001", "DRN", "warp", "note", "k*", "", "-DX", True, False, None])
    | st.integers(-2, 300)
    | st.sampled_from([0.5, 1.5])  # not 2.0: an integer to JSON, not to TOML
)
VALUES = st.recursive(
    LEAVES.filter(lambda v: v is not None),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4))
def test_schema_and_reader_agree(table: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(table) == accepted(table)


def test_the_example_in_the_documentation_is_valid() -> None:
    text = (ROOT / "docs" / "guide" / "configuration.md").read_text(encoding="utf-8")
    table = tomllib.loads(text.split("```toml\n")[1].split("```")[0])
    VALIDATOR.validate(table)
    config = config_of(table, "/p/drano.toml")
    assert config.analysis.kernels[0].values == (("pitch", 4096),)
    assert set(table) >= {"select", "compile", "rules", "kernels"}
