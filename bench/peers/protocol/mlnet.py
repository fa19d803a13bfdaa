"""ML.NET within Python: the program whose own format IDV is. Needs pythonnet and dotnetcore2.

    python3 bench/peers/protocol/mlnet.py      # fetches its assemblies, 114 MB, into this environment

The assemblies are from the wheel of nimbusml, which no Python of today installs, the runtime that they need is from
dotnetcore2, and pythonnet joins both to this process. Used by formats.py and by tests/interop; imports nothing of heron.
"""

from __future__ import annotations

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile
from typing import Any

WHEEL = "nimbusml==1.8.0"
_WHEELS_PYTHON = ("--python-version=3.8", "--platform=manylinux1_x86_64", "--only-binary=:all:")
_RUNTIME = {
    "tfm": "netcoreapp3.1",
    "framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"},
    "configProperties": {"System.Globalization.Invariant": True},  # needs no library of locales
}


class CannotBeHad(Exception):
    pass


def folder() -> pathlib.Path:
    """Returns the folder of the assemblies in this environment, once they were fetched."""
    return pathlib.Path(sys.prefix, "mlnet", WHEEL)


def fetch() -> pathlib.Path:
    """Returns the folder of the assemblies, which the first call makes. CannotBeHad if no wheel can be downloaded."""
    made = folder()
    if made.exists():
        return made
    made.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made.parent) as work:
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*download, "--no-deps", *_WHEELS_PYTHON, "--dest", work, WHEEL], capture_output=True, text=True)
        if done.returncode != 0:
            raise CannotBeHad(f"no {WHEEL}: {done.stderr.strip().splitlines()[-1]}")
        found = pathlib.Path(work, "found")
        found.mkdir()
        with zipfile.ZipFile(next(pathlib.Path(work).glob("*.whl"))) as wheel:
            for name in wheel.namelist():
                if pathlib.PurePath(name).match("libs/Microsoft.ML.*.dll"):
                    pathlib.Path(found, pathlib.PurePath(name).name).write_bytes(wheel.read(name))
        found.rename(made)
    return made


def version() -> str:
    """Returns the version, without starting the runtime. CannotBeHad says what is missing."""
    for name in ("pythonnet", "clr_loader", "dotnetcore2"):
        if importlib.util.find_spec(name) is None:
            raise CannotBeHad(f"no {name}")
    if not folder().exists():
        raise CannotBeHad("no assemblies: python3 bench/peers/protocol/mlnet.py fetches them")
    return f"of {WHEEL}"


class MLNet:
    """Returns the runtime with ML.NET's namespaces, which a process starts once."""

    def __init__(self, assemblies: pathlib.Path) -> None:
        import clr_loader
        import pythonnet

        spec = importlib.util.find_spec("dotnetcore2")
        if spec is None or spec.origin is None:
            raise CannotBeHad("no dotnetcore2")
        runtime = pathlib.Path(spec.origin).parent / "bin"
        with tempfile.NamedTemporaryFile("w", suffix=".json") as settings:
            json.dump({"runtimeOptions": _RUNTIME}, settings)
            settings.flush()
            pythonnet.load(clr_loader.get_coreclr(runtime_config=settings.name, dotnet_root=runtime))
        import clr

        sys.path.append(str(assemblies))
        for name in ("Core", "Data", "DataView"):
            clr.AddReference(f"Microsoft.ML.{name}")
        import Microsoft.ML
        import Microsoft.ML.Data
        import System

        self.ml, self.system = Microsoft.ML, System
        self.data = Microsoft.ML.MLContext().Data
        assembly = clr.GetClrType(Microsoft.ML.MLContext).Assembly
        reported = System.Diagnostics.FileVersionInfo.GetVersionInfo(assembly.Location)
        self.version: str = reported.ProductVersion.split()[0]

    def load(self, path: str) -> Any:
        return self.ml.BinaryLoaderSaverCatalog.LoadFromBinary(self.data, str(path))

    def save(self, view: Any, path: str) -> None:
        with self.system.IO.File.Create(str(path)) as stream:
            self.ml.BinaryLoaderSaverCatalog.SaveAsBinary(self.data, view, stream)


if __name__ == "__main__":
    print(fetch())
