"""Forests that classify points straight from the map of their file."""

from __future__ import annotations

from _thread import allocate_lock  # threading takes a while to import

from . import _heron
from ._internal.arguments import choice
from ._internal.columns import order_of
from ._internal.streams import stream_object
from .scan import Scan

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from ._internal.typing import Columns, NumPyArray, Points
    from .file import File

MAX_KEPT = 8  # forests that a process keeps after it loaded their pickles


class Forest(_heron.ForestData):
    """A decision forest, or a single tree, of an open file: `heron.File(path).forest()` makes it.

    A point goes left at a node if its feature is less than the split value, else right: NaN goes right. Each tree votes
    for the label of the leaf that the point reaches; the label with the most votes, times the class's weight if there
    are weights, is the point's, of equal ones the lowest. Features have no names in the file: they are the columns of
    the points in the order that the forest was trained with.

    Opening one reads no node. The first call for many points checks and repacks them, 8 bytes a node, and remembers
    that. Immutable; all methods may run on any threads at once. Pickles by path: see __reduce__.
    """

    __slots__ = ("_origin", "__weakref__")

    if TYPE_CHECKING:  # this method is in C++, where single points are quick
        def predict_one(self, point: Sequence[float] | NumPyArray, weights: Sequence[float] | NumPyArray | None = None
                        ) -> int: ...

    def __init__(self, file: File, table: str | None = None) -> None:
        if not hasattr(file, "forest"):
            raise TypeError(f"file: expected a heron.File, got {type(file).__name__}")
        super().__init__(file._data, table)
        self._origin = (file._origin, table)

    def __reduce__(self) -> Any:
        """Pickles the path, options and fingerprint of the file, and the table. A process that loads several pickles
        of a forest opens it once, keeps up to 8 of them, and shares what was repacked. ChangedError if the file is
        another one by then."""
        return _reopened, self._origin

    # ---- properties ----
    @property
    def path(self) -> str:
        """Returns the path of the file."""
        return str(self._name)

    @property
    def tree_count(self) -> int:
        """Returns the number of trees, each of which votes."""
        return self._tree_count

    @property
    def class_count(self) -> int:
        """Returns the number of classes; labels are below it."""
        return self._class_count

    @property
    def feature_count(self) -> int:
        """Returns the number of features of a point."""
        return self._feature_count

    @property
    def packed_bytes(self) -> int:
        """Returns the bytes of memory that repacked nodes take; 0 if no call needed them so far."""
        return self._packed_bytes

    def summary(self) -> dict[str, Any]:
        """Summarizes the nodes in a dict: `trees`, a dict of nodes, leaves and depth for each, `splits_of_feature` and
        `leaves_of_class`, counts by number. Checks all nodes."""
        return self._summary()

    def pack(self) -> None:
        """Repacks the nodes now, unless it is done, and not in the first call for many points: predict_one() then takes
        less than half the time. CorruptError for damage anywhere in the forest."""
        self._pack()

    # ---- classification ----
    def predict(self, points: Points, *, weights: Sequence[float] | NumPyArray | None = None, columns: Columns = None,
                nulls: Literal["error", "nan"] = "error", threads: int | None = None) -> NumPyArray:
        """Returns the label of each point, an array of uint8.

        points: a matrix with a row for each, of any numbers (float32 and float64 are not copied if they are
        C-contiguous), or a list of such rows; or rows of columns, which are read as a stream: a Table, Scan or Batch,
        or anything with __arrow_c_stream__ (Polars, pyarrow, pandas), or a dict of columns. Integers must be exact as
        float64. weights: of each class, default 1. columns: those with the features, in the forest's order; default
        all. nulls: "error", or "nan" takes them for NaN. threads: default those of the file."""
        import numpy

        labels, rows = self._answers(points, False, weights, columns, nulls, threads)
        return numpy.ndarray((rows,), "uint8", labels)

    def votes(self, points: Points, *, columns: Columns = None, nulls: Literal["error", "nan"] = "error",
              threads: int | None = None) -> NumPyArray:
        """Counts the trees that vote for each class: a matrix of uint32 with a row for each point. Arguments as in
        predict()."""
        import numpy

        votes, rows = self._answers(points, True, None, columns, nulls, threads)
        return numpy.ndarray((rows, self.class_count), "uint32", votes)

    def predict_proba(self, points: Points, *, columns: Columns = None, nulls: Literal["error", "nan"] = "error",
                      threads: int | None = None) -> NumPyArray:
        """Returns the share of the trees that vote for each class: a matrix like that of votes(), of float64."""
        return self.votes(points, columns=columns, nulls=nulls, threads=threads) / max(self.tree_count, 1)

    def _answers(self, points, votes, weights, columns, nulls, threads):
        as_nan = choice("nulls", nulls, ("error", "nan")) == "nan"
        if isinstance(points, _heron.Data):
            return self._of_table(points, columns, None, None, None, [], weights, votes, as_nan, threads)
        if isinstance(points, Scan):
            query = points._query()
            if query is not None and (columns is None or query[0] is None):
                chosen, where, rows, limit, order = query
                chosen = chosen if columns is None else columns
                return self._of_table(points._data, chosen, where, rows, limit, order, weights, votes, as_nan, threads)
        rows = _as_rows(points)
        if rows is not None:
            if columns is not None:
                columns = [columns] if isinstance(columns, (str, int)) else columns
            return self._of_stream(rows, columns, weights, votes, as_nan, threads)
        return self._of_matrix(_as_matrix(points, columns), weights, votes, threads)

    def __repr__(self) -> str:
        if self._closed:
            return f"<heron.Forest {self.path!r}: closed>"
        counts = [(self.tree_count, "tree"), (self.class_count, "class"), (self.feature_count, "feature")]
        return f"<heron.Forest {self.path!r}: {', '.join(_counted(count, name) for count, name in counts)}>"


