"""Parts that the tasks of a job write into one folder."""

from __future__ import annotations

import os

from ..errors import WriteError
from ..write import Writer


def check_empty(folder):
    if any(name.startswith("part-") for name in os.listdir(folder)):
        raise WriteError(f"{folder}: it has parts of another job already", folder)


def drop_parts(folder):
    for name in os.listdir(folder):
        if name.startswith("part-"):
            os.unlink(os.path.join(folder, name))


def write_part(tables, folder, index, format, options):
    """Writes tables into one file; [] if they have no rows. A task that is tried again replaces its own part."""
    path = os.path.join(folder, f"part-{index:06}.{format}")
    tables = (rows for rows in tables if len(rows))
    first = next(tables, None)
    if first is None:
        return []
    with Writer(path, replace=True, **options) as writer:
        writer.write(first)
        for rows in tables:
            writer.write(rows)
    return [path]
