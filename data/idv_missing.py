"""Which values of an old IDV file are missing. Read from the file's bytes, since ML.NET's reader, whose answers stand
in an expected.json, gives false, 0 or "" for them.
"""

import struct
import zlib

LAST_VERSION = (1, 1, 1, 5)  # that has missing values
SIGNED = {"SByte": "b", "Int16": "h", "Int32": "i", "Int64": "q", "TimeSpan": "q", "DvTimeSpan": "q", "DateTime": "q",
          "DvDateTime": "q"}


def missing_items(expected, path):
    """By column that can be read, whether each item it stores is missing: one a row, of vectors all that are stored.
    Nothing for a file in which no value can be missing."""
    header = expected.get("header")
    if header is None or tuple(map(int, header["version"].split("."))) > LAST_VERSION:
        return None
    content = path.read_bytes()
    return [of_column(column, content, header["row_count"]) for column in expected["columns"] if column["readable"]]


def of_column(column, content, rows):
    flags = []
    for offset, stored_bytes, _ in column["blocks"]:
        data = content[offset:offset + stored_bytes]
        if column["compression"] == 1:
            data = zlib.decompress(data, wbits=-15)
        block_rows = min(column["rows_per_block"], rows)
        rows -= block_rows
        codec = column["codec"]
        if codec["loadname"] == "VBuffer":
            start, count = stored_items(data, block_rows)
            flags += of_items(codec["item"]["loadname"], data[start:], count)
        else:
            flags += of_items(codec["loadname"], data, block_rows)
    return flags


def stored_items(data, rows):
    """Where a block of vectors has its items, and how many."""
    size, at = struct.unpack_from("<4xi", data)[0], 8
    lengths = [size] * rows
    if size == 0:
        lengths = struct.unpack_from(f"<{rows}i", data, at)
        at += 4 * rows
    counts = struct.unpack_from(f"<{rows}i", data, at)
    at += 4 * rows
    indices = struct.unpack_from("<i", data, at)[0]
    return at + 4 + 4 * indices, sum(length if count < 0 else count for length, count in zip(lengths, counts))


def of_items(codec, data, count):
    if codec in SIGNED:
        least = -1 << 8 * struct.calcsize(SIGNED[codec]) - 1
        return [value == least for value in struct.unpack_from(f"<{count}{SIGNED[codec]}", data)]
    if codec == "DvBool":
        words = struct.unpack_from(f"<{-(-count // 16)}I", data)
        return [words[i // 16] >> 2 * (i % 16) & 3 == 2 for i in range(count)]
    if codec == "TextSpan":
        return [boundary < 0 for boundary in struct.unpack_from(f"<{count}i", data, 4)]
    if codec in ("DateTimeOffset", "DvDateTimeZone"):
        return [ticks == -1 << 63 for ticks in struct.unpack_from(f"<{count}q", data, 2 * count)]
    return [False] * count
