#include "files/formats.h"

#include <algorithm>

#include "base/fail.h"
#include "heron/formats.h"

namespace heron::inline v0 {
const Format& format_named(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return format;
  }
  std::string known;
  for (const Format& format : formats()) known += concat(known.empty() ? "" : ", ", format.name);
  fail(ErrorKind::Argument, {}, "no format \"", name, "\"; there are: ", known);
}

const WriteSupport& write_support_of(const Format& format, const WriteOptions& options) {
  const WriteSupport& usual = *format.write_support;
  return usual.with == nullptr ? usual : usual.with(options);
}

std::string_view ending_of(const Format& format, std::string_view path) noexcept {
  if (path.ends_with(format.extension)) return format.extension;
  const auto has = [&](std::string_view ending) { return path.ends_with(ending); };
  const auto other = std::ranges::find_if(format.other_endings, has);
  return other == format.other_endings.end() ? std::string_view() : *other;
}

const Format& spill_format() {
  return *std::ranges::find_if(formats(), &Format::spills);
}

PathEndings endings_of(const std::string& path) {
  PathEndings endings{path};
  const auto ending = [&](bool container) -> const Format* {
    for (const Format& format : formats()) {
      if ((format.wrap != nullptr) != container) continue;
      const std::string_view found = ending_of(format, endings.stem);
      if (found.empty()) continue;
      endings.stem.resize(endings.stem.size() - found.size());
      endings.ending = found;
      return &format;
    }
    return nullptr;
  };
  while (const Format* container = ending(true)) {
    endings.containers.insert(endings.containers.begin(), container);
  }
  endings.ending = {};
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

bool is_container(std::string_view format) {
  return format_named(format).wrap != nullptr;
}

bool stores_keys(std::string_view format) {
  const WriteSupport* write_support = format_named(format).write_support;
  return write_support != nullptr && write_support->keys;
}

bool stores_forests(std::string_view format) {
  return format_named(format).create_forest != nullptr;
}

}  // namespace heron::inline v0
