#include "files/convert_forests.h"

#include <chrono>

#include "base/fail.h"
#include "base/no_such.h"
#include "convert/forest_rows.h"
#include "files/target.h"

namespace heron::inline v0 {
namespace {

// Sources of forests to be joined into one, each with its shape.
class Forests {
 public:
  void add(const RowSourcePtr& rows) {
    for (const RowSourcePtr& part : rows_by_file(rows)) {
      const ForestShape shape = forest_shape(*part);
      check(*part, shape, &ForestShape::class_count, "classes");
      check(*part, shape, &ForestShape::feature_count, "features");
      sources_.push_back(part);
    }
  }
  std::span<const RowSourcePtr> sources() const noexcept { return sources_; }
  const ForestShape& shape() const noexcept { return shape_; }

 private:
  void check(const RowSource& rows, const ForestShape& shape, uint64_t ForestShape::* count,
             const char* what) {
    if (shape.*count == 0) return;
    std::string& first = count == &ForestShape::class_count ? classes_of_ : features_of_;
    if (shape_.*count == 0) {
      shape_.*count = shape.*count;
      first = rows.name();
    }
    if (shape_.*count != shape.*count) {
      fail(ErrorKind::Argument, rows.name(), "expected a forest of ", shape_.*count, ' ', what,
           ", as in ", first, ", got ", shape.*count);
    }
  }

  std::vector<RowSourcePtr> sources_;
  ForestShape shape_;
  std::string classes_of_, features_of_;  // the sources whose metadata gave the counts
};

void check_forest_options(const std::string& out, const ConvertOptions& options) {
  if (!options.key.empty()) {
    fail(ErrorKind::Argument, out, "a forest cannot be sorted by a key, got \"",
         options.key.front(), '"');
  }
  if (options.rows_per_file != 0) {
    fail(ErrorKind::Argument, out, "a forest is one file, not files of ", options.rows_per_file,
         " rows");
  }
}

// Everything that one call writes, published together.
class ForestFiles {
 public:
  ForestFiles(const ConvertOptions& options, const Context& context)
      : options_(options), context_(context) {}

  void write(const Forests& forests, const std::string& out) {
    OutputFile::check_target(out, existing_if(options_.write.replace));
    const Target target(out, options_.write.format);
    target.check_container_options(options_.wrap);
    WriteOptions options = options_.write;
    // A file that goes into a container is never published under that name.
    options.replace = options.replace || !target.endings.containers.empty();
    options.format = target.format->name;
    auto writer = create_forest_file(out, forests.shape(), options, context_);
    uint64_t rows = 0;
    for (const RowSourcePtr& source : forests.sources()) {
      rows += add_trees(*source, *writer, context_);
    }
    writer->close();
    OutputFile payload = writer->release();
    check_written(payload.written(), rows, *target.format);
    report_.rows += rows;
    report_.files.push_back(out);
    files_.push_back(in_containers(std::move(payload), target, out, options_, context_));
    report_.bytes += files_.back().written()->size();
  }

  ConvertReport publish(std::chrono::steady_clock::time_point start, const Schema& schema) {
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const Field& field : schema)
      report_.columns.push_back({field.name, field.type, field.type});
    OutputFile::publish(files_);
    return std::move(report_);
  }

 private:
  // Opens the written file to check it.
  void check_written(std::shared_ptr<const ByteSource> bytes, uint64_t rows,
                     const Format& format) const {
    OpenOptions options;
    options.format = format.name;
    const std::string name = bytes->name();
    const auto written = open_source(std::move(bytes), options, context_);
    if (written->table()->rows() == rows) return;
    fail(ErrorKind::Corrupt, name, "was written with ", rows, " nodes, and is read with ",
         written->table()->rows());
  }

  const ConvertOptions& options_;
  const Context& context_;
  std::vector<OutputFile> files_;
  ConvertReport report_;
};

// Returns whether the file's format, if it has one, holds forests. An unknown name of a format is
// reported by the code that writes the file.
bool holds_forests(const std::string& out, const ConvertOptions& options) {
  const PathEndings endings = endings_of(out);
  for (const Format& format : formats()) {
    const bool is_it = options.write.format.empty() ? &format == endings.format
                                                    : format.name == options.write.format;
    if (is_it) return format.create_forest != nullptr;
  }
  return false;
}

}  // namespace

bool is_forest(const RowSource& rows) {
  return has_forest_columns(rows.schema());
}

bool writes_forests(std::span<const RowSourcePtr> sources, std::span<const std::string> outs,
                    const ConvertOptions& options) {
  for (const RowSourcePtr& source : sources) {
    if (!is_forest(*source)) return false;
  }
  for (const std::string& out : outs) {
    if (!holds_forests(out, options)) return false;
  }
  return true;
}

ConvertReport convert_forests(std::span<const RowSourcePtr> sources,
                              std::span<const std::string> outs, const ConvertOptions& options,
                              const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Forests> all(sources.size());
  for (uint64_t i = 0; i < sources.size(); ++i) {
    check_forest_options(outs[i], options);
    all[i].add(sources[i]);
  }
  ForestFiles files(options, context);
  for (uint64_t i = 0; i < sources.size(); ++i) files.write(all[i], outs[i]);
  return files.publish(start, sources.front()->schema());
}

ConvertReport merge_forests(std::span<const RowSourcePtr> forests, const std::string& out,
                            const ConvertOptions& options, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  if (forests.empty()) fail(ErrorKind::Argument, out, "expected at least one forest, got none");
  check_forest_options(out, options);
  Forests all;
  for (const RowSourcePtr& forest : forests) {
    check_given(forest, "a source of rows");
    if (!is_forest(*forest)) {
      fail(ErrorKind::Argument, forest->name(),
           "expected the columns of a forest, tree, node, left, right, feature, value and label, "
           "got ",
           forest->schema().size(), " columns");
    }
    all.add(forest);
  }
  ForestFiles files(options, context);
  files.write(all, out);
  return files.publish(start, forests.front()->schema());
}

}  // namespace heron::inline v0
