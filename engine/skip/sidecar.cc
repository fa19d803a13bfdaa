// Opening reads header and table, which one checksum covers, and checks every size in them against
// the sidecar's own. Sections are read on request, their checksum first.
#include "skip/sidecar.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/fail.h"
#include "bytes/pread_file.h"
#include "skip/sidecar_column.h"
#include "skip/sidecar_layout.h"

namespace heron::inline v0 {
namespace {

using sidecar::Kind;

// No section is larger than this plus the indexed file: limits the memory that a sparse sidecar can
// claim.
constexpr uint64_t kMaxSectionBytes = uint64_t{64} << 20;

struct Section {
  Kind kind;
  uint64_t key;
  uint64_t offset;
  uint64_t bytes;
  uint64_t checksum;

  auto id() const noexcept { return std::pair(kind, key); }
};

// Returns read(); nullopt if the sidecar is damaged, which Context::note reports.
template <class Read>
auto unless_damaged(const Context& context, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    if (context.note) context.note(concat(error.what(), "; this index is not used"));
    return {};
  }
}

class OpenedSidecar final : public Sidecar {
 public:
  OpenedSidecar(std::shared_ptr<const ByteSource> bytes, const ByteSource& file,
                std::string distrust, const Context& context)
      : bytes_(std::move(bytes)), distrust_(std::move(distrust)) {
    read_head(context);
    same_time_ = file.modified() == header_.file_modified;
    belongs_ = same_time_ && file.size() == header_.file_bytes &&
               fingerprint_of(file, context) == header_.file_fingerprint;
  }

  const std::string& name() const noexcept override { return bytes_->name(); }
  const std::string& distrust() const noexcept override { return distrust_; }
  bool belongs() const noexcept override { return belongs_; }

  std::optional<ColumnIndex> column(std::string_view table, std::string_view name,
                                    const Context& context) const override {
    const Section* section = find(Kind::Column, sidecar::column_key(table, name));
    if (section == nullptr) return std::nullopt;
    return unless_damaged(context, [&]() -> std::optional<ColumnIndex> {
      auto column = sidecar::parse_column(read(*section, context), this->name(), section->offset);
      if (column.table != table || column.column != name) return std::nullopt;
      return column;
    });
  }

  std::vector<ColumnIndex> columns(const Context& context) const override {
    std::vector<ColumnIndex> all;
    for (const Section& section : sections_) {
      if (section.kind != Kind::Column) continue;
      all.push_back(sidecar::parse_column(read(section, context), name(), section.offset));
      if (section.key != sidecar::column_key(all.back().table, all.back().column)) {
        refuse(section.offset, "a column that its key names", concat('"', all.back().column, '"'));
      }
    }
    return all;
  }

  std::optional<std::vector<std::byte>> format(std::string_view name,
                                               const Context& context) const override {
    const Section* section = find(Kind::Format, sidecar::format_key(name));
    if (section == nullptr) return std::nullopt;
    return unless_damaged(context, [&] { return std::optional(read(*section, context)); });
  }

  uint64_t format_count() const noexcept override {
    return static_cast<uint64_t>(std::ranges::count(sections_, Kind::Format, &Section::kind));
  }

  void compare_checksums(const ByteSource& file, const Context& context) const override;

 private:
  template <class... Got>
  [[noreturn]] void refuse(uint64_t at, std::string_view expected, const Got&... got) const {
    fail(ErrorKind::Corrupt, name(), "byte ", at, ": expected ", expected, ", got ", got...);
  }
  void read_head(const Context& context);
  std::vector<sidecar::Entry> read_table(const Context& context) const;
  void place_sections(const std::vector<sidecar::Entry>& table);
  const Section* find(Kind kind, uint64_t key) const noexcept;
  std::vector<std::byte> read(const Section& section, const Context& context) const;
  std::vector<uint64_t> checksums(const Context& context) const;

