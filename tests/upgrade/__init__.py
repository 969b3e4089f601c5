"""Data that earlier versions wrote, opened by the current program."""
