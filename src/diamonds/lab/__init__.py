"""Honest measurements: matches between bots, and what can be concluded from them."""
