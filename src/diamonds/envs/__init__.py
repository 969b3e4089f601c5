"""The games in other people's frameworks, and thousands of tables at once.

Each adapter is thin and is imported on its own, so that none needs the libraries of another:

``diamonds.envs.pettingzoo``   all seats, one after the other (PettingZoo AEC)
``diamonds.envs.gymnasium``    one seat, with bots in the others (Gymnasium)
``diamonds.envs.openspiel``    games registered with OpenSpiel: chance, information states, worlds
``diamonds.envs.batch``        thousands of tables stepped by one compiled call, everything as arrays

They share what `diamonds.envs.encoding` says: an action is the number of an answer, an observation is what the seat may
know, and rewards are paid when the game ends. `docs/envs.md` shows each of them at work.
"""
