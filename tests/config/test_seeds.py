from milton.config import derive_seed


def test_seeds_of_stages_are_what_they_always_were() -> None:
    """Runs of earlier versions resume an iteration with the same seed."""
    assert derive_seed(7, 3) == 7 * 1_000_003 + 3


def test_parts_of_different_things_never_share_a_seed() -> None:
    found = [derive_seed(seed, i, part) for seed in range(5) for i in range(50) for part in range(20)]
    assert len(set(found)) == len(found)


def test_any_seed_fits_into_the_core() -> None:
    assert 0 <= derive_seed(2**63 - 1, 2**31, 2**31) < 2**63
