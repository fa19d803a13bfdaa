// The tables of where numbers lie, by format.
#include "kit/number_runs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace heron::inline v0 {
namespace {

using Bytes = std::span<const std::byte>;

class Runs {
 public:
  Runs(Bytes bytes, std::endian order) : bytes_(bytes), order_(order) {}

  Bytes bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }

  // Adds integers, as many as lie inside of the file; `step` 0 is their width.
  void add(uint64_t offset, uint64_t count, uint8_t width, uint8_t step = 0) {
    if (step == 0) step = width;
    if (offset >= size() || size() - offset < width) return;
    const size_t most = (size() - offset - width) / step + 1;
    const size_t kept = static_cast<size_t>(std::min<uint64_t>(count, most));
    if (kept == 0) return;
    all_.push_back({static_cast<size_t>(offset), kept, width, step, order_});
  }
  // Adds a region as integers of 4 and of 8 bytes at every aligned offset, counted from its first.
  void add_aligned(uint64_t first, uint64_t last) {
    if (first >= last) return;
    add(first, (last - first) / 4, 4);
    add(first, (last - first) / 8, 8);
    add(first + 4, (last - first - 4) / 8, 8);
  }
  // Adds the decimal numbers of a text.
  void add_decimals(uint64_t first, uint64_t last) {
    const std::string_view all = text().substr(0, std::min<uint64_t>(last, size()));
    constexpr std::string_view kDigits = "0123456789";
    for (size_t at = all.find_first_of(kDigits, first); at != all.npos;) {
      const size_t end = std::min(all.find_first_not_of(kDigits, at), all.size());
      all_.push_back({at, end - at, 1, 1, order_, NumberRun::Kind::Decimal});
      at = all.find_first_of(kDigits, end);
    }
  }
  void add_bits(uint64_t first) {
    constexpr size_t kMaxBytes = 256;
    if (first >= size()) return;
    all_.push_back({static_cast<size_t>(first), std::min(size() - first, kMaxBytes), 1, 1, order_,
                    NumberRun::Kind::Bits});
  }
  // Returns an integer; 0 beyond the end.
  uint64_t at(uint64_t offset, uint8_t width) const {
    if (offset > size() || size() - offset < width) return 0;
    uint64_t number = 0;
    for (uint8_t i = 0; i < width; ++i) {
      const uint8_t byte = order_ == std::endian::little ? width - 1 - i : i;
      number = number << 8 | std::to_integer<uint64_t>(bytes_[offset + byte]);
    }
    return number;
  }
  std::vector<NumberRun> take() { return std::move(all_); }

 private:
  Bytes bytes_;
  std::endian order_;
  std::vector<NumberRun> all_;
};

// A record of FlatBuffers before a tail with its size.
void add_jay(Runs& runs) {
  constexpr uint64_t kTail = 16;
  if (runs.size() < kTail) return;
  const uint64_t end = runs.size() - kTail;
  runs.add(end, 1, 8);
  runs.add_aligned(end - std::min(runs.at(end, 8), end), end);
  runs.add_aligned(8, std::min<uint64_t>(end, 256));  // cells: offsets of texts and lists
}

// Messages of FlatBuffers, each after 0xFFFFFFFF and its size, and a footer before its own.
void add_arrow(Runs& runs) {
  constexpr std::string_view kContinuation = "\xFF\xFF\xFF\xFF";
  size_t at = runs.text().find(kContinuation);
  while (at != std::string_view::npos) {
    const uint64_t metadata = std::min<uint64_t>(runs.at(at + 4, 4), runs.size());
    runs.add(at + 4, 1, 4);
    runs.add_aligned(at + 8, at + 8 + metadata);
    const size_t next = runs.text().find(kContinuation, at + 4);
    runs.add_aligned(at + 8 + metadata, std::min<uint64_t>(next, runs.size()));
    at = next;
  }
  constexpr uint64_t kTail = 10;
  if (runs.size() < kTail) return;
  const uint64_t end = runs.size() - kTail;
  runs.add(end, 1, 4);
  runs.add_aligned(end - std::min(runs.at(end, 4), end), end);
}

// The walk over IDV's table of contents: texts and numbers of 7 bits a byte.
class IdvContents {
 public:
  IdvContents(Runs& runs, uint64_t offset, uint64_t rows)
      : runs_(runs), offset_(offset), rows_(rows) {}

  void add_columns(uint64_t count) {
    for (uint64_t i = 0; i < std::min<uint64_t>(count, 64) && offset_ < runs_.size(); ++i) add();
  }

