from pathlib import Path

from small_methods import trained

from milton.lab.reinforce import Reinforce
from milton.webapi.networks import LabNetworks, NetworkShelf


def test_exported_networks_of_the_lab_can_be_played_against(tmp_path: Path) -> None:
    method = trained("reinforce", tmp_path / "reinforce.lab")
    assert isinstance(method, Reinforce)
    method.export(tmp_path / "reinforce.safetensors")
    (tmp_path / "damaged.safetensors").write_bytes(b"junk")
    shelf = NetworkShelf((LabNetworks(tmp_path),))
    assert [(offer.id, offer.family) for offer in shelf.list("connect_four")] == [("lab:reinforce", "mlp")]
    assert shelf.list("chess") == []
    assert shelf.load("lab:reinforce", "connect_four").dense is not None
