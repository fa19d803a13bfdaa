#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

#include "base/fail.h"
#include "base/hints.h"
#include "bytes/inflate.h"
#include "bytes/view_reader.h"
#include "cache/block_cache.h"
#include "zip/directory.h"
#include "zip/layout.h"
#include "zip/slice_source.h"
#include "zip/zip.h"

namespace heron::inline v0::zip {
namespace {

constexpr uint64_t kBlockBytes = uint64_t{64} << 10;  // unit of a payload that is read as bytes
constexpr uint64_t kStepBytes = uint64_t{1} << 20;

std::string method_name(uint16_t method) {
  switch (method) {
    case 0: return "stored";
    case 1: return "shrink";
    case 6: return "implode";
    case 8: return "deflate";
    case 9: return "deflate64";
    case 12: return "bzip2";
    case 14: return "lzma";
    case 93: return "zstd";
    case 95: return "xz";
    case 98: return "ppmd";
    case 99: return "aes";
    default: return concat("method ", method);
  }
}

bool is_encrypted(const DirectoryEntry& entry) noexcept {
  return (entry.flags & (kEncrypted | kMaskedHeader)) != 0;
}

// A deflated entry in the file.
struct Deflated {
  ByteView stored;
  uint64_t bytes;
  uint32_t crc32;
  const std::string& name;
};

// Decodes an entry whole: nothing in it says where a later byte is.
class EntryLoader final : public CacheLoader {
 public:
  explicit EntryLoader(const Deflated& entry) noexcept : entry_(entry) {}

  uint64_t frame_bytes(const Context&) const override { return entry_.bytes; }
  std::unique_ptr<CacheEntry> load(const CacheFrame& frame, const Context& context) const override {
    context.check_cancelled();
    const ByteView& stored = entry_.stored;
    Arena arena(context.memory);
    // A copy of what may change: libdeflate loads lengths twice, and would believe the second.
    const std::byte* from = own_window(stored, 0, stored.bytes, 1, arena, context);
    const std::span<std::byte> into(frame.memory, frame.bytes);
    const InflatedStream stream = inflate_stream(DeflateFormat::Raw, {from, stored.bytes}, into);
    stored.source->check_lost();
    using Result = InflatedStream::Result;
    if (stream.result == Result::Corrupt) fail_damaged("compressed data, got other bytes");
    if (stream.result == Result::NoSpace) fail_damaged(into.size(), " bytes, got more");
    if (stream.bytes != into.size()) fail_damaged(into.size(), " bytes, got ", stream.bytes);
    if (stream.stored_bytes != stored.bytes) {
      fail_damaged(stored.bytes, " compressed bytes, got ", stream.stored_bytes);
    }
    if (crc32(0, into) != entry_.crc32) fail_damaged("the checksum of the directory, got another");
    return std::make_unique<CacheEntry>();
  }

 private:
  template <class... Parts>
  [[noreturn]] void fail_damaged(const Parts&... parts) const {
    fail(ErrorKind::Corrupt, entry_.name, "data at byte ", entry_.stored.offset, " deflated from ",
         entry_.bytes, " bytes: expected ", parts...);
  }

  const Deflated& entry_;
};

// The decoded entries of an archive, by index.
struct DecodedEntries {
  DecodedEntries(std::shared_ptr<BlockCache> of_all, uint64_t count)
      : cache(std::move(of_all)), slots(cache, count) {}