 private:
  uint64_t packed() {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 63 && offset_ < runs_.size(); shift += 7) {
      const uint64_t byte = runs_.at(offset_++, 1);
      number |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return number;
  }
  void pass_over(uint64_t bytes) { offset_ += std::min(bytes, runs_.size() - offset_); }
  void add_text() {
    runs_.add(offset_, 1, 1);  // the length of the text
    pass_over(packed());
  }
  // A name, the parameters of the name's codec, a compression.
  void add_codec() {
    add_text();
    runs_.add(offset_, 1, 1);
    const uint64_t parameters = packed();
    runs_.add(offset_, std::min<uint64_t>(parameters, 32), 1);
    pass_over(parameters);
    runs_.add(offset_, 1, 1);
    pass_over(1);
  }
  void add() {
    add_text();
    add_codec();
    runs_.add(offset_, 3, 1);  // rows per block
    const uint64_t block_rows = packed();
    runs_.add(offset_, 2, 8);  // offsets of the lookup table and of the metadata's contents
    const uint64_t lookup = runs_.at(offset_, 8), metadata = runs_.at(offset_ + 8, 8);
    pass_over(16);
    add_metadata(metadata);
    if (block_rows != 0) add_blocks(lookup, std::min<uint64_t>(rows_ / block_rows + 1, 256));
  }
  // Entries of the contents at an offset: a kind, a codec, offset and size of a block, which begins
  // with the lengths of a vector and of its texts.
  void add_metadata(uint64_t contents) {
    if (contents >= runs_.size()) return;
    const uint64_t next_column = std::exchange(offset_, contents);
    runs_.add(contents, 1, 1);
    for (uint64_t left = std::min<uint64_t>(packed(), 8); left > 0; --left) {
      add_text();
      add_codec();
      const uint64_t block = runs_.at(offset_, 8);
      runs_.add(offset_, 1, 8);
      pass_over(8);
      runs_.add(offset_, 2, 1);
      packed();
      runs_.add(block, 16, 4);
    }
    offset_ = next_column;
  }
  // Entries of 16 bytes: an offset, two sizes. A block of texts or vectors begins with numbers.
  void add_blocks(uint64_t lookup, uint64_t blocks) {
    runs_.add(lookup, blocks, 8, 16);
    if (lookup > runs_.size()) return;
    runs_.add(lookup + 8, blocks, 4, 16);
    runs_.add(lookup + 12, blocks, 4, 16);
    const uint64_t block = runs_.at(lookup, 8);
    runs_.add(block, 64, 4);
  }

  Runs& runs_;
  uint64_t offset_, rows_;
};

void add_idv(Runs& runs) {
  runs.add(24, 3, 8);  // offsets of the contents and of the tail, rows
  runs.add(48, 1, 4);  // columns
  const uint64_t contents = runs.at(24, 8);
  if (contents >= runs.size()) return;
  IdvContents(runs, contents, runs.at(40, 8)).add_columns(runs.at(48, 4));
}

// Headers are found by their signatures; their numbers have 2, 4 or 8 bytes.
void add_zip(Runs& runs) {
  struct Fields {
    std::string_view signature;
    std::array<std::pair<uint8_t, uint8_t>, 10> numbers;  // offset, width
  };
  static constexpr std::array<Fields, 5> kHeaders{{
      {"PK\3\4", {{{6, 2}, {8, 2}, {18, 4}, {22, 4}, {26, 2}, {28, 2}, {30, 1}}}},
      {"PK\1\2",
       {{{8, 2}, {10, 2}, {16, 4}, {20, 4}, {24, 4}, {28, 2}, {30, 2}, {32, 2}, {42, 4}}}},
      {"PK\5\6", {{{4, 2}, {6, 2}, {8, 2}, {10, 2}, {12, 4}, {16, 4}, {20, 2}}}},
      {"PK\6\6", {{{4, 8}, {16, 4}, {20, 4}, {24, 8}, {32, 8}, {40, 8}, {48, 8}}}},
      {"PK\6\7", {{{4, 4}, {8, 8}, {16, 4}}}},
  }};
  for (const Fields& header : kHeaders) {
    for (size_t at = runs.text().find(header.signature); at != std::string_view::npos;
         at = runs.text().find(header.signature, at + 4)) {
      for (const auto& [offset, width] : header.numbers) {
        if (width != 0) runs.add(at + offset, 1, width);
      }
      const bool is_central = header.signature == "PK\1\2";
      if (!is_central && header.signature != "PK\3\4") continue;
      // Extra fields: an id, a size, and numbers of 8 bytes if it is that of zip64.
      const uint64_t name = runs.at(at + (is_central ? 28 : 26), 2);
      const uint64_t extra = at + (is_central ? 46 : 30) + name;
      runs.add(extra, 2, 2);
      runs.add(extra + 4, runs.at(extra + 2, 2) / 8, 8);
    }
  }
}

