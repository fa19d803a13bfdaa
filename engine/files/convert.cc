// Writes rows to files: map_schema() decides what is written, the written file is opened to check
// it, and files get their names when all are complete.
#include "base/no_such.h"
#include "heron/convert.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <map>
#include <numeric>
#include <optional>

#include "base/fail.h"
#include "convert/batches.h"
#include "convert/mapping_notes.h"
#include "convert/schema_mapping.h"
#include "convert/sorted_rows.h"
#include "convert/text_bytes.h"
#include "files/convert_forests.h"
#include "files/formats.h"
#include "files/open.h"
#include "files/target.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kSortBytes = uint64_t{64} << 20;
constexpr uint64_t kNamesReported = 5;

std::vector<uint64_t> all_columns(const RowSource& rows) {
  std::vector<uint64_t> columns(rows.schema().size());
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  return columns;
}

// Only error texts show this path; the file in the folder has no name.
std::string spill_path(const std::string& folder) {
  return concat(folder, folder.ends_with('/') ? "" : "/", "spilled rows");
}

// Everything that one call of convert() writes, published together.
class Conversion {
 public:
  Conversion(const ConvertOptions& options, const Context& context)
      : options_(options), context_(context) {}

  void run(std::span<const RowSourcePtr> sources, std::span<const std::string> outs);
  ConvertReport publish();

 private:
  void keep_key(std::span<const RowSourcePtr> sources, const WriteSupport& write_support);
  std::vector<std::string> notes_after() const;
  void write_all(const RowSourcePtr& source, const Target& target);
  RowSourcePtr prepared(const RowSourcePtr& source, const Target& target) const;
  // Returns the source column from which a mapped column is made.
  const Field& from(const MappedColumn& column) const {
    return source_->schema()[column.cast.column];
  }
  void write_file(RowStream& rows, const RowSourcePtr& source, const Target& target,
                  const std::string& path);
  void add_nans(const RowBatch& batch);
  uint64_t fill(Writer& writer, RowStream& rows, uint64_t most);
  void finish(std::unique_ptr<CheckedWriter> writer, const Schema& schema, uint64_t rows,
              const Target& target, const std::string& path);
  void check_written(std::shared_ptr<const ByteSource> bytes, const Schema& schema, uint64_t rows,
                     const Format& format);
  void add_losses(const Writer& writer);
  void report_columns();
  void note(const std::string& text) const {
    if (context_.note) context_.note(text);
  }

  const ConvertOptions& options_;
  const Context& context_;
  RowSourcePtr source_;  // the first of the sources
  SchemaMapping mapping_;
  RowBatch batch_;  // rows from next_ on are still to be written
  uint64_t next_ = 0;
  bool at_end_ = false;
  uint64_t done_ = 0;  // rows of the current source that are written
  // For each mapped column, whether its nulls are written as NaN, or its NaNs are read back as
  // null.
  std::vector<uint64_t> nans_;
  std::map<uint64_t, ColumnLoss> losses_;  // by mapped column
  bool names_reported_ = false;
  uint64_t kept_key_ = 0;  // leading columns of the sources' own key
  std::vector<OutputFile> files_;
  ConvertReport report_;
};

void Conversion::run(std::span<const RowSourcePtr> sources, std::span<const std::string> outs) {
  std::vector<Target> targets;
  for (const std::string& out : outs) {
    targets.emplace_back(out, options_.write.format);
    targets.back().check_container_options(options_.wrap);
    if (targets.back().format != targets.front().format) {
      fail(ErrorKind::Argument, out, "expected the format of the others, ",
           targets.front().format->name);
    }
  }
  // Checks that the files can be written before rows are read.
  for (const Target& target : targets) {
    const OutputFile unused(options_.rows_per_file == 0 ? target.path : target.part(0),
                            existing_if(options_.write.replace));
  }
  const auto start = std::chrono::steady_clock::now();
  const Format& format = *targets.front().format;
  {
    // Damaged rows are counted when rows are written.
    std::list<SkippedRows::Uncounted> uncounted;
    for (const RowSourcePtr& source : sources) uncounted.emplace_back(source->skipped());
    mapping_ = map_schema(sources, format.name, write_support_of(format, options_.write), options_,
                          outs.front(), context_);
  }
  source_ = sources.front();
  for (const MappedColumn& column : mapping_.columns) nans_.push_back(column.cast_to_nan);
  report_.dropped = mapping_.dropped_names;
  keep_key(sources, *format.write_support);
  note_mapping(mapping_, source_->schema(), context_);
  for (uint64_t i = 0; i < sources.size(); ++i) write_all(sources[i], targets[i]);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report_.seconds = taken.count();
}

