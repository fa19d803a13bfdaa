// Finds the ends of records and fields. Copies nothing, and interprets nothing but quotes.
//
//   a field that begins with a quote extends to the next quote that is not doubled; a separator,
//   a line end or the end of the file must follow. In any other field a quote is an ordinary
//   byte. LF, CRLF and CR end lines, and a line end outside quotes ends the record. Blanks around
//   quotes are ignored if Syntax::trim says so, and lines that begin a record with
//   Syntax::comment are skipped.
#pragma once

#include <cstdint>
#include <vector>

namespace heron::inline v0::csv {

// The characters that divide bytes into records and fields.
struct Syntax {
  char separator = ',';
  char comment = 0;  // 0: no comments
  bool trim = false;
};

// Positions in the data: the position of a record's first byte, and the index in Tokens::ends of
// its first field.
struct Record {
  uint32_t start;
  uint32_t first_end;
};

// Finds records in memory that it reuses. One thread at a time.
class Tokens {
 public:
  // The number of bytes behind the data that must be readable.
  static constexpr uint64_t kSlack = 64;
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 31;
  // A call stops soon after this many records or, at the end of a record, this many fields.
  static constexpr uint64_t kEnoughRecords = 2048;
  static constexpr uint64_t kEnoughFields = uint64_t{1} << 20;
  // The maximum number of fields in a record; more are a fault.
  static constexpr uint64_t kMaxFields = 1'000'000;

  // Finds whole records, the first of which begins with the data. `at_end`: the bytes behind the
  // last line end are a record too, and no LF follows the data. `bytes` is below kMaxBytes. Runs
  // at some GB/s.
  void find(const char* data, uint64_t bytes, bool at_end, const Syntax& syntax);

  // The whole records, and one more whose start is the end of the last.
  const Record* records() const noexcept { return records_.data(); }
  Record* records() noexcept { return records_.data(); }
  uint64_t size() const noexcept { return size_; }
  // Returns the number of bytes in these records and in the comments between and behind them.
  uint64_t bytes() const noexcept { return records_[size_].start; }
  // The end of each field is the position of its separator or line end.
  const uint32_t* ends() const noexcept { return ends_.data(); }
  void replace_ends(std::vector<uint32_t>& ends) noexcept { ends_.swap(ends); }

  // Returns why no record follows, and at which byte of the data; null: no fault.
  const char* fault() const noexcept { return fault_; }
  uint64_t fault_at() const noexcept { return fault_at_; }

 private:
  template <class Finder>
  struct Find;
  enum class State : uint8_t {
    Plain,
    Quoted,
    Closed /* a quote was seen inside quotes */,
    Comment
  };

  bool is_enough() const noexcept {
    return size_ >= kEnoughRecords || (size_ != 0 && fields_ >= kEnoughFields);
  }
  void make_room();
  uint32_t field_start() const noexcept {
    const Record& open = records_[size_];
    return fields_ == open.first_end ? open.start : ends_[fields_ - 1] + 1;
  }
  void end_record(const char* data, uint32_t end);
  void begin_record(const char* data, uint64_t bytes) noexcept;
  bool may_follow(const char* data, uint64_t from, uint64_t to) const noexcept;
  void add_plain(const char* data, uint32_t at, uint64_t ends, uint64_t line_ends);
  bool add_well_quoted(const char* data, uint32_t at, uint64_t quotes, uint64_t breaks,
                       uint64_t ends, uint64_t line_ends);
  bool add_quoted(const char* data, uint32_t at, uint64_t quotes, uint64_t ends,
                  uint64_t line_ends);
  void finish(const char* data, uint32_t bytes);
  bool fail_at(uint64_t at, const char* why) noexcept;

  std::vector<uint32_t> ends_ = std::vector<uint32_t>(1024);
  std::vector<Record> records_ = std::vector<Record>(1024);
  Syntax syntax_;
  uint64_t bytes_ = 0;  // size of the data
  uint32_t fields_ = 0;
  uint32_t size_ = 0;
  State state_ = State::Plain;
  uint32_t closed_at_ = 0;
  const char* fault_ = nullptr;
  uint64_t fault_at_ = 0;
};

}  // namespace heron::inline v0::csv
