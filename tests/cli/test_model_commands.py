import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import short_loop
from small_nets import SMALL_NETS, write_net

from milton.loop import init_run

RunMilton = Callable[..., subprocess.CompletedProcess[str]]


def test_export_then_verify(run_milton: RunMilton, tmp_path: Path) -> None:
    checkpoint = write_net(tmp_path / "net.safetensors", SMALL_NETS["tower-santorini"])
    output = tmp_path / "net.onnx"
    exported = run_milton("export", "--checkpoint", str(checkpoint), "--output", str(output))
    assert exported.returncode == 0, exported.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"net.safetensors", "net.onnx"}
    verified = run_milton("verify", str(output), "--positions", "20", "--json")
    assert verified.returncode == 0, verified.stderr
    assert json.loads(verified.stdout)["agrees"] is True


def test_a_checkpoint_to_pass_on_is_half_as_large_and_plays_the_same(
    run_milton: RunMilton, tmp_path: Path
) -> None:
    checkpoint = write_net(tmp_path / "net.safetensors", SMALL_NETS["sparse-chess"])
    output = tmp_path / "small.safetensors"
    exported = run_milton("export", "--checkpoint", str(checkpoint), "--output", str(output))
    assert exported.returncode == 0, exported.stderr
    assert output.stat().st_size < 0.6 * checkpoint.stat().st_size
    shown = [
        json.loads(run_milton("inspect", "--checkpoint", str(path), "--simulations", "50", "--json").stdout)
        for path in (checkpoint, output)
    ]
    assert shown[0]["moves"] == shown[1]["moves"]


def test_export_wants_one_network(run_milton: RunMilton, tmp_path: Path) -> None:
    refused = run_milton("export", "--output", str(tmp_path / "net.onnx"))
    assert refused.returncode == 2
    assert "--run" in refused.stderr


def test_verify_finds_the_checkpoint_it_is_given(run_milton: RunMilton, tmp_path: Path) -> None:
    checkpoint = write_net(tmp_path / "net.safetensors", SMALL_NETS["mlp-connect-four"])
    output = tmp_path / "elsewhere.onnx"
    run_milton("export", "--checkpoint", str(checkpoint), "--output", str(output))
    moved = checkpoint.rename(tmp_path / "renamed.safetensors")
    assert run_milton("verify", str(output)).returncode == 1
    verified = run_milton("verify", str(output), "--checkpoint", str(moved), "--positions", "20")
    assert verified.returncode == 0, verified.stderr
    assert "policy: largest difference" in verified.stdout


def test_a_run_means_its_deployed_network_to_export_and_to_verify(
    run_milton: RunMilton, tmp_path: Path
) -> None:
    run, output, again = tmp_path / "run", tmp_path / "net.onnx", tmp_path / "again.onnx"
    with init_run(run, short_loop.tiny_settings()) as made:
        folder = made.iteration_dir(1, create=True)
        deployed = write_net(folder / "deployed.safetensors", SMALL_NETS["sparse-connect-four"])
        made.deploy(deployed)
    exported = run_milton("export", "--run", str(run), "--out", str(output), "--json")
    assert exported.returncode == 0, exported.stderr
    shown = json.loads(exported.stdout)
    assert (shown["checkpoint"], shown["bytes"]) == (str(deployed), output.stat().st_size)
    run_milton("export", "--checkpoint", str(run), "--out", str(again))
    assert again.read_bytes() == output.read_bytes()
    verified = run_milton("verify", str(output), "--checkpoint", str(run), "--positions", "20")
    assert verified.returncode == 0, verified.stderr


def test_a_file_that_is_no_checkpoint_is_one_line_on_stderr(run_milton: RunMilton, tmp_path: Path) -> None:
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(b"\x80\x04pickle")
    refused = run_milton("export", "--checkpoint", str(bad), "--output", str(tmp_path / "net.onnx"))
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "bad.safetensors" in refused.stderr
    assert not (tmp_path / "net.onnx").exists()


def test_a_run_is_exported_with_its_card(run_milton: RunMilton, tmp_path: Path) -> None:
    run, output, card = tmp_path / "run", tmp_path / "net.safetensors", tmp_path / "card.md"
    made = run_milton("init", "--run", str(run), "--game", "connect_four", "--set", "network.hidden=32")
    assert made.returncode == 0, made.stderr
    exported = run_milton("export", "--run", str(run), "--out", str(output), "--card", str(card))
    assert exported.returncode == 0, exported.stderr
    assert "| file | `net.safetensors`, " in card.read_text()
    assert (
        "| trained by | `milton loop --game connect_four --profile connect-four-cpu --seed 1`"
        in card.read_text()
    )
    refused = run_milton("export", "--checkpoint", str(output), "--out", "x.safetensors", "--card", str(card))
    assert refused.returncode == 1
    assert "is not in a run folder" in refused.stderr
