"""The tables of a settings file, one module each. Every field carries its meaning, unit and allowed range."""
