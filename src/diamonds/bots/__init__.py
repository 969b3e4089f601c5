"""Bots: programs that play. A bot gets a view, never a state, so it cannot see more than a person in its seat.

`bot` defines the input of a bot, `levels` lists the bots, and `kernels` compiles their search. `search` holds the
algorithms, and `games` adapts them to each game; `analysis` uses them for hints and reviews.
"""
