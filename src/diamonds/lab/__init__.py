"""Measurements: matches between bots, ratings, training, puzzles and the accuracy of reviews."""
