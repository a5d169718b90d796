"""Shard files, the training window and its sampling weights. Knows no networks."""
