"""What the command line does: the table in a terminal, its saved games, replays, simulations and the referee's output.

`diamonds.cli` reads the command line and calls what is here. Nothing here knows Typer.
"""
