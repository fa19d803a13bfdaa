"""Headers of safetensors at and beyond their limits: Heron takes those that the safetensors library takes, with the same
tensors, and refuses the others with one line of error."""

import json
import pathlib
import struct
import subprocess
import tempfile

import safetensors


def tensor(dtype="F32", shape="[1]", begin=0, end=4, more=""):
    return f'{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{begin},{end}]{more}}}'


def of(*tensors, more=""):
    """Returns a header of tensors a, b, .."""
    return "{" + ",".join(f'"{name}":{text}' for name, text in zip("abc", tensors)) + more + "}"


ONE = of(tensor())
FOUR = b"\0" * 4
HEADERS = {  # a header and the bytes behind it
    "one tensor": (ONE, FOUR),
    "spaces behind": (ONE + "   ", FOUR), "a line end behind": (ONE + "\n", FOUR), "a zero behind": (ONE + "\0", FOUR),
    "spaces inside": ('{ "a" :' + tensor() + " }", FOUR), "a comma behind": (ONE[:-1] + ",}", FOUR),
    "more keys": (of(tensor(more=',"x":[1,{"y":null}]')), FOUR), "two objects": (ONE + "{}", FOUR),
    "a comment": ("{/**/" + ONE[1:], FOUR), "a byte order mark": ("\ufeff" + ONE, FOUR),
    "nothing": ("{}", b""), "nothing, and a byte": ("{}", b"\0"), "a brace": ("{", b""), "no header": ("", b""),
    "a list": ("[]", b""), "null": ("null", b""), "a number": ("12", b""), "true": ('{"a":true}', b""), "no tensor": ('{"a":{}}', b""),
    "overlapping": (of(tensor(), tensor(begin=2, end=6)), b"\0" * 6), "the same bytes": (of(tensor(), tensor()), FOUR),
    "a gap": (of(tensor(), tensor(begin=8, end=12)), b"\0" * 12), "a gap in front": (of(tensor(begin=4, end=8)), b"\0" * 8),
    "bytes behind": (ONE, b"\0" * 5), "bytes missing": (ONE, b"\0" * 3), "another order": (of(tensor(begin=4, end=8), tensor()), b"\0" * 8),
    "reversed": (of(tensor(begin=4, end=0)), FOUR), "three offsets": (ONE.replace("0,4]", "0,4,4]"), FOUR),
    "one offset": (ONE.replace("0,4]", "4]"), FOUR), "no offsets": (ONE.replace("data_offsets", "data"), FOUR),
    "no dtype": (ONE.replace("dtype", "Dtype"), FOUR), "no shape": (ONE.replace("shape", "sizes"), FOUR),
    "two dtypes": (of(tensor(more=',"dtype":"F32"')), FOUR), "two names": ('{"a":' + tensor() + ',"a":' + tensor(begin=4, end=8) + "}", b"\0" * 8),
    "no elements": (of(tensor(shape="[0]", end=0), tensor(), tensor(shape="[2,0]", begin=4, end=4)), FOUR),
    "a scalar": (of(tensor(shape="[]")), FOUR), "many sizes": (of(tensor(shape="[" + "1," * 99 + "1]")), FOUR),
    "a huge size and 0": (of(tensor(shape="[18446744073709551615,0]", end=0)), b""),
    "a product of 2^64": (of(tensor(shape="[4294967296,4294967296]")), FOUR), "a size of 2^64": (of(tensor(shape="[18446744073709551616]")), FOUR),
    "an end of 2^64": (of(tensor(end=18446744073709551616)), FOUR), "an end of 2^64 - 1": (of(tensor(end=18446744073709551615)), FOUR),
    "negative": (of(tensor(shape="[-1]")), FOUR), "a fraction": (of(tensor(shape="[1.0]")), FOUR), "an exponent": (of(tensor(shape="[1e0]")), FOUR),
    "a leading zero": (of(tensor(shape="[01]")), FOUR), "a text as size": (of(tensor(shape='["1"]')), FOUR), "null as shape": (of(tensor(shape="null")), FOUR),
    "no such type": (of(tensor("F99")), FOUR), "small letters": (of(tensor("f32")), FOUR), "too few bytes": (of(tensor(shape="[2]")), FOUR),
    "half a byte": (of(tensor("F4", "[3]", end=2)), b"\0\0"), "not UTF-8": (b'{"\xff":' + tensor().encode() + b"}", FOUR),
    "escapes": ('{"\\u00e9\\n":' + tensor() + "}", FOUR), "half a pair": ('{"\\ud800":' + tensor() + "}", FOUR), "a control character": ('{"\1":' + tensor() + "}", FOUR),
    "no name": ('{"":' + tensor() + "}", FOUR), "metadata": (of(tensor(), more=',"__metadata__":{"k":"v"}'), FOUR),
    "no metadata": (of(tensor(), more=',"__metadata__":null'), FOUR), "a number as metadata": (of(tensor(), more=',"__metadata__":{"k":1}'), FOUR),
    "metadata in metadata": (of(tensor(), more=',"__metadata__":{"k":{}}'), FOUR), "a list as metadata": (of(tensor(), more=',"__metadata__":[]'), FOUR),
    "metadata twice": (of(tensor(), more=',"__metadata__":{},"__metadata__":{}'), FOUR), "metadata alone": ('{"__metadata__":{"k":"v"}}', b""),
    "values in each other": (of(tensor(more=',"x":' + "[" * 200 + "]" * 200)), FOUR),
}
# Headers that only the library takes: the format's description requires the brace, and one tensor of a name.
ONLY_THEIRS = {"a space in front": (" " + ONE, FOUR), "a tensor twice": ('{"a":' + tensor() + ',"a":' + tensor() + "}", FOUR)}


