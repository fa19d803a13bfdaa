// Reads columns of labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Reads labels from a batch of a column whose first row is `first_row` of the source. Throws
// Error(Argument), naming source, column and row, for anything but whole numbers from 0 to 254.
void read_class_labels(const std::string& source, const Field& field, const Values& values,
                       uint64_t first_row, std::vector<uint8_t>& labels);

}  // namespace heron::inline v0
