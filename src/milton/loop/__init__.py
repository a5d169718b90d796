"""The only room that knows the whole iteration: self-play, training, arena, promotion."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .context import open_window
    from .deployment import Deployment, SupervisedProcess
    from .live_status import LiveStatus, Message
    from .loop import add_first_champion, init_run, next_stage, run_loop
    from .session import RunRequest, Session, open_session
    from .stage_times import selfplay_share
    from .status import RunStatus, run_status
    from .view import JsonView, LiveView, PlainView, View, open_view

# Looked up when first used, so that reading a run does not wait for PyTorch.
_HOMES = {
    "live_status": ("LiveStatus", "Message"),
    "context": ("open_window",),
    "deployment": ("Deployment", "SupervisedProcess"),
    "loop": ("add_first_champion", "init_run", "next_stage", "run_loop"),
    "session": ("Session", "RunRequest", "open_session"),
    "stage_times": ("selfplay_share",),
    "status": ("RunStatus", "run_status"),
    "view": ("JsonView", "LiveView", "PlainView", "View", "open_view"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Deployment",
    "JsonView",
    "LiveStatus",
    "LiveView",
    "Message",
    "PlainView",
    "RunRequest",
    "RunStatus",
    "Session",
    "SupervisedProcess",
    "View",
    "add_first_champion",
    "init_run",
    "next_stage",
    "open_session",
    "open_view",
    "open_window",
    "run_loop",
    "run_status",
    "selfplay_share",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
