"""Which run is served: the one that was named, or the first that appears where runs are kept."""

from pathlib import Path

from milton.errors import RequestError
from milton.rundir import RunDir, newest_run


class ServedRun:
    """A run that was found stays: a page must not change its run because another one begins."""

    def __init__(self, run: Path | None = None, root: Path | None = None) -> None:
        """`root` is the folder of runs to look in while there is none; None never looks."""
        self._run = run
        self._root = root

    @property
    def may_come(self) -> bool:
        """Whether there is a run, or there may be one later."""
        return self._run is not None or self._root is not None

    def find(self) -> Path | None:
        if self._run is None and self._root is not None:
            self._run = newest_run(self._root)
        return self._run

    def folder_of_runs(self) -> Path | None:
        """The folder of the served run and its siblings; None if no run is served."""
        found = self.find()
        return self._root if found is None else found.resolve().parent

    def siblings(self) -> list[Path]:
        """Every run in that folder, the served one included."""
        root = self.folder_of_runs()
        if root is None or not root.is_dir():
            return []
        return [path for path in sorted(root.iterdir()) if RunDir.exists(path)]

    def path(self, name: str = "") -> Path:
        """The folder of the served run, or of a sibling by its name; RequestError if there is none (yet)."""
        if name:
            return self._sibling(name)
        found = self.find()
        if found is None:
            waits = (
                ""
                if self._root is None
                else f" yet; one that begins in the folder {self._root} will be shown"
            )
            raise RequestError(
                f"no run is served{waits}",
                status=404,
                hint="Start one with `milton loop`, or name one with `milton serve --run`.",
            )
        return found

    def _sibling(self, name: str) -> Path:
        """By name, never by path: only folders of the list can be asked for."""
        for path in self.siblings():
            if path.name == name:
                return path
        raise RequestError(
            f"there is no run {name[:100]!r}", status=404, hint="GET /api/runs lists all.", where="run"
        )
