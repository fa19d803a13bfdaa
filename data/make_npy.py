#!/usr/bin/env python3
"""Makes data/npy/: arrays that NumPy writes, with what NumPy reads back (NAME.expected.json), the archives of arrays in
data/zip/ with their golden answers, and data/npy/bad/: headers and cells written byte by byte, each with its verdict.

    data/make_npy.py

Run data/make_golden.py data/npy afterwards.
"""

import json
import math
import pathlib
import shutil
import struct
import warnings
import zipfile

import numpy as np
from numpy.lib import format as npy

DATA = pathlib.Path(__file__).parent
OUT, ZIP = DATA / "npy", DATA / "zip"
DATE = (2026, 1, 1, 0, 0, 0)
NAT = -(2**63)

# Arrays


def scalars():
    """One array of each type of number, in either byte order, with its extremes."""
    for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split():
        for order in "<>" if code[1] != "1" else "|":
            if code == "b1":
                values = [True, False, True]
            elif code[0] in "iu":
                limits = np.iinfo(code)
                values = [limits.min, 0, 1, 100, limits.max]
            else:
                limits = np.finfo(code)
                values = [0.0, -0.0, 1.5, limits.max, limits.tiny, np.nan, np.inf, -np.inf]
            name = code if order in "<|" else "be_" + code
            yield name, np.array(values, order + code)


def structured():
    point = np.dtype([("x", "<f4"), ("y", ">f8")])
    rows = np.zeros(4, [("id", "<i4"), ("point", point), ("track", point, (2,)), ("name", "<U5"), ("code", "|S3"),
                        ("matrix", "<i2", (2, 3)), ("größe", "|b1")])
    rows["id"] = [7, -1, 0, 2**31 - 1]
    rows["point"]["x"], rows["point"]["y"] = [0.5, 1.5, 2.5, 3.5], [-1.0, np.nan, np.inf, 0.0]
    rows["track"]["x"] = np.arange(8).reshape(4, 2)
    rows["track"]["y"] = np.arange(8).reshape(4, 2) / 4
    rows["name"] = ["", "a", "größe", "\U0001f600"]
    rows["code"] = [b"", b"abc", b"\xc3\xbc", b"x"]
    rows["matrix"] = np.arange(24).reshape(4, 2, 3)
    rows["größe"] = [True, False, False, True]
    return rows


def times():
    units = "D W h m s ms us ns 100ns 25s".split()
    orders = {"ms": ">", "d_us": ">"}
    names = units + ["d_" + unit for unit in "W D s ms us 100ns ns".split()]
    rows = np.zeros(4, [(name, f"{orders.get(name, '<')}{'m' if name.startswith('d_') else 'M'}8[{name.removeprefix('d_')}]")
                        for name in names])
    for name in names:
        counts = [0, 100, -12300, NAT] if name == "d_ns" else [0, 1234, -1234, NAT]
        rows[name] = np.array(counts, "i8").astype(rows.dtype[name])
    return rows


