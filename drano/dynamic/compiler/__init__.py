"""``drano cc`` and ``drano run``: command lines, linking, and what a program is linked with."""
