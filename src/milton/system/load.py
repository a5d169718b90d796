"""How busy the machine is."""

import os


def load_average() -> float:
    """Threads that ran or wanted to, on average over five minutes; 0 where the system does not report it."""
    try:
        return os.getloadavg()[1]
    except (AttributeError, OSError):  # Windows has no such figure
        return 0.0