def arrays():
    yield from scalars()
    cube = np.arange(24, dtype="<i2").reshape(4, 3, 2)
    yield "matrix", (np.arange(15) / 8).reshape(5, 3)
    yield "be_matrix", np.arange(15, dtype=">f4").reshape(5, 3)
    yield "fortran", np.asfortranarray(np.arange(15).reshape(5, 3))
    yield "be_fortran", np.asfortranarray(np.arange(15, dtype=">u4").reshape(5, 3))
    yield "cube", cube
    yield "fortran_cube", np.asfortranarray(cube)
    yield "bools", (np.arange(14) % 3 == 0).reshape(7, 2)
    yield "no_axes", np.array(2.5)
    yield "one_row", np.arange(4, dtype="|u1").reshape(1, 4)
    yield "no_rows", np.zeros(0)
    yield "no_rows_matrix", np.zeros((0, 3), "<f4")
    yield "no_slots", np.zeros((3, 0))
    yield "one_slot", np.arange(3).reshape(3, 1)
    yield "four_axes", np.arange(16, dtype="|i1").reshape(2, 2, 2, 2)
    yield "text", np.array(["", "a", "längst", "\U0001f600", "end  "])
    yield "be_text", np.array(["", "a", "längst", "\U0001f600"], ">U6")
    yield "bytes", np.array([b"", b"a", b"a\0b", b"abcd"])
    yield "texts", np.array([["a", "bc"], ["", "d"]])
    yield "fortran_texts", np.asfortranarray(np.array([["a", "bc", ""], ["", "d", "ef"]]))
    yield "dates", np.array([["2026-11-21", "NaT"], ["1969-12-31", "2000-02-29"]], "M8[D]")
    yield "nanoseconds", np.array([["2026-11-21T01:02:03.000000004", "NaT"]], "M8[ns]").T
    yield "times", times()
    yield "structured", structured()
    yield "structured_matrix", filled(np.zeros((3, 2), [("a", "<i4"), ("b", "<f8")]))
    yield "structured_fortran", np.asfortranarray(filled(np.zeros((3, 2), [("a", "<i4"), ("b", "<f8")])))
    yield "aligned", filled(np.zeros(3, np.dtype([("a", "|i1"), ("b", "<f8"), ("c", "<i2")], align=True)))
    yield "same_type", filled(np.zeros(5, [("a", "<f4"), ("b", "<f4"), ("c", "<f4")]))
    yield "be_same_type", filled(np.zeros(5, [("a", ">i2"), ("b", ">i2")]))
    yield "titles", filled(np.zeros(2, [(("a title", "a"), "<i4"), ("b", "<i4")]))
    yield "one_field", filled(np.zeros(3, [("only", "<i8")]))
    yield "no_fields", np.zeros(3, [])
    yield "unread", filled(np.zeros(3, [("complex", "<c16"), ("id", "<i4"), ("raw", "|V3"),
                                        ("years", "<M8[Y]"), ("long", "<f16")]))
    yield "wide", filled(np.zeros(2, [(f"f{i}", "<f4") for i in range(300)]))


def filled(array):
    """Gives every field of numbers other numbers."""
    flat = array.reshape(-1, order="A")
    for number, name in enumerate(array.dtype.names):
        if array.dtype[name].kind in "iufc" and array.dtype[name].char != "g":  # whose padding may be any bytes
            flat[name] = np.arange(len(flat)) * 7 + number + 1
    return flat.reshape(array.shape, order="F" if array.flags.fnc else "C")


# What NumPy reads


def is_read(dtype):
    if dtype.kind == "M":
        return np.datetime_data(dtype)[0] in ("W", "D", "h", "m", "s", "ms", "us", "ns")
    return dtype.kind in "biuUSm" or dtype.kind == "f" and dtype.itemsize in (2, 4, 8)


def columns(array, name=""):
    """Yields the names and arrays of all fields."""
    if array.dtype.names is None:
        yield name or "values", array
    for field in array.dtype.names or ():
        yield from columns(array[field], f"{name}.{field}" if name else field)