  const std::shared_ptr<BlockCache> cache;
  CacheSlots slots;
};

// A deflated entry, decoded at the first read. An entry that does not fit into the cache is kept
// here.
class DeflatedEntry final : public ByteSource {
 public:
  DeflatedEntry(std::string name, std::shared_ptr<const ByteSource> file, uint64_t offset,
                const DirectoryEntry& entry, std::shared_ptr<DecodedEntries> decoded,
                uint64_t index, uint64_t max_decode)
      : ByteSource(std::move(name), entry.bytes, nullptr),
        file_(std::move(file)),
        entry_{{file_.get(), offset, entry.stored_bytes}, entry.bytes, entry.crc32, this->name()},
        max_decode_(max_decode),
        decoded_(std::move(decoded)),
        index_(index) {}

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override {
    if (into.empty()) return;
    CacheSlots::Pin pin = decoded_->slots.pin(index_, BlockUse::Take, EntryLoader(entry_), context);
    std::memcpy(into.data(), pin->frame().memory + offset, into.size());
    if (!pin.is_outside()) return;
    const std::scoped_lock lock(mutex_);
    if (!held_) held_ = std::move(pin);
  }

  uint64_t bytes_read() const noexcept override { return file_->bytes_read(); }
  std::vector<Counter> counters() const override {
    std::vector<Counter> all = file_->counters();
    all.push_back({"entries_decoded", decoded_->cache->decoded_blocks()});
    return all;
  }
  // Any read decodes the whole entry.
  void check_read_of(uint64_t) const override {
    if (size() <= max_decode_) return;
    fail_with_hint(ErrorKind::Limit, hint::kMaxDecode, name(), "all of its ", size(),
                   " bytes would have to be decoded, more than max_decode allows (", max_decode_,
                   " bytes)");
  }
  void check_lost() const override { file_->check_lost(); }
  const char* change() const noexcept override { return file_->change(); }
  uint64_t modified() const noexcept override { return file_->modified(); }

 private:
  const std::shared_ptr<const ByteSource> file_;
  const Deflated entry_;
  const uint64_t max_decode_;
  const std::shared_ptr<DecodedEntries> decoded_;
  const uint64_t index_;
  mutable std::mutex mutex_;
  mutable CacheSlots::Pin held_;
};

class ZipArchive final : public Archive {
 public:
  ZipArchive(std::shared_ptr<const ByteSource> file, const OpenOptions& options,
             const Context& context)
      : file_(std::move(file)),
        entries_(read_directory(*file_, context)),
        max_decode_(options.max_decode),
        decoded_(std::make_shared<DecodedEntries>(
            std::make_shared<BlockCache>(options.cache_bytes, context.memory), entries_.size())) {}

  uint64_t size() const noexcept override { return entries_.size(); }
  ArchiveEntry entry(uint64_t index) const override {
    const DirectoryEntry& entry = entries_[index];
    const std::string method = method_name(entry.method);
    ArchiveEntry shown;
    shown.path = entry.path;
    shown.bytes = entry.bytes;
    shown.stored_bytes = entry.stored_bytes;
    shown.encoding = is_encrypted(entry) ? concat(method, ", encrypted") : method;
    return shown;
  }
  std::optional<uint64_t> find(std::string_view path) const noexcept override {
    const auto found = std::ranges::find(entries_, path, &DirectoryEntry::path);
    if (found == entries_.end()) return std::nullopt;
    return static_cast<uint64_t>(found - entries_.begin());
  }

  std::shared_ptr<const ByteSource> open(uint64_t index, const Context& context) const override {
    const DirectoryEntry& entry = entries_[index];
    std::string name = concat(file_->name(), ':', entry.path);
    const bool stored = entry.method == static_cast<uint16_t>(Method::Stored);
    check_decodes(entry, name);
    const uint64_t offset = data_offset(entry, name, context);
    if (stored) {
      return std::make_shared<SliceSource>(std::move(name), file_, offset, entry.bytes);
    }
    auto source = std::make_shared<DeflatedEntry>(std::move(name), file_, offset, entry, decoded_,
                                                  index, max_decode_);
    source->check_whole_read();
    return source;
  }

  void verify(uint64_t index, const Context& context) const override {
    const auto source = open(index, context);
    std::vector<std::byte> step(std::min(kStepBytes, source->size()));
    uint32_t checksum = 0;
    for (uint64_t at = 0; at < source->size(); at += step.size()) {
      context.check_cancelled();
      const std::span piece = std::span(step).first(std::min(step.size(), source->size() - at));
      source->read(at, piece, context);
      checksum = crc32(checksum, piece);
    }
    source->check_unchanged();
    if (checksum == entries_[index].crc32) return;
    fail(ErrorKind::Corrupt, source->name(), "data: expected the checksum ", entries_[index].crc32,
         ", got ", checksum);
  }

