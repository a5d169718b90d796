#!/bin/sh
# What lichess-bot starts. Milton's engine is a subcommand, and the bridge can only hand over options.
exec "${MILTON:-milton}" uci "$@"
