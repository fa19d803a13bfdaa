#include "csv/unify.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/fail.h"
#include "format/table_source.h"
#include "table/names.h"

namespace heron::inline v0::csv {
namespace {

// Gives the names of a header to Names, which repairs them.
class Header final : public TableSource {
 public:
  explicit Header(const std::vector<std::string>& names) : names_(names) {}

  uint64_t column_count() const noexcept override { return names_.size(); }
  std::string stored_name(uint64_t column) const override { return names_[column]; }
  ColumnPtr open_column(uint64_t, const std::string&) const override { return nullptr; }

 private:
  const std::vector<std::string>& names_;
};

bool quotes_are_text(std::span<const FileFacts> files) {
  return std::ranges::any_of(files, [](const FileFacts& file) {
    return file.has_plain_names || std::ranges::any_of(file.columns, &ColumnFacts::has_plain);
  });
}

// Notes the first file of each type if files differ in the type of a column; a file without values
// has no type.
void note_types(std::span<const FileFacts> files, uint64_t column, const Field& field,
                bool quoted_is_text, const Context& context) {
  std::vector<std::pair<std::string, const std::string*>> types;  // each with a file
  for (const FileFacts& file : files) {
    const Type type = file.columns[column].type(quoted_is_text);
    const std::string name = type.name();
    const bool known =
        std::ranges::any_of(types, [&](const auto& one) { return one.first == name; });
    if (!type.is(Type::Null) && !known) types.emplace_back(name, &file.file);
  }
  if (types.size() < 2) return;
  std::string text =
      concat('"', field.name, "\": ", field.type.name(), " in all files, because it is ");
  for (uint64_t i = 0; i < types.size(); ++i) {
    text += concat(i == 0 ? "" : ", ", types[i].first, " in ", *types[i].second);
  }
  context.note(text);
}

}  // namespace

std::vector<std::string> table_names(const std::vector<std::string>& header) {
  const Names names{Header(header)};
  std::vector<std::string> all;
  for (uint64_t i = 0; i < header.size(); ++i) all.push_back(names[i]);
  return all;
}

std::vector<uint64_t> field_indices_of(const std::string& file,
                                       const std::vector<std::string>& names,
                                       const std::string& first_file,
                                       const std::vector<std::string>& first_names) {
  std::vector<uint64_t> indices(first_names.size());
  std::iota(indices.begin(), indices.end(), uint64_t{0});
  if (names == first_names) return indices;
  if (names.size() != first_names.size()) {
    fail(ErrorKind::Argument, file, "has ", names.size(), " columns, but ", first_file, " has ",
         first_names.size());
  }
  std::unordered_map<std::string_view, uint64_t> columns;
  for (uint64_t i = 0; i < first_names.size(); ++i) columns[first_names[i]] = i;
  for (uint64_t i = 0; i < names.size(); ++i) {
    const auto column = columns.find(names[i]);
    if (column == columns.end()) {
      fail(ErrorKind::Argument, file, "column ", i + 1, " is \"", names[i], "\", which is not in ",
           first_file);
    }
    indices[column->second] = i;
  }
  return indices;
}

bool set_found_types(std::span<const FileFacts> files, const CsvOptions& options, Schema& schema,
                     const Context& context) {
  const bool quoted_is_text = quotes_are_text(files);
  for (uint64_t i = 0; i < schema.size(); ++i) {
    Field& field = schema[i];
    const bool is_set = std::ranges::any_of(
        options.types, [&](const auto& given) { return given.first == field.name; });
    if (is_set) continue;
    ColumnFacts all;
    for (const FileFacts& file : files) all.merge(file.columns[i]);
    field.type = all.type(quoted_is_text);
    field.nullable = all.has_nulls;
    if (context.note && files.size() > 1) note_types(files, i, field, quoted_is_text, context);
  }
  return quoted_is_text;
}

}  // namespace heron::inline v0::csv
