#include "base/fail.h"
#include "files/convert_forests.h"
#include "files/formats.h"
#include "files/target.h"
#include "format/format_options.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

// Returns the format of that name or, without a name, the one for the ending of the path.
const Format& format_of(const std::string& path, const std::string& name) {
  if (!name.empty()) return format_named(name);
  for (const Format& format : formats()) {
    if (!ending_of(format, path).empty()) return format;
  }
  fail(ErrorKind::Argument, path, "no format is known by the ending of this name");
}

void check_options(const std::string& path, const Format& format, const WriteOptions& options) {
  check_format_options(path, {&format.name, 1}, FormatOption::Use::Write, options.format_options);
}

void check_keys(const std::string& path, const Format& format, const Schema& schema,
                const WriteOptions& options) {
  if (options.key_columns == 0) return;
  if (!format.write_support->keys) {
    fail(ErrorKind::Unsupported, path, "format \"", format.name, "\" cannot store sort keys");
  }
  check_key_columns(path, schema, options.key_columns);
}

}  // namespace

std::unique_ptr<CheckedWriter> create_file(const std::string& path, const SharedSchema& schema,
                                           const WriteOptions& options, const Context& context) {
  const Format* format = &format_of(path, options.format);
  if (format->create == nullptr) {
    fail(ErrorKind::Unsupported, path, "the format \"", format->name,
         format->wrap == nullptr ? "\" is only read" : "\" holds files, not tables");
  }
  check_options(path, *format, options);
  check_keys(path, *format, *schema, options);
  return format->create(path, schema, options, context);
}

std::unique_ptr<CheckedForestWriter> create_forest_file(const std::string& path,
                                                        const ForestShape& shape,
                                                        const WriteOptions& options,
                                                        const Context& context) {
  const Format& format = format_of(path, options.format);
  if (format.create_forest == nullptr) {
    std::string able;
    for (const Format& other : formats()) {
      if (other.create_forest != nullptr) able += concat(able.empty() ? "" : ", ", other.name);
    }
    fail(ErrorKind::Unsupported, path, "format \"", format.name,
         "\" cannot store a forest; expected ", able);
  }
  check_options(path, format, options);
  if (options.key_columns != 0) {
    fail(ErrorKind::Argument, path, "a forest has no sort keys, got ", options.key_columns);
  }
  return format.create_forest(path, shape, options, context);
}

std::unique_ptr<ForestWriter> create_forest(const std::string& path, const ForestShape& shape,
                                            const WriteOptions& options, const Context& context) {
  return create_forest_file(path, shape, options, context);
}

std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options, const Context& context) {
  return create_file(path, schema, options, context);
}

}  // namespace heron::inline v0
