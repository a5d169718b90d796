"""Texts of other people, on their way to a terminal. Knows neither files nor commands."""


def shown_text(text: str) -> str:
    """`text` without what a terminal would obey: lines and printable letters, "?" for the rest."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)
