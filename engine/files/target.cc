#include "files/target.h"

#include <algorithm>

#include "base/fail.h"
#include "format/format_options.h"

namespace heron::inline v0 {

Target::Target(const std::string& out, const std::string& format_name)
    : path(out), endings(endings_of(out)), format(endings.format) {
  if (!format_name.empty()) format = &format_named(format_name);
  if (format == nullptr) {
    fail(ErrorKind::Argument, out, "no format is known by the ending of this name");
  }
  if (format->write_support == nullptr) {
    fail(ErrorKind::Unsupported, out, "no rows can be written as ", format->name);
  }
}

std::string Target::part(uint64_t number) const {
  constexpr size_t kDigits = 5;
  std::string digits = concat(number);
  digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
  return concat(endings.stem, '-', digits, path.substr(endings.stem.size()));
}

void Target::check_container_options(const WrapOptions& options) const {
  std::vector<std::string_view> names;
  for (const Format* container : endings.containers) names.push_back(container->name);
  if (names.empty()) names.push_back(format->name);
  check_format_options(path, names, FormatOption::Use::Write, options.format_options);
}

OutputFile in_containers(OutputFile payload, const Target& target, const std::string& path,
                         const ConvertOptions& options, const Context& context) {
  std::vector<OutputFile> layers;  // innermost first
  layers.push_back(std::move(payload));
  for (const Format* container : target.endings.containers) {
    const auto inside = layers.back().written();
    layers.emplace_back(path, existing_if(options.write.replace));
    container->wrap(*inside, layers.back(), options.wrap, context);
  }
  return std::move(layers.back());
}

std::string Target::folder() const {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace heron::inline v0
