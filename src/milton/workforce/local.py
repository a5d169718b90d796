"""Games played by this process."""

from milton.arena import LocalPairs
from milton.selfplay import open_source

from .protocol import Notice, WorkerFigures


class LocalWorkforce(LocalPairs):
    """This process alone."""

    open_source = staticmethod(open_source)

    def notices(self) -> list[Notice]:
        return []

    def workers(self) -> list[WorkerFigures]:
        return []
