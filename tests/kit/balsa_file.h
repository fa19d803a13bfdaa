// Balsa files made in memory piece by piece, also invalid ones that no program writes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace heron::inline v0 {

struct BalsaTree {
  uint8_t class_count = 3;
  uint8_t feature_count = 4;
  std::string value_type =
      "fl32";  // as its header says it and, if it is a float's, as it is stored
  std::vector<uint32_t> left, right;
  std::vector<uint8_t> feature;
  std::vector<double> value;
  std::vector<uint8_t> label;
};

// Returns the bytes of pieces; a file is header() followed by objects.
class BalsaFile {
 public:
  explicit BalsaFile(std::endian order = std::endian::little) : order_(order) {}

  template <class T>
  std::string number(T value) const {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof value);
    if (order_ != std::endian::native) std::reverse(bytes.begin(), bytes.end());
    return {bytes.data(), bytes.size()};
  }
  static std::string text(std::string_view text) {
    return static_cast<char>(text.size()) + std::string(text);
  }
  static std::string entry(std::string_view key, std::string_view type_id, std::string value) {
    return text(key) + std::string(type_id) + std::move(value);
  }
  static std::string ui08(std::string_view key, uint8_t value) {
    return entry(key, "ui08", {static_cast<char>(value)});
  }
  std::string ui32(std::string_view key, uint32_t value) const {
    return entry(key, "ui32", number(value));
  }
  static std::string strn(std::string_view key, std::string_view value) {
    return entry(key, "strn", text(value));
  }
  static std::string dictionary(const std::vector<std::string>& entries) {
    std::string all = "dict" + std::string(1, static_cast<char>(entries.size()));
    for (const std::string& one : entries) all += one;
    return all + "tcid";
  }

  std::string header(std::vector<std::string> entries = {ui08("file_major_version", 1),
                                                         ui08("file_minor_version", 0)}) const {
    return std::string("blsa") + (order_ == std::endian::little ? "lend" : "bend") +
           dictionary(entries);
  }

  // Returns a table with the given cells, of any number.
  template <class T>
  std::string table(std::string_view type_id, uint32_t rows, uint32_t columns,
                    const std::vector<T>& cells) const {
    return table(dictionary({ui32("row_count", rows), ui32("column_count", columns),
                             strn("scalar_type_id", type_id)}),
                 cells);
  }
  template <class T>
  std::string table(const std::string& dictionary, const std::vector<T>& cells) const {
    std::string all = "tabl" + dictionary;
    for (const T& cell : cells) all += number(cell);
    return all + "lbat";
  }

  template <class T>
  std::string array(std::string_view type_id, const std::vector<T>& cells) const {
    return table(type_id, static_cast<uint32_t>(cells.size()), 1, cells);
  }
  std::string values(const BalsaTree& tree) const {
    if (tree.value_type == "fl64") return array("fl64", tree.value);
    return array("fl32", std::vector<float>(tree.value.begin(), tree.value.end()));
  }
  // Returns a tree with five given tables.
  static std::string tree(const BalsaTree& of, const std::string& tables) {
    return "tree" +
           dictionary({ui08("class_count", of.class_count), ui08("feature_count", of.feature_count),
                       strn("feature_type_id", of.value_type)}) +
           tables + "eert";
  }
  std::string tree(const BalsaTree& of) const {
    return tree(of, array("ui32", of.left) + array("ui32", of.right) + array("ui08", of.feature) +
                        values(of) + array("ui08", of.label));
  }
  static std::string ensemble(const std::string& trees, uint8_t class_count = 3,
                              uint8_t feature_count = 4) {
    return "ensl" +
           dictionary({ui08("class_count", class_count), ui08("feature_count", feature_count)}) +
           trees + "lsne";
  }

 private:
  std::endian order_;
};

inline const BalsaFile kBalsaFile;  // little-endian

}  // namespace heron::inline v0
