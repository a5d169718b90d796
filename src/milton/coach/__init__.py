"""Finds weaknesses in games and turns them into sampling weights. Knows no networks."""
