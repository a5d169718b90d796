"""Trains a candidate on the window. Knows no search and no gate."""
