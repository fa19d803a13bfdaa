"""Files in Ray: Ray Data over heron's splits, samples and orders of rows by the sampling plan, aggregates, parts.

    data = heron.ray.read("train/", columns=["f0", "f1"], where="f1 > 3")     # a ray.data.Dataset
    table = heron.ray.sample("train/", 100_000, seed=7)                       # the rows that one process would draw

Paths are local or on a file system that all machines share. A folder or pattern is listed once, where the call is made.
"""

from __future__ import annotations

import copy
import dataclasses
import os

import pyarrow
import ray
import ray.data
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasink, Datasource, ReadTask
from ray.data.expressions import BinaryExpr, ColumnExpr, LiteralExpr, UnaryExpr

from .._internal.arguments import write_options
from ..aggregate_state import AggregateState
from ..expressions import predicate
from ..integrations.arrow import translate
from .files import Files
from .job import Job, files_of
from .parts import check_empty, drop_parts, write_part
from .sampling import Plan
from .split import Split

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .._internal.typing import Columns, Order, Path, Where

_BLOCK_BYTES = 128 << 20  # size of Ray Data's own blocks
_TASKS_A_CPU = 2  # tasks that run ahead of their reader, per CPU
_ROWS_ALONE = "__bsp_stub"  # Ray's name of the only column of blocks without columns
_EXACT_INTEGERS = 1 << 24  # below, an integer is the same number in every type of floats


class _Work:  # not a closure, which would pickle the objects that it refers to by value
    """Reads splits one after the other."""

    def __init__(self, splits, columns, limit):
        self.splits, self.columns, self.limit = splits, columns, limit
        self.__name__ = "heron"

    def __call__(self):
        left = self.limit
        for split in self.splits:
            rows = split.to_arrow(self.columns, left)
            if left is not None:
                left -= len(rows)
            if not self.columns:  # Ray counts rows by a column
                rows = pyarrow.table({_ROWS_ALONE: pyarrow.nulls(len(rows))})
            yield rows
            if left == 0:
                return


def _with_floats(part, types):
    """Returns a predicate of Ray in which integers that are compared with floats become floats."""
    if isinstance(part, UnaryExpr):
        return dataclasses.replace(part, operand=_with_floats(part.operand, types))
    if not isinstance(part, BinaryExpr):
        return part
    left, right = _with_floats(part.left, types), _with_floats(part.right, types)
    for column, literal in ((left, right), (right, left)):
        if (isinstance(column, ColumnExpr) and types.get(column.name, "").startswith("float")
                and isinstance(literal, LiteralExpr) and type(literal.value) is int
                and abs(literal.value) <= _EXACT_INTEGERS):
            number = LiteralExpr(float(literal.value))
            left, right = (left, number) if literal is right else (number, right)
            break
    return dataclasses.replace(part, left=left, right=right)


