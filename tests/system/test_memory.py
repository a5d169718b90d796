"""Memory of this process, as the system sees it."""

import platform

import pytest

from milton.system import resident_memory_mb, return_freed_memory


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="keeps freed memory only with glibc")
def test_freed_memory_goes_back_to_the_system():
    blocks = [bytearray(b"x" * 4096) for _ in range(20_000)]
    last = blocks.pop()  # above the others: without it free() would shrink the heap by itself
    full = resident_memory_mb()
    del blocks
    return_freed_memory()
    assert resident_memory_mb() < full - 40
    assert last
