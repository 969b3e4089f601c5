"""The terminal: tables to play at, saved games, replays, simulations and output for a referee.

`diamonds.cli` parses the command line and calls these modules. Nothing here depends on Typer.
"""
