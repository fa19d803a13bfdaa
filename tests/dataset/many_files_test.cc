// Several files as one dataset: a file twice is its rows twice, in every way to ask.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "bytes/byte_source.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "registry.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using test::TempFolder;

std::shared_ptr<const Dataset> open_all(const std::vector<std::string>& paths, bool map = true) {
  OpenOptions options;
  options.map = map;
  return open(paths, options);
}

std::string data(const std::string& name) {
  return concat(HERON_DATA_DIR, "/", name);
}

