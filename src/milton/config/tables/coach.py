"""Settings of the coach that looks for weaknesses in self-play games."""

from pydantic import Field, model_validator

from ..personal import check_address
from ..secret import Secret
from .base import Count, Fraction, PositiveCount, Table


class CoachSettings(Table):
    enabled: bool = Field(default=True, description="Run the coach after self-play.")
    every: PositiveCount = Field(
        default=5, le=1_000_000, description="Iterations from one report to the next."
    )
    provider: str = Field(
        default="offline",
        min_length=1,
        description="offline (no key, no network), grok, openai, ollama, or any name together with base_url.",
    )
    model: str = Field(default="", description="The provider's model; empty uses its default.")
    api_key: Secret = Field(
        default=Secret(""),
        description='Where the key is: "env:NAME". Empty uses the provider\'s usual variable. Never the '
        "key itself.",
    )
    base_url: str = Field(
        default="",
        pattern=r"^(|https?://\S+)$",
        description="Address of an OpenAI-compatible API; empty uses the provider's own.",
    )
    games: PositiveCount = Field(
        default=40, le=10_000, description="Games in one request to a language model."
    )
    max_prompt_tokens: PositiveCount = Field(
        default=24_000, le=10_000_000, description="Longest prompt, in tokens."
    )
    max_reply_tokens: PositiveCount = Field(
        default=4_000, le=1_000_000, description="Longest reply, in tokens."
    )
    monthly_token_budget: Count = Field(
        default=2_000_000,
        le=10**12,
        description="Tokens per calendar month after which no calls are made; 0 allows none.",
    )
    timeout_s: float = Field(
        default=120.0, gt=0.0, le=3600.0, description="Longest wait for a reply, in seconds."
    )
    max_weaknesses: int = Field(
        default=12, ge=1, le=100, description="Number of weaknesses used, most severe first."
    )
    max_weight: float = Field(
        default=3.0,
        ge=1.0,
        le=100.0,
        description="Largest sampling weight of a position (1 + severities). With 1 the coach reports but "
        "sets no weights.",
    )
    min_match: Fraction = Field(
        default=0.001, description="A fingerprint that matches a smaller share of the window is ignored."
    )
    max_match: Fraction = Field(
        default=0.6, description="A fingerprint that matches a larger share of the window is ignored."
    )

    @model_validator(mode="after")
    def _check_address(self) -> "CoachSettings":
        if self.base_url:
            check_address(self.base_url, "base_url")
        return self
