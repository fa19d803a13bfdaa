"""What several modules of the package use, and users do not."""
