#!/usr/bin/env python3
"""Makes data/zip/ and data/zip/bad/: archives by Python's zipfile and Info-ZIP's zip from files in data/, and damaged ones
made from a good one byte by byte, each with its verdict.

    data/make_zip.py [--zip PROGRAM]
"""

import argparse
import json
import pathlib
import shutil
import struct
import subprocess
import tempfile
import zipfile

DATA = pathlib.Path(__file__).parent
OUT = DATA / "zip"
DATE = (2018, 5, 7, 9, 0, 0)
ROWS, KEYS, TEXT = "idv/keys_deflate_rpb32.idv", "jay/key_int_str2.jay", "csv/quotes.csv"
FOLDER = "TransformerChain/Transform_001/"


def content(name):
    return (DATA / name).read_bytes()


def info(path, method):
    entry = zipfile.ZipInfo(path, DATE)
    entry.compress_type = method
    return entry


def write(name, entries, **options):
    """`entries`: path, method, content."""
    with zipfile.ZipFile(OUT / name, "w", **options) as out:
        for path, method, data in entries:
            out.writestr(info(path, method), data)


def model():
    """The files of an ML.NET model, in their order."""
    return [("TrainingInfo/Version.txt", zipfile.ZIP_DEFLATED, b"1.5.0\n"),
            (FOLDER + "Model.key", zipfile.ZIP_DEFLATED, b"ML MODEL" + bytes(200)),
            (FOLDER + "Dictionary/Terms.idv", zipfile.ZIP_DEFLATED, content(ROWS)),
            ("Schema", zipfile.ZIP_STORED, content("idv/one_row.idv"))]


class Unseekable:
    """Makes zipfile write data descriptors."""

    def __init__(self, file):
        self.file = file

    def write(self, data):
        return self.file.write(data)

    def flush(self):
        self.file.flush()


def good(program):
    stored, deflated = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
    write("model.zip", model())
    write("stored.zip", [("a.jay", stored, content(KEYS)), ("folder/", stored, b""),
                         ("folder/b.csv", stored, content(TEXT))])
    write("inside.zip", [("rows.csv.gz", stored, content("gzip/rows.csv.gz")),
                         ("inner.zip", stored, (OUT / "stored.zip").read_bytes())])
    write("names.zip", [("größe.csv", deflated, content(TEXT)), ("ab:c.csv", stored, content(TEXT))])
    write("empty.zip", [])
    with (OUT / "descriptors.zip").open("wb") as file, zipfile.ZipFile(Unseekable(file), "w") as out:
        for path, method, data in ("keys.jay", deflated, content(KEYS)), ("text.csv", deflated, content(TEXT)):
            out.writestr(info(path, method), data)
    with zipfile.ZipFile(OUT / "zip64.zip", "w") as out, out.open(info("a.jay", deflated), "w", force_zip64=True) as entry:
        entry.write(content(KEYS))
    # Code page 437 and the backslashes of .NET before 4.6.1.
    old = "gr\x94\xe1e\\x.csv".encode("latin1")
    write("old_names.zip", [("X" * len(old), stored, content(TEXT))])
    path = OUT / "old_names.zip"
    path.write_bytes(path.read_bytes().replace(b"X" * len(old), old))
    if program:
        with tempfile.TemporaryDirectory() as folder:
            for name, source in ("a.jay", KEYS), ("b.csv", TEXT):
                (pathlib.Path(folder) / name).write_bytes(content(source))
            (OUT / "info_zip.zip").unlink(missing_ok=True)
            subprocess.run([program, "-q", "-X", OUT / "info_zip.zip", "a.jay", "b.csv"], cwd=folder, check=True)
            with (OUT / "info_zip_stream.zip").open("wb") as out:
                made = subprocess.run([program, "-q", "-X", "-", "b.csv"], cwd=folder, check=True, stdout=subprocess.PIPE)
                out.write(made.stdout)


def golden(name, tables):
    """The answers of the files inside, the first table's without its name, as tests/kit/real_files.h has it."""
    for number, (table, source) in enumerate(tables):
        ending = "" if number == 0 else "." + table.replace("/", "_").replace(":", "_")
        shutil.copy(DATA / source, OUT / f"{name}{ending}.jsonl")


