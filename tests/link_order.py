#!/usr/bin/env python3
"""Checks that the library links one way: no folder of the engine calls a function that a folder above it defines.

Includes alone do not show that (layering.py checks those): a public header declares what any folder may define. The
one call upwards is formats(), by which the engine asks for the list of codecs.

    tests/link_order.py BUILD      a build folder
"""

import collections
import pathlib
import re
import subprocess
import sys

from layering import LEVELS, RANK

CODECS = len(LEVELS)
UPWARDS = {"heron::v0::formats()"}
ENGINE = pathlib.Path(__file__).resolve().parent.parent / "engine"


def folders_of_units():
    """The engine's folder for each name that heron_unity (CMakeLists.txt) gives to a unit of a nested folder: the
    folder's own name, or <above>_<name> when a folder before it has that name."""
    folders = {}
    for nested in sorted(ENGINE.glob("*/*/")):
        name = nested.name if nested.name not in folders else f"{nested.parent.name}_{nested.name}"
        folders[name] = nested.parent.name
    return folders


FOLDER_OF_UNIT = folders_of_units()


def folder_of(path):
    """Returns the folder of an object file, of one source or of a unit (unity_<name>_<number>_cxx.cxx.o)."""
    unit = re.match(r"unity_(\w+?)_\d+_cxx", path.name)
    if unit:
        return FOLDER_OF_UNIT.get(unit[1], unit[1])
    return path.parent.parent.name if path.parent.parent.name in RANK else path.parent.name


def symbols_of(path):
    """Returns (defined, undefined) names of Heron's functions and variables. Names that several objects define, such as
    templates, do not count."""
    defined, undefined = set(), set()
    listing = subprocess.run(["nm", "-C", str(path)], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        kind, name = line[17], line[19:]
        if "heron::" not in name:
            continue
        if kind in "TDBRVu":
            defined.add(name)
        elif kind == "U":
            undefined.add(name)
    return defined, undefined


def objects_of(build):
    """Returns the current object files of the library: a folder that was built before may hold others."""
    outputs = re.findall(r" -o (\S*heron\.dir/\S+\.o) ", (build / "compile_commands.json").read_text(encoding="utf-8"))
    return sorted(build / output for output in outputs)


def main():
    objects = objects_of(pathlib.Path(sys.argv[1]))
    defined_in, calls = {}, collections.defaultdict(set)
    for file in objects:
        folder = folder_of(file)
        defined, undefined = symbols_of(file)
        defined_in.update(dict.fromkeys(defined, folder))
        calls[folder] |= undefined
    if not RANK.keys() <= calls.keys():
        print("no object files of", ", ".join(sorted(RANK.keys() - calls.keys())))
        return 1
    rank = lambda folder: RANK.get(folder, CODECS)
    faults = sorted(f"{folder} calls {name}, which {defined_in[name]} defines"
                    for folder in RANK for name in calls[folder] - UPWARDS
                    if name in defined_in and rank(defined_in[name]) > rank(folder))
    print("\n".join(faults) or f"{len(objects)} object files: as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
