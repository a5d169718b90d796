"""Chooses a move within limits; every door plays through it. Knows no protocol."""
