// What a codec returns: the contents of a table, and of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"
#include "heron/file.h"
#include "heron/table.h"

namespace heron::inline v0 {

class EntryTables;
class TableSource;

// Moved into a Table, which opens the columns of `source` at their first use.
struct TableContents {
  std::string name;
  uint64_t rows = 0;
  std::shared_ptr<const ByteSource> bytes;
  std::unique_ptr<const TableSource> source;
};

// Moved into a File.
struct FileContents {
  std::shared_ptr<const ByteSource> bytes;           // bytes that hold the tables
  std::shared_ptr<const ByteSource> file = nullptr;  // file around them; null: same as `bytes`
  std::string format;                                // "jay"
  std::vector<std::string> containers = {};
  std::vector<std::shared_ptr<const Table>> tables = {};
  std::vector<std::pair<std::string, std::string>> header = {};
  // The format's counters of reading its tables; null: none.
  std::function<std::vector<Counter>()> counters = nullptr;
  // Returns what Format::index() would, without reading the file again; null: call that.
  std::function<std::vector<std::byte>()> index = nullptr;
  // The tables of an archive, opened at their first use; null: `tables` are all.
  std::shared_ptr<const EntryTables> entries = nullptr;
};

}  // namespace heron::inline v0
