"""Checks before a bench begins that it has all it needs: one line says what is missing and how to get it."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "peers"
# The package that has a module, where the names differ.
PACKAGES = {"lance": "pylance", "vortex": "vortex-data", "ray": "ray[data]", "dask": "dask[dataframe]"}


def end(text):
    sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {text}")


def programs(*paths):
    """Checks for programs of a build, such as `build/heron` or `build/bench/heron-ops`."""
    for path in map(pathlib.Path, paths):
        if not os.access(path, os.X_OK) or path.is_dir():
            target = "heron_cli" if path.name == "heron" else path.name
            end(f"needs the program {path}: cmake --build {path.parent} --target {target}" if path.parent.name != "bench" else
                f"needs the program {path}: cmake --build {path.parent.parent} --target {target}")


def folder(path, gigabytes=0):
    """Makes the folder for the files; ends if its disk has too little space."""
    path = pathlib.Path(path).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        end(f"needs a folder for its files: {path}: {error.strerror}")
    free = shutil.disk_usage(path).free / 1e9
    if free < gigabytes:
        end(f"needs {gigabytes:.1f} GB in {path}, which has {free:.1f} GB free")
    return path


def packages(*names):
    """Checks for Python packages, by the names that they are imported by."""
    missing = [PACKAGES.get(name, name) for name in names if importlib.util.find_spec(name) is None]
    if missing:
        end(f"needs {', '.join(missing)} in {sys.executable}: pip install {' '.join(missing)}")


def heron(path):
    """Makes `import heron` find the Python package in that folder, such as build/python; without a folder, the one that is
    installed."""
    if path is not None:
        path = pathlib.Path(path).resolve()
        if not (path / "heron" / "__init__.py").exists():
            end(f"needs the Python package in {path}: configure with -DHERON_PYTHON=ON and build the target heron_python_stub, or "
                "name its folder with --python")
        sys.path.insert(0, str(path))
    elif importlib.util.find_spec("heron") is None:
        end("needs the Python package: pip install . or --python build/python")


def venv(path, *requirements, upgrade=()):
    """Restarts the program in that venv. If it does not exist, makes it with the packages of these files, and those of `upgrade`
    in their newest versions: that needs PyPI."""
    path = pathlib.Path(path).resolve()
    python = path / "bin" / "python"
    if not python.exists():
        install = [str(python), "-m", "pip", "install", "-q"]
        steps = [[sys.executable, "-m", "venv", str(path)], *([*install, "-r", str(REQUIREMENTS / name)] for name in requirements),
                 *([*install, "-U", name] for name in upgrade)]
        for step in steps:
            if subprocess.run(step).returncode != 0:
                shutil.rmtree(path, ignore_errors=True)  # half a venv would be taken for a whole one
                end(f"needs the packages of bench/peers/{', '.join(requirements)}, which pip could not install into {path}")
    if pathlib.Path(sys.prefix).resolve() != path:
        os.execv(python, [str(python), *sys.argv])
