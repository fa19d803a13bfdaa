#include "idv/codec_type.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"

namespace heron::inline v0::idv {
namespace {

// A codec without parameters.
struct PlainCodec {
  std::string_view name;
  Type::Id type;
  BlockLayout layout = BlockLayout::Cells;
};
constexpr PlainCodec kPlainCodecs[] = {
    {"SByte", Type::Int8},
    {"Byte", Type::UInt8},
    {"Int16", Type::Int16},
    {"UInt16", Type::UInt16},
    {"Int32", Type::Int32},
    {"UInt32", Type::UInt32},
    {"Int64", Type::Int64},
    {"UInt64", Type::UInt64},
    {"Single", Type::Float32},
    {"Double", Type::Float64},
    {"Boolean", Type::Bool, BlockLayout::Bits},
    {"TextSpan", Type::Text, BlockLayout::Texts},
    {"TimeSpan", Type::Duration},
    {"DateTime", Type::DateTime},
    {"DateTimeOffset", Type::DateTimeOffset, BlockLayout::LocalTimes},
    {"DataViewRowId", Type::RowId},
    // Codecs of versions up to 1.1.1.5.
    {"DvBool", Type::Bool, BlockLayout::BitPairs},
    {"DvTimeSpan", Type::Duration},
    {"DvDateTime", Type::DateTime},
    {"DvDateTimeZone", Type::DateTimeOffset, BlockLayout::LocalTimes},
};

NullEncoding null_encoding(const PlainCodec& codec, const CodecRules& rules) {
  if (codec.layout == BlockLayout::BitPairs) return NullEncoding::Bitmap;  // has its own bitmap
  if (!rules.null_values) return NullEncoding::Never;
  switch (codec.type) {
    case Type::Int8:
    case Type::Int16:
    case Type::Int32:
    case Type::Int64:
    case Type::Duration:
    case Type::DateTime:
    case Type::DateTimeOffset: return NullEncoding::Sentinel;
    case Type::Text: return NullEncoding::OffsetBit;
    default: return NullEncoding::Never;
  }
}

constexpr std::string_view kOldKeys =
    ", as development builds of ML.NET wrote it in 2018; released ones do not read it either";

class CodecReader {
 public:
  CodecReader(const ByteSource& file, const std::string& owner, const CodecRules& rules)
      : file_(file), owner_(owner), rules_(rules) {}

  // The use of a codec: items of vectors cannot be vectors, and numbers of keys must be plain
  // numbers.
  enum class Use { Column, Item, Number };

  Codec read(const CodecDefinition& definition, Use use) const {
    PackedReader parameters(file_, owner_, definition.offset, definition.parameters);
    Codec codec = read_known(definition.name, parameters, use);
    if (parameters.left() != 0) {
      parameters.fail_here(ErrorKind::Corrupt, "codec parameters", "expected no more of codec ",
                           definition.name, ", got ", parameters.left(), " bytes");
    }
    return codec;
  }

 private:
  Codec read_known(std::string_view name, PackedReader& parameters, Use use) const {
    const bool is_vector = name == kVector;
    const bool is_key = name == kKey || name == kOldKey;
    if ((is_vector && use != Use::Column) || (is_key && use == Use::Number)) {
      parameters.fail_here(ErrorKind::Corrupt, "codec parameters", "expected items of ",
                           is_vector ? "vectors or keys" : "keys", " that are none themselves");
    }
    if (is_vector) return read_vector(parameters);
    if (is_key) return read_key(name, parameters);
    for (const PlainCodec& plain : kPlainCodecs) {
      if (plain.name == name) {
        return {plain.layout, plain.type, null_encoding(plain, rules_), std::string(name), nullptr};
      }
    }
    if (name.empty()) parameters.fail_here(ErrorKind::Corrupt, "codec", "expected a name");
    parameters.fail_here(ErrorKind::Unsupported, "codec", "no codec \"", name, "\" is known");
  }

  Codec read_key(std::string_view name, PackedReader& parameters) const {
    const Codec item = read(next_codec(parameters), Use::Number);
    const Type::Id stored = item.type.id();
    if (item.layout != BlockLayout::Cells || stored < Type::UInt8 || stored > Type::UInt64) {
      parameters.fail_here(ErrorKind::Corrupt, "item of codec", "expected unsigned integers, got ",
                           item.words);
    }
    const uint64_t most = ~uint64_t{0} >> (64 - 8 * item.type.width());
    const uint64_t count =
        name == kKey ? parameters.cell<u64le>("key count") : read_old_count(parameters, most);
    if (count == 0 || count > most) {
      parameters.fail_here(ErrorKind::Corrupt, "key count", "expected 1 to ", most, ", got ",
                           count);
    }
    Codec codec{item.layout, Type::key(stored, count), NullEncoding::Zero,
                concat(name, '<', item.words, '>'), nullptr};
    if (rules_.stored_keys) {
      codec.type = item.type;
      codec.nulls = NullEncoding::Never;
    }
    return codec;
  }

