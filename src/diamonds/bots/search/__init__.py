"""Search algorithms for all games: worlds, playouts, candidate races and exact endgames."""
