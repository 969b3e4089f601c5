"""Players that are programs. A bot is given a view, never a state: it cannot see more than the person it replaces.

`bot` says what a bot is given, `levels` which bots there are, and `kernels` how they get ready to think. They think in
`search`, with what `games` has to say of a game; `analysis` lends their thoughts to people.
"""
