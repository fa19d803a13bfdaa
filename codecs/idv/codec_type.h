// From a codec's definition to what its values are and how a block holds them.
#pragma once

#include <memory>
#include <string>

#include "heron/row_view.h"
#include "heron/schema.h"
#include "idv/header.h"

namespace heron::inline v0::idv {

// How the values of a block lie in it, once it is not compressed any more.
enum class BlockLayout : uint8_t {
  Cells,       // of the type's width
  Bits,        // one a value
  BitPairs,    // old booleans: two bits a value, which may be null
  Texts,       // boundaries, then characters
  LocalTimes,  // minutes of all values, then ticks of all
  Vectors,     // lengths, counts, positions, then items in a layout of their own
};

struct Codec {
  BlockLayout layout = BlockLayout::Cells;
  Type type;
  NullEncoding nulls = NullEncoding::Never;
  std::string words;                  // as the format calls it: "VBuffer<Single, 3x4>"
  std::shared_ptr<const Codec> item;  // of vectors

  bool nullable() const noexcept { return nulls != NullEncoding::Never; }
};

// What a codec means in one file, opened in one way.
struct CodecRules {
  bool null_values = false;  // the version has values of plain types that mean "null"
  bool stored_keys = false;     // keys are plain numbers
};

// `place` is whose codec it is, for error texts. Throws Error: Unsupported for a codec that nobody
// has defined, or items of one; Corrupt for parameters that a known one cannot have.
Codec read_codec(const ByteSource& file, const std::string& place, const CodecDefinition& codec,
                 const CodecRules& rules);

// The name of the codec without parameters that a type has in the version that is written; empty:
// it has none.
std::string_view plain_codec(const Type& type);

// "Single deflate"; what is not known as the file has it.
std::string encoding_words(std::string_view codec, Compression compression);

}  // namespace heron::inline v0::idv
