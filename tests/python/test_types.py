"""Type hints: every public function has them, mypy --strict accepts a program that uses them, and the stubs exist."""

import inspect
import os
import pathlib
import subprocess
import sys

import pytest

import heron

PACKAGE = pathlib.Path(heron.__file__).parent
CONSUMER = pathlib.Path(__file__).with_name("consumer.py")


def public_functions():
    for name in heron.__all__:
        what = getattr(heron, name)
        if not inspect.isclass(what):
            yield name, what
            continue
        for part, value in vars(what).items():
            function = value.fget if isinstance(value, property) else value
            is_public = not part.startswith("_") or part.startswith("__")
            if is_public and inspect.isfunction(function):
                yield f"{name}.{part}", function


@pytest.mark.parametrize("name, function", list(public_functions()))
def test_every_parameter_has_a_type(name, function):
    signature = inspect.signature(function)
    untyped = [part.name for part in signature.parameters.values()
               if part.annotation is part.empty and part.name not in ("self", "_")]
    assert not untyped and (signature.return_annotation is not signature.empty)


def test_shipped():
    assert (PACKAGE / "py.typed").exists()
    stub = (PACKAGE / "_heron.pyi").read_text()
    assert "class Data:" in stub and "def matrix_into(" in stub
    options = (PACKAGE / "_options.pyi").read_text()
    assert "    csv_types: dict[str, str] | None\n" in options and "    layout: Literal['typed', 'legacy'] | None\n" in options


def errors(tmp_path, *arguments, of=""):
    """Returns the errors that mypy reports for a file; it would report none for an installed package."""
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache", "--follow-imports=silent",
                           *arguments], env=dict(os.environ, MYPYPATH=str(PACKAGE.parent)), capture_output=True, text=True)
    assert done.returncode in (0, 1) and not done.stderr, done.stderr
    return [line for line in done.stdout.splitlines() if ": error:" in line and of in line.split(":")[0]]


def test_mypy_of_a_program(tmp_path):
    assert errors(tmp_path, "--strict", CONSUMER, of="consumer.py") == []
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import heron\n"
                     "ds = heron.open(5)\n"
                     "ds.take('a', columns=3.5)\n"
                     "count: str = ds.count()\n"
                     "row: int = ds[5]\n"
                     "heron.open('x.csv', csv_seperator=';')\n"
                     "heron.write({}, 'x.jay', layout='old')\n"
                     "heron.col('x').between(1)\n")
    found = errors(tmp_path, "--strict", wrong, of="wrong.py")
    assert {int(line.split(":")[1]) for line in found} == {2, 3, 4, 5, 6, 7, 8}, found


def test_mypy_of_the_package(tmp_path):
    assert errors(tmp_path, "--ignore-missing-imports", "-p", "heron") == []


def test_the_program_runs(many, tmp_path):
    path, _ = many
    few = tmp_path / "few.jay"
    heron.open(path).convert(few, columns=["id", "x"], limit=7)
    subprocess.run([sys.executable, CONSUMER, few], check=True, env=dict(os.environ, PYTHONPATH=str(PACKAGE.parent)))
