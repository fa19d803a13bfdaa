"""Values as NumPy arrays, and these as tensors. NumPy and torch are imported by the first call."""

from .._internal.arguments import choice
from ..errors import ArgumentError

_EPOCH_TICKS = 719_162 * 864_000_000_000  # units of 100 ns from 0001-01-01 to 1970-01-01


def list_of(numbers):
    """Returns row numbers as a NumPy array or, without NumPy, a list."""
    try:
        import numpy

        return numpy.asarray(numbers)
    except ImportError:
        return numbers.to_list()


def _unpack(bits, rows):
    import numpy

    return numpy.unpackbits(numpy.asarray(bits), bitorder="little", count=rows).astype(bool)


def _with_nulls(name, values, valid, nulls):
    """Returns `values` with nulls replaced as `nulls` says; `valid` is None if there are none."""
    import numpy

    if valid is None or valid.all():
        return values
    kind = values.dtype.kind
    if kind in "mM":
        values = values.copy()
        values[~valid] = numpy.array("NaT", values.dtype)
        return values
    if nulls == "masked":
        return numpy.ma.masked_array(values, mask=~valid)
    if kind == "f" or nulls == "nan":
        values = values.astype(values.dtype if kind == "f" else "float64")
        values[~valid] = numpy.nan
        return values
    raise ArgumentError(f'column "{name}" has {int((~valid).sum())} nulls, which {values.dtype} cannot hold: '
                        'nulls="masked" gives a masked array, nulls="nan" floats')


def _times(type_name, values):
    """Returns stored times in NumPy's types."""
    import numpy

    if type_name == "date32":
        return values.astype("datetime64[D]")
    if type_name == "datetime":
        return numpy.floor_divide(values - _EPOCH_TICKS, 10).view("datetime64[us]")
    if type_name == "duration":
        return numpy.floor_divide(values, 10).view("timedelta64[us]")
    return values


def array_of(raw, column, type_name, name, nulls="raise", copy=False):
    """Returns a column of a batch as an array."""
    import numpy

    choice("nulls", nulls, ("raise", "masked", "nan"))
    found = None if raw._has_key_values(column) else raw._cells(column)
    if found is None:
        objects = numpy.empty(len(raw), object)
        raw._fill_objects(column, objects)
        return objects
    cells, validity = found
    valid = None if validity is None else _unpack(validity, len(raw))
    if type_name == "bool":
        return _with_nulls(name, _unpack(cells, len(raw)), valid, nulls)
    values = numpy.asarray(cells)
    converted = _times(type_name, values)
    out = _with_nulls(name, converted, valid, nulls)
    return out.copy() if copy and out is values else out


_IN_PLACE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")


def stored_array(cells, encoding, type_name, has_no_nulls):
    """Returns a column of a mapped file as an array in place; None: it must be read."""
    import numpy

    is_timestamp = type_name.startswith("timestamp[")
    if type_name not in _IN_PLACE and not is_timestamp:
        return None
    free = encoding in ("never", "nan") or (is_timestamp and encoding == "sentinel")  # the least timestamp is NaT
    if not free and not (encoding == "sentinel" and has_no_nulls()):
        return None
    return numpy.asarray(cells)


def tensor_of(array):
    """Returns the array's memory as a tensor of torch; a copy of an array that may not be written."""
    import torch

    return torch.from_numpy(array if array.flags.writeable else array.copy())
