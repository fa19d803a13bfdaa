#include "zip/directory.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>

#include "base/fail.h"
#include "bytes/view_reader.h"
#include "zip/extra_fields.h"
#include "zip/layout.h"
#include "zip/names.h"

namespace heron::inline v0::zip {
namespace {

constexpr uint64_t kMaxComment = 0xFFFF;

template <class Struct>
Struct read_struct(const ByteSource& file, uint64_t at, const Context& context) {
  Struct read;
  file.read(at, std::as_writable_bytes(std::span(&read, 1)), context);
  return read;
}

// The extent of the directory in the file, and its number of entries.
struct DirectoryExtent {
  uint64_t offset = 0, bytes = 0, entries = 0;
};

[[noreturn]] void fail_split(const ByteSource& file) {
  fail(ErrorKind::Unsupported, file.name(),
       "one part of a zip that is split over several files; join them first (Info-ZIP: zip -s 0)");
}

// Returns the offset of the last End whose comment reaches the end of the file.
uint64_t end_offset(const ByteSource& file, const Context& context) {
  if (file.size() >= sizeof(End)) {
    const uint64_t at = file.size() - sizeof(End);
    const End end = read_struct<End>(file, at, context);
    if (end.signature == End::kSignature && end.comment_bytes == 0) return at;
    const uint64_t start = at - std::min(at, kMaxComment);
    std::vector<std::byte> tail(file.size() - start);
    file.read(start, tail, context);
    for (uint64_t i = at - start + 1; i-- > 0;) {
      if (load<u32le>(&tail[i]) != End::kSignature) continue;
      if (load<u16le>(&tail[i + sizeof(End) - 2]) == tail.size() - i - sizeof(End)) {
        return start + i;
      }
    }
    if (load<u32le>(tail.data()) == kSplitSignature && start == 0) fail_split(file);
  }
  fail(ErrorKind::Corrupt, file.name(), "cut off: expected the end record of a zip in the last ",
       sizeof(End) + kMaxComment, " bytes, got none");
}

// Returns the directory's location from the Zip64End that belongs to the End at `at`; nullopt:
// there is none.
std::optional<DirectoryExtent> directory_extent_64(const ByteSource& file, uint64_t at,
                                                   const Context& context) {
  if (at < sizeof(Zip64Locator)) return std::nullopt;
  const uint64_t locator_at = at - sizeof(Zip64Locator);
  const auto locator = read_struct<Zip64Locator>(file, locator_at, context);
  if (locator.signature != Zip64Locator::kSignature) return std::nullopt;
  if (locator.disks > 1 || locator.end_disk != 0) fail_split(file);
  const uint64_t end_at = locator.end_offset;
  const bool inside = locator_at >= sizeof(Zip64End) && end_at <= locator_at - sizeof(Zip64End);
  const Zip64End end = inside ? read_struct<Zip64End>(file, end_at, context) : Zip64End{};
  if (end.signature != Zip64End::kSignature) {
    fail(ErrorKind::Corrupt, file.name(), "zip64 locator at byte ", locator_at,
         ": expected an end record at byte ", end_at, ", got none");
  }
  if (end.disk != 0 || end.directory_disk != 0) fail_split(file);
  if (end.directory_offset > end_at || end.directory_bytes != end_at - end.directory_offset) {
    fail(ErrorKind::Corrupt, file.name(), "zip64 end record at byte ", end_at,
         ": expected a directory up to there, got one of ", uint64_t{end.directory_bytes},
         " bytes at byte ", uint64_t{end.directory_offset});
  }
  return DirectoryExtent{end.directory_offset, end.directory_bytes, end.entries};
}

DirectoryExtent directory_extent(const ByteSource& file, const Context& context) {
  const uint64_t at = end_offset(file, context);
  const End end = read_struct<End>(file, at, context);
  if (const auto directory = directory_extent_64(file, at, context)) return *directory;
  if (end.disk != 0 || end.directory_disk != 0 || end.disk_entries != end.entries) fail_split(file);
  if (end.directory_offset > at || end.directory_bytes != at - end.directory_offset) {
    fail(ErrorKind::Corrupt, file.name(), "end record at byte ", at,
         ": expected a directory up to there, got one of ", uint64_t{end.directory_bytes},
         " bytes at byte ", uint64_t{end.directory_offset});
  }
  return {end.directory_offset, end.directory_bytes, end.entries};
}

class DirectoryReader {
 public:
  DirectoryReader(const ByteSource& file, const DirectoryExtent& directory,
                  std::span<const std::byte> bytes)
      : file_(file), directory_(directory), bytes_(bytes) {}

  std::vector<DirectoryEntry> run() {
    const uint64_t most = directory_.bytes / sizeof(CentralHeader);
    if (directory_.entries > most) fail_count("at most ", most);
    entries_.reserve(directory_.entries);
    for (; at_ < bytes_.size(); ++read_) {
      DirectoryEntry entry = next();
      ranges_.push_back({entry.header_offset, least_end(entry)});
      if (!entry.path.ends_with('/')) entries_.push_back(std::move(entry));
    }
    if (read_ != directory_.entries) fail_count("", read_);
    check_overlaps();
    check_paths();
    return std::move(entries_);
  }

 private:
  struct Range {
    uint64_t offset, end;
  };

  uint64_t offset() const { return directory_.offset + at_; }

