"""The result of one check."""

from dataclasses import asdict, dataclass
from typing import Literal

# absent: an optional part that is not installed; only `failed` makes the doctor unhappy.
Status = Literal["ok", "absent", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    status: Status
    detail: str
    fix: str = ""  # what to do; empty if there is nothing to do

    def as_dict(self) -> dict[str, str]:
        return asdict(self)
