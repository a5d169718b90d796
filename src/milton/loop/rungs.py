"""What the ladder calls its rows and rungs in a run's database. Light: reading a run needs no more."""

from pathlib import Path

from milton.rundir import ChampionRecord

MATCH_KIND = "ladder_match"
RATING_KIND = "ladder"


def rung_name(record: ChampionRecord) -> str:
    return f"{Path(record.checkpoint).parent.name} {record.sha256[:8]}"