def all_golden():
    rows, keys, text = (pathlib.Path(file).with_suffix(".jsonl") for file in (ROWS, KEYS, TEXT))
    golden("model", [(FOLDER + "Dictionary/Terms.idv:data", rows), ("Schema:data", "idv/one_row.jsonl")])
    golden("stored", [("a.jay:data", keys), ("folder/b.csv:data", text)])
    golden("inside", [("rows.csv.gz:data", "gzip/rows.csv.jsonl")])
    golden("names", [("größe.csv:data", text), ("ab:c.csv:data", text)])
    golden("old_names", [("größe/x.csv:data", text)])
    golden("descriptors", [("keys.jay:data", keys), ("text.csv:data", text)])
    golden("zip64", [("a.jay:data", keys)])
    golden("info_zip", [("a.jay:data", keys), ("b.csv:data", text)])
    golden("info_zip_stream", [("b.csv:data", text)])


def patched(data, at, layout, *values):
    return data[:at] + struct.pack(layout, *values) + data[at + struct.calcsize(layout):]


def bad():
    """name, what is wrong, bytes, the result of info, scan, verify."""
    folder = OUT / "bad"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    write("bad/base.zip", [("a.csv", zipfile.ZIP_STORED, b"a,b\n1,x\n2,y\n"),
                           ("b.csv", zipfile.ZIP_DEFLATED, b"a,b\n" + b"1,x\n" * 50)])
    base = (folder / "base.zip").read_bytes()
    (folder / "base.zip").unlink()
    end = base.rindex(b"PK\5\6")
    central = base.index(b"PK\1\2")
    second = base.index(b"PK\1\2", central + 1)
    local = base.index(b"PK\3\4", 4)
    data = local + 30 + len("b.csv")
    files = [
        ("cut_end", "the last byte is absent", base[:-1], 5, 5, 5),
        ("cut_half", "half of it is absent", base[:len(base) // 2], 5, 5, 5),
        ("signature_only", "4 bytes", base[:4], 5, 5, 5),
        ("directory_offset", "the directory begins 1 byte later", patched(base, end + 16, "<I", central + 1), 5, 5, 5),
        ("directory_far", "the directory begins behind the end", patched(base, end + 16, "<I", 1 << 31), 5, 5, 5),
        ("directory_large", "the directory has 4 GB", patched(base, end + 12, "<I", 0xFFFFFFFE), 5, 5, 5),
        ("count_more", "3 entries are claimed", patched(base, end + 8, "<HH", 3, 3), 5, 5, 5),
        ("count_less", "1 entry is claimed", patched(base, end + 8, "<HH", 1, 1), 5, 5, 5),
        ("split", "the last of 3 files", patched(base, end + 4, "<H", 2), 4, 4, 4),
        ("split_entry", "an entry begins in another file", patched(base, second + 34, "<H", 1), 4, 4, 4),
        ("no_directory_entry", "an entry has another signature", patched(base, second, "<I", 0), 5, 5, 5),
        ("name_long", "a name of 65,535 bytes", patched(base, second + 28, "<H", 0xFFFF), 5, 5, 5),
        ("name_up", "a path out of the archive", base.replace(b"a.csv", b"../ab"), 5, 5, 5),
        ("name_root", "an absolute path", base.replace(b"a.csv", b"/acsv"), 5, 5, 5),
        ("name_drive", "a path with a drive", base.replace(b"a.csv", b"C:csv"), 5, 5, 5),
        ("name_nul", "a NUL byte in a name", base.replace(b"a.csv", b"a\0csv"), 5, 5, 5),
        ("name_back", "a path out of the archive, with a backslash", base.replace(b"a.csv", b"..\\ab"), 5, 5, 5),
        ("name_twice", "two entries of one name", base.replace(b"b.csv", b"a.csv"), 5, 5, 5),
        ("overlap", "both entries begin at 0", patched(base, second + 42, "<I", 0), 5, 5, 5),
        ("overlap_size", "the first one reaches into the second", patched(patched(base, central + 20, "<II", 20, 20), 18, "<II", 20, 20), 5, 5, 5),
        ("entry_behind", "an entry begins behind the directory", patched(base, second + 42, "<I", end), 5, 5, 5),
        ("entry_large", "an entry has 4 GB in the archive", patched(base, second + 20, "<I", 0xFFFFFFF0), 5, 5, 5),
        ("no_zip64_field", "a size is said to be in a field that is absent", patched(base, second + 24, "<I", 0xFFFFFFFF), 5, 5, 5),
        ("bomb", "the second entry claims 4 GB", patched(patched(base, second + 24, "<I", 0xFFFFFFF0), local + 22, "<I", 0xFFFFFFF0), 0, 0, 5),
        ("size_more", "the second entry claims 1 byte more", patched(patched(base, second + 24, "<I", 205), local + 22, "<I", 205), 0, 0, 5),
        ("size_less", "the second entry claims 1 byte less", patched(patched(base, second + 24, "<I", 203), local + 22, "<I", 203), 0, 0, 5),
        ("sizes_differ", "the second entry's own header claims another size", patched(base, local + 22, "<I", 100), 0, 0, 5),
        ("stored_sizes", "the first entry is stored, in fewer bytes", patched(patched(base, central + 24, "<I", 13), 22, "<I", 13), 0, 5, 5),
        ("header_signature", "the second entry's own header has another signature", patched(base, local, "<I", 0), 0, 0, 5),
        ("header_extra", "the second entry's own extra fields reach into the directory", patched(base, local + 28, "<H", 0xFFF0), 0, 0, 5),
        ("checksum", "the second entry's checksum is another", patched(patched(base, second + 16, "<I", 1), local + 14, "<I", 1), 0, 0, 5),
        ("checksum_stored", "the first entry's checksum is another", patched(patched(base, central + 16, "<I", 1), 14, "<I", 1), 0, 0, 5),
        ("deflate", "the second entry's data is no DEFLATE", patched(base, data, "<I", 0xFFFFFFFF), 0, 0, 5),
        ("encrypted", "the second entry is encrypted", patched(patched(base, second + 8, "<H", 1), local + 6, "<H", 1), 0, 0, 0),
        ("all_encrypted", "both entries are encrypted", encrypted(base, (central, second), (0, local)), 0, 4, 4),
        ("lzma", "both entries are compressed with LZMA", methods(base, 14, (central, second), (0, local)), 0, 4, 4),
        ("zstd", "both entries are compressed with zstd", methods(base, 93, (central, second), (0, local)), 0, 4, 4),
        ("method", "both entries are compressed in a way that nobody defined", methods(base, 777, (central, second), (0, local)), 0, 4, 4),
        ("comment_valid", "a comment of 60,000 bytes", patched(base, end + 20, "<H", 60000) + b"PK\5\6" * 15000, 0, 0, 0),
    ]
    verdicts = []
    rows = {"must": [{"rows": [[0, 2]], "columns": ["a", "b"], "values": {"a": [1, 2], "b": ["x", "y"]}, "table": "a.csv:data"}]}
    for name, damage, content_, info_, scan, verify in files:
        (folder / f"{name}.zip").write_bytes(content_)
        ok = [code or "ok" for code in (info_, scan, verify)]
        verdicts.append({"file": f"{name}.zip", "damage": damage, "open": ok[0], "scan": ok[1], "verify": ok[2],
                         "answers": rows if info_ == scan == 0 else None})
    (folder / "heron_verdicts.json").write_text(json.dumps(verdicts, indent=1) + "\n")


def encrypted(data, centrals, locals_):
    for at in centrals:
        data = patched(data, at + 8, "<H", 1)
    for at in locals_:
        data = patched(data, at + 6, "<H", 1)
    return data


def methods(data, method, centrals, locals_):
    for at in centrals:
        data = patched(data, at + 10, "<H", method)
    for at in locals_:
        data = patched(data, at + 8, "<H", method)
    return data


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--zip", default=shutil.which("zip"), help="Info-ZIP's")
    options = arguments.parse_args()
    OUT.mkdir(exist_ok=True)
    good(options.zip)
    all_golden()
    bad()
