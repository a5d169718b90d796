"""The engine as a bot on Lichess: a door, it translates and never decides. Knows nothing of learning.

`service` runs it, `bot` is the account, `session` one game, `client` the requests; `testing` is a simulated
Lichess to play against.
"""
