#include "expression/computed_table.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "columns/runs.h"
#include "expression/computed_column.h"
#include "expression/lexer.h"
#include "expression/term.h"
#include "table/internals.h"
#include "table/many_files.h"

namespace heron::inline v0 {
namespace {

struct ComputedField {
  std::string name;
  std::shared_ptr<const Program> program;
};

std::shared_ptr<const Table> extended_by(std::shared_ptr<const Table> base,
                                         const std::vector<ComputedField>& fields);

// Has the columns of `base`, which Table finds there, and the computed `fields`.
class ComputedSource final : public TableSource {
 public:
  ComputedSource(std::shared_ptr<const Table> base, std::vector<ComputedField> fields)
      : base_(std::move(base)), fields_(std::move(fields)) {
    const auto files = internals(*base_).fragments();
    if (files.size() < 2) return;
    for (const Fragment& file : files) {
      // Shares the base, which owns the file's table.
      parts_.push_back(extended_by({base_, file.table}, fields_));
      fragments_.push_back({parts_.back().get(), file.first_row});
    }
  }

  uint64_t column_count() const noexcept override { return stored() + fields_.size(); }
  std::string stored_name(uint64_t column) const override {
    return column < stored() ? base_->column_name(column) : field(column).name;
  }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    const auto& program = field(column).program;
    std::vector<const Column*> inputs;
    for (const uint64_t input : program->columns()) {
      inputs.push_back(&internals(*base_).column(input));
    }
    return std::make_unique<ComputedColumn>(base_->rows(), ColumnLabel{name, "computed"}, program,
                                            std::move(inputs));
  }
  std::vector<Metadata> metadata(uint64_t column) const override {
    return column < stored() ? of_base().metadata(column) : std::vector<Metadata>();
  }
  bool has_only_statistics() const noexcept override { return of_base().has_only_statistics(); }
  uint64_t whole_bytes(uint64_t column, const Context& context) const override {
    if (column < stored()) return of_base().whole_bytes(column, context);
    uint64_t bytes = 0;
    for (const uint64_t input : field(column).program->columns()) {
      const uint64_t more = of_base().whole_bytes(input, context);
      bytes = more > UINT64_MAX - bytes ? UINT64_MAX : bytes + more;
    }
    return bytes;
  }
  bool stores_rows() const noexcept override { return of_base().stores_rows(); }
  uint64_t key_columns() const noexcept override { return base_->key_columns(); }
  uint64_t block_rows() const noexcept override { return of_base().block_rows(); }
  const Runs* groups() const noexcept override { return internals(*base_).groups(); }
  std::optional<uint64_t> label_column() const noexcept override { return base_->label_column(); }
  std::optional<uint64_t> group_column() const noexcept override { return base_->group_column(); }
  std::span<const Fragment> fragments() const noexcept override { return fragments_; }
  const Table* extended() const noexcept override { return base_.get(); }
  bool spans_files(uint64_t column) const noexcept override {
    for (const uint64_t input : field(column).program->columns()) {
      if (heron::spans_files(*base_, input)) return true;
    }
    return false;
  }

 private:
  uint64_t stored() const noexcept { return base_->column_count(); }
  const ComputedField& field(uint64_t column) const { return fields_[column - stored()]; }
  const TableSource& of_base() const noexcept { return internals(*base_).source(); }

  const std::shared_ptr<const Table> base_;
  const std::vector<ComputedField> fields_;
  std::vector<std::shared_ptr<const Table>> parts_;  // one table for each file
  std::vector<Fragment> fragments_;
};

std::shared_ptr<const Table> extended_by(std::shared_ptr<const Table> base,
                                         const std::vector<ComputedField>& fields) {
  TableContents contents;
  contents.name = base->name();
  contents.rows = base->rows();
  contents.bytes = internals(*base).bytes();
  contents.source = std::make_unique<const ComputedSource>(std::move(base), fields);
  return std::make_shared<const Table>(std::move(contents));
}

// A checked expression of a table's columns: a column of it, or a field to be added.
struct Resolved {
  std::optional<uint64_t> column;
  ComputedField field;
  std::optional<LinearForm> form = std::nullopt;
};

Resolved resolve(const Table& table, std::string_view text) {
  return unless_changed(bytes_of(table), [&] {
    const SourceText source{bytes_of(table).name(), "expression", text};
    NamedSyntax named = parse_named(source);
    NamedColumns columns(table, source);
    Resolved resolved;
    if (named.value.kind == Syntax::Kind::Name && columns.find(named.value.text)) {
      const uint64_t column = columns.resolve(named.value);
      if (named.name == named.value.text) resolved.column = column;
      Expression renamed;
      renamed.kind = Expression::Kind::Column;
      renamed.column = column;
      renamed.type = columns.type(column);
      resolved.field = {std::move(named.name), std::make_shared<const Program>(renamed, source)};
      return resolved;
    }
    const Terms terms(columns, source);
    const Expression result = terms.result(named.value);
    resolved.form = linear_form(result);
    resolved.field = {std::move(named.name), std::make_shared<const Program>(result, source)};
    return resolved;
  });
}

}  // namespace

std::shared_ptr<const Table> with_columns(std::shared_ptr<const Table> table,
                                          std::span<const std::string> expressions) {
  check_given(table, "a table");
  std::vector<ComputedField> fields;
  for (const std::string& text : expressions) fields.push_back(resolve(*table, text).field);
  return extended_by(std::move(table), fields);
}

Projection projection_of(const std::shared_ptr<const Table>& table,
                         std::span<const std::string> names) {
  check_given(table, "a table");
  std::vector<ComputedField> fields;
  std::vector<uint64_t> columns;
  for (const std::string& name : names) {
    if (const auto column = table->find_column(name)) {
      columns.push_back(*column);
      continue;
    }
    // A mistyped name is an error of Projection.
    if (is_word(name)) return Projection(table, std::span(&name, 1));
    Resolved resolved = resolve(*table, name);
    columns.push_back(resolved.column.value_or(table->column_count() + fields.size()));
    if (!resolved.column) fields.push_back(std::move(resolved.field));
  }
  if (fields.empty()) return Projection(table, columns);
  return Projection(extended_by(table, fields), columns);
}

std::optional<LinearForm> linear_form(const Table& table, std::string_view text) {
  const std::optional<LinearForm> form = resolve(table, text).form;
  if (!form || !internals(table).column(form->column).type().is_integer()) return std::nullopt;
  return form;
}

bool is_word(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), Lexer::in_name);
}

bool have_same_rows(const Table& a, const Table& b) noexcept {
  const auto stored = [](const Table& table) {
    const Table* at = &table;
    while (const Table* extended = internals(*at).source().extended()) at = extended;
    return at;
  };
  return stored(a) == stored(b);
}

std::span<const FunctionHelp> expression_functions() {
  static const std::vector<FunctionHelp> all = [] {
    std::vector<FunctionHelp> list;
    for (const Function* one : functions()) {
      list.push_back({one->name, one->arguments, one->help});
    }
    return list;
  }();
  return all;
}

}  // namespace heron::inline v0
