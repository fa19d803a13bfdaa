"""Queries that are made step by step: predicates, orders and limits choose rows of a table one after the other, and
columns of these.

Each step makes another query and reads nothing. A query stays one of the engine: later texts have the terms of the
file's columns for names that select() gave. Only a step after a limit of filtered or ordered rows needs an earlier
query of its own: `source` is the one whose rows are then taken, as a part of the file or by number.
"""

from __future__ import annotations

from . import _heron
from ._internal.arguments import count_of
from ._internal.columns import split_texts
from ._internal.literals import quoted, unquoted
from ._internal.names import named, renamed
from .aggregates import aggregates
from .errors import ArgumentError
from .expressions import Operand, column_texts, predicate
from .integrations.numpy import list_of
from .parameters import joined

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any, Self

_PARTS = ("columns", "where", "rows", "limit", "order")


class Query:
    """The query of a Scan, and the steps that make further queries of it. Immutable."""

    __slots__ = ("_data", "_parts", "_batch_rows", "_terms", "_source")

    def __init__(self, data: Any, parts: Any, batch_rows: int, terms: dict[str, str] | None = None,
                 source: Self | None = None) -> None:
        self._data, self._parts, self._batch_rows = data, parts, batch_rows
        # `terms` has each visible column in terms of the file's columns. None: all columns of the file are visible
        # under their own names, or `parts` has columns that no step has followed yet.
        self._terms = terms
        self._source = source

    # ---- steps ----
    def _as_scan(self):
        columns = self._parts[0]
        if columns is None or self._terms is not None:
            return self
        return self._next(terms=dict(self._term_of(item) for item in self._items([columns])))

    def _next(self, **changes):
        state = dict(zip(_PARTS, self._parts), terms=self._terms, source=self._source) | changes
        return type(self)(self._data, tuple(state[name] for name in _PARTS), self._batch_rows, state["terms"], state["source"])

    def _with_batches(self, rows):
        return type(self)(self._data, self._parts, rows, self._terms, self._source)

    def _open_ended(self):
        """Returns this query, or if it has a limit one of the rows that the limit leaves: later steps apply to
        these."""
        if self._parts[3] is None:
            return self
        if self._is_plain():
            return self._next(rows=self._first_rows(self._parts[3]), limit=None)
        return self._next(where=None, rows=None, limit=None, order=[], source=self)

    def _is_plain(self):
        """Returns whether the rows are consecutive in the file."""
        columns, where, rows, limit, order = self._parts
        return where is None and not order and self._source is None

    def _has_order(self):
        return bool(self._parts[4]) or (self._source is not None and self._source._has_order())

    def _first_rows(self, limit):
        first, last = self._parts[2] or (0, len(self._data))
        return first, min(last, first + count_of("limit", limit))

    def _narrowed(self, where):
        if where is None:
            raise TypeError("where: expected a predicate, got None")
        scan = self._open_ended()
        where = where if hasattr(where, "_renamed") else predicate(where)
        if scan._terms is not None:
            where = renamed(where, scan._terms) if isinstance(where, str) else where._renamed(scan._terms)
        _heron.count(self._data, where, (0, 0))  # raises
        return scan._next(where=joined(scan._parts[1], where))

    def _sorted(self, order, descending):
        scan = self._open_ended()
        order = [(unquoted(scan._rewritten(text)) or scan._rewritten(text), down != bool(descending)) for text, down in order]
        _heron.ordered_rows(self._data, order, None, 0, (0, 0))  # raises
        return scan._next(order=[*order, *scan._parts[4]])

    def _limited(self, n):
        if self._parts[3] is not None:
            n = min(n, count_of("limit", self._parts[3]))
        if self._is_plain():
            return self._next(rows=self._first_rows(n), limit=None)
        return self._next(limit=n)

    def _chosen(self, columns, named_columns):
        texts, terms = [], {}
        chosen = [(None, item) for item in self._items(columns)] + list(named_columns.items())
        for new_name, item in chosen:
            name, term = self._term_of(item)
            name = name if new_name is None else new_name
            if name in terms:
                raise ArgumentError(f'select: two columns are named "{name}"; `as NAME` or alias() gives one another name')
            terms[name] = term
            is_written = self._terms is None and new_name is None and isinstance(item, (str, Operand))
            texts.append(column_texts(item) if is_written else column_as(name, term))
        if not terms:
            raise ArgumentError("select: expected at least one column")
        self._data._take(slice(0, 0), texts)  # raises
        return self._next(columns=texts, terms=terms)

    def _with_terms(self, terms):
        return self._next(columns=[column_as(name, term) for name, term in terms.items()], terms=terms)

    def _items(self, columns):
        """Yields the columns that a call names one by one or in lists."""
        for item in columns:
            if isinstance(item, (str, bytes, Operand)) or not hasattr(item, "__iter__"):
                is_star = isinstance(item, str) and item == "*" and "*" not in self._known()
                yield from self._visible() if is_star else [item]
            else:
                yield from self._items(item)

    def _known(self):
        """Returns the names that columns have here."""
        return self._data._indices_by_name() if self._terms is None else self._terms

    def _visible(self):
        """Returns each column in terms of the file's columns."""
        if self._terms is not None:
            return self._terms
        return {field.name: quoted(field.name) for field in self._data.schema if field.readable}

    def _term_of(self, item):
        """Returns the name of a column, and its term in the file's columns."""
        if not isinstance(item, (str, Operand)):
            names = None if self._terms is None else list(self._terms)
            item = self._data.column(item).name if names is None else names[_index_below(item, len(names))]
        text = column_texts(item)
        if text in self._known():
            return text, quoted(text) if self._terms is None else self._terms[text]
        expression, name = named(text)
        column = named(expression)[1]  # the only column of the expression
        term = f"({self._rewritten(expression)})" if column is None else self._rewritten(quoted(column))
        return expression if name is None else name, term

    def _rewritten(self, text, is_aggregate=False):
        """Rewrites an expression of visible columns in the file's columns."""
        if not isinstance(text, str):
            raise TypeError(f"columns: expected the name of a column or an expression, got {text!r}")
        if self._terms is None:
            return text
        return self._terms[text] if text in self._terms else renamed(text, self._terms, is_aggregate)

    # ---- the query ----
    def _resolved(self):
        """Returns (where, rows, limit, order, numbers) of a query; numbers that are not None are the rows in their
        order."""
        columns, where, rows, limit, order = self._parts
        if self._source is None:
            return where, rows, limit, order, None
        before, rows, numbers = self._source._all_rows()
        if numbers is None:
            return joined(before, where), rows, limit, order, None
        if where is not None:
            passes = self._data._take(numbers, (f"({predicate(where)}) as passes",))._column_list(0)
            numbers = _picked(numbers, [position for position, passed in enumerate(passes) if passed])
        if order:
            keys = self._data._take(numbers, [text for text, _ in order])
            numbers = _picked(numbers, list_of(_heron.sorted_indices(keys, [down for _, down in order])))
        return None, None, None, [], numbers if limit is None else numbers[:limit]

    def _all_rows(self):
        """Returns (where, rows, numbers): the rows, in any order, as those that pass in a part of the file or by
        number."""
        where, rows, limit, order, numbers = self._resolved()
        if numbers is not None or limit is None:
            return where, rows, numbers
        if self._is_plain():
            return None, self._first_rows(limit), None
        numbers = list_of(_heron.ordered_rows(self._data, order, where, limit, rows))
        if order:
            return None, None, numbers
        first = 0 if rows is None else rows[0]
        return where, (first, int(numbers[-1]) + 1 if len(numbers) else first), None

    def _query(self):
        """Returns the parts of one query that gives the rows; None if they are known by number."""
        where, rows, limit, order, numbers = self._resolved()
        return (self._parts[0], where, rows, limit, order) if numbers is None else None

    # ---- aggregates ----
    def _aggregates(self, what):
        """Returns the text of aggregates in terms of the file, each with the name that its own text gives it."""
        text = aggregates(what)
        if self._has_order():
            functions = {one.partition("(")[0].strip().lower() for one in split_texts(text)}
            if functions & {"first", "last"}:
                raise ArgumentError("first and last are of the order of the file, which sort() does not change; head(1) and "
                                    "scan[-1] have the first row and the last")
        scan = self._as_scan()
        if scan._terms is None:
            return text
        texts = []
        for one in split_texts(text):
            plain, name = named(one, is_aggregate=True)
            new = renamed(plain, scan._terms, is_aggregate=True)
            texts.append(new if name is None and new == plain else f"{new} as {quoted(plain if name is None else name)}")
        return ", ".join(texts)

    # ---- the plan ----
    def _steps(self):
        """Returns the steps that choose the rows."""
        columns, where, rows, limit, order = self._parts
        steps = [] if self._source is None else self._source._steps()
        if rows is not None:
            steps.append(f"rows {rows[0]} to {rows[1]}")
        if where is not None:
            steps.append(f"where {predicate(where)}")
        if order:
            steps.append("order by " + ", ".join(text + " desc" * down for text, down in order))
        return steps if limit is None else [*steps, f"limit {limit}"]

    def _plan(self):
        columns = self._parts[0]
        if columns is None:
            return self._steps()
        texts = column_texts(columns)
        return [*self._steps(), "select " + ", ".join(map(str, [texts] if isinstance(texts, (str, int)) else texts))]


def column_as(name, term):
    """Returns a column as the engine takes it: by its name, or computed."""
    return name if term == quoted(name) else f"{term} as {quoted(name)}"


def _index_below(index, count):
    """Returns the index of a column among `count`."""
    if isinstance(index, bool) or not hasattr(index, "__index__"):
        raise TypeError(f"columns: expected the name or number of a column, got {index!r}")
    position = index.__index__()
    if not -count <= position < count:
        raise IndexError(f"no column {position}, the table has {count}")
    return position


def _picked(numbers, positions):
    return [numbers[position] for position in positions] if isinstance(numbers, list) else numbers[positions]
