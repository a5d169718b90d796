"""The document of settings says what the models say."""

from pathlib import Path

from milton.config import Settings, describe_fields
from milton.config.document import with_tables

DOCUMENT = Path(__file__).parents[2] / "docs" / "configuration.md"


def test_the_document_is_current() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_tables(text) == text, "run: python -m milton.config.document docs/configuration.md"


def test_every_field_says_what_it_means_and_accepts() -> None:
    for field in describe_fields(Settings):
        assert field.meaning.endswith("."), field.name
        assert field.allowed, field.name
