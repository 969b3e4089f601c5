"""How bots think, whatever the game: worlds, playouts, search, and the last tricks played out."""
