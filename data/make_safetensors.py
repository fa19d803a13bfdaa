#!/usr/bin/env python3
"""Makes data/safetensors/ and data/safetensors/bad/: files by the format's own library and by hand, what the library
reads from them, and damaged ones, each with its verdict. Requires safetensors, numpy and ml_dtypes. Then run
data/make_golden.py data/safetensors.

    data/make_safetensors.py
"""

import json
import math
import pathlib
import struct

import ml_dtypes
import numpy
import safetensors
import safetensors.numpy

OUT = pathlib.Path(__file__).parent / "safetensors"
DTYPES = {
    "BOOL": numpy.bool_, "U8": numpy.uint8, "I8": numpy.int8, "U16": numpy.uint16, "I16": numpy.int16,
    "U32": numpy.uint32, "I32": numpy.int32, "U64": numpy.uint64, "I64": numpy.int64, "F16": numpy.float16,
    "BF16": ml_dtypes.bfloat16, "F32": numpy.float32, "F64": numpy.float64, "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
}  # fmt: skip
EXTREMES = {"u": lambda info: [0, 1, 2, info.max - 1, info.max], "i": lambda info: [info.min, -1, 0, 1, info.max]}


def header_of(data):
    size = struct.unpack_from("<Q", data)[0]
    return json.loads(data[8:8 + size])


def by_hand(header, buffer):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + buffer


def tensor(dtype, shape, begin, end, **more):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]} | more


def cell(value):
    """Returns a value as JSON has it; a float as the double that it equals."""
    value = value.item() if value.dtype.kind in "biu" else float(value)
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def expected_of(name, data):
    """Returns what the library reads, in the order of the header."""
    read = dict(safetensors.deserialize(data))
    tensors = []
    for tensor_name in header_of(data):
        if tensor_name != "__metadata__":
            stored = read[tensor_name]
            values = numpy.frombuffer(bytes(stored["data"]), DTYPES[stored["dtype"]])
            tensors.append({"name": tensor_name, "dtype": stored["dtype"], "shape": stored["shape"],
                            "values": [cell(value) for value in values]})
    return {"fixture": name, "reader": f"safetensors {safetensors.__version__}",
            "metadata": header_of(data).get("__metadata__") or {}, "tensors": tensors}


def write(name, data):
    (OUT / f"{name}.safetensors").write_bytes(data)
    expected = expected_of(f"{name}.safetensors", data)
    (OUT / f"{name}.expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n",
                                               encoding="utf-8")


def save(name, tensors, metadata=None):
    write(name, safetensors.numpy.save(tensors, metadata))


def patterns(dtype, bits):
    return numpy.array(bits, numpy.uint16 if numpy.dtype(dtype).itemsize == 2 else numpy.uint8).view(dtype)


def every_type():
    columns = {"bool": numpy.array([True, False, True, True, False])}
    for dtype in list(DTYPES.values())[1:9]:
        kind = numpy.dtype(dtype)
        columns[kind.name] = numpy.array(EXTREMES[kind.kind](numpy.iinfo(kind)), kind)
    for name, dtype in (("float32", numpy.float32), ("float64", numpy.float64)):
        columns[name] = numpy.array([0.1, -0.0, math.inf, -math.inf, math.nan], dtype)
    columns["float16"] = patterns(numpy.float16, [0x3C00, 0x8000, 0x0001, 0x7C00, 0x7E00])
    columns["bfloat16"] = patterns(ml_dtypes.bfloat16, [0x3F80, 0x8000, 0x0001, 0xFF80, 0x7FC0])
    columns["e4m3"] = patterns(ml_dtypes.float8_e4m3fn, [0x38, 0x80, 0x01, 0x7E, 0x7F])
    columns["e5m2"] = patterns(ml_dtypes.float8_e5m2, [0x3C, 0x80, 0x01, 0x7C, 0x7E])
    return columns


