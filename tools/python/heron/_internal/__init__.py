"""Helpers that several modules of the package share, not for users."""
