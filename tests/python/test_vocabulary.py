"""The vocabulary of the three faces, read from the code: an option has one name in C++, on the command line and in Python,
or a reason is written here. engine/VOCABULARY.md has the table.

    PYTHONPATH=build/python python tests/python/test_vocabulary.py --update     writes the table down
"""

import inspect
import pathlib
import re
import subprocess
import sys

import heron

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ROOT / "engine" / "include" / "heron"
TABLE = ROOT / "engine" / "VOCABULARY.md"
PROGRAM = ROOT / "build" / "heron"

# ---- Names that the faces share ----
NOUNS = ["File", "Table", "Column", "Query", "Batch", "Schema", "Field", "Loader", "Sampler", "Forest", "Split", "Writer", "Aggregate",
         "Error"]
# Nouns that a face lacks or names otherwise: (C++, Python), and why.
OTHER_NOUNS = {
    "Column": ("", "Column", "a column in C++ is its number in a Projection"),
    "Query": ("Query", "Scan", "Python's lazy table chains calls; C++ has the members of a struct, and a Scan that reads"),
    "Batch": ("RowBatch", "Batch", "in C++ beside the byte and record batches of Arrow"),
    "Schema": ("Schema", "Schema", ""),
}

VERBS = ["count", "stats", "find", "diff", "verify", "index", "split", "convert", "sample", "scan", "open"]
# verb -> (C++, Python), and why they differ from it.
OTHER_VERBS = {
    "index": ("write_index", "index", "in C++ beside remove_index, compare_index and index_path"),
    "split": ("splits", "split", "in C++ the cut of a table for workers; the verb draws rows at random, as Python's Split does"),
    "sample": ("Sampler", "sample", "C++ has the object that draws"),
    "scan": ("Scan", "scan", "C++ has the object that reads"),
    "open": ("open", "open", "every verb opens FILE"),
    "diff": ("diff", "", "Python's frames are compared by the libraries that hold them"),
    "find": ("find", "find", ""),
}

# The structs with options, and the functions of Python that take them.
STRUCTS = ["OpenOptions", "WriteOptions", "ConvertOptions", "WrapOptions", "SamplerOptions", "ShuffleOptions", "EpochOptions",
           "LoaderOptions", "DiffOptions", "PredictOptions", "ValueForm", "ArrowOptions", "Context", "Query"]

SAME_EVERYWHERE = {}
# C++ name -> the name on the command line or in Python if it differs, and why.
COMMAND_LINE = {
    "mmap": ("no-mmap", "a flag says what is not the default"),
    "use_index": ("no-index", "a flag says what is not the default"),
    "cache_bytes": ("cache-mib", "people give MiB"),
    "replace": ("force", "cp, mv and ln call it so"),
    "key_columns": ("key", "names, of which the number follows"),
    "key": ("key", ""),
    "format": ("format", ""),
    "range": ("rows", "`column --rows A:B`"),
    "order": ("order-by", "SQL's words"),
    "where": ("where", ""),
    "max_differences": ("limit", "as of other verbs' lines"),
    "max_items": ("", "terminals cut lists by their width"),
    "nulls_as_nan": ("nulls", "`--nulls nan`, beside `error`"),
    "features": ("columns", "as of other verbs"),
}
PYTHON = {
    "order": ("order_by", "SQL's words"),
    "range": ("rows", "a slice"),
}
