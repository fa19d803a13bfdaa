// Converts the null encodings of files to Arrow's validity bitmap.
#pragma once

#include "base/arena.h"
#include "bytes/byte_source.h"
#include "heron/context.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Sets values.validity and values.null_count from bits; no bitmap if no row is null. `bits` cover
// exactly values.rows and must live as long as the values.
void set_validity(Values& values, const std::byte* bits);

// Sets the validity from bytes: 1 is valid, 0 is null.
void set_validity_from_flags(Values& values, const uint8_t* valid, Arena& arena);

// Sets the validity from consecutive cells with the Sentinel, Zero and NaN encodings, of their
// stored type (a bool: a byte). Other encodings leave `values` unchanged.
void set_validity_from_cells(Values& values, const Type& stored, NullEncoding rule,
                             const std::byte* cells, Arena& arena);

// Makes the rows of `values` null that are null in `other`, of as many rows.
void drop_nulls_of(const Values& other, Values& values, Arena& arena);

// Makes rows null whose cell is a NaN, in addition to those already null.
void drop_nans(Values& values, const Type& stored, const std::byte* cells, Arena& arena);

// The validity bits of consecutive rows, or of any rows, from a bitmap in the file.
const std::byte* read_bits(const ByteView& bitmap, RowRange rows, Arena& arena,
                           const Context& context);
const std::byte* take_bits(const ByteView& bitmap, std::span<const uint64_t> rows, Arena& arena,
                           const Context& context);

// One bit per row from bools stored as bytes: set if the byte is not 0.
const std::byte* pack_bools(const std::byte* bytes, uint64_t rows, Arena& arena);

}  // namespace heron::inline v0
