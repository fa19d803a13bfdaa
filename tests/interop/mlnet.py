"""ML.NET within Python: the program whose own format IDV is loads and saves such files.

Its assemblies come out of a wheel that no Python of today installs, the runtime they need from another
one, and pythonnet joins them to this process.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

WHEEL = "nimbusml==1.8.0"
WHEELS_PYTHON = ("--python-version=3.8", "--platform=manylinux1_x86_64", "--only-binary=:all:")
RUNTIME = {
    "tfm": "netcoreapp3.1",
    "framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"},
    "configProperties": {"System.Globalization.Invariant": True},  # needs no library of locales
}


class CannotBeHad(Exception):
    pass


def assemblies():
    """The folder with them, in this virtual environment; made at the first call."""
    folder = pathlib.Path(sys.prefix, "mlnet", WHEEL)
    if folder.exists():
        return folder
    folder.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run(
            [*download, "--no-deps", *WHEELS_PYTHON, "--dest", work, WHEEL], capture_output=True, text=True
        )
        if done.returncode != 0:
            raise CannotBeHad(f"no {WHEEL}: {done.stderr.strip().splitlines()[-1]}")
        found = pathlib.Path(work, "found")
        found.mkdir()
        with zipfile.ZipFile(next(pathlib.Path(work).glob("*.whl"))) as wheel:
            for name in wheel.namelist():
                if pathlib.PurePath(name).match("libs/Microsoft.ML.*.dll"):
                    pathlib.Path(found, pathlib.PurePath(name).name).write_bytes(wheel.read(name))
        found.rename(folder)
    return folder


class MLNet:
    def __init__(self):
        import clr_loader
        import pythonnet

        folder = assemblies()
        runtime = pathlib.Path(importlib.util.find_spec("dotnetcore2").origin).parent / "bin"
        with tempfile.NamedTemporaryFile("w", suffix=".json") as settings:
            json.dump({"runtimeOptions": RUNTIME}, settings)
            settings.flush()
            pythonnet.load(clr_loader.get_coreclr(runtime_config=settings.name, dotnet_root=runtime))
        import clr

        sys.path.append(str(folder))
        for name in ("Core", "Data", "DataView"):
            clr.AddReference(f"Microsoft.ML.{name}")
        import Microsoft.ML
        import Microsoft.ML.Data
        import System

        self._ml, self._system = Microsoft.ML, System
        self._data = Microsoft.ML.MLContext().Data
        data_assembly = clr.GetClrType(Microsoft.ML.MLContext).Assembly
        reported = System.Diagnostics.FileVersionInfo.GetVersionInfo(data_assembly.Location)
        self.version = reported.ProductVersion.split()[0]

    def load(self, path):
        return self._ml.BinaryLoaderSaverCatalog.LoadFromBinary(self._data, str(path))

    def save(self, view, path):
        with self._system.IO.File.Create(str(path)) as stream:
            self._ml.BinaryLoaderSaverCatalog.SaveAsBinary(self._data, view, stream)

    def values(self, view, column):
        """Of all rows, each as `heron scan --raw --sparse` has it, floats as text."""
        kind, get = column.Type, self._ml.Data.ColumnCursorExtensions.GetColumn
        plain = plain_of(kind)
        return [plain(value) for value in get[kind.RawType](view, column)]

    def metadata(self, column, name):
        """A text, or a list of them."""
        kind, value = self._annotation(column, name)
        return [str(text) for text in value.DenseValues()] if is_vector(kind) else str(value)

    def all_metadata(self, column):
        """Name, type with its shape, and value, of any type, in their order."""
        found = []
        for one in column.Annotations.Schema:
            kind, value = self._annotation(column, one.Name)
            found.append((one.Name, str(kind), plain_of(kind)(value)))
        return found

    def _annotation(self, column, name):
        kind = column.Annotations.Schema[name].Type
        empty = self._system.Activator.CreateInstance(kind.RawType)
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
    """What makes a value of that type plain."""
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
