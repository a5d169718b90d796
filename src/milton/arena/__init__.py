"""Plays matches between two players and judges them. Knows no training."""
