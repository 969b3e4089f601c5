"""Data that earlier versions wrote, opened by the program of the day."""
