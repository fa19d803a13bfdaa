// Reads the records of one file, some thousand at a time, into memory that it reuses.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "bytes/byte_source.h"
#include "csv/tokenizer.h"

namespace heron::inline v0::csv {

// Records in memory, as written in the file. Valid until the reader's next().
class Records {
 public:
  Records() = default;
  Records(const char* data, const Record* records, uint64_t count, const uint32_t* ends)
      : data_(data), records_(records), count_(count), ends_(ends) {}

  uint64_t size() const noexcept { return count_; }
  const char* start(uint64_t record) const noexcept { return data_ + records_[record].start; }
  // A field as written, with its quotes. Tokens::kSlack bytes behind it are readable.
  std::string_view field(uint64_t record, uint64_t column) const noexcept {
    const Record& at = records_[record];
    const uint32_t* end = ends_ + at.first_end + column;
    const uint32_t start = column == 0 ? at.start : end[-1] + 1;
    return {data_ + start, *end - start};
  }

 private:
  const char* data_ = nullptr;
  const Record* records_ = nullptr;
  uint64_t count_ = 0;
  const uint32_t* ends_ = nullptr;
};

// One thread at a time.
class RecordReader {
 public:
  static constexpr uint64_t kPiece = uint64_t{512} << 10;
  static constexpr uint64_t kMostRecordBytes = uint64_t{1} << 30;

  // `offset` is where a record begins. `columns`: fields per record; 0: as the first record.
  RecordReader(std::shared_ptr<const ByteSource> source, uint64_t offset, char separator,
               uint64_t columns, const Context& context);

  // Reads the next records, without blank lines if there are several columns; false at the end.
  // Throws Error: Io, Changed, Corrupt (another number of fields, unmatched quotes), Limit.
  bool next(Records& records);

  uint64_t columns() const noexcept { return columns_; }
  // File offsets: of the first record not returned yet, and of a byte of the last records or the
  // first byte behind them.
  uint64_t offset() const noexcept { return offset_ + done_; }
  uint64_t offset_of(const char* byte) const noexcept {
    return offset_ + static_cast<uint64_t>(byte - data_);
  }
  // Throws Error(Corrupt), or Changed, for the first field of the last records that is not UTF-8.
  // Some GB/s for ASCII.
  void check_utf8(const Records& records) const;
  // Throws Error(Corrupt), or Changed: "line 5" of this text, a part of the last records, followed
  // by `parts`.
  template <class... Parts>
  [[noreturn]] void fail_at(std::string_view text, const Parts&... parts) const {
    fail_at(offset_of(text.data()), concat(parts...));
  }

 private:
  [[noreturn]] void fail_not_utf8(const Records& records, const char* byte) const;
  void fill(uint64_t wanted);
  bool find_records();
  uint64_t keep_records();
  [[noreturn]] void fail_at(uint64_t offset, const std::string& what, Hint hint = Hint::None) const;

  std::shared_ptr<const ByteSource> source_;
  char separator_;
  uint64_t columns_;
  const Context& context_;
  std::unique_ptr<Arena> memory_;
  char* data_ = nullptr;  // the file from offset_ on
  uint64_t capacity_ = 0;
  uint64_t bytes_ = 0;  // bytes at data_
  uint64_t done_ = 0;   // of them, returned already
  uint64_t offset_;
  Tokens tokens_;
};

// Line numbers in a file, from 1. Reads everything before an offset; for ascending offsets only
// what is between them.
class LineNumbers {
 public:
  uint64_t at(const ByteSource& source, uint64_t offset, const Context& context);

 private:
  uint64_t offset_ = 0;  // counted up to here
  uint64_t line_ = 1;
  char before_ = 0;
};

// The line number of one byte.
uint64_t line_of(const ByteSource& source, uint64_t offset, const Context& context);

}  // namespace heron::inline v0::csv
