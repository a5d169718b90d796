"""The pictures of docs/network.md show the networks as the code builds them."""

import network_pictures
import pytest

from milton.nets.sizes import FAMILY_NAMES


def test_every_family_has_a_picture():
    assert set(network_pictures.pictured()) == set(FAMILY_NAMES)


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_a_picture_is_what_the_code_builds(family):
    kept = (network_pictures.IMAGES / f"network-{family}.svg").read_text()
    assert kept == network_pictures.picture_of(*network_pictures.pictured()[family]), (
        "run: python scripts/network_pictures.py"
    )
