#include "arrow/import_schema.h"

#include "arrow/export_schema.h"
#include "arrow/import_format.h"
#include "arrow/structs.h"
#include "base/fail.h"
#include "table/names.h"

namespace heron::inline v0::arrow {
namespace {

constexpr int kMaxDeep = 64;

// Returns the children's names as stored; Names repairs them.
class ArrowNames final : public TableSource {
 public:
  explicit ArrowNames(const ArrowSchema& parent) : parent_(parent) {}

  uint64_t column_count() const noexcept override {
    return static_cast<uint64_t>(parent_.n_children);
  }
  std::string stored_name(uint64_t column) const override {
    const char* name = parent_.children[column]->name;
    return name == nullptr ? "" : name;
  }
  ColumnPtr open_column(uint64_t, const std::string&) const override { return nullptr; }

 private:
  const ArrowSchema& parent_;
};

void check_node(const ArrowSchema* schema, const std::string& path) {
  const auto refuse = [&](const auto&... got) {
    fail(ErrorKind::Argument, {}, "Arrow schema \"", path, "\": ", got...);
  };
  if (schema == nullptr) refuse("expected a schema, got a null pointer");
  if (schema->release == nullptr) refuse("it was released or moved away already");
  if (schema->format == nullptr) refuse("expected a format, got a null pointer");
  if (schema->n_children < 0) refuse("expected 0 or more children, got ", schema->n_children);
  if (schema->n_children > 0 && schema->children == nullptr) {
    refuse("expected ", schema->n_children, " children, got a null pointer");
  }
}

ArrayPlan plan_of(const ArrowSchema* schema, std::string path, int depth);

void plan_children(const ArrowSchema& schema, ArrayPlan& plan, int depth, uint64_t expected) {
  if (static_cast<uint64_t>(schema.n_children) != expected) {
    fail(ErrorKind::Argument, {}, "Arrow schema \"", plan.path, "\": expected ", expected,
         expected == 1 ? " child" : " children", " of \"", plan.format, "\", got ",
         schema.n_children);
  }
  for (uint64_t i = 0; i < expected; ++i) {
    plan.children.push_back(plan_of(schema.children[i], concat(plan.path, '.', i), depth + 1));
  }
}

void plan_nested(const ArrowSchema& schema, ArrayPlan& plan, std::string_view type_entry,
                 int depth) {
  if (plan.format == "+s" && type_entry == "datetimeoffset") {
    plan_children(schema, plan, depth, 2);
    plan.layout = ArrayPlan::Layout::LocalTimes;
    return;
  }
  const bool is_fixed = plan.format.starts_with("+w:");
  const bool is_large = plan.format == "+L";
  if (!is_fixed && !is_large && plan.format != "+l") fail_unsupported(plan);
  plan_children(schema, plan, depth, 1);
  plan.layout = is_fixed ? ArrayPlan::Layout::FixedList : ArrayPlan::Layout::List;
  if (is_fixed) plan.width = width_in(plan.format, plan);
  plan.type = Type::list(plan.children[0].type, is_fixed || is_large);
}

void plan_codes(const ArrowSchema& schema, ArrayPlan& plan, int depth) {
  if (plan.layout != ArrayPlan::Layout::Cells || !plan.type.is_integer()) {
    fail(ErrorKind::Argument, {}, "Arrow schema \"", plan.path,
         "\": expected integers as codes of a dictionary, got \"", plan.format, '"');
  }
  plan.layout = ArrayPlan::Layout::Codes;
  plan.cell = plan.type;
  plan.children.push_back(plan_of(schema.dictionary, plan.path + ".dictionary", depth + 1));
  plan.type = plan.children[0].type;
}

ArrayPlan plan_of(const ArrowSchema* schema, std::string path, int depth) {
  check_node(schema, path);
  if (depth > kMaxDeep) {
    fail(ErrorKind::Limit, {}, "Arrow schema \"", path, "\": types nested more than ", kMaxDeep,
         " deep");
  }
  ArrayPlan plan;
  plan.path = std::move(path);
  plan.format = schema->format;
  plan.nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0;
  std::string type_entry;
  for (const auto& [name, text] : decode_metadata(schema->metadata)) {
    if (name == kTypeEntry) type_entry = text;
  }
  if (plan.format.starts_with('+')) {
    plan_nested(*schema, plan, type_entry, depth);
  } else {
    read_format(plan);
  }
  if (schema->dictionary != nullptr) plan_codes(*schema, plan, depth);
  if (!type_entry.empty()) apply_type_entry(plan, type_entry, schema->dictionary != nullptr);
  if (plan.format == "+s" && !plan.type.is(Type::DateTimeOffset)) fail_unsupported(plan);
  return plan;
}

Field field_of(const ArrowSchema& schema, const ArrayPlan& plan) {
  Field field;
  field.name = plan.path;
  field.type = plan.type;
  field.nullable = plan.nullable;
  field.encoding = plan.format;
  for (auto& [name, text] : decode_metadata(schema.metadata)) {
    if (name == kTypeEntry || name.starts_with(kValueEntry)) continue;
    if (name == kEncodingEntry) {
      field.encoding = std::move(text);
    } else if (name.starts_with(kMetadataEntry)) {
      field.metadata.emplace_back(name.substr(kMetadataEntry.size()), std::move(text));
    } else {
      field.metadata.emplace_back(std::move(name), std::move(text));
    }
  }
  return field;
}

}  // namespace

void decode_keys(ArrayPlan& plan) {
  for (ArrayPlan& child : plan.children) decode_keys(child);
  if (plan.layout == ArrayPlan::Layout::Codes) plan.type = plan.children[0].type;
  if (!plan.type.is_nested() || plan.layout == ArrayPlan::Layout::Codes) return;
  const Type& item = plan.children[0].type;
  if (!plan.type.is(Type::Vector) || item.is_nested()) {
    plan.type = Type::list(item, !plan.type.is(Type::List));
  } else if (plan.type.dimensions().empty()) {
    plan.type = Type::vector(item, plan.type.size());
  } else {
    plan.type = Type::vector(item, plan.type.dimensions());
  }
}

ImportedSchema plan_import(const ArrowSchema& schema) {
  check_node(&schema, "");
  ImportedSchema imported;
  // A struct with a type entry is a column of type datetimeoffset, not a table.
  bool is_column = std::string_view(schema.format) != "+s";
  for (const auto& [name, text] : decode_metadata(schema.metadata)) {
    is_column |= name == kTypeEntry;
  }
  if (is_column) {
    imported.is_struct = false;
    const bool has_name = schema.name != nullptr && *schema.name != '\0';
    imported.columns.push_back(plan_of(&schema, has_name ? schema.name : "c0", 0));
    imported.fields.push_back(field_of(schema, imported.columns[0]));
    return imported;
  }
  const auto count = static_cast<uint64_t>(schema.n_children);
  for (uint64_t i = 0; i < count; ++i) check_node(schema.children[i], concat(i));
  const Names names{ArrowNames(schema)};
  for (uint64_t i = 0; i < count; ++i) {
    imported.columns.push_back(plan_of(schema.children[i], names[i], 0));
    imported.fields.push_back(field_of(*schema.children[i], imported.columns[i]));
  }
  return imported;
}

}  // namespace heron::inline v0::arrow
