"""The protocol of `heron bench`, asked of libraries from Python: questions, libraries, and the process that each runs in."""
