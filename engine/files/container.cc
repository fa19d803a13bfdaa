#include "heron/convert.h"

#include <algorithm>

#include "base/fail.h"
#include "base/hints.h"
#include "bytes/output_file.h"
#include "files/detect.h"
#include "files/formats.h"
#include "files/open_archive.h"
#include "format/format_options.h"

namespace heron::inline v0 {
namespace {

// Returns the container of that name or, without a name, the one for the ending of the path.
const Format& container_of(const std::string& path, const std::string& name) {
  std::string known;
  for (const Format& format : formats()) {
    if (format.wrap == nullptr) continue;
    if (name.empty() ? path.ends_with(format.extension) : name == format.name) return format;
    known += concat(known.empty() ? "" : ", ", name.empty() ? format.extension : format.name);
  }
  fail(ErrorKind::Argument, path, "a file is converted to containers only: ", known);
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

// Returns the entry of the path; without a path, the only entry.
std::shared_ptr<const ByteSource> only_entry(const Archive& archive, const std::string& in,
                                             const std::string& path, const Context& context) {
  if (path.empty() && archive.size() == 1) return archive.open(0, context);
  if (const auto index = archive.find(path)) return archive.open(*index, context);
  fail_with_hint(ErrorKind::Argument, hint::kEntry, in,
                 path.empty() ? "an entry must be named" : concat("no entry \"", path, '"'),
                 "; there are: ", some_paths(archive));
}

}  // namespace

uint64_t wrap(const std::string& in, const std::string& out, const WrapOptions& options,
              const Context& context) {
  const Format& format = container_of(out, options.container);
  check_format_options(out, {&format.name, 1}, FormatOption::Use::Write, options.format_options);
  const auto payload = open_file(in, options.mmap);
  OutputFile file(out, existing_if(options.replace));
  const uint64_t bytes =
      unless_changed(*payload, [&] { return format.wrap(*payload, file, options, context); });
  payload->check_unchanged();
  file.publish();
  return bytes;
}

uint64_t unwrap(const std::string& in, const std::string& out, const UnwrapOptions& options,
                const Context& context) {
  const OpenOptions& open = options.open;
  const auto bytes = open_file(in, open.mmap);
  const Format* format = open.format.empty() ? detect(*bytes, ByteOrigin::File, context).format
                                             : &format_named(open.format);
  if (format == nullptr || format->unwrap == nullptr) {
    fail(ErrorKind::Argument, in, "no container, but ",
         format == nullptr ? "of no known format" : format->name);
  }
  const auto payload = unless_changed(*bytes, [&] {
    const Unwrapped unwrapped = format->unwrap(bytes, open, {}, context);
    return format->holds_many ? only_entry(*unwrapped.archive, in, open.entry, context)
                              : unwrapped.payload;
  });
  payload->check_whole_read();
  OutputFile file(out, existing_if(options.replace));
  unless_changed(*payload, [&] { copy_all(*payload, file, context); });
  payload->check_unchanged();
  file.publish();
  return payload->size();
}

}  // namespace heron::inline v0
