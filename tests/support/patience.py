"""How long a test waits for what must happen: only what hangs takes so long, however busy the machine is."""

PATIENCE_S = 600.0
