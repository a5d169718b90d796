"""Settings of games that are played on other machines (`milton loop --cluster`). Where they are is not a
setting: a run may be played here today and elsewhere tomorrow."""

from typing import Literal

from pydantic import Field

from .base import PositiveCount, Table


class ClusterSettings(Table):
    worker_threads: int = Field(
        default=0, ge=0, le=1024, description="Threads per worker; 0 uses all cores its node offers."
    )
    max_waiting_blocks: PositiveCount = Field(
        default=4,
        le=10_000,
        description="Blocks of finished games that a worker keeps for the driver before it pauses.",
    )
    patience_s: float = Field(
        default=60.0,
        ge=0.0,
        le=86_400.0,
        description="Seconds without any worker after which the driver plays itself, until a worker is back.",
    )
    silence_s: float = Field(
        default=30.0,
        gt=0.0,
        le=86_400.0,
        description="Seconds without a heartbeat after which a worker is reported as silent and its match "
        "games go to others.",
    )
    object_store_mb: int = Field(
        default=200,
        ge=80,  # Ray refuses less than 75
        le=1_000_000,
        description="Memory of the object store of the private Ray that `--cluster local` starts.",
    )
    inference: Literal["auto", "local", "servers"] = Field(
        default="auto",
        description='Who evaluates dense networks. "local": each worker by itself. "servers": actors that '
        "batch the positions of many workers, one per GPU, or one on the node with the most "
        'cores. "auto": servers on GPUs only.',
    )
    inference_wait_ms: float = Field(
        default=0.0,
        ge=0.0,
        le=1000.0,
        description="How long an idle inference server waits for more positions, up to "
        "selfplay.inference_batch. Positions also accumulate while it evaluates.",
    )