  [[noreturn]] void fail_count(const char* bound, uint64_t entries) const {
    fail(ErrorKind::Corrupt, file_.name(), "directory of ", directory_.bytes, " bytes at byte ",
         directory_.offset, ": expected ", directory_.entries, " entries, got ", bound, entries);
  }

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(ErrorKind::Corrupt, file_.name(), "directory entry ", read_, " at byte ", offset(), ": ",
         parts...);
  }

  DirectoryEntry next() {
    if (bytes_.size() - at_ < sizeof(CentralHeader)) {
      fail_here("expected ", sizeof(CentralHeader), " bytes, got ", bytes_.size() - at_);
    }
    const auto header = load_struct();
    if (header.signature != CentralHeader::kSignature) {
      fail_here("expected the signature of an entry, got other bytes");
    }
    const uint64_t name = at_ + sizeof(CentralHeader);
    const uint64_t extra = name + header.name_bytes;
    const uint64_t end = extra + header.extra_bytes + header.comment_bytes;
    if (end > bytes_.size()) {
      fail_here("expected ", end - at_, " bytes, got ", bytes_.size() - at_);
    }
    const std::string_view raw(reinterpret_cast<const char*>(&bytes_[0]) + name, header.name_bytes);
    DirectoryEntry entry;
    const auto fields = bytes_.subspan(extra, header.extra_bytes);
    entry.path = path_of(raw, (header.flags & kUtf8) != 0, fields);
    if (const char* fault = fault_of(entry.path)) {
      fail_here("expected a path inside the archive, got ", fault, ": \"", entry.path.c_str(), '"');
    }
    entry.name_bytes = header.name_bytes;
    entry.flags = header.flags;
    entry.method = header.method;
    entry.crc32 = header.crc32;
    read_sizes(header, fields, entry);
    at_ = end;
    return entry;
  }

  CentralHeader load_struct() const {
    CentralHeader header;
    std::memcpy(&header, &bytes_[at_], sizeof header);
    return header;
  }

  void read_sizes(const CentralHeader& header, std::span<const std::byte> fields,
                  DirectoryEntry& entry) const {
    std::span<const std::byte> wide = extra_field(fields, kZip64);
    const auto number = [&](uint32_t narrow) -> uint64_t {
      if (narrow != kIn64) return narrow;
      if (wide.size() < sizeof(u64le)) fail_here("expected a zip64 field with its sizes, got none");
      const uint64_t value = load<u64le>(wide.data());
      wide = wide.subspan(sizeof(u64le));
      return value;
    };
    entry.bytes = number(header.bytes);
    entry.stored_bytes = number(header.stored_bytes);
    entry.header_offset = number(header.header_offset);
    if (header.disk != 0 && header.disk != kIn64Short) fail_split(file_);
  }

  // Returns where an entry ends at the earliest: its own header may have more extra fields.
  uint64_t least_end(const DirectoryEntry& entry) const {
    const uint64_t header = sizeof(LocalHeader) + entry.name_bytes;
    const uint64_t most = directory_.offset;
    if (entry.header_offset > most || header > most - entry.header_offset ||
        entry.stored_bytes > most - entry.header_offset - header) {
      fail_here("\"", entry.path, "\" of ", entry.stored_bytes, " bytes at byte ",
                entry.header_offset, ": expected to end before the directory, at byte ", most);
    }
    return entry.header_offset + header + entry.stored_bytes;
  }

  void check_overlaps() {
    if (!std::ranges::is_sorted(ranges_, {}, &Range::offset)) {
      std::ranges::sort(ranges_, {}, &Range::offset);
    }
    for (uint64_t i = 0; i < ranges_.size(); ++i) {
      const uint64_t next = i + 1 == ranges_.size() ? directory_.offset : ranges_[i + 1].offset;
      if (ranges_[i].end > next) {
        fail(ErrorKind::Corrupt, file_.name(), "entry at byte ", ranges_[i].offset,
             ": expected to end before the next one, at byte ", next, ", got one up to byte ",
             ranges_[i].end);
      }
      ranges_[i].end = next;
    }
    for (DirectoryEntry& entry : entries_) {
      entry.end = std::ranges::lower_bound(ranges_, entry.header_offset, {}, &Range::offset)->end;
    }
  }

  void check_paths() const {
    std::unordered_set<std::string_view> paths;
    paths.reserve(entries_.size());
    for (const DirectoryEntry& entry : entries_) {
      if (paths.insert(entry.path).second) continue;
      fail(ErrorKind::Corrupt, file_.name(), "directory at byte ", directory_.offset,
           ": expected different paths, got two entries \"", entry.path, '"');
    }
  }

  const ByteSource& file_;
  const DirectoryExtent& directory_;
  const std::span<const std::byte> bytes_;
  uint64_t at_ = 0;    // offset in bytes_
  uint64_t read_ = 0;  // number of entries read
  std::vector<DirectoryEntry> entries_;
  std::vector<Range> ranges_;  // ranges of all entries, folders as well
};

}  // namespace

std::vector<DirectoryEntry> read_directory(const ByteSource& file, const Context& context) {
  const DirectoryExtent directory = directory_extent(file, context);
  Arena arena(context.memory);
  std::byte* bytes = arena.allocate(directory.bytes);
  file.read(directory.offset, {bytes, directory.bytes}, context);
  return DirectoryReader(file, directory, {bytes, directory.bytes}).run();
}

}  // namespace heron::inline v0::zip
