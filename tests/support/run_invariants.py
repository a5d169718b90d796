"""What holds for every run whose loops ended or were killed, whoever played its games."""

from pathlib import Path

from printed_ratings import check_milestones

from milton.arena import Verdict
from milton.loop.deploy_stage import CHECKPOINT_NAME
from milton.loop.loop import STAGES
from milton.loop.practice import ARCHIVE_NAME, archive_before
from milton.replay import ShardReader, labels_path, read_labels
from milton.replay.shard import check_shard
from milton.rundir import RunDir, sha256_of
from milton.training import learner_from_state


def check_everything(path: Path) -> None:
    with RunDir.open(path) as run:
        assert run.findings == ()
        check_files(run)
        check_stages(run)
        check_shards(run)
        check_labels(run)
        check_champions(run)
        check_training(run)
        check_practice(run)
        check_deployed(run)
        check_milestones(run)


def check_files(run: RunDir) -> None:
    names = [file.name for file in run.path.rglob("*") if file.is_file()]
    left = [name for name in names if ".tmp-" in name or "quarantined" in name or "partial" in name]
    assert left == []


def check_stages(run: RunDir) -> None:
    done: dict[int, set[str]] = {}
    for record in run.database.stages():
        done.setdefault(record.iteration, set()).add(record.stage)
        for artifact in record.artifacts:
            file = run.path / artifact.path
            assert (sha256_of(file), file.stat().st_size) == (artifact.sha256, artifact.num_bytes)
    assert sorted(done) == list(range(1, max(done) + 1))
    assert all(stages == {name for name, _ in STAGES} for stages in done.values())
    assert max(done) == run.latest_iteration()


def check_shards(run: RunDir) -> None:
    recorded = {games.iteration: games for games in run.database.games("selfplay")}
    ids: set[int] = set()
    for iteration, path in run.shard_paths():
        intact, damages = check_shard(path)
        assert not damages
        blocks = list(ShardReader(path).blocks())
        assert len(blocks) == len(intact)
        found = [game_id for block in blocks for game_id in block.game_ids.tolist()]
        assert len(found) == recorded[iteration].num_games
        assert sum(block.num_positions for block in blocks) == recorded[iteration].num_positions
        assert recorded[iteration].num_positions >= run.settings().loop.samples_per_iter
        assert not ids & set(found)
        ids |= set(found)
    assert len(recorded) == len(run.shard_paths())


def check_labels(run: RunDir) -> None:
    """Where positions are labelled, every shard has labels of all its blocks; elsewhere nobody has any."""
    settings = run.settings()
    if settings.train.label_nodes == 0:
        assert not list(run.path.rglob("*.labels"))
        return
    for number, shard in run.shard_paths():
        if not any(stage.stage == "label" for stage in run.database.stages(number)):
            continue  # of an iteration that is not done
        entries = ShardReader(shard).new_entries(is_complete=True)
        assert read_labels(shard).keys() == {entry.header.payload_digest for entry in entries}
        assert labels_path(shard).is_file()


def check_champions(run: RunDir) -> None:
    history = run.database.champions()
    pointer = run.champion()
    assert (pointer.checkpoint, pointer.sha256) == (history[-1].checkpoint, history[-1].sha256)
    run.champion_checkpoint()
    promoted = {
        record.iteration for record in history if f"iter_{record.iteration:04d}/" in record.checkpoint
    }
    for stage in run.database.stages():
        if stage.stage == "arena":
            verdict = Verdict.load(run.iteration_dir(stage.iteration) / "arena.json")
            assert verdict.promoted == stage.result["promoted"] == (stage.iteration in promoted)
            assert verdict.candidate != verdict.champion
    assert len({record.checkpoint for record in history}) == len(promoted | {0})


def check_training(run: RunDir) -> None:
    steps = {
        record.iteration: record.result["steps"]
        for record in run.database.stages()
        if record.stage == "train"
    }
    newest = max(steps)
    learner = learner_from_state(run.iteration_dir(newest) / "training.safetensors", run.settings(), 1)
    # No stage was trained twice or left out.
    assert learner.state.num_steps == sum(steps.values())


def check_practice(run: RunDir) -> None:
    """The newest iteration has the archive, whole, and it alone; without practice nobody has one."""
    found = [file.parent.name for file in run.path.rglob(ARCHIVE_NAME)]
    if run.settings().selfplay.practice_fraction == 0.0:
        assert found == []
        return
    newest = run.latest_iteration()
    assert found == [run.iteration_dir(newest).name]
    assert archive_before(run, run.settings(), newest + 1).num_positions > 0


def check_deployed(run: RunDir) -> None:
    """The network that plays people is whole; every one that was trained for them is known to its stage."""
    run.deployed_checkpoint()
    trained = {
        artifact.path
        for record in run.database.stages()
        if record.stage == "deploy"
        for artifact in record.artifacts
    }
    assert trained == {run.relative(file) for file in run.path.rglob(CHECKPOINT_NAME)}
    if run.settings().deploy.growth > 0.0:
        assert trained
