// Files inside a container (TreeZip), with the payload written beside them during the measurement:
// bytes of unknown format, and tables.
#pragma once

#include <span>
#include <string>

#include "file.h"
#include "payload_bound.h"

namespace heron::bench {

// The payload of the outermost container, in a file of its own, removed with the object.
class Unpacked {
 public:
  Unpacked(const std::string& packed, const OpenOptions& options);
  ~Unpacked();
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Bytes: a table of one column with a row per byte.
struct PayloadFile : MeasuredFile {
  // `file_path` passes is_payload(). Throws Error(Argument) if it is too small, or its bound does
  // not support it.
  PayloadFile(std::string file_path, const OpenOptions& open_options);

  StoredTree tree;
  NodeTable table;
  Unpacked raw;
  PlainMap raw_map;
  OpenOptions forgetful_options;  // options to open the file with a cache that keeps nothing

  std::span<const std::byte> payload() const { return {raw_map.base(), raw_map.bytes()}; }
  bool looks_back() const { return table.looks_back; }
  // Returns whether the beginning of the payload is text.
  bool is_text() const;
  // Returns a number of the header.
  uint64_t header(std::string_view name) const;
};

// A table, read with a cache that keeps nothing.
struct PackedFile : MeasuredFile {
  // `file_path` passes is_packed().
  PackedFile(std::string file_path, const OpenOptions& open_options);

  Unpacked raw;
  std::shared_ptr<const File> raw_file;
  Projection raw_all;

  // Returns the bytes of the payload decoded so far.
  uint64_t decoded_bytes() const;
};

bool is_payload(const File& file);
bool is_packed(const File& file);

}  // namespace heron::bench
