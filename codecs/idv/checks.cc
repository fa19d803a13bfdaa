#include "idv/checks.h"

#include "base/fail.h"
#include "format/check_supported.h"
#include "heron/error.h"
#include "idv/idv.h"

namespace heron::inline v0::idv {
namespace {

// Returns whether a null can be stored: as NaN, or as the key 0.
bool has_stand_in(const Type& type) {
  return kWriteSupport.type_support(type).nulls != TypeSupport::Nulls::Refused;
}

// Returns the name that errors show in quotes.
std::string name_of(const Field& field, const Metadata& one) {
  return concat(field.name, "\", metadata \"", one.name);
}

class ColumnCheck {
 public:
  ColumnCheck(const std::string& file, std::string_view column, uint64_t first_row)
      : file_(file), column_(column), first_row_(first_row) {}

  void run(const Values& values) const {
    if (values.null_count != 0 && !has_stand_in(values.type)) {
      for (uint64_t row = 0; row < values.rows; ++row) check_there(values, row, row);
    }
    if (!values.type.is(Type::Vector)) return;
    for (uint64_t row = 0; row < values.rows; ++row) check_slots(values, row);
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(uint64_t row, const Parts&... parts) const {
    fail(ErrorKind::Argument, file_, "column \"", column_, "\": row ", first_row_ + row, parts...);
  }

  void check_there(const Values& values, uint64_t i, uint64_t row) const {
    if (!values.is_null(i)) return;
    refuse(row, " has a null, and IDV has none of ", values.type.name());
  }

  void check_slots(const Values& values, uint64_t row) const {
    const Values& items = values.children[0];
    const Values& positions = values.children[1];
    const uint64_t slots = values.type.size();
    const auto length = values.get<int32_t>(row);
    if (slots != 0 && static_cast<uint64_t>(length) != slots) {
      refuse(row, ": expected ", slots, " slots, got ", length);
    }
    const uint64_t stored = items.extent(row + 1) - items.extent(row);
    const uint64_t placed = positions.extent(row + 1) - positions.extent(row);
    const bool dense = stored == static_cast<uint64_t>(length);
    const bool sparse = stored == placed && length > 0 && stored < static_cast<uint64_t>(length);
    if (!dense && !sparse) {
      refuse(row, " of ", length, " slots stores ", stored, " and says where to put ", placed);
    }
    const Values& stored_items = items.children[0];
    if (stored_items.null_count == 0 || has_stand_in(stored_items.type)) return;
    for (uint64_t i = items.extent(row); i < items.extent(row + 1); ++i) {
      check_there(stored_items, i, row);
    }
  }

  const std::string& file_;
  std::string_view column_;
  uint64_t first_row_;
};

}  // namespace

void check_schema(const std::string& file, const Schema& schema) {
  Schema all = schema;
  for (const Field& field : schema) {
    for (const Metadata& one : field.metadata) {
      if (one.value == nullptr) continue;
      Field& stored = all.emplace_back();
      stored.name = name_of(field, one);
      stored.type = one.value->columns.front().type;
    }
  }
  check_supported(file, "IDV", kWriteSupport, all);
  for (const Field& field : schema) {
    for (const Metadata& one : field.metadata) {
      if (one.value == nullptr) continue;
      check_values(file, name_of(field, one), one.value->columns.front(), 0);
    }
  }
}

void check_values(const std::string& file, std::string_view column, const Values& values,
                  uint64_t first_row) {
  ColumnCheck(file, column, first_row).run(values);
}

}  // namespace heron::inline v0::idv
