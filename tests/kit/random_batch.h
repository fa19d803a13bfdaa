// Makes batches of random values for any schema, from which tests write files.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heron/values.h"

namespace heron::inline v0 {

// Values and items of vectors are null with probability `nulls`, vectors never; null texts and
// lists have bytes or items, too, and the first text or list does not begin at 0. No value is a NaN
// or a signed integer type's minimum; times are in the ranges of their types. Keys of up to
// kKeysWithValues have texts as values, the same in every batch, and others have none. Rows of a
// vector are dense or sparse at random.
inline constexpr uint64_t kKeysWithValues = 100;

// Returns every type that formats with only numbers, texts and lists do not support.
std::vector<Type> types_of_vectors_and_ticks();
// Returns types of times that Jay and IDV do not support: with other units, time zones, times of
// day.
std::vector<Type> types_of_other_times();
// Returns types of decimals and binary.
std::vector<Type> types_of_decimals_and_binary();

RowBatch random_batch(std::shared_ptr<const Schema> schema, uint64_t rows, double nulls,
                      uint64_t seed);

}  // namespace heron::inline v0
