// Maps a codec's definition to a type and to the layout of its blocks, and a type to its codec's
// definition.
#pragma once

#include <memory>
#include <string>

#include "heron/schema.h"
#include "idv/header.h"
#include "idv/put.h"

namespace heron::inline v0::idv {

// The layout of a decompressed block.
enum class BlockLayout : uint8_t {
  Cells,       // cells of the type's width
  Bits,        // one bit per value
  BitPairs,    // old booleans: two bits per value, which may be null
  Texts,       // boundaries, then characters
  LocalTimes,  // minutes of all values, then ticks of all values
  Vectors,     // lengths, counts, positions, then items in their own layout
};

struct Codec {
  BlockLayout layout = BlockLayout::Cells;
  Type type;
  NullEncoding nulls = NullEncoding::Never;
  std::string words;                  // the type in the format's words: "VBuffer<Single, 3x4>"
  std::shared_ptr<const Codec> item;  // the codec of a vector's items

  bool nullable() const noexcept { return nulls != NullEncoding::Never; }
};

// Rules to interpret the codecs of one file, with given options.
struct CodecRules {
  bool null_values = false;  // the version has null values of plain types
  bool stored_keys = false;  // keys are plain numbers
};

// `owner` names the owner of the codec in errors. Throws Error: Unsupported for an undefined codec,
// or one of undefined items; Corrupt for invalid parameters of a known one.
Codec read_codec(const ByteSource& file, const std::string& owner, const CodecDefinition& codec,
                 const CodecRules& rules);

// Returns the name of the codec without parameters for a type, in the written version; empty: none.
std::string_view plain_codec(const Type& type);

// Appends the definition of the codec for a type that kWriteSupport supports: name and parameters.
void put_definition(Bytes& out, const Type& type);

// Returns "Single deflate", for example; unknown names as in the file.
std::string encoding_words(std::string_view codec, Compression compression);

}  // namespace heron::inline v0::idv
