"""One vocabulary: a thing has one name in C++, on the command line and in Python, or a reason for another name is
written here. The names are read from the public headers, from the help of build/heron and from the package;
engine/VOCABULARY.md has them side by side.

    PYTHONPATH=build/python python tests/python/test_vocabulary.py --update     writes the table down
"""

import inspect
import pathlib
import re
import subprocess
import sys

import heron
import heron._internal.arguments as arguments
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ROOT / "engine" / "include" / "heron"
TABLE = ROOT / "engine" / "VOCABULARY.md"
PROGRAM = ROOT / "build" / "heron"

# Classes: the noun, then its name in C++ and in Python if that is another one, and why.
NOUNS = {
    "File": ("File", "File", ""),
    "Table": ("Table", "Table", ""),
    "Schema": ("Schema", "Schema", ""),
    "Field": ("Field", "Field", ""),
    "Loader": ("Loader", "Loader", ""),
    "Sampler": ("Sampler", "Sampler", ""),
    "Forest": ("Forest", "Forest", ""),
    "Scan": ("Scan", "Scan", ""),
    "Writer": ("Writer", "Writer", ""),
    "Error": ("Error", "Error", ""),
    "Aggregate": ("Aggregate", "Aggregate", ""),
    "Split": ("Split", "Split", ""),
    "Batch": ("RowBatch", "Batch", "beside the batches of LoaderBatch and of Arrow in C++"),
    "Column": ("", "Column", "a column is its index in a Projection in C++"),
    "Query": ("Query", "", "the methods of Table and Scan chain in Python"),
    "Predicate": ("Predicate", "Expression", "an expression of bools is a predicate in Python"),
    "AggregateState": ("PartialAggregate", "AggregateState", "Python's has no table and travels between machines"),
}

# Verbs of the command line: the function of C++, Python's method or function, and why one differs.
VERBS = {
    "info": ("header", "info", "C++ has a call for each part: header(), containers(), tables()"),
    "schema": ("schema", "schema", ""),
    "head": ("read", "head", "C++ has one call for consecutive rows"),
    "tail": ("read", "tail", "C++ has one call for consecutive rows"),
    "row": ("take", "take", "`table[5]` in Python"),
    "rows": ("take", "take", "both take a list of numbers"),
    "slice": ("read", "read", "`table[5:9]` in Python"),
    "block": ("block", "block", ""),
    "group": ("group", "group", ""),
    "column": ("read", "column", "C++ reads a Projection of one column"),
    "scan": ("Scan", "scan", ""),
    "view": ("", "", "a pager is for terminals"),
    "count": ("count", "count", ""),
    "stats": ("stats", "stats", ""),
    "find": ("find", "find", ""),
    "diff": ("diff", "", "Python's libraries compare frames"),
    "sample": ("Sampler", "sample", "C++ draws numbers, then takes"),
    "verify": ("verify", "verify", ""),
    "index": ("write_index", "index", "beside remove_index() and compare_index() in C++"),
    "split": ("Sampler", "batches", "rows for training are an order in the libraries; splits() divide work"),
    "convert": ("convert", "convert", ""),
    "predict": ("predict", "predict", ""),
    "generate": ("", "", "made-up rows are for benches"),
    "bench": ("", "", "measures the program itself"),
    "completion": ("", "", "for shells"),
    "help": ("", "", "for terminals"),
    "version": ("version", "__version__", "PEP 396"),
}

STRUCTS = {
    "OpenOptions": "Opening files",
    "WriteOptions": "Writing files",
    "ConvertOptions": "Converting",
    "WrapOptions": "Containers",
    "Query": "Queries",
    "Context": "Every call",
    "SamplerOptions": "Random rows",
    "EpochOptions": "Epochs",
    "LoaderOptions": "Loaders",
    "DiffOptions": "Differences",
    "PredictOptions": "Predictions",
    "ValueForm": "Values as text",
    "ArrowOptions": "Arrow",
}
# Members that are structs of options by other names, and a constructor's parameter.
IN_CPP = {"format_options", "write", "wrap", "sampler", "predicate"}

# member -> flag (or "": none), and why it is not the member's name.
FLAGS = {
    "SamplerOptions::replace": ("replace", ""),
    "WriteOptions::rows": ("", "the source's number"),
    "PredictOptions::features": ("columns", "as of other verbs"),
    "mmap": ("no-mmap", "a flag turns the default off"),
    "use_index": ("no-index", "a flag turns the default off"),
    "cache_bytes": ("cache-mib", "people give MiB"),
    "replace": ("force", "as of cp and mv; --replace draws rows again"),
    "key_columns": ("key", "names; the file's first columns are the key"),
    "head_rows": ("", "head sets it"),
    "order": ("order-by", "as in SQL"),
    "range": ("rows", "--rows A:B"),
    "max_differences": ("", "-n"),
    "foresee_rounding": ("", "notes say it before and after"),
    "container": ("to-format", "the ending of OUT names it"),
    "cancel": ("", "Ctrl-C"),
    "progress": ("quiet", "a flag turns the default off"),
    "memory": ("", "each verb has its limits"),
    "note": ("verbose", "notes go to stderr"),
    "metrics": ("explain", "prints them"),
    "epoch": ("", "a verb draws one epoch"),
    "rank": ("", "a verb is one process"),
    "world_size": ("", "a verb is one process"),
    "nulls_as_nan": ("nulls", "--nulls nan"),
    "max_items": ("", "tables cut lists by their width"),
}
NO_FLAGS = {
    "SamplerOptions::replace": ("replace", ""),
    "WriteOptions::rows": ("", "the source's number"),
    "PredictOptions::features": ("columns", "as of other verbs"),
    "EpochOptions": "training is not a verb",
    "LoaderOptions": "training is not a verb",
    "ArrowOptions": "verbs print text",
}

