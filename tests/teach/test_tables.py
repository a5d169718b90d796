"""Tables of evaluated positions, as public collections have them and as an enemy would write them."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from milton.cli import main
from milton.cli.teach import epoch_line
from milton.config import Settings
from milton.errors import CheckpointError, RecordError, ShardError, TrainingError
from milton.lab.training import TrainTask, train_file
from milton.loop import init_run
from milton.nets import read_checkpoint_info
from milton.replay import VALUE_SCALE, PositionFlag, ShardReader, has_flag
from milton.teach import TableCount, TableFormat, label_from_table
from milton.teach.evaluations import parse_evaluation
from milton.teach.tables import evaluated_positions
from milton.teach.training import Epoch, teach
from milton.training import Losses

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"  # four fields, as Lichess writes it
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def written(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path: Path, **choices) -> tuple[list[tuple[str, float, str]], TableCount]:
    count = TableCount()
    found = evaluated_positions(path, TableFormat(**choices), count)
    return [(row.position.fen, row.centipawns_stm, row.best_move) for row in found], count


def many_rows(number: int) -> str:
    """Different positions: kings and a rook, wherever the rules allow them."""
    rows = []
    for square in range(8 * 8):
        for pawns in range(8):
            king = f"{square % 8 or ''}K{7 - square % 8 or ''}"
            ranks = ["8"] * 8
            ranks[0], ranks[1] = "7k", "8"
            ranks[3 + square // 16] = king
            ranks[6] = f"{pawns or ''}P{7 - pawns or ''}"
            rows.append(f"{'/'.join(ranks)} {'wb'[square % 2]} - - 0 {square % 9 + 1},{10 * pawns + square}")
    return "\n".join(rows[index % len(rows)] for index in range(number))


@pytest.mark.parametrize(
    ("text", "number", "mate_in"),
    [
        ("+56", 56.0, None),
        (" -0.35 ", -0.35, None),
        ("0", 0.0, None),
        ("#3", None, 3),
        ("#+3", None, 3),
        ("#-3", None, -3),
        ("-#3", None, -3),
        ("M5", None, 5),
        ("mate -2", None, -2),
        ("#0", None, 0),
    ],
)
def test_evaluations_are_numbers_or_mates(text, number, mate_in):
    found = parse_evaluation(text)
    assert (found.number, found.mate_in) == (number, mate_in)


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1e3", "1_000", "٣", "0x10", "#", "##3", "+", "1,5", "−3"]
)
def test_anything_else_is_no_evaluation(text):
    with pytest.raises(RecordError, match="expected a number or a mate"):
        parse_evaluation(text)


def test_values_are_the_side_to_moves_and_the_filter_is_the_methods(tmp_path):
    rows, count = read(
        written(
            tmp_path,
            f"FEN,Evaluation\n{START},+35\n{AFTER_E4},+40\n{START},#-3\n{AFTER_E4},#+3\n{START},1001\n"
            f"{AFTER_E4},-1000\n{START},\n{MATED},-9999\nnonsense,3\n{START},much\n",
        )
    )
    assert [value for _, value, _ in rows] == [35.0, -40.0, 1000.0]
    assert (count.rows, count.kept, count.mates, count.decided, count.bad) == (10, 3, 3, 1, 3)
    assert [line.split(":")[0] for line in count.first_bad] == ["line 8", "line 10", "line 11"]
    assert "the evaluation is missing" in count.first_bad[0]
    assert "'much'" in count.first_bad[2]
    assert "10 rows: 3 kept, 3 mates, 1 beyond 10 pawns, 3 unreadable" in count.summary()


@pytest.mark.parametrize(
    ("header", "choices", "expected"),
    [
        ("fen,cp", {}, 50.0),
        ("board;score", {}, 50.0),
        ("Position\tEval", {}, 50.0),
        ("fen,eval_in_pawns", {"evaluation": "eval_in_pawns"}, 5000.0),
        ("a,b", {"fen": "a", "evaluation": "b", "unit": "centipawns"}, 50.0),
    ],
)
def test_columns_are_found_or_named(tmp_path, header, choices, expected):
    delimiter = next(mark for mark in ",;\t" if mark in header)
    rows, count = read(written(tmp_path, f"{header}\n{START}{delimiter}50\n"), **choices)
    assert [value for _, value, _ in rows] == ([expected] if expected <= 1000 else [])
    assert count.decided == (expected > 1000)


def test_a_table_without_a_header_is_recognised(tmp_path):
    rows, _ = read(written(tmp_path, f"7,{START},-12\n8,{AFTER_E4},9\n"), evaluation="3")
    assert [value for _, value, _ in rows] == [-12.0, -9.0]
    rows, _ = read(written(tmp_path, f"{START},-12\n"))
    assert [value for _, value, _ in rows] == [-12.0]


@pytest.mark.parametrize("choices", [{"fen": "x"}, {"evaluation": "x"}, {"move": "x"}])
def test_a_column_that_is_not_there_is_refused_with_those_that_are(tmp_path, choices):
    with pytest.raises(RecordError, match="expected a column 'x', got 'fen', 'cp'"):
        read(written(tmp_path, f"fen,cp\n{START},1\n"), **choices)


def test_a_bad_row_does_not_hide_the_next_one_of_the_same_position(tmp_path):
    table = written(tmp_path, f"fen,cp\n{START},abc\n{START},35\n{AFTER_E4},20\n")
    rows, count = read(table)
    assert [fen for fen, _, _ in rows] == [START, AFTER_E4]
    assert (count.kept, count.bad, count.repeated) == (2, 1, 0)


def test_fractions_need_a_unit(tmp_path):
    table = written(tmp_path, f"fen,eval\n{START},0.35\n")
    with pytest.raises(RecordError, match=r"line 2.*'0.35' has a fraction.*centipawns or pawns"):
        read(table)
    assert read(table, unit="pawns")[0][0][1] == pytest.approx(35.0)


def test_evaluations_may_be_the_side_to_moves(tmp_path):
    rows, _ = read(written(tmp_path, f"fen,cp\n{AFTER_E4},35\n"), seen_by="mover")
    assert rows[0][1] == 35.0


def test_moves_are_read_in_any_notation_and_checked(tmp_path):
    rows, count = read(
        written(
            tmp_path,
            f"fen,cp,line\n{START},1,e2e4 e7e5\n{AFTER_E4},1,Nf6\n{CASTLING},1,e1h1\n"
            f"{START},1,e2e5\n{AFTER_E4},1,\n",
        )
    )
    assert [move for _, _, move in rows] == ["e2e4", "g8f6", "e1g1", ""]
    assert count.with_moves == 3
    assert count.first_bad[0].startswith("line 5: ")


def test_of_the_same_position_the_deepest_analysis_counts(tmp_path):
    rows, count = read(
        written(tmp_path, f"fen,cp,depth\n{START},1,20\n{START},2,30\n{START},3,30\n{AFTER_E4},4,9\n")
    )
    assert [value for _, value, _ in rows] == [2.0, -4.0]
    assert count.repeated == 2


LICHESS = [
    {
        "fen": CASTLING,
        "evals": [
            {"pvs": [{"cp": 11, "line": "e1g1 e8g8"}], "knodes": 9, "depth": 22},
            {"pvs": [{"cp": 69, "line": "e1c1"}, {"cp": 60, "line": "a1b1"}], "knodes": 9, "depth": 46},
        ],
    },
    {"fen": START, "evals": [{"pvs": [{"mate": -4, "line": "e2e4"}], "knodes": 1, "depth": 9}]},
    {"fen": START, "evals": []},
]


@pytest.mark.parametrize("is_compressed", [False, True])
def test_the_lichess_evaluation_file(tmp_path, is_compressed):
    content = "\n".join(json.dumps(row) for row in LICHESS).encode()
    # Two frames, as parallel compressors write them.
    packed = b"".join(zstandard.compress(part) for part in (content[:90], content[90:]))
    path = written(tmp_path, packed if is_compressed else content, "lichess_db_eval.jsonl.zst")
    rows, count = read(path)
    assert rows == [("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 69.0, "e1c1")]
    assert (count.mates, count.bad) == (1, 1)


def test_parquet(tmp_path):
    path = tmp_path / "evals.parquet"
    columns = {
        "fen": [START, AFTER_E4, START, None],
        "cp": [35.0, -20.0, None, 1.0],
        "mate": [None, None, 3, None],
        "line": ["e2e4", "e7e5", "e2e4", ""],
        "tags": [[], ["x"], [], []],
    }
    parquet.write_table(pa.table(columns), path)
    rows, count = read(path)
    assert [(value, move) for _, value, move in rows] == [(35.0, "e2e4"), (20.0, "e7e5")]
    assert count.mates == 1
    assert count.first_bad == ["row 4: the FEN is missing"]


def test_parquet_without_its_extra_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"milton-zero\[parquet\]"):
        read(written(tmp_path, b"PAR1 and more", "a.parquet"))


# Enemies


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"PAR1 not really", "no Parquet"),
        (b"\x28\xb5\x2f\xfdgarbage that is no frame", "damaged zstd"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"a,b\n1,2\n", "no column of FENs found"),
        (f"fen,nothing\n{START},x\n".encode(), "no column of evaluations found"),
        (b'"fen,cp\n', "not CSV"),
        (b"{" * 100_000, "not one of|no column|not JSON|nothing"),
        (b"fen,cp\n" + b"\n" * 5_000, "not one of 1,000 rows"),
        (b"fen,cp\n" + b"x" * (1 << 27), "line 2 does not end"),
    ],
    ids=["empty", "parquet", "zstd", "bytes", "columns", "evaluations", "quote", "deep", "blank", "endless"],
)
def test_what_is_no_table_is_refused_in_one_line(tmp_path, content, message):
    with pytest.raises(RecordError, match=message) as caught:
        label_from_table(tmp_path / "out.shard", written(tmp_path, content), 10)
    assert len(str(caught.value).splitlines()) == 1
    assert not (tmp_path / "out.shard").exists()


@pytest.mark.parametrize(
    "row",
    [
        b"\x00\x00,1",
        START.encode() + b"\x00,1",
        b"\xff\xfe\xfd,1",
        START.encode() + b",1\x00",
        START.encode() + b",1,2,3",
        START.encode() + b',"1',
        b"\x1b[31m/8/8/8/8/8/8/8 w - - 0 1,1",
        b"x" * (1 << 21),
    ],
    ids=["nul", "nul-behind", "utf8", "nul-in-number", "cells", "quote", "escape", "long"],
)
def test_a_bad_row_is_named_and_the_next_one_is_read(tmp_path, row):
    rows, count = read(written(tmp_path, b"fen,cp\n" + row + f"\n{AFTER_E4},7\n".encode()))
    assert [value for _, value, _ in rows] == [-7.0]
    assert count.bad == 1
    assert count.first_bad[0].startswith("line 2: ")
    assert count.first_bad[0].isprintable()
    assert len(count.first_bad[0]) < 300


@pytest.mark.parametrize("filler", ["0", "\n", "x,1\n"], ids=["one-line", "blank-lines", "bad-rows"])
def test_a_bomb_ends_in_one_line_and_little_memory(tmp_path, filler):
    """A few kilobytes that unpack to gigabytes."""
    part = zstandard.compress((filler * (1 << 24)).encode()[: 1 << 24])
    bomb = written(tmp_path, zstandard.compress(b"fen,cp\n") + part * 256, "bomb.csv.zst")
    program = (
        "import resource, sys; from pathlib import Path; from milton.teach import label_from_table\n"
        "from milton.errors import MiltonError\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: label_from_table(Path(sys.argv[2]), Path(sys.argv[1]), 1000)\n"
        "except MiltonError as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    command = [sys.executable, "-c", program, str(bomb), str(tmp_path / "out.shard")]
    message, grown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert str(bomb) in message
    assert int(grown) < 100 << (0 if sys.platform == "darwin" else 10)


def test_a_zstd_window_beyond_reason_is_refused(tmp_path):
    parameters = zstandard.ZstdCompressionParameters(window_log=30, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    path = written(tmp_path, packer.compress(b"fen,cp\n" * 1000) + packer.flush(), "wide.csv.zst")
    with pytest.raises(RecordError, match="damaged zstd"):
        read(path)


# Learning


def test_labels_of_a_table_are_values_without_a_policy_unless_moves_are_told(tmp_path):
    table = written(tmp_path, f"fen,cp,move\n{START},400,e2e4\n{AFTER_E4},0,\n")
    count = label_from_table(tmp_path / "labels.shard", table, 10)
    [block] = ShardReader(tmp_path / "labels.shard").blocks()
    assert count.kept == block.num_positions == 2
    assert block.root_values_stm[0] / VALUE_SCALE == pytest.approx(
        9 / 11, abs=1e-3
    )  # 400 centipawns: 10 to 1
    assert has_flag(block.flags, PositionFlag.FULL_SEARCH).tolist() == [True, False]
    assert block.teachers == ("table:table.csv",)


def test_as_many_positions_as_were_asked_for_and_the_labels_of_others_are_kept(tmp_path):
    table, labels = written(tmp_path, "fen,cp\n" + many_rows(400)), tmp_path / "labels.shard"
    assert label_from_table(labels, table, 30).kept == 30
    assert label_from_table(labels, table, 40).kept == 40
    assert sum(block.num_positions for block in ShardReader(labels).blocks()) == 40
    before = labels.read_bytes()
    with pytest.raises(
        ShardError, match=r"labelled by table:table\.csv.*delete it, or write elsewhere with --out"
    ):
        label_from_table(labels, written(tmp_path, "fen,cp\n" + many_rows(9), "other.csv"), 5)
    assert labels.read_bytes() == before


def test_a_network_taught_by_a_table_is_marked(tmp_path):
    table, labels = written(tmp_path, "fen,cp\n" + many_rows(400)), tmp_path / "labels.shard"
    label_from_table(labels, table, 300)
    settings = Settings.profile("chess-cpu", {"network.hidden": 32, "train.batch_size": 64})
    taught = teach(
        labels, settings, tmp_path / "net.safetensors", num_epochs=4, holdout_fraction=0.2, threads=1
    )
    assert 0 < taught.num_holdout < taught.num_positions
    assert taught.epochs[-1].train.value_error < taught.epochs[0].train.value_error
    assert read_checkpoint_info(taught.checkpoint).provenance.teacher == "table:table.csv"
    with pytest.raises(CheckpointError, match=r"taught by table:table\.csv"):
        init_run(tmp_path / "zero", settings, taught.checkpoint)


def test_too_few_positions_to_hold_some_out_are_refused(tmp_path):
    """The epoch to keep would otherwise be chosen by the loss on no positions at all."""
    table, labels = written(tmp_path, "fen,cp\n" + many_rows(3)), tmp_path / "labels.shard"
    label_from_table(labels, table, 3)
    with pytest.raises(TrainingError, match="3 labels are too few to hold some out"):
        teach(labels, Settings(), tmp_path / "net.safetensors", num_epochs=2, holdout_fraction=0.2, threads=1)
    assert not (tmp_path / "net.safetensors").exists()


def test_figures_of_moves_are_shown_only_if_the_table_has_moves(tmp_path):
    losses = Losses(0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, num_values=10.0)
    assert epoch_line(Epoch(1, losses, losses, 0.001)) == "epoch 1: value 0.500; unseen: value 0.500"
    with_moves = dataclasses.replace(losses, policy_loss=3.0, num_policies=10.0)
    assert "the teacher's move" in epoch_line(Epoch(1, with_moves, with_moves, 0.001))


def test_the_attack_maps_learn_from_a_table(tmp_path):
    table = written(tmp_path, "fen,cp\n" + many_rows(400))
    settings = (("table", str(table)), ("epochs", 2), ("batch_size", 64))
    report = train_file(TrainTask("attack", tmp_path / "attack.lab", minutes=None, settings=settings))
    assert report.teacher == "table:table.csv"
    assert 0.0 < report.figures["holdout_squared_error"] < 1.0


def test_cloning_refuses_a_table_without_moves(tmp_path):
    table = written(tmp_path, "fen,cp\n" + many_rows(100))
    with pytest.raises(TrainingError, match="imitates moves"):
        train_file(TrainTask("cloning", tmp_path / "c.lab", minutes=None, settings=(("table", str(table)),)))


def test_the_command_reads_a_table_and_names_bad_rows(tmp_path, capsys):
    table = written(tmp_path, "fen,cp\nbad,1\n" + many_rows(300))
    small = ["--set", "network.hidden=32", "--epochs", "1", "--threads", "1"]
    out = tmp_path / "net.safetensors"
    with pytest.raises(SystemExit) as stopped:
        main(["teach", "--table", str(table), "--out", str(out), *small])
    said = capsys.readouterr()
    assert stopped.value.code == 0, said.err
    assert "line 2: " in said.err
    assert "1 unreadable" in said.err
    assert "taught by table:table.csv" in said.out


def test_the_command_takes_one_teacher(tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["teach", "--table", "x", "--teacher", "stockfish", "--out", str(tmp_path / "n")])
    assert stopped.value.code == 1
    assert "expected --teacher or --table" in capsys.readouterr().err
