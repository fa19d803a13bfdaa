"""Files in Dask: data frames over heron's splits, samples by the sampling plan, aggregates, parts.

    frame = heron.dask.read("train/", where="f1 > 3")        # a dask.dataframe.DataFrame
    heron.dask.sample("train/", 100_000, seed=7)             # a pandas.DataFrame: the rows that one process would draw

They run on the scheduler that Dask is set to: threads, processes, a cluster. Dask pushes the columns that are used
down, never its predicates: give them as `where`.
"""

from __future__ import annotations

import os

import dask
import dask.dataframe
import pandas

from .._internal.arguments import write_options
from ..aggregate_state import AggregateState
from ..errors import ArgumentError
from .files import TARGET_BYTES
from .job import Job, files_of
from .sampling import Plan

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .._internal.typing import Columns, Order, Path, Where


class _Read:
    """A split as a pandas.DataFrame, with the numbers of its rows or a key column as index."""

    def __init__(self, names, index):
        self.names, self.index = names, index

    def __call__(self, split, columns=None):
        names = self.names if columns is None else list(columns)
        projected = names if self.index is None or self.index in names else [self.index, *names]
        table = split.to_arrow(projected)
        frame = table.to_pandas()
        if self.index is not None:
            frame.index = pandas.Index(frame[self.index], name=self.index)
        elif split.where is None:
            frame.index = pandas.RangeIndex(split.first_row, split.first_row + len(table))
        return frame[names]

    def __dask_tokenize__(self):
        return "heron", tuple(self.names), self.index


def read(paths: Path | Sequence[Path], columns: Columns = None, where: Where = None, *, index: str | None = None,
         table: str | None = None, target_bytes: int = TARGET_BYTES, **options: Any) -> dask.dataframe.DataFrame:
    """Reads files as a Dask data frame, a partition for each 64 MB or so of a file. Its index is the row number,
    with known divisions, unless a predicate is given; or `index`, a column that ascends over all rows, such as the
    key: then its first values divide the partitions."""
    files = files_of(paths, table, options)
    names = files.names(columns)
    projected = names if index is None or index in names else [*names, index]
    splits = files.splits(projected, where, target_bytes) or [files.empty_split(projected)]
    reader = _Read(names, index)
    divisions = None
    if index is not None:
        divisions = _divisions(files, splits, index)
    elif where is None:
        divisions = [split.first_row for split in splits] + [max(files.rows - 1, 0)]
        if len(set(divisions[:-1])) < len(divisions) - 1:
            divisions = None  # some splits have no rows
    return dask.dataframe.from_map(reader, splits, meta=_meta(files, reader), divisions=divisions, label="read-heron")


def _meta(files, reader):
    whole = files.table.scan(columns=reader.names if reader.index is None or reader.index in reader.names
                               else [reader.index, *reader.names], rows=(0, 0))
    import pyarrow

    frame = pyarrow.table(whole).to_pandas()
    if reader.index is not None:
        frame.index = pandas.Index(frame[reader.index], name=reader.index)
    return frame[reader.names]


def _divisions(files, splits, index):
    values = []
    for split in splits:
        if split.rows[0] < split.rows[1]:
            values.append(split.open().column(index)[split.rows[0]])
    if values:
        last = splits[-1]
        values.append(last.open().column(index)[last.rows[1] - 1])
    if not values or any(value is None for value in values) or any(a > b for a, b in zip(values, values[1:])):
        raise ArgumentError(f'column "{index}" does not ascend: no index', files.paths[0])
    return values


# ---- rows by the sampling plan ----

def sample(paths: Path | Sequence[Path], n: int, seed: int = 0, columns: Columns = None, where: Where = None, *,
           replace: bool = False, epoch: int = 0, table: str | None = None, **options: Any) -> pandas.DataFrame:
    """Reads n random rows: those that Table.sample() draws with that seed in one process, in its order."""
    plan = Plan(files_of(paths, table, options), columns, where, seed, epoch, replace)
    if where is not None:
        plan.set_counts(dask.compute(*[dask.delayed(_count)(split) for split in plan.splits]))
    held = dask.delayed(plan, pure=False)
    parts = plan.parts(0, plan.checked(n), os.cpu_count() or 1)
    tables = dask.compute(*[dask.delayed(_take)(held, part) for part, _ in parts])
    return plan.in_order(tables, [at for _, at in parts]).to_pandas()


def _count(split):
    return split.count()


def _take(plan, rows):
    return plan.take(rows)


# ---- aggregates ----

def aggregate(paths: Path | Sequence[Path], what: str = "count", by: str | Sequence[str] | None = None,
              where: Where = None, order_by: Order = None, limit: int | None = None, *, table: str | None = None,
              **options: Any) -> Any:
    """Computes aggregates over all files, bit for bit those of Table.aggregate() or, with `by`, Table.group_by(): a
    dict, a Batch. Tasks hand back states, not rows."""
    job = Job(files_of(paths, table, options), what, by, where, 2 * (os.cpu_count() or 1))
    held = dask.delayed(job, pure=False)
    states = dask.compute(*[dask.delayed(_aggregated)(held, splits) for splits in job.tasks])
    return AggregateState.merged(states).result(order_by, limit)


def _aggregated(job, splits):
    return job.state(splits)


# ---- writing ----

def write(frame: dask.dataframe.DataFrame, folder: Path, format: str = "jay", **options: Any) -> list[str]:
    """Writes each partition of a Dask data frame, without its index, as a file `part-000000.jay` and so on into a
    folder without such. A part appears whole or not at all; where the job fails, none stays. Returns their paths.
    `options`: those of heron.write()."""
    from .parts import check_empty, drop_parts

    options = write_options("write", options, writer=True)
    folder = os.path.abspath(os.fspath(folder))
    os.makedirs(folder, exist_ok=True)
    check_empty(folder)
    parts = [dask.delayed(_write)(part, folder, i, format, options) for i, part in enumerate(frame.to_delayed())]
    try:
        return [path for paths in dask.compute(*parts) for path in paths]
    except BaseException:
        drop_parts(folder)
        raise


def _write(frame, folder, i, format, options):
    import pyarrow

    from .parts import write_part

    return write_part([pyarrow.Table.from_pandas(frame, preserve_index=False)], folder, i, format, options)
