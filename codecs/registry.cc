#include "registry.h"

#include <algorithm>

#include "balsa/balsa.h"
#include "bytes/standard_input.h"
#include "bytes/view_reader.h"
#include "bytes_table.h"
#include "columns/sort_keys.h"
#include "csv/csv.h"
#include "dataset/many_files.h"
#include "gzip/gzip.h"
#include "heron/formats.h"
#include "idv/idv.h"
#include "jay/jay.h"
#include "jforests/jforests.h"
#include "resembled.h"
#include "treezip/treezip.h"
#include "way_in.h"

namespace heron::inline v0 {
namespace {

constexpr Format kFormats[] = {
    {"balsa", ".balsa", "tables, decision trees and forests", 4, balsa::probe, balsa::open,
     balsa::create, &balsa::kWriteSupport},
    {"csv", ".csv", "text with a separator between fields", 0, csv::probe, csv::open, nullptr,
     nullptr, nullptr, nullptr, csv::index, csv::resembles},
    {"gzip", ".gz", "any file, compressed (only read)", 3, gzip::probe, nullptr, nullptr, nullptr,
     gzip::unwrap},
    {"idv", ".idv", "ML.NET binary data views", 8, idv::probe, idv::open, idv::create,
     &idv::kWriteSupport},
    {"jay", ".jay", "h2o datatable frames", 8, jay::probe, jay::open, jay::create,
     &jay::kWriteSupport},
    {"jforests", ".bin", "jforests learning-to-rank data sets", 4, jforests::probe, jforests::open,
     jforests::create, &jforests::kWriteSupport},
    {"treezip", ".tz", "any file, compressed as a decision tree", 8, treezip::probe, nullptr,
     nullptr, nullptr, treezip::unwrap, treezip::wrap, treezip::index},
};

// A payload may claim to be a container again, without end.
constexpr uint64_t kMostContainers = 4;

// The format of that name; without a name, by the ending of the path.
const Format& format_of(const std::string& path, const std::string& name) {
  if (!name.empty()) return format_named(name);
  for (const Format& format : kFormats) {
    if (path.ends_with(format.extension)) return format;
  }
  fail(ErrorKind::Argument, path, "no format is known by the ending of this name");
}

// The same for containers.
const Format& container_of(const std::string& path, const std::string& name) {
  std::string known;
  for (const Format& format : kFormats) {
    if (format.wrap == nullptr) continue;
    if (name.empty() ? path.ends_with(format.extension) : name == format.name) return format;
    known += concat(known.empty() ? "" : ", ", name.empty() ? format.extension : format.name);
  }
  fail(ErrorKind::Argument, path, "a file is converted to containers only: ", known);
}

// A Yes wins; else the only Maybe; without any, what the bytes resemble.
const Format* detect(const ByteSource& bytes, bool is_payload, const Context& context) {
  uint64_t wanted = 0;
  for (const Format& format : kFormats) wanted = std::max(wanted, format.probe_bytes);
  const uint64_t head_bytes = std::min(wanted, bytes.size());
  Arena arena;
  const std::span head(window({&bytes, 0, head_bytes}, 0, head_bytes, 1, arena, context),
                       head_bytes);

  const Format* maybe = nullptr;
  int maybes = 0;
  for (const Format& format : kFormats) {
    const Match match = format.probe(head, bytes.size());
    if (match == Match::Yes) return &format;
    if (match == Match::Maybe) {
      maybe = &format;
      ++maybes;
    }
  }
  if (maybes == 0) return resembled(bytes, is_payload, context);
  return maybes == 1 ? maybe : nullptr;
}

[[noreturn]] void throw_unknown(const ByteSource& bytes, const Context& context) {
  const WayIn way = way_in(head_of(bytes, context), bytes.name());
  fail_with_hint(ErrorKind::UnknownFormat, way.hint, bytes.name(), way.text);
}

// The format to open for bytes inside that many containers; null: unknown. A name applies to the
// innermost bytes, unless it names a container.
const Format* choose(const ByteSource& bytes, const Format* named, uint64_t containers,
                     const Context& context) {
  const Format* format = detect(bytes, containers != 0, context);
  const bool is_container = format != nullptr && format->unwrap != nullptr;
  if (named != nullptr && (named->unwrap != nullptr || !is_container)) format = named;
  if (format == nullptr && containers == 0) throw_unknown(bytes, context);
  return format;
}

std::string index_name(const Format& format, uint64_t containers) {
  return concat(format.name, '[', containers, ']');
}

// What a file's sidecar stores for formats; the sidecar is opened at first use.
class SavedFormats {
 public:
  // Null: no sidecar.
  explicit SavedFormats(const ByteSource* file) : file_(file) {}

  // The sidecar was looked for, and none can be used.
  bool found_none() const noexcept { return looked_ && sidecar_ == nullptr; }

