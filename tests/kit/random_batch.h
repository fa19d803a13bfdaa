// Batches of any schema with made-up values, to write files from.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heron/values.h"

namespace heron::inline v0 {

// Values are null with that probability, vectors never, their items likewise; behind null texts and
// lists lies something all the same, and the first one does not begin at 0. No value is a NaN or a
// signed integer type's minimum; times are what their types define. Keys of up to kKeysWithValues
// stand for texts, the same in every batch, and others for nothing. Rows of a vector are dense and
// sparse by turns of chance.
inline constexpr uint64_t kKeysWithValues = 100;

// One of each type that the formats of plain numbers, texts and lists do not have.
std::vector<Type> types_of_vectors_and_ticks();

RowBatch random_batch(std::shared_ptr<const Schema> schema, uint64_t rows, double nulls,
                      uint64_t seed);

}  // namespace heron::inline v0
