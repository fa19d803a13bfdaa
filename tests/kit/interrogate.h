// Asks possibly damaged bytes everything that can be asked, for the corruption test and the
// fuzzers.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heron::inline v0 {

// Opens the bytes and asks for header, schema, rows in every way, groups, matrices, a key,
// statistics and verify, all with a bounded MemoryBudget. Whatever ends in an Error has ended well;
// every byte of an answer is touched. An empty `format`: by detection. Returns how many questions
// were answered.
int interrogate(std::span<const std::byte> bytes, const std::string& format = {});

}  // namespace heron::inline v0