 private:
  static void check_decodes(const DirectoryEntry& entry, const std::string& name) {
    if (is_encrypted(entry))
      fail(ErrorKind::Unsupported, name, "encrypted, which Heron does not read");
    if (entry.method == static_cast<uint16_t>(Method::Stored)) {
      if (entry.bytes == entry.stored_bytes) return;
      fail(ErrorKind::Corrupt, name, "stored: expected as many bytes in the zip, ", entry.bytes,
           ", got ", entry.stored_bytes);
    }
    if (entry.method != static_cast<uint16_t>(Method::Deflate)) {
      fail(ErrorKind::Unsupported, name, "compressed with ", method_name(entry.method),
           "; Heron reads entries that are stored or compressed with deflate");
    }
    const uint64_t most = most_inflated(entry.stored_bytes);
    if (entry.bytes <= most) return;
    fail(ErrorKind::Corrupt, name, entry.stored_bytes, " compressed bytes: expected at most ", most,
         " from them, got ", entry.bytes);
  }

  // The entry's own header may have other extra fields than the directory.
  uint64_t data_offset(const DirectoryEntry& entry, const std::string& name,
                       const Context& context) const {
    LocalHeader header;
    file_->read(entry.header_offset, std::as_writable_bytes(std::span(&header, 1)), context);
    const auto check = [&](bool right, const char* what) {
      if (right) return;
      fail(ErrorKind::Corrupt, name, "header at byte ", entry.header_offset, ": expected ", what,
           " of the directory, got another");
    };
    check(header.signature == LocalHeader::kSignature, "an entry");
    check(header.method == entry.method, "the method");
    check(header.name_bytes == entry.name_bytes, "the length of the name");
    check(((header.flags ^ entry.flags) & (kEncrypted | kDataDescriptor)) == 0, "the flags");
    if ((header.flags & kDataDescriptor) == 0) {
      const auto agrees = [](uint32_t own, uint64_t bytes) { return own == bytes || own == kIn64; };
      check(agrees(header.bytes, entry.bytes), "the size");
      check(agrees(header.stored_bytes, entry.stored_bytes), "the compressed size");
      check(header.crc32 == entry.crc32, "the checksum");
    }
    const uint64_t head = sizeof(LocalHeader) + header.name_bytes + header.extra_bytes;
    const uint64_t room = entry.end - entry.header_offset;
    if (head > room || entry.stored_bytes > room - head) {
      fail(ErrorKind::Corrupt, name, "header at byte ", entry.header_offset, " and ",
           entry.stored_bytes, " bytes: expected to end before byte ", entry.end,
           ", where the next entry begins");
    }
    return entry.header_offset + head;
  }

  const std::shared_ptr<const ByteSource> file_;
  const std::vector<DirectoryEntry> entries_;
  const uint64_t max_decode_;
  const std::shared_ptr<DecodedEntries> decoded_;
};

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  if (head.size() < sizeof(u32le)) return Match::No;
  const uint32_t signature = load<u32le>(head.data());
  const bool is_zip = signature == LocalHeader::kSignature || signature == End::kSignature ||
                      signature == Zip64End::kSignature || signature == kSplitSignature;
  return is_zip ? Match::Yes : Match::No;
}

Unwrapped unwrap(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                 std::span<const std::byte>, const Context& context) {
  auto archive = std::make_shared<const ZipArchive>(bytes, options, context);
  Unwrapped unwrapped;
  unwrapped.header = {{"entries", concat(archive->size())}};
  unwrapped.block_bytes = kBlockBytes;
  unwrapped.archive = std::move(archive);
  bytes->check_recently();
  return unwrapped;
}

}  // namespace heron::inline v0::zip
