"""ClickBench's questions that need neither regular expressions nor `having`.

ClickBench (github.com/ClickHouse/ClickBench) asks 43 questions of 100 M rows of web analytics, `hits`. The rows here are drawn:
the columns that the questions name, with about as many distinct values and empty texts, as skewed. Questions have ClickBench's
numbers, from 0. Where one asks for the first 10 in an order, only the columns of the order are compared: ties may come in any
order. Rows after an offset, which Heron has not, are requested from the first on.
"""
import re

from .question import Question

PHONES = ["iPad", "iPhone", "GT-I9300", "GT-I9100", "Nexus", "Lumia", "Xperia", "Desire"]
WORDS = "car news cheap tickets weather moscow buy house film online recipe game photo map hotel book music school".split()


def skewed(draw, rows, values, exponent=1.1):
    """Draws numbers below `values`, small ones oftener, so that numbers near each other are rarely about equally frequent."""
    import numpy
    ranks = numpy.floor(values * draw.random(rows) ** (1 + exponent)).astype("int64")
    return (ranks * 2654435761 + 12345) % values


def texts(draw, numbers, made, empty):
    """Makes a text of each number, and an empty one in the share `empty` of the rows."""
    import numpy
    import pyarrow
    import pyarrow.compute as compute
    kinds, codes = numpy.unique(numbers, return_inverse=True)
    column = pyarrow.DictionaryArray.from_arrays(codes.astype("int32"), pyarrow.array([made(int(kind)) for kind in kinds])).cast("string")
    return column if empty == 0 else compute.if_else(pyarrow.array(draw.random(len(numbers)) < empty), "", column)


