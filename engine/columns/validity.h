// From the ways in which files mark nulls to Arrow's validity bitmap.
#pragma once

#include "base/arena.h"
#include "columns/column.h"

namespace heron::inline v0 {

// Sets values.validity and values.null_count from bits; no bitmap when none of values.rows is null.
// `bits` hold exactly those rows and must live as long as the values.
void set_validity(Values& values, const std::byte* bits);

// The same from bytes that are 1 where a value is there and 0 where it is null.
void set_validity_from_flags(Values& values, const uint8_t* valid, Arena& arena);

// The same from cells that lie one after the other: Sentinel, Zero and NaN rules, of the type they
// are stored as (a bool: a byte). Other rules leave `values` alone.
void set_validity_from_cells(Values& values, const Type& stored, NullEncoding rule,
                             const std::byte* cells, Arena& arena);

// Takes the rows out of values that `other`, of as many rows, has not.
void drop_nulls_of(const Values& other, Values& values, Arena& arena);

// Takes the rows out of values whose cell is a NaN, besides those that are null already.
void drop_nans(Values& values, const Type& stored, const std::byte* cells, Arena& arena);

// The validity of consecutive rows, or of any, out of a bitmap in the file.
const std::byte* read_bits(const ByteView& bitmap, RowRange rows, Arena& arena,
                           const Context& context);
const std::byte* take_bits(const ByteView& bitmap, std::span<const uint64_t> rows, Arena& arena,
                           const Context& context);

// One bit a row of bools stored as bytes: set where the byte is not 0.
const std::byte* pack_bools(const std::byte* bytes, uint64_t rows, Arena& arena);

}  // namespace heron::inline v0
