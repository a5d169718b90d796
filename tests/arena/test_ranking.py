from xml.etree import ElementTree as ET

from milton.arena import Meeting, Score, draw_ranking, fit_ratings

TABLE = fit_ratings([Meeting("a < b", "c", Score(8, 1, 1)), Meeting("c", "d", Score(5, 2, 3))], {"d": 0.0})


def test_a_ranking_is_valid_svg_with_every_player_in_order() -> None:
    root = ET.fromstring(draw_ranking(TABLE, title="Who & who", x_title="Elo", marked={"c"}))
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert [text for text in texts if text in TABLE.players] == list(TABLE.players)
    points = [element for element in root.iter() if element.tag.endswith("circle")]
    places = [float(point.get("cx", "0")) for point in points]
    assert places == sorted(places, reverse=True)
    assert [point.get("class") for point in points].count("fill1") == 1


def test_the_same_table_gives_the_same_text() -> None:
    first, second = (draw_ranking(TABLE, title="x", x_title="y") for _ in range(2))
    assert first == second