  std::vector<std::byte> of(const Format& format, uint64_t containers, const Context& context) {
    if (file_ == nullptr || format.index == nullptr) return {};
    if (!looked_) sidecar_ = Sidecar::find(*file_, context);
    looked_ = true;
    if (sidecar_ == nullptr) return {};
    return sidecar_->format(index_name(format, containers), context)
        .value_or(std::vector<std::byte>());
  }

 private:
  const ByteSource* file_;
  bool looked_ = false;
  std::shared_ptr<const Sidecar> sidecar_;
};

// The containers around a file, outermost first.
class Containers {
 public:
  uint64_t size() const noexcept { return names_.size(); }
  bool empty() const noexcept { return names_.empty(); }
  // The innermost payload, if its format is unknown.
  std::shared_ptr<const Dataset> as_bytes(std::shared_ptr<const ByteSource> payload) const {
    return open_as_bytes(std::move(payload), block_bytes_);
  }

  // Unwraps one more container.
  std::shared_ptr<const ByteSource> unwrap(const Format& format,
                                           std::shared_ptr<const ByteSource> bytes,
                                           const OpenOptions& options, SavedFormats& saved,
                                           const Context& context) {
    if (names_.size() == kMostContainers) {
      fail_with_hint(ErrorKind::Limit, Hint::Format, bytes->name(), "more than ", kMostContainers,
                     " containers inside each other, this one of format ", format.name);
    }
    const std::string place = empty() ? "" : concat(format.name, '[', names_.size(), "].");
    Unwrapped unwrapped =
        format.unwrap(std::move(bytes), options, saved.of(format, size(), context), context);
    names_.emplace_back(format.name);
    for (auto& [name, text] : unwrapped.header) {
      header_.emplace_back(place + name, std::move(text));
    }
    block_bytes_ = unwrapped.block_bytes;
    return std::move(unwrapped.payload);
  }