def tensors_of(path):
    """Returns the names and shapes of the tensors, or None if the library refuses the file."""
    try:
        with safetensors.safe_open(path, "numpy") as file:
            return {name: file.get_slice(name).get_shape() for name in file.keys()}
    except Exception:  # safetensors_rust.SafetensorError, and UnicodeDecodeError of names
        return None


def check_file(heron, path, what, only_theirs):
    expected = tensors_of(path)
    assert expected is not None or not only_theirs, what
    done = subprocess.run([heron, "verify", path], capture_output=True, text=True)
    if only_theirs or expected is None:  # a type that is not defined is only an error of its tensor
        assert done.returncode in (4, 5) and done.stderr.count("\n") == 1, (what, done)
        return
    assert done.returncode == 0, (what, done.stderr)
    tables = json.loads(subprocess.run([heron, "info", path, "-o", "json"], capture_output=True).stdout)["tables"]
    assert set(expected) <= {table["name"] for table in tables}, (what, expected, tables)


def check_headers(heron):
    """Compares all headers, also cut short and with other lengths; returns how many files were compared."""
    files = [(what, header, buffer, None) for what, (header, buffer) in {**HEADERS, **ONLY_THEIRS}.items()]
    for size in (0, 1, len(ONE) - 1, len(ONE) + 1, len(ONE) + 4, len(ONE) + 5, 100_000_000, 100_000_001, 2**63, 2**64 - 1):
        files.append((f"a length of {size}", ONE, FOUR, size))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "made.safetensors")
        for what, header, buffer, size in files:
            header = header if isinstance(header, bytes) else header.encode()
            content = struct.pack("<Q", len(header) if size is None else size) + header + buffer
            path.write_bytes(content)
            check_file(heron, path, what, what in ONLY_THEIRS)
        whole = struct.pack("<Q", len(ONE)) + ONE.encode() + FOUR
        for end in range(len(whole)):
            path.write_bytes(whole[:end])
            check_file(heron, path, f"the first {end} bytes", False)
    return len(files) + len(whole)
