"""The libraries that formats.py measures beside each other: Heron from Python, and others, each with its own file of
the same rows. Each answers the questions in its usual way, or with None if it has no such way."""

from __future__ import annotations

import os
from typing import Any

from .mlnet_peer import MlNet
from .peer import Peer, Rows


def arrow_table(source: Any, columns: list[str]) -> Any:
    import pyarrow
    return pyarrow.table(source.scan(columns=columns))


class Heron(Peer):
    name, package, file_format = "heron (Python)", "heron", ""

    def version(self) -> str:
        import heron
        return heron.__version__

    def write(self, source: Any, path: str) -> None:
        raise AssertionError("it reads the file itself")

    def open(self, path: str) -> None:
        import heron
        self.data = heron.open(path, threads=1)
        self.single = self.data.rows(self.columns, form="dict")

    def row(self, number: int) -> Any:
        return self.single[number]

    def take(self, rows: Rows) -> Any:
        return self.data.take(rows, self.columns).to_arrow()

    def column(self, name: str) -> Any:
        return self.data.scan(columns=[name], batch_rows=1 << 16).to_arrow()

    def scan(self) -> Any:
        return self.data.scan(columns=self.columns, batch_rows=1 << 16).to_arrow()

    def filter(self, column: str, above: float) -> Any:
        import heron
        return self.data.scan(heron.col(column) > above, columns=self.columns).to_arrow()

    def find(self, value: Any) -> Any:
        return self.data.find(value, by=[str(self.key)], columns=self.columns).to_arrow()


class Arrow(Peer):
    """Libraries that have a pyarrow.Table of the whole file, in memory or mapped."""

    package = "pyarrow"
    table: Any

    def row(self, number: int) -> Any:
        return self.table.slice(number, 1).to_pylist()[0]

    def take(self, rows: Rows) -> Any:
        return self.table.take(rows)

    def column(self, name: str) -> Any:
        return self.table.select([name])

    def scan(self) -> Any:
        return self.table

    def filter(self, column: str, above: float) -> Any:
        import pyarrow.compute
        chunks = self.table[column]
        return self.table.filter(pyarrow.compute.greater(chunks, pyarrow.scalar(above, chunks.type)))

    def find(self, value: Any) -> Any:
        import bisect
        chunks = self.table[self.key]
        at = bisect.bisect_left(range(len(chunks)), value, key=lambda row: chunks[row].as_py())
        return self.table.slice(at, 1)


class ArrowIpc(Arrow):
    name, suffix, file_format = "pyarrow, IPC mapped", ".arrow", "Arrow IPC"

    def write(self, source: Any, path: str) -> None:
        import pyarrow
        table = arrow_table(source, self.columns)
        with pyarrow.OSFile(path, "wb") as out, pyarrow.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table, max_chunksize=1 << 16)

    def open(self, path: str) -> None:
        import pyarrow
        pyarrow.set_cpu_count(1)
        self.table = pyarrow.ipc.open_file(pyarrow.memory_map(path)).read_all()


class Parquet(Peer):
    name, package, suffix, file_format = "pyarrow, Parquet", "pyarrow", ".parquet", "Parquet"

    def write(self, source: Any, path: str) -> None:
        import pyarrow.parquet
        pyarrow.parquet.write_table(arrow_table(source, self.columns), path, row_group_size=1 << 16)

    def open(self, path: str) -> None:
        import pyarrow.dataset
        pyarrow.set_cpu_count(1)
        self.data = pyarrow.dataset.dataset(path)

    def take(self, rows: Rows) -> Any:
        return self.data.take(rows)

    def column(self, name: str) -> Any:
        return self.data.to_table(columns=[name], use_threads=False)

    def scan(self) -> Any:
        return self.data.to_table(use_threads=False)

    def filter(self, column: str, above: float) -> Any:
        import pyarrow.dataset
        return self.data.to_table(filter=pyarrow.dataset.field(column) > above, use_threads=False)

    def find(self, value: Any) -> Any:
        import pyarrow.dataset
        return self.data.to_table(filter=pyarrow.dataset.field(self.key) == value, use_threads=False)


class Polars(Peer):
    name, package, suffix, file_format = "Polars, Parquet", "polars", ".parquet", "Parquet"
    write = Parquet.write

    def open(self, path: str) -> None:
        import polars
        self.polars = polars
        self.data = polars.scan_parquet(path)

    def row(self, number: int) -> Any:
        return self.data.slice(number, 1).collect().row(0, named=True)

    def take(self, rows: Rows) -> Any:
        return self.data.select(self.polars.all().gather(list(map(int, rows)))).collect().to_arrow()

    def column(self, name: str) -> Any:
        return self.data.select(name).collect().to_arrow()

    def scan(self) -> Any:
        return self.data.collect().to_arrow()

    def filter(self, column: str, above: float) -> Any:
        return self.data.filter(self.polars.col(column) > above).collect().to_arrow()

    def find(self, value: Any) -> Any:
        return self.data.filter(self.polars.col(str(self.key)) == value).collect().to_arrow()