// Rows sorted by a key keep it, if all its columns are kept and the format has keys.
void Conversion::keep_key(std::span<const RowSourcePtr> sources,
                          const WriteSupport& write_support) {
  if (!options_.key.empty()) return;
  const uint64_t keys = sources.front()->key_columns();
  const auto is_kept = [&](uint64_t i) {
    if (i >= mapping_.columns.size()) return false;
    const MappedColumn& column = mapping_.columns[i];
    return column.cast.column == i && column.cast.type == from(column).type;
  };
  bool whole = write_support.keys;
  for (uint64_t i = 0; i < keys; ++i) whole = whole && is_kept(i);
  if (whole) {
    kept_key_ = keys;
  } else if (keys != 0 && write_support.types) {
    note("the sort key is not stored");
  }
}

// Casts rows to the mapped columns, and sorts them by the key if there is one.
RowSourcePtr Conversion::prepared(const RowSourcePtr& source, const Target& target) const {
  std::vector<CastColumn> columns;
  columns.reserve(mapping_.columns.size());
  for (const MappedColumn& column : mapping_.columns) columns.push_back(column.cast);
  RowSourcePtr rows = cast_rows(source, std::move(columns));
  if (options_.key.empty()) return rows;
  return sorted_rows(rows, options_.key.size(), kSortBytes, spill_path(target.folder()), context_);
}

void Conversion::write_all(const RowSourcePtr& source, const Target& target) {
  const RowSourcePtr rows = prepared(source, target);
  const auto stream = rows->read(all_columns(*rows), context_);
  batch_ = {};
  next_ = 0;
  at_end_ = false;
  done_ = 0;
  if (options_.rows_per_file == 0) return write_file(*stream, rows, target, target.path);
  uint64_t part = 0;
  do {
    write_file(*stream, rows, target, target.part(part++));
  } while (!at_end_);
}

void Conversion::write_file(RowStream& stream, const RowSourcePtr& source, const Target& target,
                            const std::string& path) {
  WriteOptions options = options_.write;
  const uint64_t most = options_.rows_per_file == 0 ? UINT64_MAX : options_.rows_per_file;
  options.rows = WriteOptions::kUnknownRows;
  if (source->rows() != WriteOptions::kUnknownRows) {
    options.rows = std::min(most, source->rows() - done_);
  }
  options.key_columns = options_.key.empty() ? kept_key_ : options_.key.size();
  // A file that goes into a container is never published under that name.
  options.replace = options.replace || !target.endings.containers.empty();
  options.format = target.format->name;
  const std::shared_ptr<const Schema> schema(source, &source->schema());
  auto writer = create_file(path, SharedSchema(schema), options, context_);
  const auto* texts = dynamic_cast<const KnowsTextBytes*>(source.get());
  if (texts != nullptr && most >= source->rows()) writer->expect_text_bytes(texts->text_bytes());
  const uint64_t rows = fill(*writer, stream, most);
  finish(std::move(writer), *schema, rows, target, path);
}

void Conversion::add_nans(const RowBatch& batch) {
  for (uint64_t i = 0; i < nans_.size(); ++i) {
    const Values& values = batch.columns[i];
    if (mapping_.columns[i].nulls_as_nan) nans_[i] += count_nulls(values);
    if (mapping_.columns[i].nan_as_null) nans_[i] += count_nans(values);
  }
}

// Reads one batch ahead, to know whether another file follows.
uint64_t Conversion::fill(Writer& writer, RowStream& stream, uint64_t most) {
  uint64_t done = 0;
  for (;;) {
    if (next_ == batch_.rows) {
      next_ = 0;
      at_end_ = !stream.next(batch_);
      if (at_end_) batch_ = {};  // frees its memory
    }
    if (at_end_ || done == most) return done;
    const uint64_t some = std::min(batch_.rows - next_, most - done);
    RowBatch part;
    if (some != batch_.rows) part = rows_of(batch_, {next_, next_ + some}, context_);
    const RowBatch& piece = some == batch_.rows ? batch_ : part;
    const auto write = [&] {
      writer.write(piece);
      add_nans(piece);
    };
    piece.source == nullptr ? write() : unless_changed(*piece.source, write);
    next_ += some;
    done += some;
    done_ += some;
  }
}

void Conversion::finish(std::unique_ptr<CheckedWriter> writer, const Schema& schema, uint64_t rows,
                        const Target& target, const std::string& path) {
  writer->close();
  add_losses(*writer);
  report_.rows += rows;
  report_.files.push_back(path);
  OutputFile payload = writer->release();
  writer.reset();
  check_written(payload.written(), schema, rows, *target.format);
  files_.push_back(in_containers(std::move(payload), target, path, options_, context_));
  report_.bytes += files_.back().written()->size();
}

