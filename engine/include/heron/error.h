// The exception that Heron throws. There is one class for every failure: the kind says what a
// caller can do about it (and sets the exit code of the command line), the text names the file, the
// position in it, what was expected and what was found.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "heron/export.h"

namespace heron::inline v0 {

enum class ErrorKind : uint8_t {
  Io,             // the file cannot be opened or read
  Write,          // a file cannot be written, or already exists
  Changed,        // the file was changed or cut short while open
  UnknownFormat,  // no format knows these bytes
  Unsupported,    // a version, codec or type that is undefined or that Heron does not read
  Corrupt,        // the bytes contradict themselves
  Argument,       // an invalid argument, such as a column that does not exist
  Limit,          // a stated limit was hit; the text names it
  Cancelled,      // the caller's Context requested cancellation
};

// An option of the library with which the call might succeed. Error texts do not name it: a program
// adds the name under which it offers the option.
enum class Hint : uint8_t {
  None,
  MaxDecode,        // a larger OpenOptions::max_decode
  WithoutMap,       // OpenOptions::map
  Format,           // OpenOptions::format, set to the container's: only the container is opened
  FormatCsv,        // the text may be CSV
  Limit,            // Query::limit
  FewerColumns,     // Query::columns, Query::limit: fewer columns or rows
  Replace,          // the option `replace`: the file exists
  CastOrDrop,       // ConvertOptions::cast, drop_unsupported
  DropColumns,      // ConvertOptions::drop_unsupported
  DropUnreadable,   // ConvertOptions::drop_unsupported, for columns that cannot be read
  BlockRows,        // a smaller block_rows, an option of IDV
  Sparse,           // ValueForm::sparse
  AddressBits,      // more address bits, or bits of previous features, of TreeZip
  EncodingUtf16,    // CsvOptions::encoding
  EncodingOneByte,  // CsvOptions::encoding: Latin1 or Windows1252
  Entry,            // OpenOptions::entry
  Memory,           // a larger budget in Context::memory; or fewer rows
  Cast,             // ConvertOptions::cast alone
  FeatureColumns,   // PredictOptions::features
  NullsAsNaN,       // PredictOptions::nulls_as_nan
};

// The text is "<file>: <message>", or the message alone where no file is concerned.
class HERON_EXPORT Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string_view file, std::string_view message, Hint hint = Hint::None)
      : std::runtime_error(file.empty() ? std::string(message)
                                        : std::string(file).append(": ").append(message)),
        kind_(kind),
        hint_(hint),
        file_bytes_(static_cast<uint32_t>(file.size())) {}

  ErrorKind kind() const noexcept { return kind_; }
  Hint hint() const noexcept { return hint_; }
  bool names_file() const noexcept { return file_bytes_ != 0; }
  // The parts of the text. Valid as long as the Error.
  std::string_view file() const noexcept { return {what(), file_bytes_}; }
  std::string_view message() const noexcept {
    std::string_view text = what();  // ends where the name of a file has a zero byte
    text.remove_prefix(std::min<size_t>(text.size(), names_file() ? file_bytes_ + 2 : 0));
    return text;
  }

 private:
  ErrorKind kind_;
  Hint hint_;
  uint32_t file_bytes_;
};

// Appends text, numbers and characters to one string: how error texts are built.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  auto append = [&out](const auto& part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::is_same_v<Part, char>) {
      out += part;
    } else if constexpr (std::is_arithmetic_v<Part>) {
      char digits[32];
      out.append(digits, std::to_chars(digits, digits + sizeof digits, part).ptr);
    } else {
      out += std::string_view(part);
    }
  };
  (append(parts), ...);
  return out;
}

// Returns the text that begins at a pointer and ends at a zero byte. Throws Error(Argument) for a
// null pointer.
HERON_EXPORT std::string_view text_at(const char* text);

// Throws Error(kind, file, concat(parts...)).
template <class... Parts>
[[noreturn]] void fail(ErrorKind kind, std::string_view file, const Parts&... parts) {
  throw Error(kind, file, concat(parts...));
}
template <class... Parts>
[[noreturn]] void fail_with_hint(ErrorKind kind, Hint hint, std::string_view file,
                                 const Parts&... parts) {
  throw Error(kind, file, concat(parts...), hint);
}

}  // namespace heron::inline v0