void add_treezip(Runs& runs) {
  runs.add(8, 1, 8);   // bytes of the payload
  runs.add(16, 1, 2);  // version
  runs.add(18, 2, 1);  // numbers of features
  runs.add_bits(32);
}

// Counts, a table of sizes, one of types, and records after the targets.
void add_jforests(Runs& runs) {
  runs.add(0, 3, 4);
  const uint64_t features = std::min<uint64_t>(runs.at(4, 4), 64), rows = runs.at(8, 4);
  runs.add(12, features, 4);
  runs.add(12 + 4 * features, features, 1);
  runs.add(12 + 5 * features, 1, 4);
  for (const uint64_t queries_bytes : {0, 4}) {  // a plain file has no number of queries
    uint64_t record = 12 + 5 * features + queries_bytes + 8 * rows;
    for (uint64_t i = 0; i < features && record < runs.size(); ++i) {
      const uint64_t type = runs.at(12 + 4 * features + i, 1);
      const uint64_t indices = type == 0   ? 0
                               : type == 1 ? rows / 8 + (rows % 8 != 0)
                               : type == 2 ? rows
                                           : 2 * rows;
      runs.add(record, std::min<uint64_t>(indices, 64), type > 2 ? 2 : 1);
      const uint64_t values = record + indices, count = runs.at(values, 4);
      runs.add(values, std::min<uint64_t>(count, 64) + 1, 4);
      runs.add(values + 4 + 4 * count, 1, 2);  // the name's length
      record += runs.at(12 + 4 * i, 4);
    }
    if (record < runs.size()) runs.add(record, 64, 4);  // query boundaries
  }
}

// Keys and values of dictionaries; the first cells of tables.
void add_balsa(Runs& runs) {
  static constexpr std::array<std::pair<std::string_view, uint8_t>, 10> kIds{{{"ui08", 1},
                                                                              {"ui16", 2},
                                                                              {"ui32", 4},
                                                                              {"in08", 1},
                                                                              {"in16", 2},
                                                                              {"in32", 4},
                                                                              {"fl32", 4},
                                                                              {"fl64", 8},
                                                                              {"bool", 1},
                                                                              {"strn", 1}}};
  for (const auto& [id, width] : kIds) {
    for (size_t at = runs.text().find(id); at != std::string_view::npos;
         at = runs.text().find(id, at + 4)) {
      runs.add(at + 4, 1, width);
    }
  }
  const std::string_view text = runs.text();
  for (size_t at = text.find("dict"); at != text.npos; at = text.find("dict", at + 4)) {
    runs.add(at + 4, 2, 1);  // the count and the first key's length
    const size_t end = text.find("tcid", at);
    if (end == text.npos) break;
    const size_t cells = std::min(text.find("lbat", end), text.size());
    runs.add(end + 4, (cells - std::min(cells, end + 4)) / 4, 4);
  }
}

void add_npy(Runs& runs) {
  runs.add(6, 2, 1);  // version
  runs.add(8, 1, 2);
  runs.add(8, 1, 4);
  runs.add_decimals(10, std::min<uint64_t>(runs.at(8, 2) + 10, 512));
}

void add_safetensors(Runs& runs) {
  runs.add(0, 1, 8);
  runs.add_decimals(8, std::min<uint64_t>(runs.at(0, 8), 4096) + 8);
}

void add_text(Runs& runs) {
  runs.add_decimals(0, 1024);
}

}  // namespace

std::vector<NumberRun> number_runs(std::string_view format, std::span<const std::byte> bytes) {
  static const std::map<std::string_view, void (*)(Runs&)> kTables = {
      {"arrow", add_arrow},   {"balsa", add_balsa},
      {"csv", add_text},      {"idv", add_idv},
      {"jay", add_jay},       {"jforests", add_jforests},
      {"npy", add_npy},       {"safetensors", add_safetensors},
      {"svmlight", add_text}, {"treezip", add_treezip},
      {"zip", add_zip}};
  const auto table = kTables.find(format);
  if (table == kTables.end()) return {};
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                              std::min<size_t>(bytes.size(), 8));
  const bool is_big = format == "jforests" || (format == "balsa" && head.ends_with("bend"));
  Runs runs(bytes, is_big ? std::endian::big : std::endian::little);
  table->second(runs);
  return runs.take();
}

}  // namespace heron::inline v0
