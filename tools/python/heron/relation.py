"""The methods that a heron.Table and a heron.Scan share: steps that make Scans, and conversions of all their rows."""

from __future__ import annotations

from ._internal.arguments import count_of, write_options
from ._internal.columns import order_of
from ._internal.description import description
from .batch import Exports
from .parameters import bound

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any, Unpack

    import pandas
    import polars
    import pyarrow

    from ._internal.typing import Columns, Order, Params, Path, Progress, Where
    from ._options import WriteOptions
    from .scan import Scan
    from .schema import Schema


class Relation(Exports):
    """The methods of both heron.Table and heron.Scan. filter(), select(), with_columns(), sort() and limit() return
    a Scan, on which they can be called again. They check names and types at once, UnknownColumnError or
    ArgumentError; rows are read when an answer is needed."""

    __slots__ = ()

    if TYPE_CHECKING:
        @property
        def columns(self) -> list[str]: ...
        @property
        def schema(self) -> Schema: ...

    def _as_scan(self) -> Scan:
        raise NotImplementedError

    def filter(self, *where: Where, params: Params = None) -> Scan:
        """Keeps the rows that pass all predicates, as text or of heron.col(). params: a value for each `?` of the
        only one."""
        if not where or (params is not None and len(where) != 1):
            raise TypeError(f"filter() takes predicates, with params= only one, got {len(where)}")
        scan = self._as_scan()
        for one in where:
            scan = scan._narrowed(bound(one, params))
        return scan

    def select(self, *columns: Columns, **named_columns: Any) -> Scan:
        """Selects these columns alone, in this order: names, numbers, expressions such as "price * 1.2 as gross", or
        "*" for all; one by one or as a list. `gross=heron.col("price") * 1.2` names a column as well."""
        return self._as_scan()._chosen(columns, named_columns)

    def with_columns(self, *columns: Columns, **named_columns: Any) -> Scan:
        """Adds columns, which are given as for select(); a column of the same name is replaced."""
        scan = self._as_scan()
        return scan._with_terms({**scan._visible(), **scan._chosen(columns, named_columns)._visible()})

    def sort(self, *by: Order, descending: bool = False) -> Scan:
        """Sorts the rows by columns or expressions: sort("city", ("price", "desc")) or sort("city, price:desc").
        Equal rows keep their order. descending=True reverses each column. Nulls, and NaN, come first, with
        descending order last. Costs 8 bytes and the values of the columns for each row, on disk if there are many;
        with limit(), only for the rows that it leaves."""
        if not by:
            raise TypeError("sort() takes columns such as \"price:desc\"")
        return self._as_scan()._sorted([part for one in by for part in _order(one)], descending)

    def limit(self, n: int) -> Scan:
        """Keeps the first n rows, in the order of sort() if there is one. Later steps, such as filter(), apply to
        these."""
        return self._as_scan()._limited(count_of("n", n))

    @property
    def dtypes(self) -> dict[str, str]:
        """Returns the types of the columns by name, such as {"price": "float64"}."""
        return {field.name: field.type for field in self.schema}

    def describe(self) -> Any:
        """Returns statistics of all readable columns: count, nulls, mean, std, min, 25%, 50%, 75%, max, as far as
        the type has them. A pandas.DataFrame with a row for each; without pandas a dict of columns, each a dict of
        these, that prints as a table. Reads every column once, and holds the numbers of one for the quantiles, or of
        several that have up to 2^26 in all."""
        return description(self)

    def write(self, path: Path, *, progress: Progress = False, **options: Unpack[WriteOptions]) -> dict[str, Any]:
        """Writes the rows into a file of the format that the path's ending names, read by the threads of the file; see
        heron.write() for the options and the dict that it returns."""
        return self._as_scan()._written(path, write_options("write", options), progress)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            raise TypeError(f"`in` looks for a column by its name, got {type(name).__name__}; table.count(predicate) looks for "
                            "rows")
        return name in self.columns

    # ---- as tables of other libraries ----
    def to_arrow(self, columns: Columns = None) -> pyarrow.Table:
        """Returns the rows as a pyarrow.Table, of some columns; needs pyarrow."""
        return Exports.to_arrow(self if columns is None else self.select(columns))

    def to_polars(self, columns: Columns = None) -> polars.DataFrame:
        """Returns the rows as a polars.DataFrame, of some columns; needs polars."""
        return Exports.to_polars(self if columns is None else self.select(columns))

    def to_pandas(self, columns: Columns = None, **options: Any) -> pandas.DataFrame:
        """Returns the rows as a pandas.DataFrame, of some columns; needs pandas and pyarrow. Options are those of
        pyarrow.Table.to_pandas."""
        return Exports.to_pandas(self if columns is None else self.select(columns), **options)


def _order(by):
    """Returns one argument of sort() as (column, descending) pairs."""
    is_pair = isinstance(by, tuple) and len(by) == 2 and by[1] in ("asc", "desc")
    return order_of([by] if is_pair else by)