// Opens the written file to check it; reports names that changed. A text file has no structure to
// check: to open it would be to read all of it.
void Conversion::check_written(std::shared_ptr<const ByteSource> bytes, const Schema& schema,
                               uint64_t rows, const Format& format) {
  if (!format.write_support->types) return;
  OpenOptions options;
  options.format = format.name;
  const std::string name = bytes->name();
  const auto opened = open_source(std::move(bytes), options, context_);
  const Table& table = *opened->table();
  if (table.column_count() != schema.size() || (table.rows() != rows && !schema.empty())) {
    fail(ErrorKind::Corrupt, name, "was written with ", schema.size(), " columns of ", rows,
         " rows, and is read as ", table.column_count(), " of ", table.rows());
  }
  if (names_reported_) return;
  std::string list;
  uint64_t lost = 0;
  for (const Field& field : schema) {
    if (table.find_column(field.name)) continue;
    if (lost++ < kNamesReported) list += concat(lost == 1 ? "" : ", ", '"', field.name, '"');
  }
  if (lost == 0) return;
  if (lost > kNamesReported) list += concat(" and ", lost - kNamesReported, " more");
  note(concat("names that are not stored: ", list));
  names_reported_ = true;
}

void Conversion::add_losses(const Writer& writer) {
  for (const ColumnLoss& loss : writer.losses()) {
    ColumnLoss& all = losses_.try_emplace(loss.column, ColumnLoss{loss.column, 0, 0}).first->second;
    all.changed += loss.changed;
    all.largest = std::max(all.largest, loss.largest);
  }
}

void Conversion::report_columns() {
  report_.columns.reserve(mapping_.columns.size());
  for (const MappedColumn& column : mapping_.columns) {
    const auto loss = losses_.find(report_.columns.size());
    const bool lost = loss != losses_.end();
    report_.columns.push_back({from(column).name, from(column).type, column.cast.type,
                               lost ? loss->second.changed : 0, lost ? loss->second.largest : 0,
                               column.expected_loss});
  }
}

std::vector<std::string> Conversion::notes_after() const {
  std::vector<std::string> notes;
  for (uint64_t i = 0; i < report_.columns.size(); ++i) {
    const ConvertedColumn& column = report_.columns[i];
    if (nans_[i] != 0) {
      notes.push_back(concat('"', column.name, "\": ", nans_[i],
                             mapping_.columns[i].nan_as_null ? " NaN are read as null"
                             : nans_[i] == 1                 ? " null became NaN"
                                                             : " nulls became NaN"));
    }
    if (column.changed == 0) continue;
    const std::string how = column.largest_change == 0
                                ? " texts became U+FFFD where they are not UTF-8"
                                : concat(" of ", report_.rows, " values were rounded, by up to ",
                                         in_short(column.largest_change));
    notes.push_back(concat('"', column.name, "\": ", column.changed, how));
  }
  return notes;
}

ConvertReport Conversion::publish() {
  report_columns();
  const std::vector<std::string> notes = notes_after();  // throws before, not after, publishing
  OutputFile::publish(files_);
  for (const std::string& text : notes) note(text);
  return std::move(report_);
}

}  // namespace

std::shared_ptr<const Table> table_of(const RowSource& rows, const std::string& folder,
                                      const Context& context) {
  const auto writer = spill_format().create(spill_path(folder), rows.schema(), {}, context);
  const auto stream = rows.read(all_columns(rows), context);
  RowBatch batch;
  while (stream->next(batch)) writer->write(batch);
  writer->close();
  return spill_format().open(writer->release().written(), {}, {}, context)->table();
}

ConvertReport convert(const RowSourcePtr& rows, const std::string& out,
                      const ConvertOptions& options, const Context& context) {
  return convert(std::span(&rows, 1), std::span(&out, 1), options, context);
}

ConvertReport convert(std::span<const RowSourcePtr> sources, std::span<const std::string> outs,
                      const ConvertOptions& options, const Context& context) {
  if (sources.empty() || sources.size() != outs.size()) {
    fail(ErrorKind::Argument, {}, "expected as many files to write as there are sources, got ",
         outs.size(), " for ", sources.size());
  }
  for (const RowSourcePtr& source : sources) check_given(source, "a source of rows");
  if (writes_forests(sources, outs, options)) {
    return convert_forests(sources, outs, options, context);
  }
  Conversion conversion(options, context);
  conversion.run(sources, outs);
  return conversion.publish();
}

}  // namespace heron::inline v0
