// Batches of random rows, read ahead by threads.
#include "data.h"

namespace heron::python {
namespace {

LoaderOptions::Output output_of(std::string_view name) {
  if (name == "float32") return LoaderOptions::Output::Float32;
  if (name == "float64") return LoaderOptions::Output::Float64;
  return LoaderOptions::Output::Columns;
}

// Returns all columns but the last `apart`.
Projection first_columns(const Projection& columns, uint64_t apart) {
  if (apart == 0) return columns;
  return Projection(columns.table(), columns.indices().first(columns.size() - apart));
}

class RawLoader {
 public:
  // `apart`: the number of columns, the last ones, that are not in the matrix.
  RawLoader(Data& data, nb::handle columns, const EpochShard& shard, const std::string& output,
            uint64_t apart, uint64_t first_batch, uint64_t prefetch, uint64_t memory,
            std::optional<KeptRows> kept)
      : columns_(first_columns(data.columns(columns), apart)), arrow_(data.arrow) {
    LoaderOptions options{.output = output_of(output),
                          .first_batch = first_batch,
                          .prefetch = prefetch,
                          .memory_bytes = memory,
                          .kept = std::move(kept)};
    if (apart != 0) {
      options.apart = Projection(columns_.table(), data.columns(columns).indices().last(apart));
    }
    Context context;
    context.cancel = &cancel_;
    context.threads = data.call.threads;
    interruptible(cancel_, [&] { loader_.emplace(columns_, shard, options, context); });
  }

  // Returns (the batch, its row numbers); None at the end.
  std::optional<std::pair<Batch, nb::object>> next() {
    LoaderBatch batch;
    if (!read([&] { return loader_->next(batch); })) return std::nullopt;
    return std::pair(Batch{std::move(batch.columns), arrow_},
                     numbers_object(batch.memory, batch.rows));
  }

  // Returns (the row numbers, where each batch ends among them, how many rows of the shard are
  // before them, the matrix or None, the columns or those apart or None); None at the end.
  nb::object next_chunk() {
    LoaderBatch chunk;
    std::vector<uint64_t> ends;
    if (!read([&] { return loader_->next_chunk(chunk, ends); })) return nb::none();
    const uint64_t count = chunk.rows.size();
    nb::object matrix = nb::none();
    if (chunk.floats.data() != nullptr) matrix = matrix_object(chunk.memory, chunk.floats, count);
    if (chunk.doubles.data() != nullptr) matrix = matrix_object(chunk.memory, chunk.doubles, count);
    nb::object rows = numbers_object(chunk.memory, chunk.rows, true);
    nb::object columns = nb::none();
    if (chunk.columns.schema != nullptr)
      columns = nb::cast(Batch{std::move(chunk.columns), arrow_});
    return nb::make_tuple(std::move(rows), ends, loader_->position() - ends.back(),
                          std::move(matrix), std::move(columns));
  }

  nb::list rounded() const {
    nb::list names;
    for (const uint64_t column : loader_->rounded()) {
      names.append(text_object((*columns_.schema())[column].name));
    }
    return names;
  }

  // Stops reading.
  void close() {
    const nb::gil_scoped_release release;
    cancel_ = true;
    loader_.reset();
  }

 private:
  template <class Work>
  bool read(const Work& work) {
    if (!loader_) return false;
    bool more = false;
    interruptible(cancel_, [&] { more = work(); });
    return more;
  }

  const Projection columns_;
  const ArrowOptions arrow_;
  std::atomic<bool> cancel_{false};
  std::optional<Loader> loader_;
};

}  // namespace

void bind_loader(nb::module_& module) {
  nb::class_<KeptRows>(module, "KeptRows", "Rows that loaders keep in memory.")
      .def(nb::init<>())
      .def_prop_ro("are_read", &KeptRows::are_read)
      .def_prop_ro("bytes", &KeptRows::bytes);
  nb::class_<RawLoader>(module, "Loader", "The batches of a shard.")
      .def(nb::init<Data&, nb::handle, const EpochShard&, const std::string&, uint64_t, uint64_t,
                    uint64_t, uint64_t, std::optional<KeptRows>>(),
           nb::arg("data"), nb::arg("columns").none(), nb::arg("shard"),
           nb::arg("output") = "columns", nb::arg("apart") = 0,
           nb::arg("first_batch") = 0, nb::arg("prefetch") = 0, nb::arg("memory") = 0,
           nb::arg("kept") = nb::none())
      .def("next", &RawLoader::next)
      .def("next_chunk", &RawLoader::next_chunk)
      .def("rounded", &RawLoader::rounded)
      .def("close", &RawLoader::close);
}

}  // namespace heron::python
