"""The engine as a Lichess bot: translates, never decides."""