def phrase(number):
    return " ".join(WORDS[number // len(WORDS) ** k % len(WORDS)] for k in range(2 + number % 3)) + f" {number}"


def address(number):
    host = "www.google.com" if number % 997 == 0 else f"site{number % 4001}.ru"
    return f"http://{host}/{WORDS[number % len(WORDS)]}/page-{number}?from={number * 7919 % 100003}"


def title(number):
    return f"{'Google: ' if number % 991 == 0 else ''}{phrase(number)} - {WORDS[number % 7]}".capitalize()


def make_table(rows, nulls):
    """Makes the table; `nulls` is ignored: hits have none."""
    import numpy
    import pyarrow
    draw = numpy.random.default_rng(20130701)
    seconds = numpy.sort(draw.integers(0, 31 * 86400, rows)) + 1_372_636_800
    dates = pyarrow.array((seconds // 86400).astype("int32")).cast("date32")

    def numbers(most, kind, zero=0.0, exponent=1.1):
        values = skewed(draw, rows, most, exponent).astype(kind)
        if zero:
            values[draw.random(rows) < zero] = 0
        return values
    hosts = skewed(draw, rows, max(rows // 5, 10))
    users = skewed(draw, rows, max(rows // 6, 10)) * 1_000_003 + 435_090_932_899_640_449
    phones = numbers(160, "int32")
    return pyarrow.table({
        "WatchID": draw.permutation(rows).astype("int64") * 3_000_017 + 4_611_686_071_420_045_196,
        "EventTime": pyarrow.array(seconds * 1_000_000_000).cast(pyarrow.timestamp("ns")), "EventDate": dates,
        "CounterID": numbers(6500, "int32", exponent=2.5), "ClientIP": numbers(max(rows // 10, 10), "int32"), "RegionID": numbers(9000, "int32"),
        "UserID": users, "URL": texts(draw, hosts, address, 0.0005), "Title": texts(draw, hosts // 2, title, 0.15),
        "SearchPhrase": texts(draw, skewed(draw, rows, max(rows // 3, 10)), phrase, 0.87), "SearchEngineID": numbers(90, "int16", 0.85),
        "MobilePhone": (phones % 70).astype("int16"), "MobilePhoneModel": texts(draw, phones, lambda n: f"{PHONES[n % 8]} {n}", 0.95),
        "AdvEngineID": numbers(60, "int16", 0.994), "ResolutionWidth": (numbers(90, "int32") * 31 + 320).astype("int16"),
        "WindowClientWidth": numbers(2500, "int16"), "WindowClientHeight": numbers(1500, "int16"),
        "IsRefresh": numbers(2, "int16", 0.8), "IsLink": numbers(2, "int16", 0.9), "IsDownload": numbers(2, "int16", 0.98),
        "DontCountHits": numbers(2, "int16", 0.7), "TraficSourceID": (numbers(11, "int16") - 1).astype("int16"),
        "Referer": texts(draw, hosts // 3, address, 0.3), "RefererHash": hosts * 7_046_029_254, "URLHash": hosts * 2_868_770_270_353})


def computed_keys():
    """Returns computed keys by their names: the expression for Heron and DuckDB, and the one for Polars."""
    import polars
    ip, referer = polars.col("ClientIP"), polars.col("Referer")
    is_direct = (polars.col("SearchEngineID") == 0) & (polars.col("AdvEngineID") == 0)
    return {"M": ("minute(EventTime)", polars.col("EventTime").dt.minute()), "one": ("1", polars.lit(1)),
            "minutes": ("date_trunc('minute', EventTime)", polars.col("EventTime").dt.truncate("1m")),
            **{f"ip{less}": (f"ClientIP - {less}", ip.cast(polars.Int64) - less) for less in (1, 2, 3)},
            "Src": ("case when SearchEngineID = 0 and AdvEngineID = 0 then Referer else '' end", polars.when(is_direct).then(referer).otherwise(polars.lit("")))}


def query(number, columns="", where="", by="", order="", limit=None):
    """Makes a Question of aggregates or rows. `columns`: as Heron writes them; order: `name:desc` of an answer's column."""
    import polars
    parts = [part.strip() for part in columns.split(";") if part.strip()]
    keys, computed = [key for key in by.split(",") if key], computed_keys()
    texts_of_keys = [f"{computed[key][0]} as {key}" if key in computed else key for key in keys]
    frames_of_keys = [computed[key][1].alias(key) if key in computed else key for key in keys]

    def in_sql(part):
        if part == "count":
            return "count(*)"
        name, _, inside = part.partition("(")
        return {"mean": "avg(", "distinct": "count(DISTINCT "}.get(name, f"{name}(") + inside if inside else part

    def in_polars(part):
        name, _, inside = part.rstrip(")").partition("(")
        if name == "count":
            return polars.len().alias(part)
        name_of, _, more = inside.partition(" + ")
        column = polars.col(name_of) + int(more) if more else polars.col(inside)
        return {"sum": column.sum, "mean": column.mean, "min": column.min, "max": column.max, "distinct": column.n_unique}[name]().alias(part)
    is_rows = not any(part == "count" or "(" in part for part in parts)
    orders = [(name, way == "desc") for name, _, way in (one.partition(":") for one in order.split(",") if one)]
    named = [f'{in_sql(part)} AS "{part}"' for part in parts]
    sql = f"SELECT {', '.join([*texts_of_keys, *named])} FROM t" if parts else "SELECT * FROM t"
    sql += (f" WHERE {where}" if where else "") + (f" GROUP BY {', '.join(keys)}" if keys else "")
    sql += " ORDER BY " + ", ".join(f'"{name}"' + " DESC" * down for name, down in orders) if orders else ""
    sql += f" LIMIT {limit}" if limit else ""
    what, filters = ", ".join(parts), where or None

    def heron(data):
        if keys:
            return data.group_by(texts_of_keys, what, filters, order or None, limit)
        if not is_rows:
            return data.count(filters) if what == "count" else data.aggregate(what, filters)
        return data.order_by(order, limit, filters, columns=parts or None) if order else data.scan(filters, columns=parts or None).to_arrow()

    def frame(t):
        t = t.filter(polars.sql_expr(re.sub(r"('2013-\d\d-\d\d')", r"DATE \1", where))) if where else t
        if keys:
            t = t.group_by(frames_of_keys).agg(*map(in_polars, parts))
        elif parts:
            t = t.select(parts if is_rows else [in_polars(part) for part in parts])
        if limit and len(orders) == 1 and not is_rows:
            name, down = orders[0]
            return (t.top_k if down else t.bottom_k)(limit, by=name).sort(name, descending=down)
        t = t.sort([name for name, _ in orders], descending=[down for _, down in orders], maintain_order=False) if orders else t
        return t.head(limit) if limit else t
    return Question(f"Q{number}", heron, sql, frame, ordered=bool(orders) and bool(limit), compared=[name for name, _ in orders] if limit else None)


def questions(table):
    user = table.column("UserID")[len(table) // 2].as_py()
    july = "CounterID = 62 and EventDate >= '2013-07-01' and EventDate <= '2013-07-31'"
    return [
        query(0, "count"), query(1, "count", "AdvEngineID <> 0"), query(2, "sum(AdvEngineID); count; mean(ResolutionWidth)"),
        query(3, "mean(UserID)"), query(4, "distinct(UserID)"), query(5, "distinct(SearchPhrase)"), query(6, "min(EventDate); max(EventDate)"),
        query(7, "count", "AdvEngineID <> 0", "AdvEngineID", "count:desc"), query(8, "distinct(UserID)", "", "RegionID", "distinct(UserID):desc", 10),
        query(9, "sum(AdvEngineID); count; mean(ResolutionWidth); distinct(UserID)", "", "RegionID", "count:desc", 10),
        query(10, "distinct(UserID)", "MobilePhoneModel <> ''", "MobilePhoneModel", "distinct(UserID):desc", 10),
        query(11, "distinct(UserID)", "MobilePhoneModel <> ''", "MobilePhone,MobilePhoneModel", "distinct(UserID):desc", 10),
        query(12, "count", "SearchPhrase <> ''", "SearchPhrase", "count:desc", 10),
        query(13, "distinct(UserID)", "SearchPhrase <> ''", "SearchPhrase", "distinct(UserID):desc", 10),
        query(14, "count", "SearchPhrase <> ''", "SearchEngineID,SearchPhrase", "count:desc", 10),
        query(15, "count", "", "UserID", "count:desc", 10), query(16, "count", "", "UserID,SearchPhrase", "count:desc", 10),
        query(18, "count", "", "UserID,M,SearchPhrase", "count:desc", 10),
        query(19, "UserID", f"UserID = {user}"), query(20, "count", "URL like '%google%'"),
        query(21, "min(URL); count", "URL like '%google%' and SearchPhrase <> ''", "SearchPhrase", "count:desc", 10),
        query(22, "min(URL); min(Title); count; distinct(UserID)", "Title like '%Google%' and URL not like '%.google.%' and SearchPhrase <> ''",
              "SearchPhrase", "count:desc", 10),
        query(23, "", "URL like '%google%'", "", "EventTime", 10), query(24, "SearchPhrase; EventTime", "SearchPhrase <> ''", "", "EventTime", 10),
        query(25, "SearchPhrase", "SearchPhrase <> ''", "", "SearchPhrase", 10),
        query(26, "SearchPhrase; EventTime", "SearchPhrase <> ''", "", "EventTime,SearchPhrase", 10),
        query(29, "; ".join(["sum(ResolutionWidth)", *(f"sum(ResolutionWidth + {more})" for more in range(1, 90))])),
        query(30, "count; sum(IsRefresh); mean(ResolutionWidth)", "SearchPhrase <> ''", "SearchEngineID,ClientIP", "count:desc", 10),
        query(31, "count; sum(IsRefresh); mean(ResolutionWidth)", "SearchPhrase <> ''", "WatchID,ClientIP", "count:desc", 10),
        query(32, "count; sum(IsRefresh); mean(ResolutionWidth)", "", "WatchID,ClientIP", "count:desc", 10),
        query(33, "count", "", "URL", "count:desc", 10), query(34, "count", "", "one,URL", "count:desc", 10),
        query(35, "count", "", "ClientIP,ip1,ip2,ip3", "count:desc", 10),
        query(36, "count", f"{july} and DontCountHits = 0 and IsRefresh = 0 and URL <> ''", "URL", "count:desc", 10),
        query(37, "count", f"{july} and DontCountHits = 0 and IsRefresh = 0 and Title <> ''", "Title", "count:desc", 10),
        query(38, "count", f"{july} and IsRefresh = 0 and IsLink <> 0 and IsDownload = 0", "URL", "count:desc", 10),
        query(39, "count", f"{july} and IsRefresh = 0", "TraficSourceID,SearchEngineID,AdvEngineID,Src,URL", "count:desc", 10),
        query(40, "count", f"{july} and IsRefresh = 0 and TraficSourceID in (-1, 6)", "URLHash,EventDate", "count:desc", 10),
        query(41, "count", f"{july} and IsRefresh = 0 and DontCountHits = 0", "WindowClientWidth,WindowClientHeight", "count:desc", 10),
        query(42, "count", "CounterID = 62 and EventDate >= '2013-07-14' and EventDate <= '2013-07-15' and IsRefresh = 0 and DontCountHits = 0",
              "minutes", "minutes", 10),
    ]
