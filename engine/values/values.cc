#include "heron/values.h"

#include "base/fail.h"
#include "base/no_such.h"
#include "heron/error.h"
#include "values/cells.h"

namespace heron::inline v0 {

void Values::throw_no_such_row(uint64_t row) const {
  fail_no_such({}, "row", row, concat("the values of type ", type.name()), rows);
}

void Values::throw_other_type() const {
  fail(ErrorKind::Argument, {}, "the values are of type ", type.name(),
       " and were requested as another");
}

void fail_no_numbers(const Type& type) {
  fail(ErrorKind::Unsupported, {}, "values of type ", type.name(), " are not supported here");
}

}  // namespace heron::inline v0
