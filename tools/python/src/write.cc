// Writes rows into files: from open tables, and from any object with an Arrow stream.
#include <algorithm>

#include "base/fail.h"
#include "data.h"
#include "files/casting_writer.h"
#include "values/assemble.h"
#include "values/batch_like.h"

namespace heron::python {
namespace {

nb::dict write_stream(nb::handle rows, const std::string& path, const nb::dict& given,
                      bool one_pass, unsigned threads, nb::object progress) {
  const CallOptions call{threads, std::move(progress), nullptr, path};
  const ConvertOptions options = convert_options(given);
  ArrowArrayStream stream = stream_of(rows);
  return report_dict(engine_call(call, [&](const Context& context) {
    for (const std::string& note : stream_notes(stream, path)) context.note(note);
    return convert(arrow_rows(&stream, one_pass ? ArrowPasses::One : ArrowPasses::Any), path,
                   options, context);
  }));
}

// Writes the rows of a query or, unless `numbers` is None, these rows in their order.
nb::dict convert_data(Data& data, const std::string& path, const nb::dict& given,
                      nb::object columns, nb::object where, std::optional<uint64_t> limit,
                      std::vector<std::pair<std::string, bool>> order,
                      std::optional<std::pair<uint64_t, uint64_t>> rows, nb::object numbers) {
  const ConvertOptions options = convert_options(given);
  const Query query = query_of(data, {columns, where, rows, limit, std::move(order)});
  const std::string format = data.of_rows()->format();
  std::vector<uint64_t> list;
  if (!numbers.is_none()) {
    const RowList listed = rows_of(numbers, data.rows());
    list.assign(listed.view.begin(), listed.view.end());
  }
  const auto draw = [&](uint64_t position, std::span<uint64_t> some) {
    std::copy_n(list.begin() + static_cast<ptrdiff_t>(position), some.size(), some.begin());
  };
  CallOptions call = data.call;
  call.file = path;
  return report_dict(engine_call(call, [&](const Context& context) {
    const RowSourcePtr source =
        numbers.is_none()
            ? table_rows(query, context)
            : numbered_rows(query.columns.of(query.table), list.size(), draw);
    return convert(source, path, options, context);
  }));
}

RowBatch no_rows(const Schema& schema) {
  RowBatch batch = own_batch(std::make_shared<const Schema>(schema),
                             std::make_shared<Arena>());
  for (const Field& field : schema) {
    batch.columns.push_back(concatenate(field.type, {}, *batch.memory));
  }
  return batch;
}

// A file that is written batch by batch.
struct FileWriter {
  std::string path;
  WriteOptions options;
  bool cast;
  CallOptions call;
  std::unique_ptr<Writer> writer;
  uint64_t rows = 0;

  FileWriter(std::string to, const nb::dict& given, bool casts)
      : path(std::move(to)), options(write_options(given)), cast(casts) {
    call.file = path;
  }

  void write(const RowBatch& batch) {
    engine_call(call, [&](const Context& context) {
      append(batch, context);
      context.check_cancelled();
    });
  }
  void write_stream(nb::handle object) {
    ArrowArrayStream stream = stream_of(object);
    engine_call(call, [&](const Context& context) {
      if (writer == nullptr) {
        for (const std::string& note : stream_notes(stream, path)) context.note(note);
      }
      const RowSourcePtr source = arrow_rows(&stream, ArrowPasses::One);
      std::vector<uint64_t> columns(source->schema().size());
      for (uint64_t i = 0; i < columns.size(); ++i) columns[i] = i;
      const auto batches = source->read(columns, context);
      for (RowBatch batch; batches->next(batch);) append(batch, context);
      // A stream without rows has columns, too.
      if (writer == nullptr) append(no_rows(source->schema()), context);
    });
  }
  void finish() {
    if (writer == nullptr) {
      fail(ErrorKind::Argument, path, "nothing was written, so its columns are unknown");
    }
    engine_call(call, [&](const Context&) {
      writer->close();
      writer->publish();
      writer.reset();
    });
  }

 private:
  void append(const RowBatch& batch, const Context& context) {
    if (writer == nullptr) {
      // The Context of the writer must outlive it, so it is not that of a call.
      writer = cast ? create_casting(path, batch, options, context)
                    : create(path, *batch.schema, options);
    }
    writer->write(batch);
    rows += batch.rows;
  }
};

}  // namespace

nb::dict report_dict(const ConvertReport& report) {
  nb::dict all, changed;
  nb::list files, dropped;
  for (const std::string& file : report.files) files.append(text_object(file));
  for (const std::string& name : report.dropped) dropped.append(text_object(name));
  for (const ConvertedColumn& column : report.columns) {
    if (column.changed != 0) changed[text_object(column.name)] = column.changed;
  }
  all["rows"] = report.rows;
  all["bytes"] = report.bytes;
  all["seconds"] = report.seconds;
  all["files"] = files;
  all["changed"] = changed;
  all["dropped"] = dropped;
  return all;
}

ArrowArrayStream stream_of(nb::handle object) {
  const nb::object capsule = object.attr("__arrow_c_stream__")();
  auto* held =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (held == nullptr) throw nb::python_error();
  ArrowArrayStream stream = *held;
  held->release = nullptr;
  return stream;
}

void bind_write(nb::module_& module) {
  module.def("write_stream", write_stream, nb::arg("rows"), nb::arg("path"), nb::arg("options"),
             nb::arg("one_pass"), nb::arg("threads"), nb::arg("progress").none());
  module.def("convert", convert_data, nb::arg("data"), nb::arg("path"), nb::arg("options"),
             nb::arg("columns").none(), nb::arg("where").none(), nb::arg("limit").none(),
             nb::arg("order_by"), nb::arg("rows") = nb::none(), nb::arg("numbers") = nb::none());
  nb::class_<FileWriter>(module, "FileWriter", "A file being written; see heron.Writer.")
      .def(nb::init<std::string, const nb::dict&, bool>(), nb::arg("path"), nb::arg("options"),
           nb::arg("cast"))
      .def(
          "write_batch", [](FileWriter& writer, const Batch& batch) { writer.write(batch.rows); },
          nb::arg("rows"))
      .def("write_stream", &FileWriter::write_stream, nb::arg("rows"))
      .def("finish", &FileWriter::finish)
      .def("drop", [](FileWriter& writer) { writer.writer.reset(); })
      .def_ro("rows", &FileWriter::rows);
}

}  // namespace heron::python