  // The dataset inside, with the containers added.
  std::shared_ptr<const Dataset> around(std::shared_ptr<const Dataset> inside,
                                        std::shared_ptr<const ByteSource> file) {
    if (empty()) return inside;
    Dataset::Parts parts = inside->parts();
    parts.containers = std::move(names_);
    parts.header.insert(parts.header.end(), header_.begin(), header_.end());
    return std::make_shared<const Dataset>(inside->bytes(), std::move(parts), std::move(file));
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, std::string>> header_;
  uint64_t block_bytes_ = 0;
};

void check_roles(const std::string& path, const Format& format, const WriteOptions& options) {
  if (format.write_support->roles) return;
  if (options.label_column.empty() && options.group_column.empty()) return;
  fail(ErrorKind::Unsupported, path, "the format \"", format.name,
       "\" has no place for what is a label and what a group");
}

void check_keys(const std::string& path, const Format& format, const Schema& schema,
                const WriteOptions& options) {
  if (options.key_columns == 0) return;
  if (!format.write_support->keys) {
    fail(ErrorKind::Unsupported, path, "the format \"", format.name,
         "\" has no place for what columns are the key");
  }
  check_key_columns(path, schema, options.key_columns);
}

void copy_all(const ByteSource& from, OutputFile& to, const Context& context) {
  constexpr uint64_t kStepBytes = uint64_t{1} << 20;
  std::vector<std::byte> buffer(std::min(kStepBytes, from.size()));
  for (uint64_t at = 0; at < from.size(); at += buffer.size()) {
    context.step(at, from.size());
    const auto piece = std::span(buffer).first(std::min<uint64_t>(buffer.size(), from.size() - at));
    from.read(at, piece, context);
    to.write_at(at, piece);
  }
}

const Format* format_wanted(const OpenOptions& options) {
  return options.format.empty() ? nullptr : &format_named(options.format);
}

std::shared_ptr<const Dataset> open_layers(const std::shared_ptr<const ByteSource>& file,
                                           SavedFormats& saved, const OpenOptions& options,
                                           const Context& context) {
  const Format* named = format_wanted(options);
  std::shared_ptr<const ByteSource> bytes = file;
  Containers containers;
  for (;;) {
    const Format* format = choose(*bytes, named, containers.size(), context);
    if (format == nullptr) return containers.around(containers.as_bytes(bytes), file);
    if (format->unwrap == nullptr) {
      const std::vector<std::byte> kept = saved.of(*format, containers.size(), context);
      return containers.around(format->open(std::move(bytes), options, kept, context), file);
    }
    bytes = containers.unwrap(*format, std::move(bytes), options, saved, context);
    if (format == named) return containers.around(containers.as_bytes(bytes), file);
  }
}

std::shared_ptr<const Dataset> open_with(const std::shared_ptr<const ByteSource>& file,
                                         SavedFormats& saved, const OpenOptions& options,
                                         const Context& context) {
  return unless_changed(*file, [&] { return open_layers(file, saved, options, context); });
}

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format& format_named(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return format;
  }
  std::string known;
  for (const Format& format : kFormats) known += concat(known.empty() ? "" : ", ", format.name);
  fail(ErrorKind::Argument, {}, "no format \"", name, "\"; there are: ", known);
}

PathEndings endings_of(const std::string& path) {
  PathEndings endings{path};
  const auto ending = [&](bool container) -> const Format* {
    for (const Format& format : kFormats) {
      if ((format.wrap != nullptr) != container) continue;
      if (!endings.stem.ends_with(format.extension)) continue;
      endings.stem.resize(endings.stem.size() - format.extension.size());
      return &format;
    }
    return nullptr;
  };
  while (const Format* container = ending(true)) {
    endings.containers.insert(endings.containers.begin(), container);
  }
  endings.format = ending(false);
  return endings;
}

NamedFormat format_by_name(const std::string& path) {
  const PathEndings endings = endings_of(path);
  return {std::string(endings.format == nullptr ? "" : endings.format->name),
          endings.containers.size()};
}

std::string_view ending_of(std::string_view format) {
  return format_named(format).extension;
}

WriteChoices write_choices(std::string_view format) {
  const WriteSupport* write_support = format_named(format).write_support;
  if (write_support == nullptr) return {};
  return {.order = write_support->byte_orders,
          .block_rows = write_support->compressed_blocks,
          .compression = write_support->compressed_blocks,
          .key_columns = write_support->keys,
          .roles = write_support->roles};
}

std::shared_ptr<const Dataset> open_dataset(std::shared_ptr<const ByteSource> bytes,
                                            const OpenOptions& options, const Context& context) {
  SavedFormats none(nullptr);
  return open_with(bytes, none, options, context);
}

std::vector<FormatIndex> format_indexes(std::shared_ptr<const ByteSource> bytes,
                                        const OpenOptions& options, const Context& context) {
  const Format* named = format_wanted(options);
  std::vector<FormatIndex> indexes;
  for (uint64_t containers = 0; containers < kMostContainers; ++containers) {
    const Format* format = choose(*bytes, named, containers, context);
    if (format == nullptr) break;
    if (format->index != nullptr) {
      FormatIndex index = {index_name(*format, containers), format->index(bytes, options, context)};
      if (!index.bytes.empty()) indexes.push_back(std::move(index));
    }
    if (format->unwrap == nullptr || format == named) break;
    bytes = format->unwrap(std::move(bytes), options, {}, context).payload;
  }
  return indexes;
}

std::shared_ptr<const Dataset> open(const std::string& path, const OpenOptions& options,
                                    const Context& context) {
  const auto file = open_input(path, options.map, context);
  const bool use_sidecar = options.use_sidecar && file->name() == path;
  SavedFormats saved(use_sidecar ? file.get() : nullptr);
  auto dataset = open_with(file, saved, options, context);
  if (use_sidecar && !saved.found_none()) {
    for (const auto& table : dataset->tables()) table->set_indexed_file(file);
  }
  return dataset;
}

std::shared_ptr<const Dataset> open(std::span<const std::string> paths, const OpenOptions& options,
                                    const Context& context) {
  if (paths.empty()) fail(ErrorKind::Argument, {}, "expected the paths of files, got none");
  OpenOptions each = options;
  each.cache_bytes /= paths.size();
  std::vector<std::shared_ptr<const Dataset>> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back(open(path, each, context));
  return files.size() == 1 ? files.front() : join(files);
}

std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options, const Context& context) {
  const Format* format = &format_of(path, options.format);
  if (format->create == nullptr) {
    fail(ErrorKind::Unsupported, path, "the format \"", format->name,
         format->wrap == nullptr ? "\" is only read" : "\" holds files, not tables");
  }
  check_roles(path, *format, options);
  check_keys(path, *format, schema, options);
  return format->create(path, schema, options, context);
}

uint64_t wrap(const std::string& in, const std::string& out, const WrapOptions& options,
              const OpenOptions& open, const Context& context) {
  const Format& format = container_of(out, options.container);
  const auto payload = open_file(in, open.map);
  OutputFile file(out, existing_if(options.replace));
  const uint64_t bytes =
      unless_changed(*payload, [&] { return format.wrap(*payload, file, options, context); });
  payload->check_unchanged();
  file.publish();
  return bytes;
}

uint64_t unwrap(const std::string& in, const std::string& out, const UnwrapOptions& options,
                const OpenOptions& open, const Context& context) {
  const auto bytes = open_file(in, open.map);
  const Format* format =
      open.format.empty() ? detect(*bytes, false, context) : &format_named(open.format);
  if (format == nullptr || format->unwrap == nullptr) {
    fail(ErrorKind::Argument, in, "no container, but ",
         format == nullptr ? "of no known format" : format->name);
  }
  const auto payload =
      unless_changed(*bytes, [&] { return format->unwrap(bytes, open, {}, context).payload; });
  payload->check_whole_read();
  OutputFile file(out, existing_if(options.replace));
  unless_changed(*payload, [&] { copy_all(*payload, file, context); });
  payload->check_unchanged();
  file.publish();
  return payload->size();
}

}  // namespace heron::inline v0
