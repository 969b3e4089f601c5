"""``python -m diamonds``: the same as ``diamonds``."""

import sys

from diamonds.cli import main

sys.exit(main())
