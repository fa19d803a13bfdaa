#!/usr/bin/env python3
"""Checks the structure of the tree, by reading its includes.

- Includes go one way: tools, bench, tests -> codecs -> engine; inside the engine files, arrow -> forest, convert ->
  checks, sample -> aggregate -> find, scan -> sort -> rows -> exec -> filter -> skip, expression -> readahead -> table -> format -> cache -> columns -> values -> bytes -> base; the public headers include only each other, also one way (PUBLIC_LEVELS), and the standard library; every file
  may include them, but folders below the tables only those of values. Codecs do not know each other.
- Each third party has one door.
- No engine folder names a format (comments may), but for the public headers: csv.h holds the options of text files.
- No text of the engine or a codec names an option of the command line: errors have a Hint for that.
- What a public header declares and the library defines is exported.
- Code that puts values together makes their batch with batch_like() or own_batch(), so that no values of a mapped file
  are without its file.
- Files and functions stay below their ceilings.

Each public header compiles alone, too: the build does that (tests/CMakeLists.txt).

    tests/layering.py [--root FOLDER]
"""

import argparse
import pathlib
import re
import sys

LEVELS = [{"base"}, {"bytes"}, {"values"}, {"columns"}, {"cache"}, {"format"}, {"table"}, {"readahead"}, {"skip", "expression"}, {"filter"}, {"exec"},
          {"rows"}, {"sort"}, {"scan", "find"}, {"aggregate"}, {"sample", "checks"}, {"convert", "forest"}, {"arrow", "files"}]
RANK = {folder: rank for rank, level in enumerate(LEVELS) for folder in level}
# The public headers, leaf first: each includes only those before its level.
PUBLIC_LEVELS = [{"export"}, {"error", "formats", "library", "schema"}, {"context", "values"}, {"table", "text", "writer"},
                 {"expression", "find", "mapped_cells", "row_view", "take"}, {"query"},
                 {"aggregate", "row_source", "scan"}, {"arrow", "csv", "sampler", "split"}, {"file", "loader"},
                 {"check", "convert", "forest", "index"}, {"heron"}]
PUBLIC_RANK = {header: rank for rank, level in enumerate(PUBLIC_LEVELS) for header in level}
VALUES = PUBLIC_RANK["text"]  # the highest level that folders below datasets include
HOUSES = ("engine", "codecs", "tools", "bench", "tests")

# An include that begins so may stand only in files whose path begins so. Tests are free to use what the
# tools use.
DOORS = {
    "boost/iostreams/": ["engine/bytes/"],
    "boost/endian/": ["engine/bytes/on_disk.h"],
    "liburing": ["engine/bytes/page_requests.cc"],
    "libdeflate": ["engine/bytes/inflate.cc", "engine/bytes/deflate.cc", "bench/archive.cc", "bench/blocks_bound.cc", "bench/deflate_bound.cc"],
    "flatbuffers/": ["codecs/arrow_ipc/", "codecs/jay/"],
    "arrow_ipc_generated": ["codecs/arrow_ipc/"],
    "lz4frame": ["codecs/arrow_ipc/body_compression.cc", "bench/bodies.cc"],
    "zstd.h": ["codecs/arrow_ipc/body_compression.cc", "bench/bodies.cc"],
    "jay_generated": ["codecs/jay/"],
    "xxhash": ["engine/skip/checksum", "engine/expression/functions/hash.cc"],
    "re2/": ["engine/expression/functions/regex.cc", "tests/expression/regex_test.cc"],
    "tbb/": ["engine/base/parallel"],
    "oneapi/": ["engine/base/parallel"],
    "fmt/": ["tools/cli/"],
    "nlohmann/": ["tools/cli/", "tests/"],
    "gtest/": ["tests/"],
    "gmock/": ["tests/"],
    "benchmark/": ["bench/"],
    "nanobind/": ["tools/python/"],
}
# Formats whose names are words elsewhere, too: tools print them, other programs read them.
WORDS_OF_OTHERS = {"csv", "gzip", "compression"}
SYSTEM = ("sys/", "linux/", "sanitizer/")  # with a slash, but not of a library

MAX_LINES = {"tests": 600}
MAX_LINES_ELSEWHERE = 400
MAX_FUNCTION_LINES = 60

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
FLAG = re.compile(r'"[^"]*(--[a-z][a-z-]*)')
# clang-format lays out functions outside of classes so that they start and end at the margin.
NO_FUNCTION = re.compile(r"^(namespace|class|struct|union|enum|extern|template <.*> (class|struct))\b.*\{$")


def public_fault(header, target):
    """Returns why a public header may not include `target`, or None."""
    if header not in PUBLIC_RANK:
        return f"{header}.h is not listed in PUBLIC_LEVELS"
    if not target.startswith("heron/"):
        return None
    included = target[len("heron/"):-len(".h")]
    if PUBLIC_RANK.get(included, 99) >= PUBLIC_RANK[header]:
        return f"{header}.h does not include {included}.h, which is not before it in PUBLIC_LEVELS"
    return None


