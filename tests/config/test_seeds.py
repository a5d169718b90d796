import hashlib

from milton.config import derive_seed, unrelated_seed


def test_seeds_of_stages_are_what_they_always_were() -> None:
    """Runs of earlier versions resume an iteration with the same seed."""
    assert derive_seed(7, 3) == 7 * 1_000_003 + 3


def test_parts_of_different_things_never_share_a_seed() -> None:
    found = [derive_seed(seed, i, part) for seed in range(5) for i in range(50) for part in range(20)]
    assert len(set(found)) == len(found)


def test_any_seed_fits_into_the_core() -> None:
    assert 0 <= derive_seed(2**63 - 1, 2**31, 2**31) < 2**63


def test_seeds_of_starts_are_what_they_always_were() -> None:
    digest = hashlib.sha256(b"7 3 1").digest()
    assert unrelated_seed(7, 3, 1) == int.from_bytes(digest[:8]) >> 1


def test_neighbouring_seeds_share_no_start_and_no_worker() -> None:
    found = [
        unrelated_seed(seed, word, part)
        for seed in range(20)
        for word in ("", "worker")
        for part in range(50)
    ]
    assert len(set(found)) == len(found)
    assert all(0 <= one < 2**63 for one in found)
