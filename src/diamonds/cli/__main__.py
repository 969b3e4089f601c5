"""``python -m diamonds.cli``."""

import sys

from diamonds.cli import main

sys.exit(main())
