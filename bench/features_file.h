// A table of float32 features, stored row by row.
#pragma once

#include "features_bound.h"
#include "file.h"

namespace heron::bench {

struct FeaturesFile : MeasuredFile {
  // `file_path` passes is_features().
  FeaturesFile(std::string file_path, const OpenOptions& open_options);

  FeatureRows table;
};

// Returns whether the first table has kFeatures float32 columns, stored row by row.
bool is_features(const File& file);

}  // namespace heron::bench
