// The tables of an archive, as File needs them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_source.h"
#include "heron/file.h"
#include "heron/table.h"

namespace heron::inline v0 {

// Opens entries at their first use. Thread-safe. The calls do what those of File do.
class EntryTables {
 public:
  virtual ~EntryTables() = default;

  virtual std::span<const ArchiveEntry> entries() const = 0;
  virtual const std::vector<std::shared_ptr<const Table>>& tables() const = 0;
  virtual const std::shared_ptr<const Table>& table(std::string_view name) const = 0;
  // Compares all entries with their checksums. Throws the first damage, and Error(Unsupported) if
  // none can be read; returns why others cannot.
  virtual std::vector<std::string> verify(const Context& context) const = 0;
  // Calls set_indexed_file() of all tables, before this is shared between threads.
  virtual void set_indexed_file(std::shared_ptr<const ByteSource> file) const = 0;
};

}  // namespace heron::inline v0
