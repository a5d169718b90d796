"""The same iteration spread over machines."""
