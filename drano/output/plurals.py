"""Numbers with their nouns."""


def count(number: int, singular: str, plural: str = "") -> str:
    """As in "1 file", "2 files"."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"
