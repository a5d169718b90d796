"""Milton's rules, encodings, networks and search, compiled."""

from milton._core._generic import (
    chess as chess,
    connect_four as connect_four,
    santorini as santorini
)


variant: str = 'generic'

def cpu_level() -> str:
    """The best variant this CPU can run: 'generic' or 'avx2'."""
