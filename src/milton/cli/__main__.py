"""Lets `python -m milton.cli` stand in for the `milton` command."""

from milton.cli import main

main()
