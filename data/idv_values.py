"""IDV values and types from the words of ML.NET's reader to those of heron."""

import datetime
import math
import struct

TYPES = {"Boolean": "bool", "SByte": "int8", "Byte": "uint8", "Int16": "int16", "UInt16": "uint16", "Int32": "int32",
         "UInt32": "uint32", "Int64": "int64", "UInt64": "uint64", "Single": "float32", "Double": "float64",
         "Text": "text", "TimeSpan": "duration", "DateTime": "datetime", "DateTimeOffset": "datetimeoffset",
         "RowId": "rowid"}
DEFAULTS = {"Boolean": False, "Text": "", "DateTimeOffset": {"ticks": 0, "offset_minutes": 0},
            "RowId": {"low": 0, "high": 0}}
TICKS_A_SECOND = 10_000_000


def heron_type(kind):
    if kind["kind"] == "Vector":
        known = math.prod(kind["dims"]) or len(kind["dims"]) > 1
        shape = "x".join(str(size or "?") for size in kind["dims"])
        return f"vector<{heron_type(kind['item'])}>" + (f"[{shape}]" if known else "")
    if kind["kind"] == "Key":
        return f"key<{TYPES[kind['raw']]}>[{kind['count']}]"
    return TYPES[kind["kind"]]


class Column:
    """How the cells of one column are printed: `raw` and `sparse` as on the command line; keys by `values`, if they
    stand for any, a list of heron's cells."""

    def __init__(self, kind, raw, sparse, values=None):
        self.kind, self.raw, self.sparse, self.values = kind, raw, sparse, values
        self.is_vector = kind["kind"] == "Vector"
        self.item_kind = kind["item"] if self.is_vector else kind

    def cell(self, value, missing):
        """`missing` gives, one after the other, whether each stored item of the column is."""
        if not self.is_vector:
            return self.item(value, next(missing))
        items = [self.item(item, next(missing)) for item in value["values"]]
        if self.sparse:
            return value | {"values": items}
        if "indices" not in value:
            return items
        slots = [self.item(DEFAULTS.get(self.item_kind["kind"], 0), False)] * value["len"]
        for slot, item in zip(value["indices"], items):
            slots[slot] = item
        return slots

    def item(self, value, missing=False):
        kind = self.item_kind["kind"]
        if missing:
            return None
        if kind in ("Single", "Double"):
            return number(value, kind)
        if kind == "Text":
            return "".join("\ufffd" if "\ud800" <= unit <= "\udfff" else unit for unit in value)
        if kind == "RowId":
            return f"{value['high']:016x}{value['low']:016x}"
        if kind == "DateTimeOffset":
            parts = value["ticks"], value["offset_minutes"]
            return list(parts) if self.raw else clock(parts[0]) + zone(parts[1])
        if self.raw:
            return value
        if kind == "Key":
            return None if value == 0 else self.values[value - 1] if self.values else value
        return {"TimeSpan": duration, "DateTime": clock}.get(kind, lambda same: same)(value)


def number(value, kind):
    """A float32 as the double it equals."""
    if isinstance(value, str):  # "NaN", "Infinity", "-Infinity"
        return value
    return struct.unpack("f", struct.pack("f", value))[0] if kind == "Single" else float(value)


def time_of_day(ticks):
    seconds, fraction = divmod(ticks, TICKS_A_SECOND)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return text + (f".{fraction:07}" if fraction else "")


def duration(ticks):
    days, rest = divmod(abs(ticks), 86400 * TICKS_A_SECOND)
    return "-" * (ticks < 0) + (f"{days}." if days else "") + time_of_day(rest)


def clock(ticks):
    days, rest = divmod(ticks, 86400 * TICKS_A_SECOND)
    return f"{datetime.date.fromordinal(days + 1)}T{time_of_day(rest)}"


def zone(minutes):
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
