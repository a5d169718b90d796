"""The coach's reports over HTTP: the newest, the one that weighed an iteration, and hostile ones."""

import unicodedata

import pytest
from coach_reports import HOSTILE_TEXT, MARKUP, add_hostile_report, add_report, weakness
from short_loop import tiny_settings
from web_client import assert_problem, run_events, serving

from milton.coach import REPORT_NAME, STAGE, PracticeFigures
from milton.rundir import RunDir
from milton.webapi.coach_messages import LONGEST_TEXT

NEWEST = "/api/run/coach"


@pytest.fixture
def run(tmp_path):
    with RunDir.create(tmp_path / "run", tiny_settings()) as made:
        yield made


@pytest.fixture
def own(run):
    with serving(run=run.path) as client:
        yield client


def texts_of(value):
    """Every text anywhere in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_of(inner)


def test_without_a_report_the_settings_say_when_there_will_be_one(run, own):
    expected = {"isEnabled": True, "every": run.settings().coach.every, "provider": "offline", "report": None}
    assert own.get(NEWEST).json() == expected


def test_a_coach_that_is_off_says_so(tmp_path):
    RunDir.create(tmp_path / "off", tiny_settings(**{"coach.enabled": False})).close()
    with serving(run=tmp_path / "off") as client:
        assert client.get(NEWEST).json()["isEnabled"] is False


def test_the_newest_report_is_shown_with_what_weighs_first(run, own):
    add_report(run, 5, weakness("old"))
    useless = weakness("everywhere", 1.0, 0.9, "fits 90% of the window, more than 60%")
    add_report(run, 10, useless, weakness("mild", 0.2), weakness("grave", 0.8, 0.25))
    report = own.get(NEWEST).json()["report"]
    assert (report["iteration"], report["provider"], report["numGames"]) == (10, "offline", 40)
    found = [(each["description"], each["severity"], each["share"]) for each in report["weaknesses"]]
    assert found == [("grave", 0.8, 0.25), ("mild", 0.2, 0.1), ("everywhere", 1.0, 0.9)]
    assert report["weaknesses"][0]["fingerprint"] == "own_threats ≥ 2"
    assert report["weaknesses"][2]["ignored"].startswith("fits 90%")


def test_an_iteration_has_the_report_that_weighed_its_training(run, own):
    add_report(run, 5, weakness("of five"))
    run.record_stage(6, STAGE, started_s=0.0, result={"report": 5})
    run.record_stage(7, STAGE, started_s=0.0, result={"report": 0})

    def report(iteration):
        return own.get(f"/api/run/iterations/{iteration}/coach").json()["report"]

    assert report(6)["weaknesses"][0]["description"] == "of five"
    assert (report(6)["iteration"], report(5)["iteration"]) == (5, 5)
    assert report(7) is report(4) is report(99) is None


def test_a_report_says_what_was_practised(run, own):
    figures = PracticeFigures(
        source="regret",
        num_positions=120,
        num_added=40,
        num_games=110,
        num_judged=50,
        num_learnt=20,
        swing_before=0.5,
        swing_now=0.25,
    )
    add_report(run, 5, practice=figures)
    assert own.get(NEWEST).json()["report"]["practice"] == (
        "110 games from earlier positions (regret), value lost there 0.50 before and 0.25 now, "
        "20 of 50 learnt, 120 to practise next"
    )
    add_report(run, 6)
    assert own.get(NEWEST).json()["report"]["practice"] == ""


def test_a_report_that_failed_says_why(run, own):
    add_report(run, 5, provider="grok", model="grok-4", problem="grok: no answer within 120 s")
    report = own.get(NEWEST).json()["report"]
    assert (report["problem"], report["weaknesses"]) == ("grok: no answer within 120 s", [])


def test_a_new_report_is_announced_in_the_rows_of_the_stream(run, own):
    with own.stream("GET", "/api/run/events") as response:
        events = run_events(response)
        assert next(events).kind == "snapshot"
        add_report(run, 5, weakness("new"))
        rows = next(event for event in events if event.kind == "iterations").message["iterations"]
        assert rows[-1]["coach"]["report"] == 5
        before = rows[-1]["coach"]["finishedS"]
        add_report(run, 5, weakness("newer"))
        rows = next(event for event in events if event.kind == "iterations").message["iterations"]
        assert rows[-1]["coach"]["finishedS"] > before
    assert own.get(NEWEST).json()["report"]["weaknesses"][0]["description"] == "newer"


def test_hostile_texts_are_harmless_and_short(run, own):
    add_hostile_report(run, 5)
    report = own.get(NEWEST).json()["report"]
    for text in texts_of(report):
        assert len(text) <= LONGEST_TEXT
        assert not {unicodedata.category(letter)[0] for letter in text.replace(" ", "")} & {"C", "Z"}
    # Letters are kept as they are: whoever shows them escapes them.
    assert report["problem"].startswith(MARKUP)
    assert HOSTILE_TEXT not in set(texts_of(report))
    assert report["model"].endswith("…")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"version": 2}', b'{"game": "chess", "provider": "x", "extra": 1}'],
)
def test_a_damaged_report_is_refused_by_name(run, own, content):
    add_report(run, 5)
    (run.iteration_dir(5) / REPORT_NAME).write_bytes(content)
    for address in (NEWEST, "/api/run/iterations/5/coach"):
        assert "coach.json" in assert_problem(own.get(address), 404)["message"]


def test_reports_that_are_gone_huge_or_elsewhere_are_not_shown(run, own, tmp_path):
    add_report(run, 5)
    path = run.iteration_dir(5) / REPORT_NAME
    elsewhere = tmp_path / "elsewhere.json"
    path.rename(elsewhere)
    assert "not there" in assert_problem(own.get(NEWEST), 404)["message"]
    path.symlink_to(elsewhere)
    assert "not there" in assert_problem(own.get(NEWEST), 404)["message"]
    path.unlink()
    path.write_bytes(b" " * (2 << 20) + elsewhere.read_bytes())
    assert "too large" in assert_problem(own.get(NEWEST), 404)["hint"]
