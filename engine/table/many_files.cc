#include "table/many_files.h"

#include <algorithm>

#include "base/fail.h"
#include "columns/concat_column.h"
#include "columns/dictionaries/unified_dictionary.h"
#include "columns/null_column.h"
#include "columns/run_column.h"
#include "format/table_source.h"
#include "table/internals.h"
#include "table/joined_source.h"

namespace heron::inline v0 {
namespace {

// The maximum number of columns, over all files, that are compared at open.
constexpr uint64_t kColumnsComparedAtOpen = 65536;

using Tables = std::span<const std::shared_ptr<const Table>>;

const std::string& file_of(const Table& table) {
  return bytes_of(table).name();
}

void check_same_count(const Table& first, const Table& other) {
  if (other.column_count() == first.column_count()) return;
  const auto stranger = [](const Table& in, const Table& to) -> const std::string* {
    for (uint64_t i = 0; i < in.column_count(); ++i) {
      if (!to.find_column(in.column_name(i))) return &in.column_name(i);
    }
    return nullptr;
  };
  if (const std::string* name = stranger(other, first)) {
    fail(ErrorKind::Argument, file_of(other), "column \"", *name, "\" is not in ", file_of(first));
  }
  fail(ErrorKind::Argument, file_of(other), "no column \"", *stranger(first, other),
       "\", as there is in ", file_of(first));
}

// Describes a type so that error texts distinguish it from another type of the same name.
std::string type_against(const Column& column, const Column& other) {
  const std::string name = column.type().name();
  return name == other.type().name() ? concat(name, " (", column.encoding(), ')') : name;
}

// An unreadable column may have an unknown type.
void check_same_column(const Table& first, const Table& other, uint64_t index) {
  const std::string& name = other.column_name(index);
  if (name != first.column_name(index)) {
    fail(ErrorKind::Argument, file_of(other), "column ", index, " is \"", name, "\", in ",
         file_of(first), " it is \"", first.column_name(index), '"');
  }
  const Column& a = internals(first).column(index);
  const Column& b = internals(other).column(index);
  if (a.unreadable() != nullptr || b.unreadable() != nullptr || a.type() == b.type()) return;
  fail(ErrorKind::Argument, file_of(other), "column \"", name, "\" is ", type_against(b, a),
       ", in ", file_of(first), " it is ", type_against(a, b));
}

// Returns the result of fact() if it is the same for all tables, else nullopt.
template <class Fact>
auto agreed(Tables tables, Fact fact) -> decltype(fact(*tables[0])) {
  const auto answer = fact(*tables[0]);
  for (const auto& table : tables) {
    if (fact(*table) != answer) return std::nullopt;
  }
  return answer;
}

class ManyFiles final : public TableSource {
 public:
  explicit ManyFiles(Tables tables) : tables_(tables.begin(), tables.end()) {
    std::vector<uint64_t> starts = {0};
    for (const auto& table : tables) {
      check_same_count(*tables[0], *table);
      if (table->rows() > UINT64_MAX - starts.back()) {
        fail(ErrorKind::Limit, file_of(*table), "the files together have 2^64 rows or more");
      }
      fragments_.push_back({table.get(), starts.back()});
      starts.push_back(starts.back() + table->rows());
    }
    rows_ = std::make_shared<const Runs>(std::move(starts));
    label_column_ = agreed(tables_, [](const Table& table) { return table.label_column(); });
    group_column_ = agreed(tables_, [](const Table& table) { return table.group_column(); });
    groups_ = joined_groups();
    if (column_count() > kColumnsComparedAtOpen / tables_.size()) return;
    for (uint64_t i = 0; i < column_count(); ++i) check_column(i);
  }

  uint64_t rows() const { return rows_->starts().back(); }

  uint64_t column_count() const noexcept override { return first().column_count(); }
  std::string stored_name(uint64_t column) const override { return first().column_name(column); }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override;
  bool has_only_statistics() const noexcept override {
    return internals(first()).source().has_only_statistics();
  }
  std::vector<Metadata> metadata(uint64_t column) const override {
    return first().metadata(column);
  }
  uint64_t whole_bytes(uint64_t column, const Context& context) const override {
    uint64_t bytes = 0;
    for (const auto& table : tables_) {
      const uint64_t more = internals(*table).source().whole_bytes(column, context);
      bytes = more > UINT64_MAX - bytes ? UINT64_MAX : bytes + more;
    }
    return bytes;
  }
  bool stores_rows() const noexcept override {
    return std::ranges::any_of(
        tables_, [](const auto& table) { return internals(*table).source().stores_rows(); });
  }
  const Runs* groups() const noexcept override { return groups_.get(); }
  std::optional<uint64_t> label_column() const noexcept override { return label_column_; }
  std::optional<uint64_t> group_column() const noexcept override { return group_column_; }
  std::span<const Fragment> fragments() const noexcept override { return fragments_; }

 private:
  const Table& first() const noexcept { return *tables_.front(); }
  void check_column(uint64_t column) const {
    for (const auto& table : tables_) check_same_column(first(), *table, column);
  }
  ConcatColumn::Parts columns_of(uint64_t column) const;
  std::shared_ptr<const Runs> joined_groups() const;