class HeronDatasource(Datasource):
    """The source that heron.ray.read() reads from."""

    def __init__(self, files: Files, columns: Columns = None, where: Where = None,
                 target_bytes: int = _BLOCK_BYTES) -> None:
        super().__init__()
        self._files, self._target = files, target_bytes
        table = files.table
        names = files.names(columns)
        self._projection_map = {name: name for name in names}
        self._where = None if where is None else f"({predicate(where)})"
        self._types = {field.name: field.type for field in table.schema if field.readable}
        self._schema = pyarrow.schema(table.scan(columns=list(self._projection_map))) if names else pyarrow.schema([])
        self._splits: dict[Any, list[Split]] = {}
        self._get_splits()

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__, _splits={})

    def get_name(self) -> str:
        return "Heron"

    def supports_projection_pushdown(self) -> bool:
        return True

    def supports_predicate_pushdown(self) -> bool:
        """Returns True: apply_predicate() takes what means the same in Heron."""
        return True

    def apply_predicate(self, predicate_expr: Any) -> Datasource:
        where, exact = translate(_with_floats(predicate_expr, self._types).to_pyarrow(), self._types)
        if not exact or where is None:
            return self  # Ray then filters
        clone = copy.copy(self)
        clone._predicate_expr = (predicate_expr if self._predicate_expr is None
                                 else self._predicate_expr & predicate_expr)
        clone._where = where if self._where is None else f"{self._where} and ({where})"
        return clone

    def _get_splits(self):
        """Returns the splits of each task, as lists: a task reads about `target_bytes`, for the predicate too, or
        fewer if not all CPUs would have two tasks."""
        columns = list(self._projection_map)
        key = self._where, tuple(columns)
        found = self._splits.get(key)
        if found is None:
            where = self._where or ""
            read = columns + [name for name in self._types if name in where and name not in self._projection_map]
            splits = self._files.splits(read, self._where, self._target)
            max_bytes = min(self._target, sum(split.bytes for split in splits) // (_TASKS_A_CPU * _cpus()) + 1)
            found, size = [], max_bytes
            for split in splits:
                split.columns = columns
                if size >= max_bytes:
                    found.append([])
                    size = 0
                found[-1].append(split)
                size += split.bytes
            self._splits[key] = found
        return found

    def estimate_inmemory_data_size(self) -> int:
        return sum(_bytes_in_memory(split) for splits in self._get_splits() for split in splits)

    def get_read_tasks(self, parallelism: int, per_task_row_limit: int | None = None,
                       data_context: Any = None) -> list[ReadTask]:
        """Returns one task for each 128 MB or so that are read, whatever `parallelism` says."""
        columns = list(self._projection_map)
        schema = pyarrow.schema([self._schema.field(name) for name in columns])
        tasks = []
        for splits in self._get_splits() or [[self._files.empty_split(columns)]]:
            rows = [split.row_count for split in splits]
            count = None if None in rows else sum(rows)
            if count is not None and per_task_row_limit is not None:
                count = min(count, per_task_row_limit)
            metadata = BlockMetadata(num_rows=count, size_bytes=sum(map(_bytes_in_memory, splits)), exec_stats=None,
                                     input_files=tuple(dict.fromkeys(path for split in splits for path in split.paths)))
            tasks.append(ReadTask(_Work(splits, columns, per_task_row_limit), metadata, schema, per_task_row_limit))
        return tasks


def _bytes_in_memory(split):
    begin, end = split.rows
    return max(1, split.bytes * split.estimate // max(end - begin, 1))


def read(paths: Path | Sequence[Path], columns: Columns = None, where: Where = None, *, table: str | None = None,
         target_bytes: int = _BLOCK_BYTES, ray_remote_args: dict[str, Any] | None = None, concurrency: int | None = None,
         **options: Any) -> ray.data.Dataset:
    """Reads files as a ray.data.Dataset, a task for each 128 MB or so that it reads. Ray's own select_columns,
    filter(expr=) and limit are pushed down as `columns` and `where` are. `options`: those of heron.open(), with
    threads=1 as the default: a task has one CPU."""
    source = HeronDatasource(files_of(paths, table, options), columns, where, target_bytes)
    # With one block, the rows of each task stay together. With more blocks than tasks, as after a predicate was pushed
    # down, Ray would split the rows of each task.
    return ray.data.read_datasource(source, ray_remote_args=ray_remote_args, concurrency=concurrency,
                                    override_num_blocks=1)


# ---- rows by the sampling plan ----

@ray.remote
def _taken(plan, part):
    return plan.take(part)


@ray.remote
def _counted(split):
    return split.count()


@ray.remote
def _drawn(plan, position, count):
    return plan.table_at(position, count)


def _cpus():
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def sample(paths: Path | Sequence[Path], n: int, seed: int = 0, columns: Columns = None, where: Where = None, *,
           replace: bool = False, epoch: int = 0, table: str | None = None, **options: Any) -> pyarrow.Table:
    """Reads n random rows: those that Table.sample() draws with that seed in one process, in its order. Reads those
    rows; with a predicate, first counts what passes it in each split."""
    plan = Plan(files_of(paths, table, options), columns, where, seed, epoch, replace)
    if where is not None:
        plan.set_counts(ray.get([_counted.remote(split) for split in plan.splits]))
    held = ray.put(plan)
    tables, indices = [], []
    for part, at in plan.parts(0, plan.checked(n), _cpus()):
        tables.append(_taken.remote(held, part))
        indices.append(at)
    return plan.in_order(ray.get(tables), indices)


def shuffled(paths: Path | Sequence[Path], seed: int = 0, epoch: int = 0, batch_size: int = 4096,
             columns: Columns = None, where: Where = None, *, position: int = 0, table: str | None = None,
             **options: Any) -> Iterator[pyarrow.Table]:
    """Yields all rows once, in the order of the sampling plan, as tables of `batch_size` rows: those of Table.batches()
    with that seed and epoch. Goes on from row `position` of the order. Tasks read a few batches ahead."""
    plan = Plan(files_of(paths, table, options), columns, where, seed, epoch, False)
    if where is not None:
        plan.set_counts(ray.get([_counted.remote(split) for split in plan.splits]))
    held = ray.put(plan)
    at_once = max(1, (1 << 16) // batch_size) * batch_size
    starts = iter(range(position, plan.rows, at_once))
    waiting: list[Any] = []

    def submit():
        for start in starts:
            waiting.append(_drawn.remote(held, start, min(at_once, plan.rows - start)))
            return

    for _ in range(_TASKS_A_CPU * _cpus()):
        submit()
    while waiting:
        rows = ray.get(waiting.pop(0))
        submit()
        for first in range(0, len(rows), batch_size):
            yield rows.slice(first, batch_size)


# ---- aggregates ----

@ray.remote
def _aggregated(job, splits):
    return job.state(splits)


def aggregate(paths: Path | Sequence[Path], what: str = "count", by: str | Sequence[str] | None = None,
              where: Where = None, order_by: Order = None, limit: int | None = None, *, table: str | None = None,
              **options: Any) -> Any:
    """Computes aggregates over all files, bit for bit those of Table.aggregate() or, with `by`, Table.group_by(): a
    dict, a Batch. Tasks hand back states, not rows."""
    job = Job(files_of(paths, table, options), what, by, where, _TASKS_A_CPU * 2 * _cpus())
    held = ray.put(job)
    waiting = [_aggregated.remote(held, splits) for splits in job.tasks]
    return AggregateState.merged(ray.get(one) for one in waiting).result(order_by, limit)


# ---- writing ----

class HeronDatasink(Datasink):
    """The sink that heron.ray.write() writes to: each task writes one part, which appears whole or not at all."""

    def __init__(self, folder: str, format: str, options: dict[str, Any]) -> None:
        self._folder, self._format, self._options = folder, format, options

    def get_name(self) -> str:
        return "Heron"

    def on_write_start(self, schema: Any = None) -> None:
        os.makedirs(self._folder, exist_ok=True)
        check_empty(self._folder)

    def write(self, blocks: Any, ctx: Any) -> list[str]:
        tables = (block if isinstance(block, pyarrow.Table) else ray.data.block.BlockAccessor.for_block(block).to_arrow()
                  for block in blocks)
        return write_part(tables, self._folder, ctx.task_idx, self._format, self._options)

    def on_write_failed(self, error: Exception) -> None:
        drop_parts(self._folder)


def write(data: ray.data.Dataset, folder: Path, format: str = "jay", *, concurrency: int | None = None,
          ray_remote_args: dict[str, Any] | None = None, **options: Any) -> list[str]:
    """Writes a ray.data.Dataset as files `part-000000.jay` and so on into a folder without such. A part appears whole
    or not at all; where the job fails, none stays. Returns their paths, sorted. `options`: those of heron.write()."""
    options = write_options("write", options, writer=True)
    folder = os.path.abspath(os.fspath(folder))
    data.write_datasink(HeronDatasink(folder, format, options), concurrency=concurrency, ray_remote_args=ray_remote_args)
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("part-"))
