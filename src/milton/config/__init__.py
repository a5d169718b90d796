"""Settings as frozen models, read from TOML. Knows the names and limits of settings, not what they do."""