def good():
    save("types", every_type())
    save("matrix", {"weight": numpy.arange(12, dtype=numpy.float32).reshape(4, 3) / 8})
    save("vectors", {f"v.{name}": numpy.stack([values, values[::-1]], axis=1) for name, values in every_type().items()
                     if name in ("bool", "uint16", "float64", "float16", "e4m3")})
    numbers = numpy.arange(24, dtype=numpy.float32)
    save("model", {
        "embed.weight": (numbers.reshape(6, 4) / 4).astype(ml_dtypes.bfloat16),
        "layers.0.weight": (numbers[:12].reshape(3, 4) - 5).astype(numpy.float16),
        "layers.0.bias": numpy.array([0.5, -1.25, 3e-7], numpy.float32),
        "layers.1.conv": numbers.reshape(2, 3, 2, 2),
        "layers.1.mask": numpy.array([[True, False, True]]),
        "step": numpy.array(1234567890123, numpy.int64),
    }, {"format": "pt", "note": "weights \u2713 of \"no\" model\n"})
    save("float8", {"e4m3": patterns(ml_dtypes.float8_e4m3fn, range(256)).reshape(16, 16),
                    "e5m2": patterns(ml_dtypes.float8_e5m2, range(256)).reshape(16, 16)})
    save("halves", {"half": patterns(numpy.float16, range(0, 0x10000, 331)),
                    "bfloat16": patterns(ml_dtypes.bfloat16, range(0, 0x10000, 331))})
    save("empty", {})
    save("metadata_only", {}, {"b": "2", "a": "", "": "no name"})
    save("no_elements", {"flat": numpy.zeros(0, numpy.float32), "rows": numpy.zeros((0, 3), numpy.float16),
                         "slots": numpy.zeros((2, 0), numpy.int32)})
    save("scalars", {"pi": numpy.array(3.140625, numpy.float16), "yes": numpy.array(True), "n": numpy.array(-7, numpy.int8)})
    names = ["data", "data.1", "values", "a b", "\u00e9\u4e2d\U0001f600", "q\"uote\\", "a.b/c"]
    save("names", {name: numpy.array([i, -i], numpy.int16) for i, name in enumerate(names)})
    floats = struct.pack("<4d", 0.25, -1, 1e300, 5e-324)
    write("unaligned", by_hand(b'{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"d":{"dtype":"F64","shape":[2,2],'
                               b'"data_offsets":[3,35]},"h":{"dtype":"F16","shape":[3],"data_offsets":[35,41]} }',
                               b"\x01\x02\x03" + floats + struct.pack("<3e", 1, -2, 65504)))
    write("reordered", by_hand(
        b'{ "late" : {"data_offsets":[4, 8],\n"shape":[2],"dtype":"\\u0055\\u0031\\u0036",'
        b'"more":[1,-2.5e3,{"x":[true,null,"\\ud83d\\ude00"]}]},\t"early":{"dtype":"I32","shape":[1],'
        b'"data_offsets":[0,4]}, "__metadata__":null}  \r\n', b"\xfe\xff\xff\xff\x01\x00\x02\x00"))


def verdict(name, what, data, code, answers=None, note=""):
    (OUT / "bad" / f"{name}.safetensors").write_bytes(data)
    return {"file": f"{name}.safetensors", "what": what, "offset": None, "open": code, "scan": code, "verify": code,
            "answers": answers, "note": note}


def odd(name, what, data, must):
    """A legal file with a table that Heron cannot read, which `verify` ends with."""
    answers = {"must": [{"table": table, "columns": [column], "rows": "all", "values": {column: values}}
                        for table, column, values in must]}
    return verdict(name, what, data, "ok", answers) | {"scan": ["ok", 4], "verify": 4}