# member -> parameter (or "": none), and why it is not the member's name.
PARAMETERS = {
    "ArrowOptions::batch_rows": ("batch_rows", ""),
    "Query::range": ("rows", "a slice or a pair"),
    "head_rows": ("", "head() reads no more"),
    "key_columns": ("key", "names; Writer has the number"),
    "order": ("order_by", "as in SQL"),
    "foresee_rounding": ("", "warnings say it"),
    "container": ("", "wrap() is not bound"),
    "cancel": ("", "Ctrl-C"),
    "memory": ("", "each call has its limits"),
    "note": ("", "warnings"),
    "skip_damaged": ("", "an error names the damage"),
    "metrics": ("", "Table.metrics"),
    "before": ("", "Loader.load_state_dict() resumes"),
    "batch_rows": ("batch_size", "as of torch and Grain"),
    "output": ("dtype", "NumPy's word"),
    "apart": ("label", "and `weight`: what lies beside the features"),
    "first_batch": ("", "Loader.load_state_dict() resumes"),
    "kept": ("", "a Loader keeps rows for its next epochs"),
    "votes": ("", "a method"),
    "rows": ("", "the rows that are given"),
    "features": ("columns", "as of other calls"),
    "nulls_as_nan": ("nulls", "nulls=\"nan\""),
    "keep": ("", "predictions are arrays"),
    "weights": ("weights", ""),
    "raw": ("", "values are Python's"),
    "sparse": ("", "to_arrow() has what is stored"),
    "max_items": ("", "Python cuts by itself"),
    "texts": ("", "each library gets its own"),
    "max_slots": ("", "each library gets its own"),
    "large_batches": ("", "each call knows"),
    "probabilities": ("", "votes / tree_count"),
}
NO_PARAMETERS = {"DiffOptions": "diff() is not bound", "WrapOptions": "wrap() is not bound"}


def header_text():
    return re.sub(r"//.*", "", "".join(path.read_text(encoding="utf-8") for path in sorted(HEADERS.glob("*.h"))))


def members(struct):
    """The data members of a public struct, in their order."""
    body = re.search(r"struct " + struct + r" \{\n(.*?)\n\};", header_text(), re.S)[1]
    body = re.sub(r"enum class \w+ : \w+ \{[^}]*\};", "", body)
    functions = r"(?s)\n  [^;{}]*\)(?: const)?(?: noexcept)?(?:\s*:[^{]*)? \{.*?\n  \}"
    names = []
    for statement in re.sub(functions, ";", body).split(";"):
        declared = re.sub(r"\{[^}]*\}", "", statement.split("=")[0]).strip()
        match = re.search(r"(\w+)$", declared)
        if match and " " in declared and not re.search(r"static|operator|friend|\breturn\b|^}", declared):
            names += [match[1], *re.findall(r", (\w+) =", statement)]
    return [name for name in names if name not in IN_CPP]


def names_of_cpp():
    text = header_text()
    types = re.findall(r"(?:class|struct)(?: HERON_EXPORT)? (\w+)", text) + re.findall(r"using (\w+) =", text)
    return {*types, *re.findall(r"\b([a-z_]+)\(", text)}


