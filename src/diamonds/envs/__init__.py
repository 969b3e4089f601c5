"""Environments: adapters for machine-learning frameworks, and thousands of tables at a time.

Each adapter is thin and imported separately, so none needs the libraries of another:

``diamonds.envs.pettingzoo``   all seats, one after the other (PettingZoo AEC)
``diamonds.envs.gymnasium``    one seat, with bots in the others (Gymnasium)
``diamonds.envs.openspiel``    games registered with OpenSpiel: chance, information states, worlds
``diamonds.envs.batch``        thousands of tables stepped by one compiled call, everything as arrays
``diamonds.envs.planes``       observations for networks: numbers from 0 to 1, by named planes

They share `diamonds.envs.encoding`: an action is the number of an answer, an observation is everything that the seat
may know, and rewards are paid when the game ends. `docs/envs.md` has an example for each.
"""