def bad():
    two = b"\x01\x02"
    one = lambda **changes: {"a": tensor("U8", [2], 0, 2) | changes}
    whole = by_hand(one(), two)
    unreadable = by_hand({"scale": tensor("F8_E8M0", [2], 0, 2), "packed": tensor("F4", [2, 2], 2, 4),
                          "complex": tensor("C64", [2], 4, 20), "later": tensor("F9_NEW", [2], 20, 24),
                          "good": tensor("I16", [2], 24, 28)}, bytes(24) + b"\x05\x00\xff\xff")
    large = by_hand({"a": tensor("U8", [1], 0, 1), "wide": tensor("U8", [0, 1 << 40], 1, 1)}, b"\x07")
    unknown, damaged = 4, 5
    cases = [
        verdict("empty", "empty file", b"", unknown),
        verdict("size_cut", "the header's size is cut", whole[:7], unknown),
        verdict("header_cut", "the header is cut", whole[:30], unknown, note="Without a magic: a header that does not fit."),
        verdict("size_huge", "the header's size is 2^64 - 1", b"\xff" * 8 + whole[8:], unknown),
        verdict("size_short", "the header's size is one too small", struct.pack("<Q", len(whole) - 11) + whole[8:], damaged),
        verdict("size_long", "the header's size is one too large", struct.pack("<Q", len(whole) - 9) + whole[8:], damaged),
        verdict("starts_with_space", "the header begins with a space", by_hand(b" " + whole[8:-2], two), unknown,
                note="The format requires '{'; the library has become lenient."),
        verdict("list", "the header is a list", by_hand(b"[]", b""), unknown),
        verdict("cut", "the last byte is cut", whole[:-1], damaged),
        verdict("trailing", "a byte behind the last tensor", whole + b"\x00", damaged),
        verdict("gap", "a gap between tensors", by_hand({"a": tensor("U8", [1], 0, 1), "b": tensor("U8", [1], 2, 3)},
                                                         b"abc"), damaged),
        verdict("overlap", "two tensors share a byte", by_hand({"a": tensor("U8", [2], 0, 2), "b": tensor("U8", [2], 1, 3)},
                                                               b"abc"), damaged),
        verdict("same_bytes", "two tensors share all bytes", by_hand({"a": tensor("U8", [2], 0, 2), "b": tensor("U8", [2], 0, 2)},
                                                                     two), damaged),
        verdict("reversed", "offsets descend", by_hand(one(data_offsets=[2, 0]), two), damaged),
        verdict("outside", "offsets behind the file", by_hand(one(data_offsets=[0, 2**63]), two), damaged),
        verdict("three_offsets", "three offsets", by_hand(one(data_offsets=[0, 2, 2]), two), damaged),
        verdict("shape_too_large", "more elements than bytes", by_hand(one(shape=[3]), two), damaged),
        verdict("shape_overflow", "the product of the shape is 2^64", by_hand(one(shape=[1 << 32, 1 << 32]), two), damaged),
        verdict("bits_overflow", "elements times bits overflow", by_hand(one(dtype="F64", shape=[1 << 61]), two), damaged),
        verdict("half_bytes", "an odd number of half bytes", by_hand(one(dtype="F4", shape=[3]), two), damaged),
        verdict("unknown_too_large", "more elements of an unknown type than bits", by_hand(one(dtype="X", shape=[1 << 60]), two),
                damaged),
        verdict("two_names", "two tensors of one name", by_hand(
            b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}', two),
            damaged),
        verdict("two_dtypes", "a key twice", by_hand(
            b'{"a":{"dtype":"U8","dtype":"U8","shape":[2],"data_offsets":[0,2]}}', two), damaged),
        verdict("two_metadata", "two objects of metadata", by_hand(b'{"__metadata__":{},"__metadata__":{}}', b""), damaged),
        verdict("metadata_number", "metadata with a number", by_hand({"__metadata__": {"k": 1}} | one(), two), damaged),
        verdict("no_dtype", "no dtype", by_hand({"a": {"shape": [2], "data_offsets": [0, 2]}}, two), damaged),
        verdict("no_shape", "no shape", by_hand({"a": {"dtype": "U8", "data_offsets": [0, 2]}}, two), damaged),
        verdict("no_offsets", "no offsets", by_hand({"a": {"dtype": "U8", "shape": [2]}}, two), damaged),
        verdict("negative", "a negative size", by_hand(one(shape=[-2]), two), damaged),
        verdict("fraction", "a size with a fraction", by_hand(one(shape=[2.0]), two), damaged),
        verdict("leading_zero", "a size with a leading zero", whole.replace(b'"shape": [2]', b'"shape":[02]'), damaged),
        verdict("trailing_comma", "a comma behind the last tensor", by_hand(whole[8:-3] + b",}", two), damaged),
        verdict("half_pair", "half a surrogate pair", by_hand(whole[8:-2].replace(b'"a"', b'"\\ud83d"'), two), damaged),
        verdict("not_utf8", "a name that is not UTF-8", by_hand(whole[8:-2].replace(b'"a"', b'"\xff"'), two), damaged),
        verdict("control", "a line feed in a name", by_hand(whole[8:-2].replace(b'"a"', b'"a\n"'), two), damaged),
        verdict("deep", "200 lists inside each other", by_hand(
            whole[8:-4] + b',"x":' + b"[" * 200 + b"]" * 200 + b"}}", two), damaged),
        odd("unreadable_valid", "types that Heron does not read beside one that it does", unreadable,
            [("good", "values", [5, -1]), ("data", "good", [5, -1])]),
        odd("wide_valid", "vectors of 2^40 slots, but none of them", large, [("a", "values", [7])]),
    ]
    text = json.dumps(cases, indent=1) + "\n"
    (OUT / "bad" / "heron_verdicts.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    (OUT / "bad").mkdir(parents=True, exist_ok=True)
    good()
    bad()
