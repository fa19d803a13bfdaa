// Reads the records of one file, some thousand at a time, into reused memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/fail.h"
#include "bytes/byte_source.h"
#include "csv/tokenizer.h"

namespace heron::inline v0::csv {

// Records in memory, as in the file. They are valid until the reader returns its next ones.
class Records {
 public:
  Records() = default;
  Records(const char* data, const Record* records, uint64_t count, const uint32_t* ends)
      : data_(data), records_(records), count_(count), ends_(ends) {}

  uint64_t size() const noexcept { return count_; }
  const char* start(uint64_t record) const noexcept { return data_ + records_[record].start; }
  // Returns a field as written, quotes and all. Tokens::kSlack bytes behind it can be read. A field
  // that is missing (RecordRules::ragged) is empty and ends where the field before it does.
  std::string_view field(uint64_t record, uint64_t column) const noexcept {
    const Record& at = records_[record];
    const uint32_t* end = ends_ + at.first_end + column;
    const uint32_t start = column == 0 ? at.start : std::min(end[-1] + 1, *end);
    return {data_ + start, *end - start};
  }

 private:
  const char* data_ = nullptr;
  const Record* records_ = nullptr;
  uint64_t count_ = 0;
  const uint32_t* ends_ = nullptr;
};

// Bytes of a file in memory, for errors about them.
struct TextPosition {
  const ByteSource& source;
  const char* data;
  uint64_t offset;  // offset of `data` in the file
  const Context& context;

  uint64_t offset_of(const char* byte) const noexcept {
    return offset + static_cast<uint64_t>(byte - data);
  }
  // Throws Error(Corrupt), or Changed: "line 5", the line of `text`, then `parts`.
  template <class... Parts>
  [[noreturn]] void fail_at(std::string_view text, const Parts&... parts) const {
    fail_line(offset_of(text.data()), concat(parts...));
  }
  // Fails for the line of a byte of the file.
  [[noreturn]] void fail_line(uint64_t at, const std::string& what, const char* hint = "") const;
};

// The rules by which a file is divided into records.
struct RecordRules {
  Syntax syntax;
  bool ragged = false;  // missing fields at a record's end are null, and empty surplus ones dropped
};

// Removes blank lines (with Syntax::trim also those of blanks) if there are several columns, and
// checks the number of fields of the other records; if `columns` is 0, it becomes the number of the
// first record. Returns the number of records left; the record behind these is the end. Throws
// Error(Corrupt), or Changed.
uint64_t check_records(Tokens& tokens, uint64_t& columns, const RecordRules& rules,
                       const char* data, const TextPosition& position);

// One thread at a time.
class RecordReader {
 public:
  static constexpr uint64_t kPiece = uint64_t{512} << 10;
  static constexpr uint64_t kMaxRecordBytes = uint64_t{1} << 30;

  // Reads from a byte at which a record begins. `columns` is the number of fields of each record;
  // 0: the number of fields of the first record.
  RecordReader(std::shared_ptr<const ByteSource> source, uint64_t offset, const RecordRules& rules,
               uint64_t columns, const Context& context);

  // Returns the next records, without blank lines if there are several columns; false at the end.
  // Throws Error: Io, Changed, Corrupt (another number of fields, quotes that do not match), Limit.
  bool next(Records& records);

  uint64_t columns() const noexcept { return columns_; }
  // The offsets in the file of the record behind those returned so far, and of a byte of the last
  // records or the first byte behind them.
  uint64_t offset() const noexcept { return offset_ + done_; }
  uint64_t offset_of(const char* byte) const noexcept {
    return offset_ + static_cast<uint64_t>(byte - data_);
  }
  // Throws Error(Corrupt), or Changed, for the first field of the last records that is not UTF-8.
  // Checks some GB/s where all is ASCII.
  void check_utf8(const Records& records) const;
  // Returns the bytes of the last records, for errors.
  TextPosition position() const noexcept { return {*source_, data_, offset_, context_}; }

 private:
  [[noreturn]] void fail_not_utf8(const Records& records, const char* byte) const;
  void fill(uint64_t target);
  bool find_records();

  std::shared_ptr<const ByteSource> source_;
  RecordRules rules_;
  uint64_t columns_;
  const Context& context_;
  std::unique_ptr<Arena> memory_;
  char* data_ = nullptr;  // bytes of the file, from offset_ on
  uint64_t capacity_ = 0;
  uint64_t bytes_ = 0;  // number of bytes in memory
  uint64_t done_ = 0;   // number of bytes in memory that were returned
  uint64_t offset_;
  Tokens tokens_;
};

// Counts the lines of a file, from 1. Reads everything before an offset, or from the last offset on
// if offsets ascend.
class LineNumbers {
 public:
  uint64_t at(const ByteSource& source, uint64_t offset, const Context& context);

 private:
  uint64_t offset_ = 0;  // lines are counted up to here
  uint64_t line_ = 1;
  char before_ = 0;
};

// Returns the line number of one byte.
uint64_t line_of(const ByteSource& source, uint64_t offset, const Context& context);

}  // namespace heron::inline v0::csv
