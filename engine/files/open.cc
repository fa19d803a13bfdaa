// Opens files: through their containers to the format of what is inside, with what a sidecar
// stores for each of them.
#include "files/open.h"

#include <algorithm>

#include "base/fail.h"
#include "base/hints.h"
#include "bytes/standard_input.h"
#include "files/bytes_table.h"
#include "files/detect.h"
#include "files/formats.h"
#include "files/open_archive.h"
#include "files/open_folder.h"
#include "files/unknown_format.h"
#include "format/entry_tables.h"
#include "format/format_options.h"
#include "table/internals.h"
#include "table/many_files.h"

namespace heron::inline v0 {
namespace {

// Limits containers within containers: a payload may claim to be a container again, without end.
constexpr uint64_t kMaxContainers = 4;

// Returns the format to open; null if it is unknown. A name applies to the innermost bytes, unless
// it names a container.
Detected choose(const ByteSource& bytes, const Format* named, ByteOrigin origin,
                const Context& context) {
  Detected found = detect(bytes, origin, context);
  const bool is_container = found.format != nullptr && found.format->unwrap != nullptr;
  if (named != nullptr && (named->unwrap != nullptr || !is_container)) found = {named, true};
  if (found.format == nullptr && origin == ByteOrigin::File) throw_unknown_format(bytes, context);
  return found;
}

std::string index_name(const Format& format, uint64_t containers) {
  return concat(format.name, '[', containers, ']');
}

// The data that a file's sidecar stores for formats; the sidecar is opened at first use.
class SavedFormats {
 public:
  // `file` is null if there is no sidecar.
  explicit SavedFormats(const ByteSource* file) : file_(file) {}

  // Returns whether no sidecar can be used, after a search for one.
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
  // `outside`: the number of containers around an archive's entry.
  explicit Containers(uint64_t outside = 0) : outside_(outside) {}

  uint64_t size() const noexcept { return outside_ + names_.size(); }
  // Opens the innermost payload, whose format is unknown, as bytes.
  std::shared_ptr<const File> as_bytes(std::shared_ptr<const ByteSource> payload) const {
    return open_as_bytes(std::move(payload), block_bytes_);
  }

  // Unwraps one more container. An archive counts as a container only if one of its entries is
  // requested.
  Unwrapped unwrap(const Format& format, const std::shared_ptr<const ByteSource>& bytes,
                   const OpenOptions& options, bool is_one, SavedFormats& saved,
                   const Context& context) {
    if (size() == kMaxContainers) {
      fail_with_hint(ErrorKind::Limit, hint::kFormat, bytes->name(), "more than ", kMaxContainers,
                     " containers inside each other, this one of format ", format.name);
    }
    const std::string prefix = names_.empty() ? "" : concat(format.name, '[', names_.size(), "].");
    Unwrapped unwrapped = format.unwrap(bytes, options, saved.of(format, size(), context), context);
    if (is_one) names_.emplace_back(format.name);
    for (auto& [name, text] : unwrapped.header) {
      header_.emplace_back(prefix + name, std::move(text));
    }
    block_bytes_ = unwrapped.block_bytes;
    return unwrapped;
  }

  // Returns the dataset inside, with the containers added.
  std::shared_ptr<const File> around(std::shared_ptr<const File> inside,
                                        std::shared_ptr<const ByteSource> file) {
    if (names_.empty() && header_.empty()) return inside;
    FileContents parts = internals(*inside);
    parts.file = std::move(file);
    parts.containers = std::move(names_);
    parts.header.insert(parts.header.end(), header_.begin(), header_.end());
    return std::make_shared<const File>(std::move(parts));
  }