def _counted(count, name):
    return f"{count} {name if count == 1 else name + ('es' if name.endswith('s') else 's')}"


def _as_rows(points):
    """Returns points in columns as an object with an Arrow stream; None for a matrix."""
    if type(points).__module__.startswith("pandas") and hasattr(points, "columns"):
        return stream_object(points.reset_index(drop=True))  # pyarrow would make a column of the index
    if hasattr(points, "__arrow_c_stream__") or hasattr(points, "__arrow_c_array__") or isinstance(points, dict):
        return stream_object(points)
    if isinstance(points, (list, tuple)) and points and isinstance(points[0], dict):
        return stream_object(points)
    if hasattr(points, "mask") and hasattr(points, "filled") and getattr(points, "ndim", 0) == 2:
        import pyarrow

        return pyarrow.table([pyarrow.array(points[:, i]) for i in range(points.shape[1])],
                             [str(i) for i in range(points.shape[1])])
    return None


def _as_matrix(points, columns):
    """Returns points as a list or an object with a buffer, such as a NumPy array."""
    if columns is not None:
        import numpy

        return numpy.asarray(points)[:, [columns] if isinstance(columns, int) else columns]
    if isinstance(points, (list, tuple)):
        return points
    try:
        memoryview(points)
    except (TypeError, ValueError):
        if hasattr(points, "__array__"):
            import numpy

            return numpy.asarray(points)
    return points


_reopened_lock = allocate_lock()
_reopened_forests: dict[Any, Forest] = {}  # by the key of their origin and their table; the latest last


def _reopened(origin, table):
    key = origin.key, table
    with _reopened_lock:
        forest = _reopened_forests.pop(key, None)
        if forest is None:
            forest = origin.file().forest(table)
        else:
            origin.check()
        _reopened_forests[key] = forest
        while len(_reopened_forests) > MAX_KEPT:
            del _reopened_forests[next(iter(_reopened_forests))]
    return forest
