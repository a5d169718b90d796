"""Milton teaches itself board games on a CPU.

Importing this package is cheap on purpose: doors such as the UCI engine must start at once, so nothing is
loaded here. Import the room you need, for example `milton.games`.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("milton")
except PackageNotFoundError:  # running from a tree that was never installed
    __version__ = "0+unknown"
