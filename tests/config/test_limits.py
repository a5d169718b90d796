"""Every number of every table has limits, and both ends of them are accepted."""

from typing import Annotated, Any, get_args, get_origin

import annotated_types
import pytest
from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from milton.config import NetworkSettings, Settings, describe_fields
from milton.config.problems import field_of
from milton.nets.sizes import SparseSizes, TowerSizes

LOWER = (annotated_types.Ge, annotated_types.Gt)
UPPER = (annotated_types.Le, annotated_types.Lt)


def numbers(info: FieldInfo) -> list[tuple[type, list[Any]]]:
    """(type, limits) of a field that is a number, or of the numbers among its choices."""
    if info.annotation in (int, float):
        return [(info.annotation, info.metadata)]
    found = []
    for choice in get_args(info.annotation):
        kind = get_args(choice)[0] if get_origin(choice) is Annotated else choice
        if kind in (int, float):
            limits = get_args(choice)[1:] if kind is not choice else ()
            found.append((kind, [each for limit in limits for each in getattr(limit, "metadata", [limit])]))
    return found


NUMBERS = {
    field.name: number for field in describe_fields(Settings) for number in numbers(field_of(field.name))
}


def test_there_are_many_numbers():
    assert len(NUMBERS) > 90


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_has_a_lower_and_an_upper_limit(name):
    _, limits = NUMBERS[name]
    assert any(isinstance(limit, LOWER) for limit in limits), f"{name} has no lower limit"
    assert any(isinstance(limit, UPPER) for limit in limits), f"{name} has no upper limit"


@pytest.mark.parametrize("name", NUMBERS)
def test_the_ends_of_the_limits_are_accepted_and_nothing_beyond(name):
    kind, limits = NUMBERS[name]
    check = TypeAdapter(Annotated[kind, *limits])
    for limit in limits:
        match limit:
            case annotated_types.Ge(ge=end) | annotated_types.Le(le=end):
                assert check.validate_python(kind(end)) == end
            case annotated_types.Gt(gt=end) | annotated_types.Lt(lt=end):
                with pytest.raises(ValidationError):
                    check.validate_python(kind(end))
    highest = max(getattr(limit, "le", getattr(limit, "lt", 0)) for limit in limits)
    with pytest.raises(ValidationError):
        check.validate_python(kind(highest * 2 + 2))


@pytest.mark.parametrize("end", [min, max])
def test_a_network_of_the_smallest_and_the_largest_sizes_can_be_described(end):
    def value(key: str) -> int:
        limits = NetworkSettings.model_fields[key].metadata
        ends = {getattr(limit, side) for limit in limits for side in ("ge", "le") if hasattr(limit, side)}
        return int(end(ends))

    SparseSizes(hidden=value("hidden"))
    TowerSizes(
        blocks=value("blocks"),
        filters=value("filters"),
        squeeze_excite=value("filters") // 2,
        policy_channels=value("policy_filters") or 1,
        value_hidden=value("value_hidden"),
    )
