"""Where the files of a run live. Knows names and atomic writes, not what the files mean."""
