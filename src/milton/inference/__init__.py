"""Turns a checkpoint into an evaluator. Knows no games in progress and no training."""
