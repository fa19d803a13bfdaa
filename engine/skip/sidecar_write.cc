#include <algorithm>
#include <cstring>

#include "bytes/appender.h"
#include "bytes/output_file.h"
#include "skip/sidecar_column.h"
#include "skip/sidecar_layout.h"

namespace heron::inline v0 {
namespace {

using namespace sidecar;

struct SectionOut {
  Kind kind;
  uint64_t key;
  std::vector<std::byte> bytes;

  auto id() const noexcept { return std::pair(kind, key); }
};

std::vector<std::byte> checksum_bytes(const std::vector<uint64_t>& checksums) {
  const std::vector<u64le> stored(checksums.begin(), checksums.end());
  const auto bytes = std::as_bytes(std::span(stored));
  return {bytes.begin(), bytes.end()};
}

// Returns the sections in the order of the file. Keeps the first of several sections with the same
// key; the chance of that is one in 2^64 for each pair.
std::vector<SectionOut> sections_of(const IndexContents& contents) {
  std::vector<SectionOut> sections;
  sections.push_back({Kind::Checksums, 0, checksum_bytes(contents.checksums)});
  for (const ColumnIndex& column : contents.columns) {
    sections.push_back(
        {Kind::Column, column_key(column.table, column.column), column_bytes(column)});
  }
  for (const FormatIndex& format : contents.formats) {
    sections.push_back({Kind::Format, format_key(format.name), format.bytes});
  }
  std::ranges::stable_sort(sections, {}, &SectionOut::id);
  const auto same = [](const SectionOut& a, const SectionOut& b) { return a.id() == b.id(); };
  sections.erase(std::unique(sections.begin(), sections.end(), same), sections.end());
  return sections;
}

std::vector<Entry> table_of(const std::vector<SectionOut>& sections) {
  std::vector<Entry> table;
  for (const SectionOut& section : sections) {
    Entry entry = {};
    entry.kind = static_cast<uint32_t>(section.kind);
    entry.key = section.key;
    entry.bytes = section.bytes.size();
    entry.checksum = checksum(section.bytes);
    table.push_back(entry);
  }
  return table;
}

// Returns the header and the table of entries.
std::vector<std::byte> head_of(const ByteSource& file, const std::vector<Entry>& table,
                               const Context& context) {
  Header header = {};
  std::ranges::copy(kMagic, header.magic.begin());
  header.version = kVersion;
  header.sections = static_cast<uint32_t>(table.size());
  header.file_bytes = file.size();
  header.file_modified = file.modified();
  header.file_fingerprint = fingerprint_of(file, context);
  const auto entries = std::as_bytes(std::span(table));

  std::vector<std::byte> head(sizeof header);
  head.insert(head.end(), entries.begin(), entries.end());
  std::memcpy(head.data(), &header, sizeof header);
  header.checksum = checksum(std::span(head).subspan(kCheckedFrom));
  std::memcpy(head.data(), &header, sizeof header);
  return head;
}

}  // namespace

uint64_t Sidecar::write(const ByteSource& file, const IndexContents& contents,
                        const Context& context) {
  const std::vector<SectionOut> sections = sections_of(contents);
  const std::string path = path_of(file.name());
  is_at(path);  // throws for a file that is not a sidecar
  OutputFile output(path, Existing::Renew);
  output.keep_private(file.name());
  Appender appender(output, 0);
  appender.append(head_of(file, table_of(sections), context));
  for (const SectionOut& section : sections) {
    context.check_cancelled();
    appender.append(section.bytes);
  }
  appender.flush();
  file.check_unchanged();
  output.publish();
  return appender.end();
}

}  // namespace heron::inline v0
