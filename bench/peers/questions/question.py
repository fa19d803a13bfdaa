"""Defines a question that Heron, DuckDB and Polars answer."""


class Question:
    """A question to each library: a call for Heron's dataset, SQL over t, an expression for Polars' lazy frame.
    `ordered`: the answer's rows have an order. `compared`: the columns of the answer that are compared; None: all."""

    def __init__(self, name, heron, sql, polars, ordered=False, compared=None):
        self.name, self.heron, self.sql, self.polars, self.ordered, self.compared = name, heron, sql, polars, ordered, compared