def printed(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def verbs_and_flags():
    """The verbs of the command line, and every long option, without its dashes."""
    verbs = re.findall(r"^  ([a-z]+) +\S", printed("help").split("Verbs:")[1], re.M)
    flags = set()
    for topic in [*verbs, "options"]:
        flags |= set(re.findall(r"^ {2,6}(?:-\w, )?--([a-z0-9-]+)", printed("help", topic), re.M))
    return verbs, flags


def flags_of_formats():
    """{option of a format: its flag} from the tables in codecs/."""
    found = {}
    for path in sorted((ROOT / "codecs").glob("*/options.h")):
        text = path.read_text(encoding="utf-8")
        named = dict(re.findall(r"k(\w+) = \"(\w+)\"", text))
        for name, entry in re.findall(r"\{\.name = (?:option::)?k(\w+),(.*?)\}", text, re.S):
            flag = re.search(r"\.flag = \"([^\"]*)\"", entry)
            found[named[name]] = flag[1] if flag else named[name].replace("_", "-")
    return found


def parameters():
    """Every parameter of a public call of Python."""
    found = set(arguments._OPEN_OPTIONS) | set(arguments._WRITE_OPTIONS)
    public = [getattr(heron, name) for name in heron.__all__]
    calls = [one for one in public if inspect.isfunction(one)]
    for one in filter(inspect.isclass, public):
        calls += [call for name, call in inspect.getmembers(one, inspect.isfunction)
                  if name == "__init__" or not name.startswith("_")]
    for call in calls:
        found |= set(inspect.signature(call).parameters)
    return found


def names_of_python():
    names = {*heron.__all__, "__version__"}
    for one in (heron.File, heron.Table, heron.Column, heron.Batch, heron.Forest):
        names |= {name for name in dir(one) if not name.startswith("_")}
    return names


def code(name):
    return f"`{name}`" if name else "–"


class Page:
    """The table, and what differs in it without a reason."""

    def __init__(self):
        self.faults = []
        self.verbs, self.flags = verbs_and_flags()
        self.parameters, self.cpp, self.python = parameters(), names_of_cpp(), names_of_python()
        self.lines = ["# The vocabulary", "",
                      "The same thing has the same name in C++, on the command line and in Python; where a name differs, the",
                      "next column says why. `tests/python/test_vocabulary.py` makes this page from the code and fails where",
                      "a name differs without a reason."]
        self.add_names("class", NOUNS, shown=str)
        for verb in self.verbs:
            self.require(verb in VERBS, f"the verb {verb} is not in VERBS")
        self.add_names("verb", {verb: VERBS[verb] for verb in self.verbs if verb in VERBS}, shown=code)
        for struct, title in STRUCTS.items():
            self.add_title(f"{title}: `{struct}`", "C++ | command line | why | Python | why ", 5)
            for member in members(struct):
                self.add_option(struct, member)
        self.add_formats()

    def require(self, holds, fault):
        if not holds:
            self.faults.append(fault)

    def add_title(self, title, columns, count):
        self.lines += ["", f"## {title}", "", f"| {columns}|", "|---" * count + "|"]

    def add_names(self, kind, names, shown):
        self.lines += ["", f"| {kind} | C++ | Python | |", "|---|---|---|---|"]
        for name, (in_cpp, in_python, why) in names.items():
            self.require(not in_cpp or in_cpp in self.cpp, f"{name}: C++ has no {in_cpp}")
            self.require(not in_python or in_python in self.python, f"{name}: Python has no {in_python}")
            same = {in_cpp.lower(), in_python.lower()} == {name.lower()}
            self.require(same or why, f"{name}: no reason for another name")
            self.lines.append(f"| {shown(name)} | {code(in_cpp)} | {code(in_python)} | {why} |")

    def add_option(self, struct, member):
        at = f"{struct}::{member}"
        flag, why_flag = FLAGS.get(at) or FLAGS.get(member) or (member.replace("_", "-"), "")
        parameter, why_parameter = PARAMETERS.get(at) or PARAMETERS.get(member) or (member, "")
        if struct in NO_FLAGS:
            flag, why_flag = "", NO_FLAGS[struct]
        if struct in NO_PARAMETERS:
            parameter, why_parameter = "", NO_PARAMETERS[struct]
        self.require(not flag or flag in self.flags, f"{at}: the command line has no --{flag}; FLAGS gives no reason")
        self.require(not parameter or parameter in self.parameters,
                     f"{at}: Python has no {parameter}; PARAMETERS gives no reason")
        self.require(flag.replace("-", "_") == member or why_flag, f"{at}: no reason for the flag {flag!r}")
        self.require(parameter == member or why_parameter, f"{at}: no reason for the parameter {parameter!r}")
        cells = [code(member), code(flag and "--" + flag), why_flag, code(parameter), why_parameter]
        self.lines.append(f"| {' | '.join(cells)} |")

    def add_formats(self):
        self.lines += ["", "## Options of formats", "",
                       "Each format declares its options in a table (`codecs/<format>/options.h`), from which flags",
                       "and parameters come.", "", "| C++, Python | command line |", "|---|---|"]
        for name, flag in sorted(flags_of_formats().items()):
            self.require(flag == "-" or flag in self.flags, f"the option {name} has no --{flag}")
            self.require(name in self.parameters, f"Python has no parameter {name}")
            self.lines.append(f"| {code(name)} | {code('--' + flag) if flag != '-' else 'by another flag'} |")

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


@pytest.mark.skipif(not PROGRAM.exists(), reason="needs build/heron")
def test_names_are_the_same_or_have_a_reason():
    page = Page()
    assert page.faults == []
    assert TABLE.read_text(encoding="utf-8") == page.text, "run this file with --update, which writes the page anew"


def test_reasons_are_of_names_that_exist():
    known = {member for struct in STRUCTS for member in members(struct)}
    known |= {f"{struct}::{member}" for struct in STRUCTS for member in members(struct)}
    assert set(FLAGS) - known == set() and set(PARAMETERS) - known == set()


if __name__ == "__main__" and "--update" in sys.argv:
    made = Page()
    print("\n".join(made.faults))
    TABLE.write_text(made.text, encoding="utf-8")
