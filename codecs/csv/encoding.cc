#include "csv/encoding.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"
#include "files/foreign_format.h"

namespace heron::inline v0::csv {
namespace {

constexpr uint64_t kPiece = uint64_t{64} << 10;
constexpr uint64_t kMaxBytes = 3;  // bytes of UTF-8 per byte of the file

enum class Coding : uint8_t { Latin1, Windows1252, Utf16Little, Utf16Big };

bool is_utf16(Coding coding) {
  return coding == Coding::Utf16Little || coding == Coding::Utf16Big;
}

bool is_high(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// Converts pieces of a file to UTF-8. A surrogate pair belongs to the piece in which it begins.
class Recoder {
 public:
  Recoder(const ByteSource& file, Coding coding) : file_(file), coding_(coding) {}

  uint64_t pieces() const { return (file_.size() + kPiece - 1) / kPiece; }

  // Valid until the next call.
  std::string_view piece(uint64_t number, const Context& context) {
    const uint64_t first = number * kPiece;
    const uint64_t last = std::min(first + kPiece, file_.size());
    made_.resize((last - first) * kMaxBytes);
    char* const end =
        is_utf16(coding_) ? from_units(first, last, context) : from_bytes(first, last, context);
    return {made_.data(), static_cast<size_t>(end - made_.data())};
  }

 private:
  char* from_bytes(uint64_t first, uint64_t last, const Context& context) {
    read(first, last, context);
    char* to = made_.data();
    for (const std::byte byte : read_) {
      const auto code = static_cast<unsigned char>(byte);
      to = write_utf8(coding_ == Coding::Latin1 ? char32_t{code} : windows_1252(code), to);
    }
    return to;
  }

  char* from_units(uint64_t first, uint64_t last, const Context& context) {
    const uint64_t before = first == 0 ? 0 : 2;
    read(first - before, std::min(last + 2, file_.size()), context);
    if (read_.size() % 2 != 0) fail_at(file_.size() - 1, "half a unit at the end");
    char* to = made_.data();
    uint64_t at = before;
    if (before != 0 && is_high(unit(0)) && is_low(unit(2))) at += 2;
    while (at < last - first + before) {
      char32_t code = unit(at);
      const uint64_t from_byte = first - before + at;
      at += 2;
      if (is_low(code)) fail_at(from_byte, "the second half of a pair alone");
      if (is_high(code)) {
        const char32_t low = at < read_.size() ? unit(at) : 0;
        if (!is_low(low)) fail_at(from_byte, "the first half of a pair alone");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
      to = write_utf8(code, to);
    }
    return to;
  }

  char32_t unit(uint64_t at) const {
    const auto first = static_cast<char32_t>(read_[at]);
    const auto second = static_cast<char32_t>(read_[at + 1]);
    return coding_ == Coding::Utf16Little ? first | second << 8 : first << 8 | second;
  }

  void read(uint64_t first, uint64_t last, const Context& context) {
    read_.resize(last - first);
    file_.read(first, read_, context);
  }

  [[noreturn]] void fail_at(uint64_t offset, std::string_view what) const {
    file_.check_unchanged();  // a change would be the cause
    fail(ErrorKind::Corrupt, file_.name(), "not UTF-16 at byte ", offset, ": ", what);
  }

  const ByteSource& file_;
  Coding coding_;
  std::vector<std::byte> read_;
  std::vector<char> made_;
};

class RecodedSource final : public ByteSource {
 public:
  // `ends` has the end of each piece in UTF-8.
  RecodedSource(std::shared_ptr<const ByteSource> file, Coding coding, std::vector<uint64_t> ends)
      : ByteSource(file->name(), ends.empty() ? 0 : ends.back(), nullptr),
        file_(std::move(file)),
        coding_(coding),
        ends_(std::move(ends)) {}

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override {
    Recoder recoder(*file_, coding_);
    auto number = static_cast<uint64_t>(std::ranges::upper_bound(ends_, offset) - ends_.begin());
    for (; !into.empty(); ++number) {
      const std::string_view piece = recoder.piece(number, context);
      const uint64_t start = number == 0 ? 0 : ends_[number - 1];
      // A different length means that the file has changed.
      if (piece.size() != ends_[number] - start) file_->throw_changed("was changed while open");
      const std::string_view copied = piece.substr(offset - start, into.size());
      std::ranges::copy(std::as_bytes(std::span(copied)), into.begin());
      into = into.subspan(copied.size());
      offset += copied.size();
    }
  }
  void check_unchanged() const override { file_->check_unchanged(); }
  const char* change() const noexcept override { return file_->change(); }
  uint64_t modified() const noexcept override { return file_->modified(); }

 private:
  std::shared_ptr<const ByteSource> file_;
  Coding coding_;
  std::vector<uint64_t> ends_;
};

std::shared_ptr<const ByteSource> recoded(std::shared_ptr<const ByteSource> file, Coding coding,
                                          const Context& context) {
  file->check_whole_read();
  Recoder recoder(*file, coding);
  std::vector<uint64_t> ends(recoder.pieces());
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < ends.size(); ++i) {
    context.check_cancelled();
    ends[i] = bytes += recoder.piece(i, context).size();
  }
  return std::make_shared<RecodedSource>(std::move(file), coding, std::move(ends));
}

// Detects UTF-16 by a byte order mark or, if UTF-16 was requested, by the position of a zero byte.
std::optional<Coding> utf16_of(std::string_view head, CsvEncoding encoding) {
  if (head.starts_with("\xFF\xFE")) return Coding::Utf16Little;
  if (head.starts_with("\xFE\xFF")) return Coding::Utf16Big;
  if (encoding != CsvEncoding::Utf16) return std::nullopt;
  return head.starts_with('\0') ? Coding::Utf16Big : Coding::Utf16Little;
}

bool has_zeros_between(std::string_view head) {
  if (head.size() < 4) return false;
  const auto is_zero = [&](size_t i) { return head[i] == '\0'; };
  return is_zero(0) == is_zero(2) && is_zero(1) == is_zero(3) && is_zero(0) != is_zero(1);
}

void check_head(const std::string& path, std::string_view head, CsvEncoding encoding) {
  using namespace std::string_view_literals;
  const ForeignFormat* foreign = foreign_format(head);
  if (foreign != nullptr && !looks_like_text(head)) {
    fail(ErrorKind::UnknownFormat, path, "no text, but ", foreign->name);
  }
  if (head.starts_with("\xFF\xFE\0\0"sv) || head.starts_with("\0\0\xFE\xFF"sv)) {
    fail(ErrorKind::UnknownFormat, path, "text in UTF-32; iconv -f utf-32 -t utf-8 makes it UTF-8");
  }
  if (encoding == CsvEncoding::Utf8 && !has_utf16_mark(head) && has_zeros_between(head)) {
    fail_with_hint(ErrorKind::Corrupt, "; if it is, {csv_encoding=utf-16} reads it", path,
                   "every other byte is 0, as in UTF-16");
  }
}

std::optional<Coding> coding_of(std::string_view head, CsvEncoding encoding) {
  switch (encoding) {
    case CsvEncoding::Latin1: return Coding::Latin1;
    case CsvEncoding::Windows1252: return Coding::Windows1252;
    case CsvEncoding::Bytes: return std::nullopt;
    case CsvEncoding::Utf8:
    case CsvEncoding::Utf16: break;
  }
  return utf16_of(head, encoding);
}

}  // namespace

char32_t windows_1252(unsigned char byte) noexcept {
  // Five codes are unused; browsers map them to the control characters of those numbers.
  constexpr std::array<uint16_t, 32> kCodes = {
      0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
  if (byte < 0x80 || byte >= 0xA0) return byte;
  return kCodes[byte - 0x80U];
}

std::shared_ptr<const ByteSource> open_text(std::shared_ptr<const ByteSource> file,
                                            CsvEncoding encoding, const Context& context) {
  const std::string& path = file->name();
  std::array<char, kForeignHeadBytes> head{};
  const uint64_t bytes = std::min<uint64_t>(head.size(), file->size());
  file->read(0, std::as_writable_bytes(std::span(head)).first(bytes), context);
  const std::string_view beginning(head.data(), bytes);
  if (encoding != CsvEncoding::Bytes) check_head(path, beginning, encoding);
  const std::optional<Coding> coding = coding_of(beginning, encoding);
  if (!coding) return file;
  if (encoding == CsvEncoding::Utf8 && context.note) {
    context.note(concat(path, ": text in UTF-16, read as such"));
  }
  return recoded(std::move(file), *coding, context);
}

}  // namespace heron::inline v0::csv