# Declarations at the margin that need no mark: definitions in a header, and types without code.
DEFINED_HERE = re.compile(r"(inline|constexpr|using|struct|enum|friend|namespace|static|template|requires|#|//|\}|HERON_EXPORT)")
FUNCTION = re.compile(r"(\[\[\w+\]\] )?\w[\w:<>,\s*&]*[\s*&](operator\S+|\w+)\(")


def unexported(lines):
    """Lines that declare what a shared library would not export."""
    for number, line in enumerate(lines, 1):
        if re.match(r"class (?!HERON_EXPORT)[^;]*$", line):
            yield number, "a class without HERON_EXPORT"
        elif not DEFINED_HERE.match(line) and FUNCTION.match(line):
            declaration = " ".join(lines[number - 1:number + 9])
            if re.search(r"[;{]", declaration)[0] == ";":
                yield number, "a function without HERON_EXPORT"


def include_fault(path, quote, target, formats):
    """Returns why `path` may not include `target`, or None."""
    parts = path.split("/")
    for start, doors in DOORS.items():
        if target.startswith(start):
            return None if path.startswith(tuple(doors)) else f"{start} belongs to {', '.join(doors)}"
    if quote == "<" and "/" in target and not target.startswith(SYSTEM + ("heron/",)):
        return "a third party without a door"
    if path.startswith("engine/include/"):
        public = target.startswith("heron/") or (quote == "<" and not re.search(r"[/.]", target))
        if not public:
            return "a public header includes only public and standard ones"
        return public_fault(pathlib.PurePath(path).stem, target)
    if target.startswith("heron/") and parts[0] == "engine" and RANK.get(parts[1], 99) < RANK["format"]:
        rank = PUBLIC_RANK.get(target[len("heron/"):-len(".h")], 99)
        return None if rank <= VALUES else f"{parts[1]} lies below datasets and queries"
    if quote == "<" or target.startswith("heron/"):
        return None

    folder = target.split("/")[0] if "/" in target else ""
    in_codecs = folder in formats
    if parts[0] == "engine":
        if in_codecs:
            return "the engine does not know the codecs"
        here, there = RANK.get(parts[1]), RANK.get(folder)
        if there is not None and (there > here or (there == here and folder != parts[1])):
            return f"{parts[1]} does not include {folder}"
    if parts[0] == "codecs" and folder in formats and len(parts) > 2 and folder != parts[1]:
        return "codecs do not know each other"
    if parts[0] in ("engine", "codecs") and folder in ("tools", "bench", "tests", "cli"):
        return f"{parts[0]} does not include {folder}"
    return None


def long_functions(lines):
    start = None
    for number, line in enumerate(lines, 1):
        if line == "}" and start is not None:
            if number - start + 1 > MAX_FUNCTION_LINES:
                yield start, f"a function of {number - start + 1} lines (ceiling {MAX_FUNCTION_LINES})"
            start = None
        elif line and not line[0].isspace() and line.endswith("{") and not NO_FUNCTION.match(line):
            start = number


def batches_by_hand(path, lines):
    """Local batches that get columns and nothing to keep what these point into."""
    text = "\n".join(lines)
    for match in re.finditer(r"^ +RowBatch (\w+);$", text, re.MULTILINE):
        rest = text[match.end():text.find("\n}\n", match.end())]
        if re.search(rf"\b{match[1]}\.columns(\.(push|emplace)_back\(|\.resize\(| = )", rest):
            yield text.count("\n", 0, match.start()) + 1, f"a batch by hand: {match[1]}; values/batch_like.h makes them"


def file_faults(path, lines, formats):
    house = path.split("/")[0]
    if house in ("engine", "codecs") and path != "engine/values/batch_like.h":
        yield from batches_by_hand(path, lines)
    ceiling = MAX_LINES.get(house, MAX_LINES_ELSEWHERE)
    if len(lines) > ceiling:
        yield len(lines), f"more than {ceiling} lines"
    yield from long_functions(lines)
    if path.startswith("engine/include/"):
        yield from unexported(lines)
    own_words = [name for name in formats if name not in WORDS_OF_OTHERS]
    format_name = re.compile(rf"(?i)(?<![a-z])({'|'.join(own_words)})(?![a-z])")
    for number, line in enumerate(lines, 1):
        if (match := INCLUDE.match(line)) and (fault := include_fault(path, *match.groups(), formats)):
            yield number, f"{match[2]}: {fault}"
        if house in ("engine", "codecs") and (match := FLAG.search(re.sub(r"//.*", "", line))):
            yield number, f"names an option of the command line: {match[1]}"
        if house == "engine" and not path.startswith("engine/include/") and (match := format_name.search(re.sub(r"//.*", "", line))):
            yield number, f"the engine names a format: {match[1]}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    options = arguments.parse_args()
    root = options.root

    formats = sorted(path.name for path in (root / "codecs").iterdir() if path.is_dir())
    files = sorted(path for house in HOUSES for path in (root / house).rglob("*")
                   if path.suffix in (".h", ".cc") and "/build" not in str(path.relative_to(root)))
    faults = []
    for file in files:
        path = str(file.relative_to(root))
        lines = file.read_text(encoding="utf-8").splitlines()
        faults += [f"{path}:{number}: {fault}" for number, fault in file_faults(path, lines, formats)]

    print("\n".join(faults) or f"{len(files)} files: as they should be")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