class DuckDb(Peer):
    name, package, suffix, file_format = "DuckDB", "duckdb", ".duckdb", "DuckDB"

    def write(self, source: Any, path: str) -> None:
        import duckdb
        table = arrow_table(source, self.columns)
        with duckdb.connect(path) as connection:
            connection.register("given", table)
            connection.execute("CREATE TABLE t AS SELECT * FROM given")

    def open(self, path: str) -> None:
        import duckdb
        self.connection = duckdb.connect(path, read_only=True, config={"threads": 1})

    def close(self) -> None:
        self.connection.close()
        super().close()

    def ask(self, what: str, values: list[Any] | None = None) -> Any:
        return self.connection.sql("SELECT " + what, params=values or []).to_arrow_table()

    def row(self, number: int) -> Any:
        return self.connection.execute("SELECT * FROM t WHERE rowid = ?", [int(number)]).fetchall()[0]

    def take(self, rows: Rows) -> Any:
        return self.ask(f"* FROM t WHERE rowid IN ({','.join(map(str, rows))})")

    def column(self, name: str) -> Any:
        return self.ask(f'"{name}" FROM t')

    def scan(self) -> Any:
        return self.ask("* FROM t")

    def filter(self, column: str, above: float) -> Any:
        return self.ask(f'* FROM t WHERE "{column}" > ?', [above])

    def find(self, value: Any) -> Any:
        return self.ask(f'* FROM t WHERE "{self.key}" = ?', [value])


class Lance(Peer):
    name, package, suffix, file_format = "Lance", "pylance", ".lance", "Lance"

    def write(self, source: Any, path: str) -> None:
        import lance
        lance.write_dataset(arrow_table(source, self.columns), path, max_rows_per_file=1 << 30)

    def open(self, path: str) -> None:
        import lance
        self.data = lance.dataset(path)

    def take(self, rows: Rows) -> Any:
        return self.data.take(list(map(int, rows)))

    def column(self, name: str) -> Any:
        return self.data.to_table(columns=[name])

    def scan(self) -> Any:
        return self.data.to_table()

    def filter(self, column: str, above: float) -> Any:
        return self.data.to_table(filter=f"`{column}` > {above!r}")

    def find(self, value: Any) -> Any:
        shown = "'" + value.replace("'", "''") + "'" if isinstance(value, str) else value
        return self.data.to_table(filter=f"`{self.key}` = {shown}")


class Vortex(Peer):
    name, package, suffix, file_format = "Vortex", "vortex-data", ".vortex", "Vortex"

    def write(self, source: Any, path: str) -> None:
        import vortex
        vortex.io.write(arrow_table(source, self.columns), path)

    def open(self, path: str) -> None:
        import vortex
        self.vortex = vortex
        self.file = vortex.open(path)

    def take(self, rows: Rows) -> Any:
        import numpy
        import pyarrow
        indices = self.vortex.array(pyarrow.array(numpy.unique(rows)))  # it takes ascending row numbers
        return self.file.to_arrow(self.columns, indices=indices).read_all()

    def column(self, name: str) -> Any:
        return self.file.to_arrow([name]).read_all()

    def scan(self) -> Any:
        return self.file.to_arrow(self.columns).read_all()

    def literal(self, name: str, value: Any) -> Any:
        """Returns a literal of the column's own type: Vortex compares no others."""
        import pyarrow
        first = self.vortex.array(pyarrow.array([0], pyarrow.uint64()))
        kind = self.file.to_arrow([name], indices=first).read_all().schema.field(name).type
        types = {"float": self.vortex.float_, "int": self.vortex.int_, "uint": self.vortex.uint}
        word = str(kind).replace("double", "float")
        made = next((make for prefix, make in types.items() if word.startswith(prefix)), None)
        of = made(kind.bit_width, nullable=True) if made is not None else self.vortex.utf8(nullable=True)
        return self.vortex.expr.literal(of, value)

    def filter(self, column: str, above: float) -> Any:
        of = self.vortex.expr.column(column)
        return self.file.to_arrow(self.columns, expr=of > self.literal(column, above)).read_all()

    def find(self, value: Any) -> Any:
        of = self.vortex.expr.column(self.key)
        return self.file.to_arrow(self.columns, expr=of == self.literal(str(self.key), value)).read_all()


class DataTable(Peer):
    name, package, suffix, file_format = "datatable", "datatable", ".jay", "Jay"

    def write(self, source: Any, path: str) -> None:
        source.convert(path, columns=self.columns)

    def open(self, path: str) -> None:
        import datatable
        datatable.options.nthreads = 1
        self.datatable = datatable
        self.frame = datatable.fread(path)

    def row(self, number: int) -> Any:
        return self.frame[int(number), :].to_tuples()[0]

    def take(self, rows: Rows) -> Any:
        return self.frame[list(map(int, rows)), :].to_arrow()

    def column(self, name: str) -> Any:
        return self.frame[:, name].to_arrow()

    def scan(self) -> Any:
        return self.frame.to_arrow()

    def filter(self, column: str, above: float) -> Any:
        return self.frame[self.datatable.f[column] > above, :].to_arrow()

    def find(self, value: Any) -> Any:
        return self.frame[self.datatable.f[self.key] == value, :].to_arrow()


PEERS: list[type[Peer]] = [Heron, ArrowIpc, Parquet, Polars, DuckDb, Lance, Vortex, DataTable, MlNet]


def peer_named(name: str) -> type[Peer]:
    for peer in PEERS:
        if peer.name == name:
            return peer
    raise ValueError(f"no peer {name!r}; there are: {', '.join(peer.name for peer in PEERS)}")


# The environment of workers: one thread each, because `heron bench` asks from one.
ONE_THREAD = dict.fromkeys(("POLARS_MAX_THREADS", "LANCE_CPU_THREADS", "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS", "OMP_NUM_THREADS"), "1")


def bytes_of(path: str) -> int:
    return sum(os.path.getsize(file) for file in files_of(path))


def files_of(path: str) -> list[str]:
    if os.path.isfile(path):
        return [path]
    return [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
