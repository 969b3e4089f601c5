"""Rules of thumb (being written): the lowest legal answer."""

from diamonds.cards import lowest
from diamonds.rules import crystals, fourteen, mines

POLICIES = {
    game.NAME: (lambda s, seat, legal=game.legal: lowest(legal(s, seat))) for game in (crystals, fourteen, mines)
}
