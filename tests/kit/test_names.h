// What tests with parameters are called.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "format/format.h"
#include "kit/wrapped_files.h"

namespace heron::inline v0 {

// As the format, or as the real file, what wraps it and how it is read.
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
