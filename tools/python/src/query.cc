// Binds queries over many rows.
#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "data.h"
#include "values/sort_keys.h"

namespace heron::python {
namespace {

// A scan that returns a batch at a time.
struct BatchScan {
  CallOptions call;
  ArrowOptions arrow;
  std::unique_ptr<Scan> scan;
  std::mutex mutex;

  BatchScan(Data& data, const QueryArguments& arguments, uint64_t batch_rows)
      : call(data.call), arrow(data.arrow) {
    const Query query = query_of(data, arguments);
    Context context;
    context.cancel = &cancel;
    context.threads = call.threads;
    const nb::gil_scoped_release release;
    const InterruptWatch watch(cancel);
    scan = std::make_unique<Scan>(query, context, batch_rows);
  }

  std::optional<std::pair<Batch, nb::object>> next() {
    Batch batch{{}, arrow};
    bool more = false;
    interruptible(cancel, [&] {
      const std::lock_guard lock(mutex);
      more = scan->next(batch.rows);
    });
    if (!more) return std::nullopt;
    nb::object numbers = nb::none();
    if (!scan->rows().empty()) {
      numbers = numbers_object({scan->rows().begin(), scan->rows().end()});
    } else {
      numbers = nb::int_(scan->first_row());
    }
    return std::pair(std::move(batch), numbers);
  }

