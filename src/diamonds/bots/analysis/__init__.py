"""Hints, and reviews of finished games."""
