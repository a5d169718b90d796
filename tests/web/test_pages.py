"""What people do with the pages, in a real browser against real servers. The scenarios are in web/e2e."""

import subprocess

import pytest
from page_scenarios import WEB, Outcome, missing_for_node, scenario_names

SCENARIOS = {
    "noRunYet": "without a run the page says how to start one, and shows the one that begins",
    "tenMovesOfChess": "ten moves of chess by clicking, and a reload goes on",
    "toolsOfAGame": "hint, take back, stepping, flip, resignation, export",
    "fromAPosition": "a game from a position, promotion on its square, a hidden view, two tabs in step",
    "twoTabs": "a game and a study in two tabs, of which either goes on",
    "fullGameOfSantorini": "a whole game of Santorini on the three-dimensional board",
    "guidedFirstGame": "the rules on one screen, and a guided first game",
    "santoriniByKeyboard": "Santorini without a pointer, solid and flat",
    "touchOnAPhone": "fingers on a phone, nothing wider than it",
    "connectFourOnTheClock": "Connect Four with clocks",
    "labMethods": "methods of the lab as opponents, with a search and without",
    "analysing": "paste, be told what is wrong, step, search, compare",
    "pointingChangesNothing": "pointing at a candidate shows its line and changes nothing",
    "studyIsKept": "PGN with variations in and out, kept over a reload and in the address",
    "studyOfAnotherGame": "variations of a game without PGN in text and in the address",
    "linesOfASearch": "lines that can be walked, arrows with shares, mates, moves left out",
    "insideTheSearch": "the tree of a search opens row by row, by mouse and by keyboard",
    "studyOnAPhone": "the board stays in sight on a phone, and a tap previews",
    "reviewOfAGame": "a review finds the planted blunders, and one tries again from there",
    "wordsOfAModel": "a language model words a review and changes no figure",
    "algorithmIsNamed": "the page says which search it was: the tree or alpha-beta",
    "serverLostAndFound": "the server goes away in a game and comes back",
    "runningLoop": "a loop that runs updates its page",
    "coachReports": "what the coach found, and hostile words that stay words",
    "thousandIterations": "a thousand iterations",
    "runsSideBySide": "all runs of a folder, over each other, with the settings that differ",
    "botScoreboard": "the Lichess bot's results, its networks, and a game that leads to its review",
    "accessibility": "every page passes axe in both themes",
    "loginPage": "a server with a token shows a page to type it into",
    "staticSite": "the site without a server, offline",
    "slowSite": "the site on a slow network tells how far the champion is",
    "installedSite": "the installed site: a new version, a reload offline, a move",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.scenario(name), id=text) for name, text in SCENARIOS.items()],
)
def test_pages(name: str, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[name]
    if outcome.state == "skipped":
        pytest.skip(outcome.text)
    assert outcome.state == "passed", outcome.text


def test_every_scenario_is_run() -> None:
    if reason := missing_for_node():
        pytest.skip(reason)
    assert sorted(SCENARIOS) == sorted(scenario_names())


def test_the_logic_of_the_pages() -> None:
    """Vitest: routes, figures, clocks, games, streams."""
    if reason := missing_for_node():
        pytest.skip(reason)
    done = subprocess.run(
        ["npx", "vitest", "run", "tests"], cwd=WEB, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
