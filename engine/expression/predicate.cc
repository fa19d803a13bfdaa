#include "heron/expression.h"

#include <utility>

#include "bytes/byte_source.h"
#include "expression/check.h"
#include "table/internals.h"

namespace heron::inline v0 {

struct Predicate::Parts {
  std::shared_ptr<const Table> table;
  std::string text;
  Checked checked;
  std::vector<uint64_t> columns;
};

Predicate::Predicate(std::shared_ptr<const Table> table, std::string_view text)
    : Predicate(std::move(table), text, std::span<const QueryParameter>()) {}

Predicate::Predicate(std::shared_ptr<const Table> table, std::string_view text,
                     std::span<const QueryParameter> parameters) {
  check_given(table, "a table");
  unless_changed(bytes_of(*table), [&] {
    const SourceText source{bytes_of(*table).name(), "predicate", text};
    const Syntax syntax = parse_predicate(source, parameters);
    NamedColumns columns(*table, source);
    Checked checked = check(syntax, columns, source);
    parts_ = std::make_shared<const Parts>(
        Parts{table, std::string(text), std::move(checked), columns.resolved()});
  });
}

Predicate::Predicate(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

Predicate predicate_of(std::shared_ptr<const Table> table, uint64_t column,
                       BoundPredicate predicate) {
  Checked checked{std::move(predicate), {}};
  return Predicate(std::make_shared<const Predicate::Parts>(
      Predicate::Parts{std::move(table), {}, std::move(checked), {column}}));
}

const std::shared_ptr<const Table>& Predicate::table() const noexcept {
  return parts_->table;
}

const std::string& Predicate::text() const noexcept {
  return parts_->text;
}

std::span<const uint64_t> Predicate::columns() const noexcept {
  return parts_->columns;
}

const std::vector<std::string>& Predicate::notes() const noexcept {
  return parts_->checked.notes;
}

const BoundPredicate& bound_of(const Predicate& predicate) noexcept {
  return predicate.parts_->checked.predicate;
}

}  // namespace heron::inline v0
