"""Where the program keeps what outlives a command and belongs to no run: openings, unfinished matches."""

from pathlib import Path

from milton.config import user_file

from .atomic import explain_os_error


def state_folder(*parts: str) -> Path:
    """A folder below `state` beside the user's own settings, made if it is missing."""
    folder = user_file().parent.joinpath("state", *parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise explain_os_error(error, folder) from error
    return folder
