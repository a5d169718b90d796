"""Measures speed and prints or returns it. Nothing here is asserted by a test."""