  std::shared_ptr<const ByteSource> bytes_;
  const std::string distrust_;
  sidecar::Header header_;
  std::vector<Section> sections_;
  bool same_time_ = false;
  bool belongs_ = false;
};

void OpenedSidecar::read_head(const Context& context) {
  if (bytes_->size() < sizeof header_) refuse(0, "an index's header", bytes_->size(), " bytes");
  bytes_->read(0, std::as_writable_bytes(std::span(&header_, 1)), context);
  if (!std::ranges::equal(header_.magic, sidecar::kMagic)) {
    refuse(0, "an index's first bytes", "others");
  }
  if (header_.version != sidecar::kVersion) {
    fail(ErrorKind::Unsupported, name(), "expected an index of version ", sidecar::kVersion,
         ", got ", header_.version.value());
  }
  place_sections(read_table(context));
}

std::vector<sidecar::Entry> OpenedSidecar::read_table(const Context& context) const {
  const uint64_t most = (bytes_->size() - sizeof header_) / sizeof(sidecar::Entry);
  if (header_.sections > most) {
    refuse(0, concat("at most ", most, " sections"), header_.sections.value());
  }
  constexpr uint64_t kUnchecked = sidecar::kCheckedFrom;
  std::vector<std::byte> head(sizeof header_ + header_.sections * sizeof(sidecar::Entry));
  bytes_->read(0, head, context);
  const uint64_t got = checksum(std::span(head).subspan(kUnchecked));
  if (got != header_.checksum) {
    refuse(0, concat("checksum ", checksum_text(header_.checksum), " of the header"),
           checksum_text(got));
  }
  std::vector<sidecar::Entry> table(header_.sections);
  if (!table.empty()) {
    std::memcpy(table.data(), head.data() + sizeof header_, head.size() - sizeof header_);
  }
  return table;
}

void OpenedSidecar::place_sections(const std::vector<sidecar::Entry>& table) {
  uint64_t offset = sizeof header_ + table.size() * sizeof(sidecar::Entry);
  sections_.reserve(table.size());
  for (const sidecar::Entry& entry : table) {
    const uint64_t at = sizeof header_ + sections_.size() * sizeof entry;
    if (entry.bytes > bytes_->size() - offset) {
      refuse(at, concat("a section of at most ", bytes_->size() - offset, " bytes"),
             entry.bytes.value());
    }
    const Section section = {static_cast<Kind>(entry.kind.value()), entry.key, offset, entry.bytes,
                             entry.checksum};
    if (!sections_.empty() && sections_.back().id() >= section.id()) {
      refuse(at, "ascending sections", "another order");
    }
    sections_.push_back(section);
    offset += section.bytes;
  }
  if (offset != bytes_->size()) refuse(offset, "the end", bytes_->size() - offset, " bytes more");
}

const Section* OpenedSidecar::find(Kind kind, uint64_t key) const noexcept {
  const auto id = std::pair(kind, key);
  const auto at = std::ranges::lower_bound(sections_, id, {}, &Section::id);
  return at != sections_.end() && at->id() == id ? &*at : nullptr;
}

std::vector<std::byte> OpenedSidecar::read(const Section& section, const Context& context) const {
  // If the sum overflows, the claimed file cannot exist.
  if (section.bytes > kMaxSectionBytes && section.bytes - kMaxSectionBytes > header_.file_bytes) {
    refuse(section.offset, "no more than the file and 64 MiB", section.bytes, " bytes");
  }
  std::vector<std::byte> bytes(section.bytes);
  bytes_->read(section.offset, bytes, context);
  const uint64_t got = checksum(bytes);
  if (got != section.checksum) {
    refuse(section.offset, concat("checksum ", checksum_text(section.checksum)),
           checksum_text(got));
  }
  return bytes;
}

std::vector<uint64_t> OpenedSidecar::checksums(const Context& context) const {
  const Section* section = find(Kind::Checksums, 0);
  if (section == nullptr) refuse(0, "checksums of the file", "none");
  const std::vector<std::byte> bytes = read(*section, context);
  std::vector<u64le> stored(bytes.size() / sizeof(u64le));
  if (!stored.empty()) std::memcpy(stored.data(), bytes.data(), stored.size() * sizeof(u64le));
  return {stored.begin(), stored.end()};
}

void OpenedSidecar::compare_checksums(const ByteSource& file, const Context& context) const {
  const std::string_view or_changed =
      same_time_ ? "" : "; it is damaged, or was written to since it was indexed";
  if (file.size() != header_.file_bytes) {
    fail(ErrorKind::Corrupt, file.name(), "expected ", header_.file_bytes.value(),
         " bytes, as when it was indexed, got ", file.size(), or_changed);
  }
  const std::vector<uint64_t> expected = checksums(context);
  const std::vector<uint64_t> got = block_checksums(file, context);
  if (expected.size() != got.size()) {
    refuse(0, concat(got.size(), " checksums of the file"), expected.size());
  }
  const auto [wrong, instead] = std::ranges::mismatch(expected, got);
  if (wrong == expected.end()) {
    const uint64_t fingerprint = fingerprint_of(file, context);
    if (fingerprint == header_.file_fingerprint) return;
    refuse(offsetof(sidecar::Header, file_fingerprint),
           concat("the file's fingerprint ", checksum_text(fingerprint)),
           checksum_text(header_.file_fingerprint));
  }
  const auto block = static_cast<uint64_t>(wrong - expected.begin());
  fail(ErrorKind::Corrupt, file.name(), "block ", block, " at byte ", block * kChecksumBlockBytes,
       ": expected checksum ", checksum_text(*wrong), ", got ", checksum_text(*instead),
       or_changed);
}

// Anyone who can write to an index could make queries lose rows.
std::string why_distrusted(const RegularFile& index, const std::string& file) {
  struct stat status;
  const bool is_of_owner = ::stat(file.c_str(), &status) == 0 && status.st_uid == index.owner();
  if (!is_of_owner && index.owner() != ::geteuid()) {
    return concat("this index belongs to user ", index.owner(), ", not to you or the file's owner");
  }
  if ((index.mode() & (S_IWGRP | S_IWOTH)) != 0) {
    return "this index may be written to by others than its owner";
  }
  return {};
}

}  // namespace

