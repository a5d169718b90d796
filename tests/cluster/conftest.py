"""One cluster of two nodes for all tests that need one; each test's drivers come and go."""

from collections.abc import Iterator

import pytest
from ray_cluster import RayCluster, running_cluster, use_one_token

use_one_token()


@pytest.fixture(scope="session")
def two_nodes() -> Iterator[RayCluster]:
    """Nodes "head" and "second" with a core each; tests may kill "second" and add others."""
    with running_cluster() as cluster:
        cluster.add_node("head")
        cluster.add_node("second")
        yield cluster
