"""``python -m drano``: the command line."""

from __future__ import annotations

import sys

from drano.cli.main import main

sys.exit(main())
