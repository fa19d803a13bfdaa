"""Puts the questions of `heron bench` to libraries from Python: questions, libraries, and the process that each runs in."""
