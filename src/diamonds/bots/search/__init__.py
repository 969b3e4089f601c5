"""Search algorithms for all games: worlds, playouts, races among answers, and exact endgames."""
