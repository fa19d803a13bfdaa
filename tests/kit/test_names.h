// Names of tests with parameters.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "format/format.h"
#include "kit/wrapped_files.h"

namespace heron::inline v0 {

// Names a test after the format, or after the real file, its wrapping and the way of reading.
struct TestName {
  std::string operator()(const testing::TestParamInfo<const Format*>& test) const {
    return std::string(test.param->name);
  }
  std::string operator()(const testing::TestParamInfo<std::tuple<RealFile, Wrapping>>& test) const {
    const auto& [file, wrapping] = test.param;
    return file.test_name() + wrapping.name;
  }
  std::string operator()(
      const testing::TestParamInfo<std::tuple<RealFile, Wrapping, bool>>& test) const {
    const auto& [file, wrapping, map] = test.param;
    return file.test_name() + wrapping.name + (map ? "_mapped" : "_pread");
  }
};

}  // namespace heron::inline v0
