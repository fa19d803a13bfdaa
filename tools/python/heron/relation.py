"""The methods that a heron.Table and a heron.Scan share: steps that make Scans, and conversions of all their rows."""

from __future__ import annotations

from ._internal.description import description
from ._internal.arguments import count_of, write_options
from ._internal.columns import order_of
from .batch import Exports
from .parameters import bound

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

    import pandas
    import polars
    import pyarrow

    from .schema import Schema
    from .scan import Scan
    from ._internal.typing import Columns, Order, Params, Path, Progress, Where


class Relation(Exports):
    """The methods of both heron.Table and heron.Scan. filter(), select(), with_columns(), sort() and limit() give a
    Scan, on which they can be called again: names and types are checked at once, rows are read when an answer is needed."""

    __slots__ = ()

    if TYPE_CHECKING:
        @property
        def columns(self) -> list[str]: ...
        @property
        def schema(self) -> Schema: ...

    def _as_scan(self) -> Scan:
        raise NotImplementedError

    def filter(self, *where: Where, params: Params = None) -> Scan:
        """The rows that pass all conditions, as text or of heron.col(). params: a value for each `?` of the only one."""
        if not where or (params is not None and len(where) != 1):
            raise TypeError(f"filter() takes conditions, with params= only one, got {len(where)}")
        scan = self._as_scan()
        for one in where:
            scan = scan._narrowed(bound(one, params))
        return scan

    def select(self, *columns: Columns, **named_columns: Any) -> Scan:
        """These columns alone, in this order: names, numbers, expressions such as "price * 1.2 as gross", or "*" for all;
        one by one or as a list. `gross=heron.col("price") * 1.2` names it as well."""
        return self._as_scan()._chosen(columns, named_columns)

    def with_columns(self, *columns: Columns, **named_columns: Any) -> Scan:
        """All columns and further ones, as in select(); a column of the same name is replaced."""
        scan = self._as_scan()
        return scan._with_terms({**scan._visible(), **scan._chosen(columns, named_columns)._visible()})

    def sort(self, *by: Order, descending: bool = False) -> Scan:
        """The rows in the order of columns or expressions: sort("city", ("price", "desc")) or sort("city, price:desc").
        Rows that are equal keep the order that they have. descending=True reverses each of them. Nulls, and NaN, come
        first, with descending order last. Costs 8 bytes and the values of the columns for each row, on disk if there are
        many; with limit(), only for the rows that it leaves."""
        if not by:
            raise TypeError("sort() takes columns such as \"price:desc\"")
        return self._as_scan()._sorted([part for one in by for part in _order(one)], descending)

    def limit(self, n: int) -> Scan:
        """The first n rows, in the order of sort() if there is one. Later steps, such as filter(), apply to these."""
        return self._as_scan()._limited(count_of("n", n))

    @property
    def dtypes(self) -> dict[str, str]:
        """The types of the columns by name, such as {"price": "float64"}."""
        return {field.name: field.type for field in self.schema}

    def describe(self) -> Any:
        """Statistics of all readable columns: count, nulls, mean, std, min, 25%, 50%, 75%, max, as far as the type has them.
        A pandas.DataFrame with a row for each; without pandas a dict of columns, each a dict of these, that prints as a
        table. Reads every column once, and holds the numbers of one for the quantiles, or of several that have up to 2^26
        in all."""
        return description(self)

    def write(self, path: Path, *, progress: Progress = False, **options: Any) -> dict[str, Any]:
        """Writes the rows into a file of the format that the path's ending names, read by the threads of the file; see
        heron.write() for the options and the dict that it returns."""
        return self._as_scan()._written(path, write_options("write", options), progress)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            raise TypeError(f"`in` looks for a column by its name, got {type(name).__name__}; table.count(condition) looks for "
                            "rows")
        return name in self.columns

    # ---- as tables of other libraries ----
    def to_arrow(self, columns: Columns = None) -> pyarrow.Table:
        """The rows as a pyarrow.Table, of some columns; needs pyarrow."""
        return Exports.to_arrow(self if columns is None else self.select(columns))

    def to_polars(self, columns: Columns = None) -> polars.DataFrame:
        """The rows as a polars.DataFrame, of some columns; needs polars."""
        return Exports.to_polars(self if columns is None else self.select(columns))

    def to_pandas(self, columns: Columns = None, **options: Any) -> pandas.DataFrame:
        """The rows as a pandas.DataFrame, of some columns; needs pandas and pyarrow. Options are those of
        pyarrow.Table.to_pandas."""
        return Exports.to_pandas(self if columns is None else self.select(columns), **options)


def _order(by):
    """One argument of sort() as (column, descending) pairs."""
    is_pair = isinstance(by, tuple) and len(by) == 2 and by[1] in ("asc", "desc")
    return order_of([by] if is_pair else by)
