// Opens files: through their containers to the format of what is inside, with what a sidecar
// stores for each of them.
#include "files/open.h"

#include "bytes/standard_input.h"
#include "dataset/many_files.h"
#include "files/bytes_table.h"
#include "files/detect.h"
#include "files/formats.h"
#include "files/unknown_format.h"

namespace heron::inline v0 {
namespace {

// A payload may claim to be a container again, without end.
constexpr uint64_t kMostContainers = 4;

// The format to open for bytes inside that many containers; null: unknown. A name applies to the
// innermost bytes, unless it names a container.
const Format* choose(const ByteSource& bytes, const Format* named, uint64_t containers,
                     const Context& context) {
  const Format* format = detect(bytes, containers != 0, context);
  const bool is_container = format != nullptr && format->unwrap != nullptr;
  if (named != nullptr && (named->unwrap != nullptr || !is_container)) format = named;
  if (format == nullptr && containers == 0) throw_unknown_format(bytes, context);
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

}  // namespace heron::inline v0
