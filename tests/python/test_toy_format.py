"""A format with three options, added by a line in a registry (tests/toy): Python's arguments, their types and errors."""

import json
import pathlib
import subprocess
import sys

import pytest

import heron

PACKAGE = pathlib.Path(heron.__file__).parent
TOY = PACKAGE.parent.with_name("python_toy") / "heron"
SOURCES = pathlib.Path(__file__).parent.parent.parent / "tools/python/src"

pytestmark = pytest.mark.skipif(not TOY.is_dir(), reason="heron comes from a wheel, which has no toy beside it")


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """Returns a function that runs lines of Python with the package over the toy's module, and parses what they print."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "heron").mkdir()
    for path in [*PACKAGE.iterdir(), *TOY.iterdir()]:
        if path.suffix != ".so" or path.parent == TOY:
            (folder / "heron" / path.name).symlink_to(path)

    def run(*lines):
        code = "\n".join(["import heron, json, os", f"os.chdir({str(folder)!r})", *lines])
        done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    run.folder = folder
    return run


def test_options_are_arguments(toy):
    rows = toy(
        "heron.write({'x': [1, 2, 3]}, 'a.jay.toy', toy_key=7, toy_colour='blue')",
        "print(json.dumps([heron.open('a.jay.toy')['x'].to_pylist(), dict(heron.open('a.jay.toy').file.header),",
        "                  heron.open('a.jay.toy', toy_plain=True).file.format]))")
    assert rows[0] == [1, 2, 3]
    assert rows[1]["colour"] == "blue"
    assert rows[2] == "bytes"


def test_errors_name_the_argument(toy):
    errors = toy(
        "errors = []",
        "for options in {'toy_key': 256}, {'toy_colour': 'green'}, {'toy_colours': 'red'}, {'toy_plain': True}:",
        "    try: heron.write({'x': [1]}, 'b.jay.toy', **options)",
        "    except (TypeError, ValueError) as error: errors.append(str(error))",
        "print(json.dumps(errors))")
    assert len(errors) == 4
    assert "toy_key" in errors[0] and "0 to 255" in errors[0] and "256" in errors[0]
    assert "red" in errors[1] and "green" in errors[1]
    assert "toy_colour" in errors[2].replace("toy_colours", "")
    assert "toy_plain" in errors[3]


def test_types_are_made_of_the_table(toy):
    made = toy.folder / "_options.pyi"
    subprocess.run([sys.executable, SOURCES / "option_types.py", toy.folder / "heron", made], check=True)
    types = made.read_text()
    assert "toy_key: int" in types and "toy_plain: bool" in types
    assert "toy_colour: Literal['red', 'blue']" in types
