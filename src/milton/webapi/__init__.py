"""The door for browsers: HTTP and server-sent events over a run, the engine and the page. It never decides.

Nothing is imported here: a loop that serves no page must not pay for a web framework.
"""
