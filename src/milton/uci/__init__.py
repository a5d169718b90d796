"""The engine as a UCI program: translates, never decides."""
