"""Data written by earlier versions, opened by the current program."""
