from pathlib import Path

import pytest

from milton.errors import ConfigError
from milton.experiment import read_plan

PLAN = """
game = "connect_four"
seeds = [1, 2]
iterations = 1
settings.arena.gate = "none"

[[arms]]
name = "narrow"
settings.network.hidden = 32

[[arms]]
name = "wide"
settings.network.hidden = 64

[[arms]]
name = "wider"
settings.network.hidden = 128
"""


def read(folder: Path, text: str = PLAN, *changes: tuple[str, str]):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = folder / "plan.toml"
    file.write_text(text)
    return read_plan(file)


def test_every_arm_has_the_common_settings_and_its_own(tmp_path: Path) -> None:
    plan = read(tmp_path)
    assert plan.overrides(plan.arms[1]) == {"arena.gate": "none", "network.hidden": 64}
    assert plan.settings_of(plan.arms[1]).network.hidden == 64
    assert plan.settings_of(plan.arms[1]).game == "connect_four"


def test_arms_meet_the_first_one_or_everybody(tmp_path: Path) -> None:
    assert read(tmp_path).contrasts == (("wide", "narrow"), ("wider", "narrow"))
    everybody = read(tmp_path, PLAN + '[matches]\nbetween = "all"\n')
    assert everybody.contrasts == (("wide", "narrow"), ("wider", "narrow"), ("wider", "wide"))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("iterations = 1", "", "one of iterations and processor_minutes"),
        ("iterations = 1", "iterations = 1\nprocessor_minutes = 2", "one of iterations"),
        ('name = "wide"', 'name = "narrow"', "different names"),
        ('name = "wide"', 'name = "../wide"', "lower-case letters"),
        ("seeds = [1, 2]", "seeds = [1, 1]", "seeds must be different"),
        ("seeds = [1, 2]", "seed = 1", "seeds"),
        ("network.hidden = 64", "network.hiden = 64", "hidden"),
        ("network.hidden = 64", "network.hidden = -3", "hidden must be"),
        ('game = "connect_four"', 'game = "go"', "game"),
        ("settings.network.hidden = 64", 'network = "a"\nsettings.network.hidden = 64', "give one of them"),
        ("settings.network.hidden = 64", 'command = "train"', "write its network to"),
        ("iterations = 1", 'iterations = 1\nmatches.limit = "2+0.02"', "limit is for chess"),
    ],
)
def test_a_plan_that_would_fail_later_is_refused_at_once(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        read(tmp_path, PLAN, (old, new))


def test_the_plans_of_the_documents_can_be_read() -> None:
    files = sorted((Path(__file__).parents[2] / "docs" / "experiments").glob("*.toml"))
    assert files
    for file in files:
        assert read_plan(file).question
