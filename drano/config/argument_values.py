"""Values of command-line arguments: each function reads one, or says in one line what is wrong."""

from __future__ import annotations

import argparse

from drano.frontend.template_instances import is_template_id
from drano.model.settings import block_problem

MAX_ASSUMED = 1e15
EXECUTORS = frozenset({"dask", "ray"})


def block_shape(text: str) -> tuple[int, int, int]:
    """A block shape, as CUDA allows them.

    >>> block_shape("256"), block_shape("16,16"), block_shape("8x8x4")
    ((256, 1, 1), (16, 16, 1), (8, 8, 4))
    """
    parts = text.replace("x", ",").split(",")
    if not 1 <= len(parts) <= 3 or not all(p.isascii() and p.isdigit() for p in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is not X[,Y[,Z]] with positive numbers")
    x, y, z = (*(int(part[:9]) for part in parts), 1, 1)[:3]
    problem = block_problem((x, y, z))
    if problem:
        raise argparse.ArgumentTypeError(f"'{text}': {problem}")
    return (x, y, z)


def assumption(text: str) -> tuple[str, float]:
    """NAME=NUMBER."""
    name, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if not name or not 0 <= value <= MAX_ASSUMED:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER")
    return name, value


def instance(text: str) -> str:
    """A kernel template with arguments, NAME<ARGUMENTS>."""
    if not is_template_id(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME<ARGUMENTS>, as in k<float, 4>")
    return text


def place_value(text: str) -> tuple[str, int, int]:
    """FILE:LINE or FILE:LINE:COLUMN."""
    path, _, last = text.rpartition(":")
    before, _, middle = path.rpartition(":")
    if before and middle.isdigit() and last.isdigit():
        return before, int(middle), int(last)
    if path and last.isdigit():
        return path, int(last), 0
    raise argparse.ArgumentTypeError(f"'{text}' is not FILE:LINE[:COLUMN]")


def power_of_two(text: str) -> int:
    """A power of two."""
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if value < 1 or value & (value - 1):
        raise argparse.ArgumentTypeError(f"'{text}' is not a power of two")
    return value


def address(text: str) -> tuple[str, int]:
    """HOST:PORT."""
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or not int(port[:9]) < 1 << 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not HOST:PORT")
    return host.strip("[]"), int(port)


def count_value(text: str) -> int:
    """How many findings."""
    if not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 10):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of findings")
    return int(text)


def bytes_value(text: str) -> int:
    """A number of bytes."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of bytes")
    return int(text)


def seconds(text: str) -> float:
    """A time."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds")
    return value


def job_count(text: str) -> int:
    """The number of processes to run."""
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:9]) <= 1024:
        raise argparse.ArgumentTypeError(f"'{text}' is not a valid number of processes")
    return int(text)


def executor(text: str) -> str:
    """A cluster's kind and address."""
    kind, _, address = text.partition(":")
    if kind not in EXECUTORS or not address:
        raise argparse.ArgumentTypeError(f"'{text}' is not dask:ADDRESS or ray:ADDRESS")
    return text
