"""The terminal: tables to play at, saved games, replays, simulations and the referee's output.

`diamonds.cli` parses the command line and calls these modules. Nothing here depends on Typer.
"""
