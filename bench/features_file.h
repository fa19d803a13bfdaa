// A table of float32 features whose columns lie side by side in rows.
#pragma once

#include "features_bound.h"
#include "file.h"

namespace heron::bench {

struct FeaturesFile : File {
  // `file_path` is of a file that is_features().
  FeaturesFile(std::string file_path, const OpenOptions& open_options);

  FeatureRows table;
};

// Whether the first table is of kFeatures float32 columns, one row after the other.
bool is_features(const Dataset& dataset);

}  // namespace heron::bench