def plain(value):
    """JSON of a value: times as the integers that are stored, None for NaT."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return None if value == NAT else value


def described(name, array):
    column = {"name": name, "dtype": array.dtype.str, "shape": list(array.shape), "readable": is_read(array.dtype)}
    if column["readable"]:
        is_time = array.dtype.kind in "mM"
        stored = array.astype("i8") if is_time else array
        values = stored.tolist()
        column["values"] = plain(values) if is_time or array.dtype.kind in "fSU" else values
    return column


def save(path, array, version=None):
    with path.open("wb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        npy.write_array(file, array, version=version)
    back = np.load(path)
    expected = {"file": path.name, "fortran_order": bool(array.flags.fnc), "descr": npy.dtype_to_descr(array.dtype),
                "shape": list(array.shape), "columns": [described(*column) for column in columns(back)]}
    text = json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
    path.with_suffix(".expected.json").write_text(text + "\n", encoding="utf-8")


def good():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    for name, array in arrays():
        save(OUT / f"{name}.npy", array)
    save(OUT / "version_2.npy", np.arange(3), (2, 0))
    save(OUT / "version_3.npy", filled(np.zeros(3, [("größe", "<i4"), ("\u6570", "<i4")])))
    # A header as Python 2 wrote it, and one with other blanks and quotes.
    cells = np.arange(3, dtype="<i4")
    for name, header in (("python_2", "{'descr': [(u'a', '<i4')], 'fortran_order': False, 'shape': (3L,), }"),
                         ("odd_header", '\n{"shape" :( 3 , ) ,"descr":\t[("a" ,"<i4") , ], "fortran_order":False}  ')):
        path = OUT / f"{name}.npy"
        path.write_bytes(headed(header, cells.tobytes()))
        expected = {"file": path.name, "fortran_order": False, "descr": [["a", "<i4"]], "shape": [3],
                    "columns": [described("a", cells)]}
        path.with_suffix(".expected.json").write_text(json.dumps(expected) + "\n")


def archives():
    """Archives as numpy.savez() writes them, but of one date."""
    entries = {"values": np.arange(3) / 2, "matrix": np.asfortranarray(np.arange(6, dtype="<i4").reshape(3, 2))}
    rows = {"values": ["0.0", "0.5", "1.0"], "matrix": ["[0,1]", "[2,3]", "[4,5]"]}
    for name, method in ("arrays", zipfile.ZIP_STORED), ("arrays_deflated", zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(ZIP / f"{name}.npz", "w") as out:
            for entry, array in entries.items():
                info = zipfile.ZipInfo(f"{entry}.npy", DATE)
                info.compress_type = method
                with out.open(info, "w", force_zip64=True) as file:
                    npy.write_array(file, array)
        assert all((np.load(ZIP / f"{name}.npz")[entry] == array).all() for entry, array in entries.items())
        for entry, values in rows.items():
            ending = "" if entry == "values" else f".{entry}.npy_data"
            text = "".join(f'{{"values":{value}}}\n' for value in values)
            (ZIP / f"{name}{ending}.jsonl").write_text(text)


# Damage


def headed(header, cells=b"", version=(1, 0), length=None):
    text = header if isinstance(header, bytes) else header.encode("latin-1")
    form = "<H" if version[0] == 1 else "<I"
    return b"\x93NUMPY" + bytes(version) + struct.pack(form, len(text) if length is None else length) + text + cells


def dictionary(descr="'<f8'", fortran_order="False", shape="(3,)", more=""):
    return f"{{'descr': {descr}, 'fortran_order': {fortran_order}, 'shape': {shape}, {more}}}\n"


def bad_files():
    """name, damage, bytes, the result of info, scan and verify, cells that still answer."""
    cells = struct.pack("<3d", 1.5, 2.5, 3.5)
    whole = headed(dictionary(), cells)
    every = {"must": [{"table": "data", "columns": ["values"], "rows": "all", "values": {"values": [1.5, 2.5, 3.5]}}]}
    yield "empty", "no byte", b"", 4, 4, 4
    yield "magic_cut", "4 bytes of the magic", whole[:4], 4, 4, 4
    yield "version_cut", "the magic alone", whole[:6], 5, 5, 5
    yield "length_cut", "half of the header's length", whole[:9], 5, 5, 5
    yield "header_cut", "half of the header", whole[:40], 5, 5, 5
    yield "cells_cut", "the last byte is absent", whole[:-1], 5, 5, 5
    yield "cells_more", "5 bytes behind the cells", whole + b"12345", "ok", "ok", 5, every
    yield "version_4", "version 4.0", headed(dictionary(), cells, (4, 0)), 4, 4, 4
    yield "version_1_1", "version 1.1", headed(dictionary(), cells, (1, 1)), 4, 4, 4
    yield "length_large", "a header of 4 GB", headed(dictionary(), cells, (2, 0), 0xFFFFFFF0), 5, 5, 5
    yield "length_small", "a header that ends in its dictionary", headed(dictionary(), cells, length=30), 5, 5, 5
    yield "list", "a list in place of the dictionary", headed("[1, 2]", cells), 5, 5, 5
    yield "behind", "a text behind the dictionary", headed(dictionary() + "x", cells), 5, 5, 5
    yield "call", "a call in place of a type", headed(dictionary("__import__('os').abort()"), cells), 5, 5, 5
    yield "escape", "an escape that Python does not write", headed(dictionary("'<f8\\q'"), cells), 5, 5, 5
    yield "open_text", "a text without its end", headed("{'descr", cells), 5, 5, 5
    yield "key_absent", "no key shape", headed("{'descr': '<f8', 'fortran_order': False}", cells), 5, 5, 5
    yield "key_twice", "a key twice", headed(dictionary(more="'shape': (3,)"), cells), 5, 5, 5
    yield "key_other", "a key that no version has", headed(dictionary(more="'align': True"), cells), 5, 5, 5
    yield "order_number", "a number as fortran_order", headed(dictionary(fortran_order="1"), cells), 5, 5, 5
    for name, descr in (("kind", "'<q8'"), ("width", "'<f3'"), ("no_width", "'<f'"), ("empty_type", "''"), ("unit", "'<M8[s'"),
                        ("number", "8")):
        yield f"type_{name}", f"the type {descr}", headed(dictionary(descr), cells), 5, 5, 5
    for name, shape in (("negative", "(-1,)"), ("large", "(18446744073709551616,)"), ("float", "(3.0,)"), ("list", "[3]"),
                        ("number", "3"), ("product", "(4294967296, 4294967296, 4294967296)"), ("one_more", "(4,)")):
        yield f"shape_{name}", f"the shape {shape}", headed(dictionary(shape=shape), cells), 5, 5, 5
    yield "axes", "65 axes", headed(dictionary(shape="(" + "1, " * 65 + ")"), cells), 1, 1, 1
    yield "rows_without_cells", "2^40 rows of no cells", headed(dictionary(shape=f"({2**40}, 0)")), 1, 1, 1
    yield "nested", "types in each other 100 times", headed(dictionary("[('a', " * 100 + "'<f8'" + ")]" * 100), cells), 1, 1, 1
    yield "objects", "pickled objects", headed(dictionary("'|O'", shape="(1,)"), b"\x80\x04K\x01."), 4, 4, 4
    yield "object_field", "pickled objects beside numbers", headed(dictionary("[('a', '<f8'), ('b', '|O')]", shape="(1,)"),
                                                                   b"\x80\x04K\x01."), 4, 4, 4
    yield "complex", "a type that is not read", headed(dictionary("'<c8'"), cells), "ok", 4, 4
    yield "slots", "2^31 values in a row", headed(dictionary("'|b1'", shape=f"(0, {2**31})")), "ok", 4, 4
    texts = headed(dictionary("[('t', '<U1'), ('n', '<i4')]", shape="(3,)"), struct.pack("<IiIiIi", 65, 1, 0xD800, 2, 66, 3))
    yield "surrogate", "half of a surrogate pair in row 1", texts, "ok", 5, 5, {
        "must": [{"table": "data", "columns": ["n"], "rows": "all", "values": {"n": [1, 2, 3]}},
                 {"table": "data", "columns": ["t"], "rows": [[0, 1], [2, 3]], "values": {"t": ["A", "B"]}}]}
    past = headed(dictionary("'<U1'", shape="(1,)"), struct.pack("<I", 0x110000))
    yield "code_point", "a character behind Unicode's last", past, "ok", 5, 5
    far = headed(dictionary("[('t', '<M8[us]'), ('n', '<i8')]", shape="(1,)"), struct.pack("<qq", 32503680000 * 10**6, 1))
    yield "year_3000", "a time that nanoseconds of 64 bits cannot count; legal", far, "ok", "ok", "ok", {
        "must": [{"table": "data", "columns": ["t", "n"], "rows": "all", "values": {"t": ["3000-01-01T00:00:00"], "n": [1]}}]}


def bad():
    folder = OUT / "bad"
    folder.mkdir()
    verdicts = []
    for name, damage, content, info, scan, verify, *answers in bad_files():
        (folder / f"{name}.npy").write_bytes(content)
        verdicts.append({"file": f"{name}.npy", "damage": damage, "open": info, "scan": scan, "verify": verify,
                         "answers": answers[0] if answers else None})
    lines = ",\n".join(json.dumps(verdict, ensure_ascii=False) for verdict in verdicts)
    (folder / "heron_verdicts.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    good()
    archives()
    bad()
