"""Whom to ask: addresses, usual models and where their keys are. Makes no call."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from milton.config import CoachSettings, Secret, check_address, is_private_line
from milton.errors import CoachError


@dataclass(frozen=True, slots=True)
class _Preset:
    base_url: str
    model: str
    key: Secret


_PRESETS = {
    "grok": _Preset("https://api.x.ai/v1", "grok-4", Secret("env:XAI_API_KEY")),
    "openai": _Preset("https://api.openai.com/v1", "gpt-4.1-mini", Secret("env:OPENAI_API_KEY")),
    "ollama": _Preset("http://127.0.0.1:11434/v1", "llama3.1", Secret("")),
}


@dataclass(frozen=True, slots=True)
class Provider:
    name: str
    base_url: str
    model: str
    key: str = field(repr=False)  # "" where none is needed

    @property
    def host(self) -> str:
        """For messages: never with user, password or path."""
        return urlsplit(self.base_url).hostname or self.name


def find_provider(settings: CoachSettings) -> Provider:
    """The provider of the settings with its key; CoachError or ConfigError say what is missing."""
    preset = _PRESETS.get(settings.provider, _Preset("", "", Secret("")))
    base_url, model = settings.base_url or preset.base_url, settings.model or preset.model
    if not base_url:
        known = ", ".join(["offline", *_PRESETS])
        raise CoachError(
            f"coach.provider {settings.provider!r} is not one of {known}; any other needs coach.base_url"
        )
    if not model:
        raise CoachError(f"coach.provider {settings.provider!r} needs coach.model")
    check_address(base_url, "coach.base_url")
    # A preset's key is for its own address only.
    secret = settings.api_key or (preset.key if base_url == preset.base_url else Secret(""))
    if secret and not is_private_line(base_url):
        raise CoachError(f"coach.base_url must begin with https://, or others read the key: {base_url!r}")
    key = secret.resolve(_allowed_variables(settings.provider, preset)) if secret else ""
    return Provider(settings.provider, base_url, model, key)


def _allowed_variables(provider: str, preset: _Preset) -> str:
    """Variables that may hold the key of a provider, as a regular expression: the preset's own, or one named
    after the provider. Any other variable holds a secret of something else."""
    name = re.sub(r"[^A-Z0-9]", "_", provider.upper())
    own = preset.key.reference.removeprefix("env:")
    return "|".join(filter(None, (own, f"{name}_API_KEY", "MILTON_COACH_API_KEY")))
