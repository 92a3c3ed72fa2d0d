"""``python -m drano``: the command line."""

from __future__ import annotations

import sys

from drano.cli import main

sys.exit(main())
