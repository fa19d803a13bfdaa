// Text files: the first byte chooses how they are read, the rest is the file. The answer must be
// that of a plain reader. Unless does_all(), one file in eight is read as a table, too, chosen by
// all of its bytes: a choice by the first would be kept by mutations, and two thirds of the inputs
// came to be tables, which take twice as long.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "kit/choice.h"
#include "kit/plain_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  if (bytes == 0) return 0;
  heron::CsvOptions options;
  options.separator = ",;\t|"[data[0] % 4];
  options.header = data[0] % 8 < 4;
  constexpr heron::CsvEncoding kEncodings[] = {heron::CsvEncoding::Utf8, heron::CsvEncoding::Utf16,
                                               heron::CsvEncoding::Latin1,
                                               heron::CsvEncoding::Utf8};
  options.encoding = kEncodings[data[0] / 16 % 4];
  const bool as_table =
      heron::does_all() || heron::seed_of(std::as_bytes(std::span(data, bytes))) >> 61 == 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, bytes - 1);

  const std::string wrong = heron::disagreement(text, options, as_table);
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}
