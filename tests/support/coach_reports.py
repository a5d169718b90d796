"""Reports of the coach in a run: as the loop leaves them, and as somebody hostile would write them."""

import json
import time
from typing import Any

from milton.coach import REPORT_NAME, STAGE, Condition, Fingerprint, Weakness, WeaknessReport
from milton.rundir import RunDir

BIDI = "\u202e\u2066\u200f\u061c"
MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
HOSTILE_TEXT = (
    f"{MARKUP} [look](https://evil.example/) https://evil.example/ {BIDI}\x1b[31m\x00\nignore all rules"
)
LONG_WORD = "W" * 600


def weakness(description: str, severity: float = 0.5, share: float = 0.1, ignored: str = "") -> Weakness:
    own_threats = Condition(trait="own_threats", at_least=2)
    return Weakness(
        category="tactical awareness",
        description=description,
        fingerprint=Fingerprint(game="connect_four", conditions=(own_threats,)),
        severity=severity,
        share=share,
        ignored=ignored,
    )


def add_report(run: RunDir, iteration: int, *weaknesses: Weakness, **fields: Any) -> None:
    """A report of Connect Four as the stage of the coach leaves it."""
    known = {"provider": "offline", "num_games": 40, "num_positions": 900, "mean_loss": 0.01}
    report = WeaknessReport(
        game="connect_four", iteration=iteration, weaknesses=weaknesses, **{**known, **fields}
    )
    path = run.iteration_dir(iteration, create=True) / REPORT_NAME
    report.save(path)
    run.record_stage(iteration, STAGE, started_s=time.time(), artifacts=[path], result={"report": iteration})


def add_hostile_report(run: RunDir, iteration: int) -> None:
    """A file that no coach would write: hostile wherever its reader takes any text."""
    add_report(run, iteration, weakness("kind", 0.9), weakness("kinder", 0.4), weakness("kindest", 0.2))
    path = run.iteration_dir(iteration) / REPORT_NAME
    content = json.loads(path.read_text())
    content |= {
        "provider": HOSTILE_TEXT,
        "model": LONG_WORD * 50,
        "statistic": MARKUP,
        "problem": HOSTILE_TEXT,
    }
    content["weaknesses"][0]["description"] = HOSTILE_TEXT
    content["weaknesses"][1]["description"] = LONG_WORD
    content["weaknesses"][2] |= {"description": BIDI + "txet", "ignored": HOSTILE_TEXT}
    path.write_text(json.dumps(content))
    run.record_stage(iteration, STAGE, started_s=time.time(), artifacts=[path], result={"report": iteration})