  const std::vector<std::shared_ptr<const Table>> tables_;
  std::vector<Fragment> fragments_;
  std::shared_ptr<const Runs> rows_;    // run i: rows of file i
  std::shared_ptr<const Runs> groups_;  // null: not all files have groups
  std::optional<uint64_t> label_column_;
  std::optional<uint64_t> group_column_;
};

std::shared_ptr<const Runs> ManyFiles::joined_groups() const {
  uint64_t count = 0;
  for (const auto& table : tables_) {
    if (internals(*table).groups() == nullptr) return nullptr;
    count += table->group_count();  // each has fewer than 2^32
  }
  if (count > UINT32_MAX) {
    fail(ErrorKind::Limit, file_of(first()), "the files together have ", count,
         " groups, expected at most ", UINT32_MAX);
  }
  return std::make_shared<const Runs>(count, rows(), [tables = tables_] {
    std::vector<uint64_t> starts = {0};
    uint64_t first_row = 0;
    for (const auto& table : tables) {
      const std::vector<uint64_t>& own = internals(*table).groups()->starts();
      for (uint64_t i = 1; i < own.size(); ++i) starts.push_back(first_row + own[i]);
      first_row += table->rows();
    }
    return starts;
  });
}

// The columns keep their tables alive.
ConcatColumn::Parts ManyFiles::columns_of(uint64_t index) const {
  ConcatColumn::Parts columns;
  std::shared_ptr<UnifiedDictionary> keys;
  for (const auto& table : tables_) {
    std::shared_ptr<const Column> column(table, &internals(*table).column(index));
    if (column->unreadable() == nullptr && holds_keys(column->type())) {
      if (keys == nullptr) keys = std::make_shared<UnifiedDictionary>();
      column = std::make_shared<const UnifiedKeyColumn>(std::move(column), file_of(*table), keys);
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

ColumnPtr ManyFiles::open_column(uint64_t index, const std::string& name) const {
  check_column(index);
  const auto is = [](bool readable) {
    return [readable](const auto& column) { return (column->unreadable() == nullptr) == readable; };
  };
  ConcatColumn::Parts columns = columns_of(index);
  const auto model = std::find_if(columns.begin(), columns.end(), is(true));
  const auto undefined = std::find_if(columns.begin(), columns.end(), [](const auto& column) {
    const Error* error = column->unreadable();
    return error != nullptr && error->kind() == ErrorKind::Unsupported;
  });
  // A column of type null is never read, so its damage would not be found.
  const bool stores = model != columns.end() && !(*model)->type().is(Type::Null);
  const auto damaged = std::find_if(columns.begin(), columns.end(), is(false));
  const auto bad = undefined != columns.end() ? undefined : stores ? columns.end() : damaged;
  if (bad != columns.end()) {
    return std::make_unique<UnreadableColumn>(
        (*bad)->type(), rows(), ColumnLabel{name, (*bad)->encoding()}, *(*bad)->unreadable());
  }
  const Type type = (*model)->type();
  const bool one_encoding = std::all_of(columns.begin(), columns.end(), [&](const auto& column) {
    return column->encoding() == (*model)->encoding();
  });
  ColumnLabel label{name, one_encoding ? (*model)->encoding() : "differs from file to file"};
  if (index == group_column_ && groups_ != nullptr) {
    return std::make_unique<RunColumn>(rows(), std::move(label), groups_, RunValue::Run);
  }
  return std::make_unique<ConcatColumn>(type, rows(), std::move(label), std::move(columns), rows_);
}

std::string name_of_all(std::span<const std::shared_ptr<const File>> files) {
  return concat(files[0]->path(), " and ", files.size() - 1, " more");
}

// Lists each format once, in order.
std::string formats_of(std::span<const std::shared_ptr<const File>> files) {
  std::vector<std::string_view> all;
  std::string text;
  for (const auto& file : files) {
    if (std::find(all.begin(), all.end(), file->format()) != all.end()) continue;
    all.push_back(file->format());
    text += concat(text.empty() ? "" : ", ", file->format());
  }
  return text;
}

}  // namespace

bool spans_files(const Table& table, uint64_t column) {
  if (internals(table).fragments().size() == 1) return false;
  const Table* extended = internals(table).source().extended();
  if (extended != nullptr && column >= extended->column_count()) {
    return internals(table).source().spans_files(column);
  }
  return table.group_column() == column || holds_keys(internals(table).column(column).type());
}

std::shared_ptr<const File> join(std::span<const std::shared_ptr<const File>> files) {
  std::vector<std::shared_ptr<const ByteSource>> payloads, outermost;
  for (const auto& file : files) {
    payloads.push_back(internals(*file).bytes);
    outermost.push_back(internals(*file).file);
  }
  const std::string name = name_of_all(files);
  auto bytes = std::make_shared<const JoinedSource>(name, std::move(payloads));

  FileContents parts = internals(*files[0]);
  parts.bytes = bytes;
  parts.file = std::make_shared<const JoinedSource>(name, std::move(outermost));
  parts.tables = files[0]->tables();
  parts.entries = nullptr;
  parts.format = formats_of(files);
  parts.header.emplace_back("files", std::to_string(files.size()));
  for (auto& table : parts.tables) {
    std::vector<std::shared_ptr<const Table>> tables;
    for (const auto& file : files) tables.push_back(file->table(table->name()));
    auto source = std::make_unique<const ManyFiles>(tables);
    const uint64_t rows = source->rows();
    table =
        std::make_shared<const Table>(TableContents{table->name(), rows, bytes, std::move(source)});
  }
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0