  // Old keys could have gaps, and a smallest key other than 0. No released ML.NET reads either:
  // gaps are corrupt, other smallest keys unsupported, because they are as their writers meant
  // them.
  static uint64_t read_old_count(PackedReader& parameters, uint64_t most) {
    if (const unsigned contiguous = parameters.byte("contiguous keys"); contiguous != 1) {
      parameters.fail_here(ErrorKind::Corrupt, "contiguous keys", "expected 1, got ", contiguous);
    }
    if (const uint64_t min = parameters.cell<u64le>("smallest key"); min != 0) {
      parameters.fail_here(ErrorKind::Unsupported, "smallest key", "expected 0, got ", min,
                           kOldKeys);
    }
    const int64_t count = parameters.cell<i32le>("key count");
    if (count < 0) {
      parameters.fail_here(ErrorKind::Corrupt, "key count", "expected at least 0, got ", count);
    }
    return count == 0 ? most : static_cast<uint64_t>(count);  // 0: the count is unknown
  }

  Codec read_vector(PackedReader& parameters) const {
    auto item = std::make_shared<const Codec>(read(next_codec(parameters), Use::Item));
    const int64_t rank = parameters.cell<i32le>("rank");
    if (rank < 0 || static_cast<uint64_t>(rank) > parameters.left() / sizeof(i32le)) {
      parameters.fail_here(ErrorKind::Corrupt, "rank", "expected 0 to ",
                           parameters.left() / sizeof(i32le), ", got ", rank);
    }
    std::string words = concat(kVector, '<', item->words);
    std::vector<uint64_t> dimensions;
    uint64_t slots = 1;
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t dimension = parameters.cell<i32le>("dimension");
      if (dimension < 0) {
        parameters.fail_here(ErrorKind::Corrupt, "dimension", "expected at least 0, got ",
                             dimension);
      }
      words += concat(i == 0 ? ", " : "x", dimension);
      dimensions.push_back(static_cast<uint64_t>(dimension));
      slots *= dimensions.back();
      if (slots > INT32_MAX) {
        parameters.fail_here(ErrorKind::Corrupt, "dimension", "expected at most ", INT32_MAX,
                             " slots, got ", slots);
      }
    }
    Type type = Type::vector(item->type, dimensions);
    return {BlockLayout::Vectors, std::move(type), NullEncoding::Never, words + '>',
            std::move(item)};
  }

  const ByteSource& file_;
  const std::string& owner_;
  CodecRules rules_;
};

}  // namespace

Codec read_codec(const ByteSource& file, const std::string& owner, const CodecDefinition& codec,
                 const CodecRules& rules) {
  return CodecReader(file, owner, rules).read(codec, CodecReader::Use::Column);
}

// The current name of a type precedes its old ones in the table.
std::string_view plain_codec(const Type& type) {
  if (type.is(Type::Duration) && type.unit() != Type::Tick) return {};
  const Type::Id id = type.is_text() ? Type::Text : type.id();
  for (const PlainCodec& plain : kPlainCodecs) {
    if (plain.type == id) return plain.name;
  }
  return {};
}

std::string encoding_words(std::string_view codec, Compression compression) {
  switch (compression) {
    case Compression::None: return concat(codec, " none");
    case Compression::Deflate: return concat(codec, " deflate");
    case Compression::Zlib: return concat(codec, " zlib");
  }
  return concat(codec, " compression ", static_cast<unsigned>(compression));
}

void put_definition(Bytes& out, const Type& type) {
  Bytes parameters;
  if (type.is(Type::Vector)) {
    put_string(out, kVector);
    put_definition(parameters, type.item());
    const uint64_t slots[] = {type.size()};
    const auto dimensions = type.dimensions().empty() ? std::span(slots) : type.dimensions();
    put_cell<i32le>(parameters, static_cast<int32_t>(dimensions.size()));
    for (const uint64_t size : dimensions) put_cell<i32le>(parameters, static_cast<int32_t>(size));
  } else if (type.is(Type::Key)) {
    put_string(out, kKey);
    put_definition(parameters, type.item());
    put_cell<u64le>(parameters, type.size());
  } else {
    put_string(out, plain_codec(type));
  }
  put_leb128(out, parameters.size());
  put(out, parameters);
}

}  // namespace heron::inline v0::idv
