"""The curve of a run on the scale of published ratings: which networks are in it, and when they were made."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner

from milton.cli.app import app
from milton.loop.processor_time import PROCESSOR_METRIC
from milton.loop.rated_curve import rated_networks
from milton.rundir import AnchoredRating, RunDir, add_anchored_rating


def rate(run: Path, network: str, elo: float, time_control: str = "4+0.04") -> None:
    rating = AnchoredRating(network, elo, elo - 50, elo + 50, "ccrl", time_control, 60, 1e9)
    add_anchored_rating(run, rating)


@pytest.fixture
def rated(path: Path) -> Path:
    """Two networks, each rated twice, the older one last at another clock; and one of no iteration."""
    rate(path, "iter_0002/deployed.safetensors", 3100)
    rate(path, "iter_0001/candidate.safetensors", 2700)
    rate(path, "iter_0002/deployed.safetensors", 3150)
    rate(path, "iter_0001/candidate.safetensors", 2600, "2+0.02")
    rate(path, "elsewhere/network.safetensors", 3000)
    return path


def test_a_curve_has_the_newest_rating_of_every_network_in_the_order_they_were_made(rated: Path) -> None:
    with RunDir.open(rated, writable=False) as run:
        of_all = rated_networks(run, num_cores=2)
        at_one_clock = rated_networks(run, num_cores=2, time_control="4+0.04")
        spent = {metric.iteration: metric.value for metric in run.database.metrics(PROCESSOR_METRIC)}
        num_positions = run.num_positions()
    assert [each.rating.elo for each in of_all] == [2600, 3150]
    assert [each.rating.elo for each in at_one_clock] == [2700, 3150]
    assert [each.minutes for each in of_all] == [spent[1] / 120.0, spent[2] / 120.0]
    assert 0 < of_all[0].num_positions < of_all[1].num_positions == num_positions


def test_the_command_tells_and_draws_it(rated: Path, tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    words = ["curve", str(rated), "--tc", "4+0.04", "--cores", "2", "--svg", str(picture), "--json"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["cores"] == 2
    assert [row["rating"] for row in told["networks"]] == [2700, 3150]
    text = picture.read_text(encoding="utf-8")
    assert "minutes of 2 cores" in text
    assert len(list(ET.fromstring(text).iter("{http://www.w3.org/2000/svg}circle"))) == 2


def test_a_run_that_nobody_rated_says_how_to(path: Path) -> None:
    result = CliRunner().invoke(app, ["curve", str(path)])
    assert result.exit_code != 0
    assert "milton rate --run" in str(result.exception)
