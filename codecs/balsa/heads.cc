#include "balsa/heads.h"

#include <cstring>
#include <initializer_list>
#include <string_view>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "heron/error.h"

namespace heron::inline v0::balsa {
namespace {

std::string number(uint32_t value, std::endian order) {
  std::string bytes(sizeof value, 0);
  const auto put = [&](auto stored) { std::memcpy(bytes.data(), &stored, sizeof stored); };
  order == std::endian::little ? put(u32le(value)) : put(u32be(value));
  return bytes;
}

// Returns a string as a key or value is stored: its length, then its bytes.
std::string counted(std::string_view text) {
  return concat(static_cast<char>(text.size()), text);
}

std::string ui08(std::string_view key, uint8_t value) {
  return concat(counted(key), "ui08", static_cast<char>(value));
}
std::string ui32(std::string_view key, uint32_t value, std::endian order) {
  return concat(counted(key), "ui32", number(value, order));
}
std::string strn(std::string_view key, std::string_view value) {
  return concat(counted(key), kString, counted(value));
}

std::string dictionary(std::initializer_list<std::string> entries) {
  std::string bytes = concat(kDictionary, static_cast<char>(entries.size()));
  for (const std::string& entry : entries) bytes += entry;
  return bytes += kDictionaryEnd;
}

}  // namespace

std::string file_head(std::endian order) {
  return concat(
      kSignature, order == std::endian::little ? kLittleEndian : kBigEndian,
      dictionary({ui08("file_major_version", kMajorVersion), ui08("file_minor_version", 0)}));
}

std::string table_head(const Scalar& scalar, std::endian order, uint32_t rows, uint32_t columns) {
  return concat(kTable,
                dictionary({ui32("column_count", columns, order), ui32("row_count", rows, order),
                            strn("scalar_type_id", scalar.id)}));
}

std::string ensemble_head(uint8_t class_count, uint8_t feature_count) {
  return concat(kEnsemble, dictionary({ui08("class_count", class_count),
                                       ui08("feature_count", feature_count)}));
}

std::string tree_head(uint8_t class_count, uint8_t feature_count, bool wide) {
  return concat(kTree,
                dictionary({ui08("class_count", class_count), ui08("feature_count", feature_count),
                            strn("feature_type_id", scalar_of(kValue, wide).id)}));
}

}  // namespace heron::inline v0::balsa
