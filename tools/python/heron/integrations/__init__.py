"""The libraries that Heron hands rows to, a module for each."""
