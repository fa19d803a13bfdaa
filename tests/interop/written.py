"""Files that Heron writes, for another program to read."""

import collections
import pathlib
import re
import subprocess
import tempfile

CONVERTED = ("idv/*.idv", "jay/*.jay", "jforests/*.bin", "balsa/t-*.balsa")  # files of data/


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def converts(heron, source, path):
    """Returns whether the file is converted: a file in which no column fits is refused."""
    try:
        run(heron, "convert", source, path, "--cast", "--drop-unsupported", "--quiet")
    except RuntimeError as error:
        if "no column" not in str(error):
            raise
        return False
    return True


def files(heron, data, folder, ending, commands, left_out):
    """Yields a description and the path of each file: made by commands, which are functions of the path, or converted
    from data/, but for files whose names begin with a match of left_out."""
    for what, command in commands.items():
        path = folder / f"{what}{ending}"
        run(*command(path))
        yield what, path
    for pattern in CONVERTED:
        for source in sorted(pathlib.Path(data).glob(pattern)):
            if not re.match(left_out, source.name):
                path = folder / f"{source.name}{ending}"
                if converts(heron, source, path):
                    yield f"converted from {pattern}", path


def check_all(check, program, heron, data, **files_options):
    """Calls check(path), which compares what the program reads and returns the number of values, for all files."""
    checked = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for what, path in files(heron, data, pathlib.Path(folder), **files_options):
            try:
                checked[what] += check(path)
            except Exception as error:
                error.add_note(f"in {path.name}, {what}")
                raise
    for what, values in checked.items():
        print(f"{what}: {values} values are the same to {program}")