 private:
  const uint64_t outside_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, std::string>> header_;
  uint64_t block_bytes_ = 0;
};

const Format* requested_format(const OpenOptions& options) {
  return options.format.empty() ? nullptr : &format_named(options.format);
}

std::shared_ptr<const ByteSource> requested_entry(const Archive& archive, const ByteSource& bytes,
                                                  const std::string& path, const Context& context) {
  if (const auto index = archive.find(path)) return archive.open(*index, context);
  fail(ErrorKind::Argument, bytes.name(), "no entry \"", path,
       "\"; there are: ", some_paths(archive));
}

// `found` describes the outermost bytes; their format is unknown only if they lie in a container.
std::shared_ptr<const File> open_layers(const std::shared_ptr<const ByteSource>& file,
                                           Detected found, Containers containers,
                                           SavedFormats& saved, const OpenOptions& options,
                                           const Context& context) {
  const Format* named = requested_format(options);
  std::shared_ptr<const ByteSource> bytes = file;
  bool entry_is_open = options.entry.empty();
  for (;;) {
    const Format* format = found.format;
    const bool is_inside = format != nullptr && format->unwrap != nullptr;
    if (!is_inside && !entry_is_open) {
      fail(ErrorKind::Argument, file->name(), "no archive, so there is no entry \"", options.entry,
           "\" in it");
    }
    if (format == nullptr) return containers.around(containers.as_bytes(bytes), file);
    if (!is_inside) {
      const std::vector<std::byte> kept = saved.of(*format, containers.size(), context);
      return containers.around(format->open(std::move(bytes), options, kept, context), file);
    }
    const bool is_one = !format->holds_many || !entry_is_open;
    Unwrapped inside = containers.unwrap(*format, bytes, options, is_one, saved, context);
    if (!is_one) {
      auto entries = open_archive(std::move(inside.archive), *format, std::move(bytes),
                                  containers.size() + 1, options, context);
      return containers.around(std::move(entries), file);
    }
    ByteOrigin origin = ByteOrigin::Payload;
    if (format->holds_many) {
      inside.payload = requested_entry(*inside.archive, *bytes, options.entry, context);
      entry_is_open = true;
      origin = ByteOrigin::Entry;
    }
    bytes = std::move(inside.payload);
    if (format == named) return containers.around(containers.as_bytes(bytes), file);
    found = choose(*bytes, named, origin, context);
  }
}

std::shared_ptr<const File> open_with(const std::shared_ptr<const ByteSource>& file,
                                         SavedFormats& saved, const OpenOptions& options,
                                         const Context& context) {
  return unless_changed(*file, [&] {
    check_format_options(file->name(), {}, FormatOption::Use::Open, options.format_options);
    const Detected found = choose(*file, requested_format(options), ByteOrigin::File, context);
    return open_layers(file, found, Containers(), saved, options, context);
  });
}

}  // namespace

OpenedEntry open_entry(const std::shared_ptr<const ByteSource>& bytes, uint64_t containers,
                       const OpenOptions& options, const Context& context) {
  const Detected found = choose(*bytes, requested_format(options), ByteOrigin::Entry, context);
  if (found.format == nullptr) return {};
  OpenedEntry entry{.format = std::string(found.format->name)};
  if (found.format->holds_many) return entry;
  SavedFormats none(nullptr);
  try {
    entry.opened = unless_changed(*bytes, [&] {
      return open_layers(bytes, found, Containers(containers), none, options, context);
    });
  } catch (const Error& error) {
    if (found.certain || error.kind() != ErrorKind::Corrupt) throw;
    return {};
  }
  if (entry.opened->format() != "bytes") return entry;
  return {};
}

std::shared_ptr<const File> open_source(std::shared_ptr<const ByteSource> bytes,
                                            const OpenOptions& options, const Context& context) {
  SavedFormats none(nullptr);
  return open_with(bytes, none, options, context);
}

std::vector<FormatIndex> format_indexes(std::shared_ptr<const ByteSource> bytes,
                                        const File& opened, const OpenOptions& options,
                                        const Context& context) {
  const auto& known = internals(opened).index;  // the index of the innermost format
  const Format* named = requested_format(options);
  std::vector<FormatIndex> indexes;
  for (uint64_t containers = 0; containers < kMaxContainers; ++containers) {
    const ByteOrigin origin = containers == 0 ? ByteOrigin::File : ByteOrigin::Payload;
    const Format* format = choose(*bytes, named, origin, context).format;
    if (format == nullptr) break;
    if (format->index != nullptr) {
      FormatIndex index = {index_name(*format, containers),
                           known != nullptr && format->unwrap == nullptr
                               ? known()
                               : format->index(bytes, options, context)};
      if (!index.bytes.empty()) indexes.push_back(std::move(index));
    }
    if (format->unwrap == nullptr || format->holds_many || format == named) break;
    bytes = format->unwrap(std::move(bytes), options, {}, context).payload;
  }
  return indexes;
}

std::shared_ptr<const File> open(const std::string& path, const OpenOptions& options,
                                    const Context& context) {
  if (is_folder(path)) return open_folder(path, options, context);
  const auto file = open_input(path, options.mmap, context, options.access);
  // Does not use the index for a single entry: an index names tables, and two entries may have
  // tables of the same name.
  const bool use_index = options.use_index && options.entry.empty() && file->name() == path;
  SavedFormats saved(use_index ? file.get() : nullptr);
  auto opened = open_with(file, saved, options, context);
  if (use_index && !saved.found_none()) {
    const FileContents& parts = internals(*opened);
    if (parts.entries != nullptr) parts.entries->set_indexed_file(file);
    for (const auto& table : parts.tables) internals(*table).set_indexed_file(file);
  }
  return opened;
}

std::shared_ptr<const File> open(std::span<const std::string> paths, const OpenOptions& options,
                                    const Context& context) {
  if (paths.empty()) fail(ErrorKind::Argument, {}, "expected the paths of files, got none");
  const std::vector<std::string> all = with_files_of_folders(paths, context);
  OpenOptions each = options;
  each.cache_bytes /= all.size();
  std::vector<std::shared_ptr<const File>> files;
  files.reserve(all.size());
  for (const std::string& path : all) files.push_back(open(path, each, context));
  if (files.size() == 1) return files.front();
  const std::string& name = files.front()->format();
  const bool is_one =
      std::ranges::all_of(files, [&](const auto& file) { return file->format() == name; });
  const auto format = std::ranges::find(formats(), name, &Format::name);
  if (is_one && format != formats().end() && format->unify != nullptr) {
    files = format->unify(files, each, context);
  }
  return join(files);
}

}  // namespace heron::inline v0
