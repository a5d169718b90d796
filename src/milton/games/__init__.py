"""Games as Python sees them: specs, positions, environments. The rules themselves live in the core."""
