"""Reviews in the page: the coach's reasons, and thresholds that are the same on both sides."""

import re
from pathlib import Path

from web_client import assert_problem

from milton.review import BLUNDER, INACCURACY, MISTAKE

PAGE = Path(__file__).parents[2] / "web" / "src" / "review" / "review.ts"
HANGS_A_QUEEN = {"game": "chess", "start": None, "moves": ["e4", "e5", "Qh5", "Nc6"]}


def test_a_lost_queen_is_named_as_material(client):
    body = {"record": HANGS_A_QUEEN, "played": ["Qxf7+", "Kxf7"], "better": ["Bc4", "g6"]}
    reason = client.post("/api/reason", json=body).json()
    assert reason["category"] == "tactical awareness"
    assert "material" in reason["text"]


def test_an_illegal_line_is_refused(client):
    body = {"record": HANGS_A_QUEEN, "played": ["Qxh8"], "better": ["Bc4"]}
    assert_problem(client.post("/api/reason", json=body), 422)


def test_the_page_judges_moves_by_the_thresholds_of_the_review():
    text = PAGE.read_text(encoding="utf-8")
    found = {name: float(value) for name, value in re.findall(r"export const ([A-Z]+) = ([\d.]+);", text)}
    assert found == {"INACCURACY": INACCURACY, "MISTAKE": MISTAKE, "BLUNDER": BLUNDER}
