// The output file that a path describes, and its writer.
#pragma once

#include <memory>
#include <string>

#include "files/formats.h"
#include "files/open.h"
#include "heron/convert.h"

namespace heron::inline v0 {

struct Target {
  std::string path;
  PathEndings endings;
  const Format* format;

  // `format_name` is a format's name; empty: by the ending of the path. Throws Error: Argument
  // (neither names a format), Unsupported (the format is read only).
  Target(const std::string& out, const std::string& format_name);

  // Throws Error(Argument) for an option that none of the containers has.
  void check_container_options(const WrapOptions& options) const;
  // part.jay -> part-00007.jay
  std::string part(uint64_t number) const;
  // The folder of the path, with a "/" at the end, or ".".
  std::string folder() const;
};

// Writes the finished file into the containers that the target names, in as much memory as they
// need.
OutputFile in_containers(OutputFile payload, const Target& target, const std::string& path,
                         const ConvertOptions& options, const Context& context);

// Makes the writer that create() returns.
std::unique_ptr<CheckedWriter> create_file(const std::string& path, const SharedSchema& schema,
                                           const WriteOptions& options, const Context& context);

}  // namespace heron::inline v0
