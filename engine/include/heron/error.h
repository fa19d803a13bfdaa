// The exception that Heron throws. There is one class for every failure: the kind says what a
// caller can do about it (and sets the exit code of the command line), the text names the file, the
// position in it, what was expected and what was found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

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

// The text is "<file>: <message>", or the message alone where no file is concerned.
class HERON_EXPORT Error : public std::runtime_error {
 public:
  // `hint` is a string literal.
  Error(ErrorKind kind, std::string_view file, std::string_view message, const char* hint = "")
      : std::runtime_error(file.empty() ? std::string(message)
                                        : std::string(file).append(": ").append(message)),
        kind_(kind),
        file_bytes_(static_cast<uint32_t>(file.size())),
        hint_(hint) {}

  ErrorKind kind() const noexcept { return kind_; }
  // The end of a sentence that names options with which the call might succeed, in braces:
  // "; a larger {max_decode} allows more", "; {mmap=false} reads them without". It is not part of
  // the text: each program appends it with the names under which it offers these options. Empty if
  // no option helps.
  const char* hint() const noexcept { return hint_; }
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
  uint32_t file_bytes_;
  const char* hint_;
};

// Returns the text that begins at a pointer and ends at a zero byte. Throws Error(Argument) for a
// null pointer.
HERON_EXPORT std::string_view text_at(const char* text);

}  // namespace heron::inline v0
