"""External engines and the anchored Elo ladder. Knows no training."""