bool Sidecar::is_at(const std::string& path) {
  constexpr ErrorKind kKind = ErrorKind::Write;  // callers replace or remove it
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) {
    fail(kKind, path, "is not an index, because it is not a regular file; it stays unchanged");
  }
  const RegularFile file(path);
  std::array<char, sidecar::kMagic.size()> magic{};
  const auto into = std::as_writable_bytes(std::span(magic));
  file.read(0, into.first(std::min<uint64_t>(file.size(), magic.size())), path);
  if (std::ranges::equal(magic, sidecar::kMagic)) return true;
  fail(kKind, path, "is not an index, by its first bytes; it stays unchanged");
}

std::string Sidecar::path_of(const std::string& file) {
  constexpr std::string_view kEnding = ".heron";
  const char* folder = std::getenv("HERON_INDEX_DIR");
  if (folder == nullptr || *folder == '\0') return concat(file, kEnding);
  namespace fs = std::filesystem;
  std::error_code unknown;  // no working directory: use the path as it is
  const fs::path absolute = fs::absolute(file, unknown).lexically_normal();
  const std::string whole = unknown ? file : absolute.string();
  return fs::path(folder) /
         concat(fs::path(file).filename().string(), '-', checksum_text(checksum(whole)), kEnding);
}

std::shared_ptr<const Sidecar> Sidecar::open(const ByteSource& file, const Context& context) {
  const std::string path = path_of(file.name());
  std::optional<RegularFile> opened = RegularFile::find(path);
  if (!opened) return nullptr;
  std::string distrust = why_distrusted(*opened, file.name());
  return std::make_shared<const OpenedSidecar>(pread_file(path, std::move(*opened)), file,
                                               std::move(distrust), context);
}

std::shared_ptr<const Sidecar> Sidecar::find(const ByteSource& file, const Context& context) {
  return unless_damaged(context, [&]() -> std::shared_ptr<const Sidecar> {
    auto sidecar = open(file, context);
    if (sidecar == nullptr) return nullptr;
    if (!sidecar->distrust().empty()) {
      if (context.note) {
        context.note(concat(sidecar->name(), ": ", sidecar->distrust(), "; it is not used"));
      }
      return nullptr;
    }
    if (sidecar->belongs()) return sidecar;
    if (context.note) {
      context.note(concat(path_of(file.name()),
                          ": this index is of another state of the file; `heron index` makes it "
                          "anew"));
    }
    return nullptr;
  });
}

}  // namespace heron::inline v0
