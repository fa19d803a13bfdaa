#include "units.h"

#include "heron/error.h"

namespace heron::cli {

void require_groups(const Table& table) {
  if (table.group_count() == 0) {
    fail(ErrorKind::Argument, {}, "table \"", table.name(), "\" has no groups of rows");
  }
}

Units::Units(const Table& table, bool by_group) : table_(table), by_group_(by_group) {
  if (by_group) require_groups(table);
}

}  // namespace heron::cli
