#!/usr/bin/env python3
"""Checks that words which the glossary has replaced stay away: each thing has one word, in code, help, errors and READMEs.

    tests/words.py [--root FOLDER]
"""

import argparse
import pathlib
import re
import sys

HOUSES = ("engine", "codecs", "tools", "bench", "tests")
SUFFIXES = (".h", ".cc", ".c", ".py", ".sh", ".md", ".txt", ".cmake", ".in")

# What was replaced, and by what. Names match as parts of longer ones, phrases in letters of either case.
NAMES = {
    "MissingRule": "NullEncoding",
    "TablePart": "Fragment",
    "FilterUnit": "Morsel",
    "FilterRoom": "FilterState",
    "ColumnPiece": "ColumnChunk",
    "AgreedKeys": "UnifiedDictionary",
    "StretchSink": "VarlenWriter",
    "[Ss]tretch": "morsel, range, slice, run",
    "(bytes|rows)_kept": "bytes_selected, rows_selected",
    "known_findings": "metadata_aggregate",
    "Fitted": "SchemaMapping, MappedColumn",
    "Spool": "spill",
    "Holding": "TypeSupport",
    "Capacities": "WriteSupport",
    "names_told": "names_reported",
    "told_rows": "expected_rows",
    "told_type": "a name of what the type is for",
    "told_text": "a name of what the text is for",
    r"\bk(Most|Least|Usual|Few|Many)([A-Z]\w*|\b)": "kMax.., kMin.., kDefault..",
    r"\b(?!masked)(\w+_)?asked(_\w+)?\b|[a-z]Asked|\bAsked[A-Z]": "requested, given",
    r"\b(\w+_)?wanted(_\w+)?\b|[a-z]Wanted|\bWanted[A-Z]": "requested, projected, expected",
    r"(?<!un)(?<!pre)(?<!split_)[Cc]ondition(?!_variable|al)": "predicate",
    r"\b\w*_places\b|\bplaces_?\b(?!\(|=)": "indices, positions, offsets",
}
PHRASES = {
    r"missing values?": "null",
    r"is told(?! (apart|from)\b)": "is reported, is given",
    r"are told(?! (apart|from)\b)": "are reported, are given",
    r"(was|were|been) told": "was reported, was given",
    r"//\s*(?-i:Of) ": "a sentence with its subject",
    r"\bwhoever\b": "name who does it",
    r"of which it is asked": "say which",
    r"what is there(?! (no|to)\b)": "say what",
    r"rows put away": "spilled rows",
    r"query/EXPRESSIONS\.md": "engine/expression/EXPRESSIONS.md",
}
# Lines that name members of a report of `heron bench` or columns of its tables, which keep their names.
OF_REPORTS = re.compile(r"[\"`](asked|asked_rows|wanted|places)[\"`]|Columns: asked|  wanted\"|\"asked for\"|rates places cold")
# Riddles that are gone from these houses.
PLAIN_HOUSES = ("engine", "codecs", "tools", "bench", "tests")
RIDDLES = {
    r"so many (?!as\b)": "the number, or this many",
    r"(is|are) not there": "does not exist, is null",
    r"there already": "already exists",
    r"(come|comes|came) together": "are merged",
    r"(rows|values) go by": "say what carries what: a state",
}


# A comment that says what a function returns and leaves out the verb.
NO_VERB = re.compile(r"(?m)^(?!\s*//).*\n\s*// Whether [^\n]*\n(?:\s*//[^\n]*\n)*(?:\s*template[^\n]*\n)?\s*(?:\w+ )*bool [\w:~]+\(")


def faults_of(path, lines):
    checks = [(name, word, 0) for name, word in NAMES.items()]
    checks += [(phrase, word, re.IGNORECASE) for phrase, word in PHRASES.items()]
    if path.split("/")[0] in PLAIN_HOUSES:
        checks += [(phrase, word, re.IGNORECASE) for phrase, word in RIDDLES.items()]
    compiled = [(re.compile(pattern, flags), word) for pattern, word, flags in checks]
    for number, line in enumerate(lines, 1):
        line = OF_REPORTS.sub("", line)
        for pattern, word in compiled:
            if match := pattern.search(line):
                yield f'{path}:{number}: "{match[0].strip()}" has been replaced: {word}'


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    root = arguments.parse_args().root
    own = pathlib.Path(__file__).resolve()
    files = [root / "README.md"] + sorted(
        path for house in HOUSES for path in (root / house).rglob("*")
        if path.suffix in SUFFIXES and path.is_file() and path.resolve() != own
        and "fuzz/seeds" not in str(path) and "/build" not in str(path.relative_to(root)))
    faults = []
    for file in files:
        path = str(file.relative_to(root))
        text = file.read_text(encoding="utf-8")
        faults += faults_of(path, text.splitlines())
        faults += [f"{path}:{text.count(chr(10), 0, match.start()) + 2}: \"Whether\" without \"Returns\"" for match in NO_VERB.finditer(text)]
        if re.search(r"(^|_)(capacity|spool|fitted)(_|$)", file.stem):
            faults.append(f"{path}: the name has been replaced")
    print("\n".join(faults) or f"{len(files)} files: only words in use")
    return 1 if faults or len(files) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
