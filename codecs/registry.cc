#include "registry.h"

#include <algorithm>

#include "balsa/balsa.h"
#include "bytes/view_reader.h"
#include "idv/idv.h"
#include "jay/jay.h"
#include "jforests/jforests.h"

namespace heron::inline v0 {
namespace {

constexpr Format kFormats[] = {
    {"balsa", ".balsa", "tables, decision trees and forests", 4, balsa::probe, balsa::open,
     balsa::create},
    {"idv", ".idv", "ML.NET binary data views", 8, idv::probe, idv::open, idv::create},
    {"jay", ".jay", "h2o datatable frames", 8, jay::probe, jay::open, jay::create},
    {"jforests", ".bin", "jforests learning-to-rank data sets", 4, jforests::probe, jforests::open,
     jforests::create},
};

const Format& format_named(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return format;
  }
  std::string known;
  for (const Format& format : kFormats) known += concat(known.empty() ? "" : ", ", format.name);
  fail(ErrorKind::Argument, {}, "no format \"", name, "\"; there are: ", known);
}

// A Yes wins; else the only Maybe.
const Format* detect(const ByteSource& bytes, const Context& context) {
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
  return maybes == 1 ? maybe : nullptr;
}

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

std::shared_ptr<const Dataset> open_dataset(std::shared_ptr<const ByteSource> bytes,
                                            const OpenOptions& options, const Context& context) {
  const Format* format =
      options.format.empty() ? detect(*bytes, context) : &format_named(options.format);
  if (format == nullptr) {
    fail(ErrorKind::UnknownFormat, bytes->name(),
         bytes->size() == 0 ? "an empty file, no known format"
                            : "the first bytes are those of no known format");
  }
  return format->open(std::move(bytes), options, context);
}

std::shared_ptr<const Dataset> open(const std::string& path, const OpenOptions& options,
                                    const Context& context) {
  return open_dataset(open_file(path, options.map), options, context);
}

std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options, const Context& context) {
  const Format* format = nullptr;
  if (!options.format.empty()) {
    format = &format_named(options.format);
  } else {
    for (const Format& candidate : kFormats) {
      if (path.ends_with(candidate.extension)) format = &candidate;
    }
    if (format == nullptr) {
      fail(ErrorKind::Argument, path, "no format is known by the ending of this name");
    }
  }
  if (format->create == nullptr) {
    fail(ErrorKind::Unsupported, path, "the format \"", format->name, "\" is only read");
  }
  return format->create(path, schema, options, context);
}

}  // namespace heron::inline v0
