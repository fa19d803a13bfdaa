"""Reads files as plain values with ML.NET, the program that defines the format, and lets it save them."""

import importlib.util
import pathlib

_spec = importlib.util.spec_from_file_location(
    "runtime", pathlib.Path(__file__).resolve().parents[2] / "bench/peers/protocol/mlnet.py"
)  # this module has the same name
_runtime = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_runtime)
CannotBeHad = _runtime.CannotBeHad


class MLNet(_runtime.MLNet):
    def __init__(self):
        super().__init__(_runtime.fetch())

    def values(self, view, column):
        """Returns the values of all rows, each as `heron scan --raw --sparse` prints it, floats as text."""
        kind, get = column.Type, self.ml.Data.ColumnCursorExtensions.GetColumn
        plain = plain_of(kind)
        return [plain(value) for value in get[kind.RawType](view, column)]

    def metadata(self, column, name):
        """Returns metadata that is a text or a list of texts."""
        kind, value = self._annotation(column, name)
        return [str(text) for text in value.DenseValues()] if is_vector(kind) else str(value)

    def all_metadata(self, column):
        """Returns the name, the type with its shape, and the value of all metadata, in its order."""
        found = []
        for one in column.Annotations.Schema:
            kind, value = self._annotation(column, one.Name)
            found.append((one.Name, str(kind), plain_of(kind)(value)))
        return found

    def _annotation(self, column, name):
        kind = column.Annotations.Schema[name].Type
        empty = self.system.Activator.CreateInstance(kind.RawType)
        return kind, column.Annotations.GetValue[kind.RawType](name, empty)


def is_vector(kind):
    return str(kind).startswith("Vector<")


PLAIN = {
    "Single": repr,
    "Double": repr,
    "ReadOnlyMemory`1": str,
    "TimeSpan": lambda value: value.Ticks,
    "DateTime": lambda value: value.Ticks,
    "DateTimeOffset": lambda value: [value.Ticks, int(value.Offset.TotalMinutes)],
    "DataViewRowId": str,
}  # fmt: skip


def plain_of(kind):
    """Returns a function that makes a value of that type plain."""
    if not is_vector(kind):
        return PLAIN.get(kind.RawType.Name, lambda value: value)
    item = plain_of(kind.ItemType)

    def plain(vector):
        stored = list(vector.Items(False))
        row = {"len": vector.Length, "values": [item(one.Value) for one in stored]}
        if not vector.IsDense:
            row["indices"] = [one.Key for one in stored]
        return row

    return plain
