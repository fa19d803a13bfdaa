"""ML.NET as formats.py measures it: the program whose own format IDV is."""

from __future__ import annotations

from typing import Any

from . import mlnet
from .peer import Peer, Rows


class MlNet(Peer):
    """Its cursors only go forward, so a row costs all before it. A column comes as an array that .NET makes, copied at once."""

    name, package, suffix, file_format = "ML.NET", "pythonnet dotnetcore2", ".idv", "IDV"
    _DTYPES = {"SByte": "i1", "Byte": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4", "UInt32": "u4", "Int64": "i8",
               "UInt64": "u8", "Single": "f4", "Double": "f8", "Boolean": "?"}
    _runtime = None  # one per process

    def version(self) -> str:
        return MlNet._runtime.version if MlNet._runtime is not None else mlnet.version()

    def write(self, source: Any, path: str) -> None:
        source.convert(path, columns=self.columns, replace=True)

    def open(self, path: str) -> None:
        if MlNet._runtime is None:
            MlNet._runtime = mlnet.MLNet(mlnet.folder())
        self.view = MlNet._runtime.load(path)

    def array(self, view: Any, name: str) -> Any:
        import ctypes

        import numpy
        import pyarrow
        import System.Linq
        from System.Runtime.InteropServices import GCHandle, GCHandleType
        assert MlNet._runtime is not None
        column = view.Schema[name]
        kind = column.Type.RawType
        values = MlNet._runtime.ml.Data.ColumnCursorExtensions.GetColumn[kind](view, column)
        if str(column.Type) == "String":
            texts = System.String.Join[kind]("\0", values)
            return pyarrow.array(texts.split("\0") if texts else [])
        if str(column.Type) != kind.Name:
            raise TypeError(f"{name}: arrays of {column.Type} are not taken out of .NET")
        made = System.Linq.Enumerable.ToArray[kind](values)
        if made.Length == 0:
            return pyarrow.array(numpy.empty(0, self._DTYPES[kind.Name]))
        dtype = numpy.dtype(self._DTYPES[kind.Name])
        pinned = GCHandle.Alloc(made, GCHandleType.Pinned)
        memory = ctypes.c_char * (made.Length * dtype.itemsize)
        try:
            cells = memory.from_address(pinned.AddrOfPinnedObject().ToInt64())
            return pyarrow.array(numpy.frombuffer(cells, dtype).copy())
        finally:
            pinned.Free()

    def rows(self, view: Any, names: list[str] | None = None) -> Any:
        import pyarrow
        return pyarrow.table({name: self.array(view, name) for name in names or self.columns})

    def row(self, number: int) -> Any:
        data = MlNet._runtime.data  # type: ignore[union-attr]
        return self.rows(data.TakeRows(data.SkipRows(self.view, int(number)), 1)).to_pylist()[0]

    def take(self, rows: Rows) -> Any:
        return self.scan().take(rows)

    def column(self, name: str) -> Any:
        return self.rows(self.view, [name])

    def scan(self) -> Any:
        return self.rows(self.view)

    def filter(self, column: str, above: float) -> Any:
        if str(self.view.Schema[column].Type) in ("Single", "Double"):  # its filter takes no integers
            import numpy
            data = MlNet._runtime.data  # type: ignore[union-attr]
            return self.rows(data.FilterRowsByColumn(self.view, column, float(numpy.nextafter(above, numpy.inf)), float("inf")))
        import pyarrow.compute
        table = self.scan()
        return table.filter(pyarrow.compute.greater(table[column], above))

    def find(self, value: Any) -> Any:
        import pyarrow.compute
        at = pyarrow.compute.index(self.array(self.view, str(self.key)), value).as_py()
        data = MlNet._runtime.data  # type: ignore[union-attr]
        return self.rows(data.TakeRows(data.SkipRows(self.view, at), 1))
