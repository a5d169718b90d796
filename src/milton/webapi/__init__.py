"""The engine behind HTTP: translates, never decides."""
