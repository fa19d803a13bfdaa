// Real files inside containers, for tests that expect the same answers.
#pragma once

#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "heron/convert.h"
#include "kit/real_files.h"

namespace heron::inline v0 {

struct Wrapping {
  std::string name;                 // part of a test's name
  std::vector<WrapOptions> layers;  // innermost first
};
std::ostream& operator<<(std::ostream& out, const Wrapping& wrapping);

// Returns each way to wrap a file that a reader treats differently.
std::vector<Wrapping> wrappings();

// Returns the path of the file in these containers, which is made at the first call and removed
// when the program ends. Without layers, returns the file itself. One thread at a time.
std::string wrapped(const RealFile& file, const Wrapping& wrapping);

// Returns a dozen real files, of every kind and small enough to be wrapped quickly.
std::vector<RealFile> files_to_wrap();

}  // namespace heron::inline v0
