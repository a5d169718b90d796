"""Settings that the core declares: Python's tables and the core's structs are the same, name by name."""

import pytest

from milton import _core
from milton.config import SearchSettings, SelfPlaySettings, Settings, fill_core
from milton.errors import ConfigError
from milton.inference.search_settings import core_search_settings
from milton.selfplay import core_selfplay_settings

TABLES = [(SearchSettings, _core.SearchSettings), (SelfPlaySettings, _core.SelfPlaySettings)]


@pytest.mark.parametrize(("table", "core"), TABLES)
def test_the_core_starts_with_the_defaults_of_its_table(table, core):
    settings, struct = table(), core()
    for parameter in core.parameters():
        assert getattr(struct, parameter.name) == pytest.approx(getattr(settings, parameter.name))


@pytest.mark.parametrize(("table", "core"), TABLES)
def test_every_parameter_of_the_core_is_a_key_with_its_meaning_and_limits(table, core):
    for parameter in core.parameters():
        field = table.model_fields[parameter.name]
        assert field.annotation.__name__ == parameter.kind
        assert field.description == parameter.meaning
        assert parameter.meaning.endswith(".")


@pytest.mark.parametrize(("table", "core"), TABLES)
def test_a_table_is_handed_to_the_core_value_by_value(table, core):
    """Every parameter differs from its default, so that one left out is seen."""
    changed = {
        parameter.name: not parameter.default
        if parameter.kind == "bool"
        else table.model_fields[parameter.name].annotation(parameter.high)
        for parameter in core.parameters()
    }
    struct = core()
    fill_core(struct, table.model_construct(**changed))
    for name, value in changed.items():
        assert getattr(struct, name) == pytest.approx(value)


def test_self_play_gets_both_tables_and_its_own_root():
    settings = Settings.load(
        use_user_file=False, overrides={"search.c_puct": 3.0, "selfplay.simulations": 77}
    )
    core = core_selfplay_settings(settings, iteration=1, resign_below=-0.5)
    assert (core.search.c_puct, core.search.noisy_root, core.simulations) == (3.0, True, 77)
    assert core.resign_threshold == -0.5
    assert not core_search_settings(settings.search).noisy_root


def test_a_value_outside_the_limits_of_the_core_is_refused_with_them():
    with pytest.raises(ConfigError, match=r"\[search\] c_puct must be a number above 0 up to 100, got 0\.0"):
        Settings.load(use_user_file=False, overrides={"search.c_puct": 0.0})
