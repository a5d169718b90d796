"""Lets the champion play itself and writes shards. Knows no training and no gate."""
