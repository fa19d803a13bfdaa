"""Tables for notebooks."""

import html

ROWS = 5
COLUMNS = 30


def _table(names, types, columns, more):
    head = "".join(f"<th>{html.escape(name)}<br><small>{html.escape(kind)}</small></th>"
                   for name, kind in zip(names, types))
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                   for row in zip(*columns))
    note = f"<p>and {more} more columns</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def batch_html(batch, rows=10):
    raw = batch._raw
    names, types = raw._names(), raw._types()
    shown = range(min(len(names), COLUMNS))
    columns = [raw._texts(i)[:rows] for i in shown]
    return _table([names[i] for i in shown], [types[i] for i in shown], columns, len(names) - COLUMNS)


def table_html(table):
    title = f"<p>{html.escape(repr(table)[1:-1])}</p>"
    if table._is_missing():
        return title
    names = [field.name for field in table.schema if field.readable][:COLUMNS]
    left_out = "".join(f"<p>{html.escape(repr(field))}</p>" for field in table.schema if not field.readable)
    return title + batch_html(table.head(ROWS, names)) + left_out