  std::atomic<bool> cancel{false};
};

QueryArguments query_arguments(nb::object columns, nb::object where,
                               std::optional<std::pair<uint64_t, uint64_t>> rows,
                               std::optional<uint64_t> limit,
                               std::vector<std::pair<std::string, bool>> order) {
  return {std::move(columns), std::move(where), rows, limit, std::move(order)};
}

uint64_t count_rows(Data& data, nb::object where,
                    std::optional<std::pair<uint64_t, uint64_t>> rows) {
  const Query query = query_of(data, {nb::none(), where, rows, {}, {}}, false);
  return engine_call(data.call, [&](const Context& context) { return count(query, context); });
}

nb::list stats_list(Data& data, nb::object columns, nb::object where) {
  const Query query = query_of(data, {columns, where, {}, {}, {}});
  const auto all =
      engine_call(data.call, [&](const Context& context) { return stats(query, context); });
  const Projection projection = data.columns(columns);
  nb::list out;
  for (uint64_t i = 0; i < all.size(); ++i) {
    const ColumnStats& of = all[i];
    nb::dict one;
    one["column"] = text_object((*projection.schema())[i].name);
    one["type"] = (*projection.schema())[i].type.name();
    one["rows"] = of.rows;
    one["nulls"] = of.null_count;
    one["min"] = scalar_object(of.type, of.min);
    one["max"] = scalar_object(of.type, of.max);
    one["mean"] = nb::cast(of.mean);
    one["distinct"] = nb::cast(of.distinct);
    one["distinct_is_exact"] = of.distinct_is_exact;
    out.append(one);
  }
  return out;
}

nb::dict aggregate_dict(Data& data, const std::string& text, nb::object where,
                        std::optional<std::pair<uint64_t, uint64_t>> rows) {
  const Query query = query_of(data, {nb::none(), where, rows, {}, {}}, false);
  const auto aggregates = parse_aggregates(*query.table, text);
  const RowBatch results = engine_call(
      data.call, [&](const Context& context) { return aggregate(query, aggregates, context); });
  return row_dict(results, 0);
}

Batch grouped(Data& data, std::vector<std::string> by, const std::string& text, nb::object where,
              std::optional<uint64_t> limit, std::vector<std::pair<std::string, bool>> order,
              std::optional<std::pair<uint64_t, uint64_t>> rows) {
  Query query = query_of(data, {nb::none(), where, rows, limit, std::move(order)}, false);
  query.by = std::move(by);
  const auto aggregates = parse_aggregates(*query.table, text);
  RowBatch groups = engine_call(
      data.call, [&](const Context& context) { return group_by(query, aggregates, context); });
  make_counts_signed(groups, groups.columns.size() - aggregates.size());
  return {std::move(groups), data.arrow};
}

nb::object ordered(Data& data, std::vector<std::pair<std::string, bool>> order, nb::object where,
                   std::optional<uint64_t> limit,
                   std::optional<std::pair<uint64_t, uint64_t>> rows) {
  const Query query = query_of(data, {nb::none(), where, rows, limit, std::move(order)}, false);
  return numbers_object(
      engine_call(data.call, [&](const Context& context) { return ordered_rows(query, context); }));
}

// Returns the order of the rows of a batch by all of its columns, as Query::order defines it; equal
// rows keep their order. Throws Error(Argument) for a column whose type has no order.
nb::object sorted_indices(const Batch& keys, const std::vector<bool>& descending) {
  const RowBatch& rows = keys.rows;
  std::vector<uint64_t> indices(rows.rows);
  {
    const nb::gil_scoped_release release;
    check_key_columns({}, *rows.schema, rows.columns.size());
    const std::vector<uint8_t> reversed(descending.begin(), descending.end());
    SortKeys sort;
    sort.assign(rows.columns, rows.rows, reversed);
    std::iota(indices.begin(), indices.end(), uint64_t{0});
    std::stable_sort(indices.begin(), indices.end(),
                     [&](uint64_t a, uint64_t b) { return sort[a] < sort[b]; });
  }
  return numbers_object(std::move(indices));
}

Projection key_projection(Data& data, nb::handle by) {
  if (!by.is_none()) return data.columns(by);
  const std::shared_ptr<const Table> table = data.of_rows();
  std::vector<uint64_t> leading(table->key_columns());
  if (leading.empty()) {
    fail(ErrorKind::Argument, data.file()->path(),
         "the file is not keyed; by= names an ascending column to look in");
  }
  for (uint64_t i = 0; i < leading.size(); ++i) leading[i] = i;
  return Projection(table, std::span<const uint64_t>(leading));
}

std::vector<Scalar> key_of(const Projection& columns, nb::handle key) {
  const Schema& schema = *columns.schema();
  std::vector<Scalar> out;
  if (schema.size() == 1 && !nb::isinstance<nb::tuple>(key)) {
    out.push_back(scalar_of(schema[0].type, key));
    return out;
  }
  if (!nb::isinstance<nb::tuple>(key) && !nb::isinstance<nb::list>(key)) {
    refuse_argument("key", concat("a tuple of ", schema.size(), " values"), key);
  }
  if (nb::len(key) != schema.size()) {
    fail(ErrorKind::Argument, {}, "expected a key of ", schema.size(), " values, got ",
         nb::len(key));
  }
  uint64_t i = 0;
  for (const nb::handle part : key) out.push_back(scalar_of(schema[i++].type, part));
  return out;
}

std::pair<uint64_t, uint64_t> find_rows(Data& data, nb::handle key, nb::handle by) {
  const Projection columns = key_projection(data, by);
  const std::vector<Scalar> scalars = key_of(columns, key);
  const RowRange rows = engine_call(
      data.call, [&](const Context& context) { return find_range(columns, scalars, context); });
  return {rows.first, rows.last};
}

nb::object find_many(Data& data, nb::handle keys, nb::handle by) {
  const Projection columns = key_projection(data, by);
  const Schema& schema = *columns.schema();
  if (schema.size() == 1 && schema[0].type.is_integer()) {
    const Integers integers(keys);
    if (integers.read()) {
      return numbers_object(engine_call(data.call, [&](const Context& context) {
        return find(columns, integers.view(), context);
      }));
    }
  }
  if (PyUnicode_Check(keys.ptr()) || PyBytes_Check(keys.ptr()) || !nb::hasattr(keys, "__iter__")) {
    refuse_argument("keys", "a list or array of keys", keys);
  }
  std::vector<Scalar> scalars;
  for (const nb::handle key : keys) {
    for (Scalar& part : key_of(columns, key)) scalars.push_back(std::move(part));
  }
  return numbers_object(engine_call(
      data.call, [&](const Context& context) { return find(columns, scalars, context); }));
}

nb::object sampled(Data& data, uint64_t n, uint64_t seed, uint64_t epoch, bool replace,
                   nb::object where) {
  SamplerOptions options{.seed = seed, .epoch = epoch, .replace = replace};
  const std::shared_ptr<const Table> table = data.of_rows();
  const bool filtered = !where.is_none();
  const Query query = query_of(data, {nb::none(), where, {}, {}, {}}, false);
  return numbers_object(engine_call(data.call, [&](const Context& context) {
    std::optional<Selection> selection;
    if (filtered) selection.emplace(query, context);
    const uint64_t rows = selection ? selection->size() : table->rows();
    if (!replace && n > rows) {
      fail(ErrorKind::Argument, {}, "a sample of ", n, " rows of ", rows,
           "; replace=True draws rows more than once");
    }
    std::vector<uint64_t> drawn(n);
    if (n != 0) Sampler(rows, options).draw(0, drawn);
    return selection ? selection->rows(drawn, context) : drawn;
  }));
}

std::vector<std::string> verified(Data& data) {
  const std::shared_ptr<const File> file = data.file();
  return engine_call(data.call, [&](const Context& context) { return verify(*file, context); });
}

bool verified_index(Data& data, const std::string& path) {
  data.closed->check();
  return engine_call(data.call, [&](const Context& context) {
    return compare_index(path, data.options, context);
  });
}

nb::dict indexed(Data& data, const std::string& path) {
  data.closed->check();
  const IndexReport report = engine_call(
      data.call, [&](const Context& context) { return write_index(path, data.options, context); });
  nb::dict all;
  all["path"] = text_object(report.path);
  all["bytes"] = report.bytes;
  all["columns"] = report.columns;
  all["zones"] = report.zones;
  all["checksums"] = report.checksums;
  return all;
}

// Converts a value that heron._parameters has made one of these types.
QueryParameter parameter_of(nb::handle value) {
  if (value.is_none()) return nullptr;
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (PyFloat_Check(value.ptr())) return argument<double>("params", value);
  if (PyUnicode_Check(value.ptr())) return argument<std::string>("params", value);
  if (PyBytes_Check(value.ptr())) {
    const nb::bytes bytes = nb::borrow<nb::bytes>(value);
    return std::string_view(bytes.c_str(), bytes.size());
  }
  if (nb::hasattr(value, "digits")) {
    return QueryParameter::untyped(argument<std::string>("params", value.attr("digits")));
  }
  int64_t number = 0;
  if (nb::try_cast(value, number)) return number;
  return argument<uint64_t>("params", value);
}

}  // namespace

void make_counts_signed(RowBatch& groups, uint64_t first) {
  auto schema = std::make_shared<Schema>(*groups.schema);
  for (uint64_t i = first; i < groups.columns.size(); ++i) {
    Values& values = groups.columns[i];
    if (!values.type.is(Type::UInt64)) continue;
    bool fit = true;
    for (uint64_t row = 0; row < values.rows; ++row) {
      fit &= values.is_null(row) || values.get<uint64_t>(row) <= INT64_MAX;
    }
    if (fit) values.type = (*schema)[i].type = Type::Int64;
  }
  groups.schema = std::move(schema);
}

Query query_of(Data& data, const QueryArguments& arguments, bool with_columns) {
  Query query(data.of_rows());
  query.metrics = data.call.metrics.get();
  if (with_columns) query.columns = data.columns(arguments.columns);
  if (!arguments.where.is_none()) {
    nb::object term = arguments.where;
    std::vector<QueryParameter> parameters;
    if (!nb::isinstance<nb::str>(term)) {
      const nb::object parts = nb::module_::import_("heron.parameters").attr("parts")(term);
      term = parts[nb::int_(0)];
      for (const nb::handle value : parts[nb::int_(1)]) parameters.push_back(parameter_of(value));
    }
    const auto text = argument<std::string>("where", term);
    const nb::gil_scoped_release release;
    query.where = Predicate(query.table, text, parameters);
  }
  if (arguments.rows) query.range = RowRange{arguments.rows->first, arguments.rows->second};
  if (arguments.limit) query.limit = *arguments.limit;
  for (const auto& [column, descending] : arguments.order) {
    query.order.push_back({column, descending ? Descending : Ascending});
  }
  return query;
}

void bind_checks(nb::module_& module);
void bind_matrix(nb::module_& module);

void bind_query(nb::module_& module) {
  bind_checks(module);
  bind_matrix(module);
  nb::class_<BatchScan>(module, "BatchScan", "A running scan.")
      .def(
          "__init__",
          [](BatchScan* self, Data& data, nb::object columns, nb::object where,
             std::optional<std::pair<uint64_t, uint64_t>> rows, std::optional<uint64_t> limit,
             std::vector<std::pair<std::string, bool>> order, uint64_t batch_rows) {
            new (self)
                BatchScan(data, query_arguments(columns, where, rows, limit, std::move(order)),
                          batch_rows);
          },
          nb::arg("data"), nb::arg("columns").none(), nb::arg("where").none(),
          nb::arg("rows").none(), nb::arg("limit").none(), nb::arg("order_by"),
          nb::arg("batch_rows"))
      .def("next", &BatchScan::next);
  module.def("count", count_rows, nb::arg("data"), nb::arg("where").none(), nb::arg("rows").none());
  module.def("stats", stats_list, nb::arg("data"), nb::arg("columns").none(),
             nb::arg("where").none());
  module.def("aggregate", aggregate_dict, nb::arg("data"), nb::arg("what"), nb::arg("where").none(),
             nb::arg("rows").none());
  module.def("group_by", grouped, nb::arg("data"), nb::arg("by"), nb::arg("what"),
             nb::arg("where").none(), nb::arg("limit").none(), nb::arg("order_by"),
             nb::arg("rows") = nb::none());
  module.def("sorted_indices", sorted_indices, nb::arg("keys"), nb::arg("descending"));
  module.def("ordered_rows", ordered, nb::arg("data"), nb::arg("order_by"), nb::arg("where").none(),
             nb::arg("limit").none(), nb::arg("rows") = nb::none());
  module.def("find", find_rows, nb::arg("data"), nb::arg("key").none(), nb::arg("by").none());
  module.def("find_many", find_many, nb::arg("data"), nb::arg("keys"), nb::arg("by").none());
  module.def("sample", sampled, nb::arg("data"), nb::arg("n"), nb::arg("seed"), nb::arg("epoch"),
             nb::arg("replace"), nb::arg("where").none());
}

void bind_checks(nb::module_& module) {
  module.def("verify", verified);
  module.def("verify_index", verified_index);
  module.def("write_index", indexed);
  module.def("remove_index", [](const std::string& path) { return remove_index(path); });
  module.def("mapped_cells", [](Data& data, uint64_t column) -> nb::object {
    auto cells = mapped_cells_object(data.of_rows(), column);
    return cells ? *cells : nb::none();
  });
  module.def(
      "stream_capsule",
      [](Data& data, nb::object columns, nb::object where,
         std::optional<std::pair<uint64_t, uint64_t>> rows, std::optional<uint64_t> limit,
         std::vector<std::pair<std::string, bool>> order, uint64_t batch_rows, bool only_column,
         bool is_kept, std::string_view texts) {
        const Query query =
            query_of(data, query_arguments(columns, where, rows, limit, std::move(order)));
        ArrowOptions options = data.arrow;
        options.batch_rows = batch_rows;
        options.large_batches = is_kept;
        options.texts = arrow_texts(texts);
        return stream_capsule(query, options, data.call, only_column);
      },
      nb::arg("data"), nb::arg("columns").none(), nb::arg("where").none(), nb::arg("rows").none(),
      nb::arg("limit").none(), nb::arg("order_by"), nb::arg("batch_rows"),
      nb::arg("only_column") = false, nb::arg("is_kept") = false, nb::arg("texts") = "stored");
}

}  // namespace heron::python
