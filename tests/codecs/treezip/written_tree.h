// The output of an encoder, as bytes.
#pragma once

#include <string>
#include <vector>

#include "bytes/output_file.h"
#include "temp_folder.h"
#include "treezip/write/tree_writer.h"

namespace heron::test {

// Returns the bytes that `write` appends to a file.
template <class Write>
std::string appended(const Write& write) {
  const TempFolder folder;
  OutputFile file(folder / "trees");
  Appender appender(file, 0);
  write(appender);
  appender.flush();
  file.publish();
  return folder.read("trees");
}

// Returns the tree that `write` writes to a TreeWriter.
template <class Write>
std::string written_tree(const Write& write) {
  return appended([&](Appender& appender) {
    treezip::TreeWriter writer(appender);
    write(writer);
    writer.finish();
  });
}

inline std::string text_of(const std::vector<bool>& bits) {
  std::string bytes((bits.size() + 7) / 8, '\0');
  for (size_t at = 0; at < bits.size(); ++at) {
    if (bits[at]) bytes[at / 8] = static_cast<char>(bytes[at / 8] | 1 << at % 8);
  }
  return bytes;
}

}  // namespace heron::test
