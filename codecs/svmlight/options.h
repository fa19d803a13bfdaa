// The options of SVMLight files.
#pragma once

#include "format/format_options.h"
#include "heron/file.h"

namespace heron::inline v0::svmlight {

// The index that the first feature has in the file.
enum class FeatureBase : uint8_t { Detect /* 0 if a row has a feature 0, else 1 */, Zero, One };

inline constexpr std::string_view kFeatureBase = "feature_base", kDense = "dense",
                                  kWriteBase = "first_feature";

inline constexpr FormatOption kOptions[] = {
    {.name = kFeatureBase,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Word,
     .what = "read features of svmlight files as numbered from 0 or from 1 (default: detected)",
     .value = "BASE",
     .choices = "detect 0 1",
     .elsewhere = "zero-based one-based"},
    {.name = kDense,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Switch,
     .what = "read each feature of an svmlight file as a column"},
    {.name = kWriteBase,
     .what = "number the features of an svmlight file from this index on (default: 1)",
     .value = "N",
     .max = 1},
};

inline FeatureBase feature_base(const OpenOptions& options) {
  const std::string_view base = text_option(options.format_options, kFeatureBase);
  if (base == "0") return FeatureBase::Zero;
  return base == "1" ? FeatureBase::One : FeatureBase::Detect;
}

}  // namespace heron::inline v0::svmlight
