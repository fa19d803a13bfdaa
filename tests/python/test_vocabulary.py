"""One vocabulary: a thing has one name in C++, on the command line and in Python, or a reason for another name is written here.
The names are read from the public headers, from the help of build/heron and from the package; engine/VOCABULARY.md has them
side by side.

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
    "File": ("File", "File", ""), "Table": ("Table", "Table", ""), "Schema": ("Schema", "Schema", ""), "Field": ("Field", "Field", ""),
    "Loader": ("Loader", "Loader", ""), "Sampler": ("Sampler", "Sampler", ""), "Forest": ("Forest", "Forest", ""),
    "Scan": ("Scan", "Scan", ""), "Writer": ("Writer", "Writer", ""), "Error": ("Error", "Error", ""), "Aggregate": ("Aggregate", "Aggregate", ""),
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
    "schema": ("schema", "schema", ""), "head": ("read", "head", "C++ has one call for consecutive rows"),
    "tail": ("read", "tail", "C++ has one call for consecutive rows"), "row": ("take", "take", "`table[5]` in Python"),
    "rows": ("take", "take", "both take a list of numbers"), "slice": ("read", "read", "`table[5:9]` in Python"),
    "block": ("block", "block", ""), "group": ("group", "group", ""), "column": ("read", "column", "C++ reads a Projection of one column"),
    "scan": ("Scan", "scan", ""), "view": ("", "", "a pager is for terminals"), "count": ("count", "count", ""), "stats": ("stats", "stats", ""),
    "find": ("find", "find", ""), "diff": ("diff", "", "Python's libraries compare frames"), "sample": ("Sampler", "sample", "C++ draws numbers, then takes"),
    "verify": ("verify", "verify", ""), "index": ("write_index", "index", "beside remove_index() and compare_index() in C++"),
    "split": ("Sampler", "batches", "a split of rows for training is an order in the libraries; splits() divide work among processes"),
    "convert": ("convert", "convert", ""), "predict": ("predict", "predict", ""),
    "generate": ("", "", "made-up rows are for benches"), "bench": ("", "", "measures the program itself"),
    "completion": ("", "", "for shells"), "help": ("", "", "for terminals"), "version": ("version", "__version__", "PEP 396"),
}

STRUCTS = {"OpenOptions": "Opening files", "WriteOptions": "Writing files", "ConvertOptions": "Converting", "WrapOptions": "Containers",
           "Query": "Queries", "Context": "Every call", "SamplerOptions": "Random rows", "EpochOptions": "Epochs", "LoaderOptions": "Loaders",
           "DiffOptions": "Differences", "PredictOptions": "Predictions", "ValueForm": "Values as text", "ArrowOptions": "Arrow"}
IN_CPP = {"format_options", "write", "wrap", "sampler", "predicate"}  # structs of options by other names; a constructor's parameter

# member -> flag (or "": none), and why it is not the member's name.
FLAGS = {
    "mmap": ("no-mmap", "a flag turns the default off"), "use_index": ("no-index", "a flag turns the default off"),
    "cache_bytes": ("cache-mib", "people give MiB"), "replace": ("force", "as of cp and mv; --replace draws rows again"),
    "key_columns": ("key", "names; the file's first columns are the key"), "head_rows": ("", "head sets it"),
    "order": ("order-by", "as in SQL"), "range": ("rows", "--rows A:B"), "max_differences": ("", "-n"),
    "foresee_rounding": ("", "notes say it before and after"), "container": ("to-format", "the ending of OUT names it"),
    "cancel": ("", "Ctrl-C"), "progress": ("quiet", "a flag turns the default off"), "memory": ("", "each verb has its limits"),
    "note": ("verbose", "notes go to stderr"), "metrics": ("explain", "prints them"),
    "epoch": ("", "a verb draws one epoch"), "rank": ("", "a verb is one process"), "world_size": ("", "a verb is one process"),
    "nulls_as_nan": ("nulls", "--nulls nan"), "max_items": ("", "tables cut lists by their width"),
}
NO_FLAGS = {"EpochOptions": "training is not a verb", "LoaderOptions": "training is not a verb", "ArrowOptions": "verbs print text"}

# member -> parameter (or "": none), and why it is not the member's name.
PARAMETERS = {
    "head_rows": ("", "head() reads no more"), "key_columns": ("key", "names; Writer has the number"), "order": ("order_by", "as in SQL"),
    "range": ("rows", "a slice or a pair"), "foresee_rounding": ("", "warnings say it"), "container": ("", "wrap() is not bound"),
    "cancel": ("", "Ctrl-C"), "memory": ("", "each call has its limits"), "note": ("", "warnings"), "skip_damaged": ("", "an error names the damage"),
    "metrics": ("", "Table.metrics"), "before": ("", "Loader.load_state_dict() resumes"), "batch_rows": ("batch_size", "as of torch and Grain"),
    "output": ("dtype", "NumPy's word"), "apart": ("label", "and `weight`: what lies beside the features"), "first_batch": ("", "Loader.load_state_dict() resumes"),
    "kept": ("", "a Loader keeps rows for its next epochs"), "votes": ("", "a method"), "rows": ("", "the rows that are given"),
    "features": ("columns", "as of other calls"), "nulls_as_nan": ("nulls", "nulls=\"nan\""), "keep": ("", "predictions are arrays"),
    "weights": ("weights", ""), "raw": ("", "values are Python's"), "sparse": ("", "to_arrow() has what is stored"), "max_items": ("", "Python cuts by itself"),
    "texts": ("", "each library gets its own"), "max_slots": ("", "each library gets its own"), "large_batches": ("", "each call knows"),
    "probabilities": ("", "votes / tree_count"),
}
NO_PARAMETERS = {"DiffOptions": "diff() is not bound", "WrapOptions": "wrap() is not bound"}


def without_comments(text):
    return re.sub(r"//.*", "", text)


HEADER_TEXT = without_comments("".join(path.read_text(encoding="utf-8") for path in sorted(HEADERS.glob("*.h"))))


def members(struct):
    body = re.search(r"struct " + struct + r" \{\n(.*?)\n\};", HEADER_TEXT, re.S)[1]
    body = re.sub(r"enum class \w+ : \w+ \{[^}]*\};", "", body)
    names, depth = [], 0
    for statement in re.split(r";", re.sub(r"(?s)\n  [^;{}]*\)(?: const)?(?: noexcept)?(?:\s*:[^{]*)? \{.*?\n  \}", ";", body)):
        depth += statement.count("{") - statement.count("}")
        declared = re.sub(r"\{[^}]*\}", "", statement.split("=")[0]).strip()
        match = re.search(r"(\w+)$", declared)
        if match and " " in declared and not re.search(r"static|operator|friend|\breturn\b|^}", declared):
            names += [match[1], *re.findall(r", (\w+) =", statement)]
    return [name for name in names if name not in IN_CPP]


def functions_of_cpp():
    return set(re.findall(r"\b([a-z_]+)\(", HEADER_TEXT)) | set(re.findall(r"(?:class|struct)(?: HERON_EXPORT)? (\w+)", HEADER_TEXT)) | {"Schema"}


def flags():
    """Every long option of the command line, without its dashes."""
    verbs = re.findall(r"^  ([a-z]+) +\S", printed("help").split("Verbs:")[1], re.M)
    found = set()
    for words in [["help", verb] for verb in verbs] + [["help", "options"]]:
        found |= set(re.findall(r"^ {2,6}(?:-\w, )?--([a-z0-9-]+)", printed(*words), re.M))
    return verbs, found


def printed(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def flags_of_formats():
    """{option of a format: its flag} from the tables in codecs/."""
    found = {}
    for path in sorted((ROOT / "codecs").glob("*/options.h")):
        text = path.read_text(encoding="utf-8")
        named = dict(re.findall(r"k(\w+) = \"(\w+)\"", text))
        for entry in re.findall(r"\{\.name = (?:option::)?k(\w+),(.*?)\}", text, re.S):
            flag = re.search(r"\.flag = \"([^\"]*)\"", entry[1])
            found[named[entry[0]]] = flag[1] if flag else named[entry[0]].replace("_", "-")
    return found


def parameters():
    """Every parameter of a public call."""
    found = set(arguments._OPEN_OPTIONS) | set(arguments._WRITE_OPTIONS)
    classes = [getattr(heron, name) for name in heron.__all__ if inspect.isclass(getattr(heron, name))]
    calls = [getattr(heron, name) for name in heron.__all__ if inspect.isfunction(getattr(heron, name))]
    for one in classes:
        calls += [call for name, call in inspect.getmembers(one, inspect.isfunction) if name == "__init__" or not name.startswith("_")]
    for call in calls:
        found |= set(inspect.signature(call).parameters)
    return found


def public_names_of_python():
    names = set(heron.__all__) | {"__version__"}
    for one in (heron.File, heron.Table, heron.Column, heron.Batch, heron.Forest):
        names |= {name for name in dir(one) if not name.startswith("_")}
    return names


def option_rows(struct, known_flags, known_parameters, faults):
    for member in members(struct):
        flag, flag_reason = FLAGS.get(member, (member.replace("_", "-"), ""))
        if struct in NO_FLAGS and flag not in known_flags:
            flag, flag_reason = "", NO_FLAGS[struct]
        parameter, reason = PARAMETERS.get(member, (member, ""))
        if struct in NO_PARAMETERS and parameter not in known_parameters:
            parameter, reason = "", NO_PARAMETERS[struct]
        if flag and flag not in known_flags:
            faults.append(f"{struct}::{member}: the command line has no --{flag}, and FLAGS gives no reason")
        if parameter and parameter not in known_parameters:
            faults.append(f"{struct}::{member}: Python has no parameter {parameter}, and PARAMETERS gives no reason")
        for name, why, face in ((flag, flag_reason, "FLAGS"), (parameter, reason, "PARAMETERS")):
            if name.replace("-", "_") != member and not why:
                faults.append(f"{struct}::{member}: {face} gives no reason for {name!r}")
        reasons = "; ".join(dict.fromkeys(filter(None, [flag_reason, reason])))
        yield f"| `{member}` | {f'`--{flag}`' if flag else '–'} | {f'`{parameter}`' if parameter else '–'} | {reasons} |"


def made():
    """(the table, what differs without a reason)."""
    faults = []
    verbs, known_flags = flags()
    known_parameters, cpp, python = parameters(), functions_of_cpp(), public_names_of_python()
    out = ["# The vocabulary", "",
           "The same thing has the same name in C++, on the command line and in Python; where a name differs, the last column says why.",
           "`tests/python/test_vocabulary.py` makes this page from the code and fails where a name differs without a reason.", "",
           "| class | C++ | Python | |", "|---|---|---|---|"]
    for noun, (in_cpp, in_python, why) in NOUNS.items():
        faults += [f"C++ has no {in_cpp}"] * bool(in_cpp and in_cpp not in cpp) + [f"Python has no {in_python}"] * bool(in_python and in_python not in python)
        faults += [f"{noun}: no reason for another name"] * ({in_cpp, in_python} != {noun} and not why)
        out.append(f"| {noun} | {f'`{in_cpp}`' if in_cpp else '–'} | {f'`{in_python}`' if in_python else '–'} | {why} |")
    out += ["", "| verb | C++ | Python | |", "|---|---|---|---|"]
    for verb in verbs:
        if verb not in VERBS:
            faults.append(f"the verb {verb} is not in VERBS")
            continue
        in_cpp, in_python, why = VERBS[verb]
        faults += [f"{verb}: C++ has no {in_cpp}"] * bool(in_cpp and in_cpp not in cpp)
        faults += [f"{verb}: Python has no {in_python}"] * bool(in_python and in_python not in python)
        faults += [f"{verb}: no reason for another name"] * ({in_cpp.lower(), in_python} != {verb} and not why)
        out.append(f"| `{verb}` | {f'`{in_cpp}`' if in_cpp else '–'} | {f'`{in_python}`' if in_python else '–'} | {why} |")
    for struct, title in STRUCTS.items():
        out += ["", f"## {title}: `{struct}`", "", "| C++ | command line | Python | |", "|---|---|---|---|"]
        out += option_rows(struct, known_flags, known_parameters, faults)
    out += ["", "## Options of formats", "", "Each format declares its options in a table (`codecs/<format>/options.h`), from which the flags and the "
            "parameters come.", "", "| C++, Python | command line |", "|---|---|"]
    for name, flag in sorted(flags_of_formats().items()):
        faults += [f"the option {name} has no --{flag}"] * (flag != "-" and flag not in known_flags)
        faults += [f"Python has no parameter {name}"] * (name not in known_parameters)
        out.append(f"| `{name}` | {f'`--{flag}`' if flag != '-' else 'by another flag'} |")
    return "\n".join(out) + "\n", faults


@pytest.mark.skipif(not PROGRAM.exists(), reason="needs build/heron")
def test_names_are_the_same_or_have_a_reason():
    table, faults = made()
    assert faults == []
    assert TABLE.read_text(encoding="utf-8") == table, "tests/python/test_vocabulary.py --update writes engine/VOCABULARY.md anew"


def test_reasons_are_of_names_that_exist():
    known = {member for struct in STRUCTS for member in members(struct)}
    assert set(FLAGS) - known == set() and set(PARAMETERS) - known == set()


if __name__ == "__main__" and "--update" in sys.argv:
    text, differing = made()
    print("\n".join(differing))
    TABLE.write_text(text, encoding="utf-8")
