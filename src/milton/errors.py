"""Every error that a user can see. Doors catch MiltonError and nothing else; anything else is a bug.

The command line turns a bug into one line, a logged traceback and exit code 70; the bot and the coach
keep it in its game or report (docs/reliability.md).

The core's NotationError, IllegalMoveError and ArgumentError arrive through core/bindings/errors.cpp, which
finds the classes here by name.
"""


class MiltonError(Exception):
    """Root of all errors that are the fault of input, settings, files or surroundings."""


class NotationError(MiltonError, ValueError):
    """A text or packed position that does not describe a valid position."""


class IllegalMoveError(MiltonError, ValueError):
    """A move that is malformed or not legal in the position it was offered for."""


class ArgumentError(MiltonError, ValueError):
    """A setting, name or buffer handed to a function that cannot work with it."""


class ConfigError(MiltonError, ValueError):
    """A settings file or value that was refused."""


class RunError(MiltonError):
    """A run folder that is missing, damaged, in use or not what was asked for."""


class RecordError(MiltonError, ValueError):
    """A file or text of games that cannot be read as such: which game, which move, and what to change."""


class ShardError(MiltonError):
    """A file of training positions that is damaged or of an unknown version."""


class CheckpointError(MiltonError):
    """A network file that is damaged, unknown or does not fit the game."""


class EngineError(MiltonError):
    """An external engine that is missing, died, or broke the protocol."""


class ExtraMissingError(MiltonError, ImportError):
    """A feature that needs an optional dependency which is not installed."""


class CoachError(MiltonError):
    """A coach provider that failed or answered with something unusable."""


class LichessError(MiltonError):
    """Lichess refused a request or could not be reached."""


class ClusterError(MiltonError):
    """A cluster that could not be reached or lost the work it was given."""


class InferenceServerError(ClusterError):
    """An inference server that died, did not answer in time or failed."""


class TrainingError(MiltonError):
    """Training that diverged or has nothing to learn from."""


class RequestError(MiltonError):
    """A web request that is refused: the HTTP status, what to do about it, and the part at fault."""

    def __init__(self, message: str, *, status: int = 422, hint: str = "", where: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.hint = hint
        self.where = where
