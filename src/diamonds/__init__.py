"""Three card games called Diamonds: their rules, records and bots, and tables to play at.

>>> from diamonds import GAMES, records
>>> played = records.start_game(GAMES["crystals"], 4)
>>> GAMES["crystals"].open_questions(played.state)[0].question
'count'
"""

from diamonds.errors import DiamondsError
from diamonds.game import GAMES, find_game

__all__ = ["GAMES", "DiamondsError", "find_game"]
__version__ = "0.1.0"
