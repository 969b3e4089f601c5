"""Entry point of `python -m diamonds.server`."""

from diamonds.server.main import main

main()
