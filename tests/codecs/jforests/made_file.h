// jforests files made in memory by the drawing in layout.h, with each part right or wrong.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/dataset_rows.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"
#include "jforests/options.h"

namespace heron::test {

// Returns the bytes of the number, the highest first.
template <class T>
std::string big_endian(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <class T>
std::string big_endian(const std::vector<T>& values) {
  std::string bytes;
  for (const T value : values) bytes += big_endian(value);
  return bytes;
}

enum Stored : char { kNull, kBit, kByte, kShort, kInt };

struct MadeFeature {
  char type = kNull;
  std::string indices = {};
  std::vector<int32_t> values = {0};
  std::string name = {};
  // The factor is 32766 / (max - min), as in every file, unless it is to be wrong.
  double min = 0;
  double max = 16383;
  double factor = 2;
  char log = 0;
  // Stored claims that are false; nullopt stores the true value.
  std::optional<int32_t> value_count = {};
  std::optional<int16_t> name_length = {};
  std::string spare = {};

  std::string record() const {
    return indices + big_endian(value_count.value_or(static_cast<int32_t>(values.size()))) +
           big_endian(values) +
           big_endian(name_length.value_or(static_cast<int16_t>(name.size()))) + name +
           big_endian(min) + big_endian(max) + big_endian(factor) + log + spare;
  }
};

struct MadeFile {
  std::vector<double> targets;
  std::vector<MadeFeature> features = {};
  std::optional<std::vector<int32_t>> boundaries = {};  // boundaries of a ranking file
  int32_t version = 3;

  uint64_t targets_offset() const { return 12 + 5 * features.size() + (boundaries ? 4 : 0); }
  uint64_t feature_offset(uint64_t index) const {
    uint64_t offset = targets_offset() + 8 * targets.size();
    for (uint64_t i = 0; i < index; ++i) offset += features[i].record().size();
    return offset;
  }
  uint64_t boundaries_offset() const { return feature_offset(features.size()); }

  std::string bytes() const {
    std::string sizes, types, records;
    for (const MadeFeature& feature : features) {
      sizes += big_endian(static_cast<int32_t>(feature.record().size()));
      types += feature.type;
      records += feature.record();
    }
    std::string file = big_endian(version) + big_endian(static_cast<int32_t>(features.size())) +
                       big_endian(static_cast<int32_t>(targets.size())) + sizes + types;
    if (boundaries) file += big_endian(static_cast<int32_t>(boundaries->size() - 1));
    file += big_endian(targets) + records;
    if (boundaries) file += big_endian(*boundaries);
    return file;
  }
};

inline std::string with(std::string bytes, uint64_t offset, const std::string& patch) {
  return bytes.replace(offset, patch.size(), patch);
}

// Opens the bytes as a dataset, with an address or without one.
inline std::shared_ptr<const File> open_bytes(const std::string& bytes,
                                                 const OpenOptions& options = {},
                                                 bool mapped = true) {
  return open_source(made_source("made.bin", std::as_bytes(std::span(bytes)), mapped), options,
                      {});
}

using jforests::CodedValues;
using jforests::GroupMode;

inline OpenOptions in_view(CodedValues values) {
  constexpr const char* kWords[] = {"original", "scaled", "index"};
  OpenOptions options;
  options.set("values", kWords[static_cast<int>(values)]);
  return options;
}

inline OpenOptions in_mode(GroupMode mode) {
  OpenOptions options;
  if (mode != GroupMode::Infer) options.set("mode", mode == GroupMode::Plain ? "plain" : "ranking");
  return options;
}

// Returns all rows, read in every way.
inline std::vector<std::string> rows_every_way(const std::string& bytes,
                                               const OpenOptions& options = {}) {
  return rows_in_every_way([&](bool mapped) { return open_bytes(bytes, options, mapped); });
}

}  // namespace heron::test
