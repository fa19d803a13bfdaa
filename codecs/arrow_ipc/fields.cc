#include "arrow_ipc/fields.h"

#include <algorithm>
#include <utility>

#include "arrow/export_schema.h"
#include "arrow_ipc/field_type.h"
#include "arrow_ipc/write/values.h"
#include "base/fail.h"

namespace heron::inline v0::arrow_ipc {
namespace {

constexpr int kMaxDeep = 64;

bool is_value(const StoredField& field) noexcept {
  return field.layout != Layout::Struct && field.layout != Layout::Other;
}

// Returns whether a field's metadata says that its values had that type when Heron wrote them.
bool has_type_entry(const arrow_fbs::Field& stored, const heron::Type& type) {
  if (stored.custom_metadata() == nullptr) return false;
  return std::any_of(stored.custom_metadata()->begin(), stored.custom_metadata()->end(),
                     [&](const arrow_fbs::KeyValue* pair) {
                       return pair->key() != nullptr && pair->value() != nullptr &&
                              pair->key()->string_view() == arrow::kTypeEntry &&
                              pair->value()->string_view() == type.name();
                     });
}

class FieldReader {
 public:
  FieldReader(Fields& fields, arrow_fbs::MetadataVersion version, const std::string& file)
      : fields_(fields), version_(version), file_(file) {}

  // `as_values`: the field's own dictionary is ignored, as for the values of that dictionary.
  StoredField read(const arrow_fbs::Field& stored, int depth, bool as_values = false) {
    if (depth > kMaxDeep) {
      fail(ErrorKind::Limit, file_, "schema: types nested more than ", kMaxDeep, " deep");
    }
    StoredField field;
    field.stored = &stored;
    if (stored.name() != nullptr) field.name = stored.name()->string_view();
    field.node = fields_.nodes;
    field.buffer = fields_.buffers;
    field.views_before = fields_.views;
    set_type(field, stored);
    const bool is_coded = stored.dictionary() != nullptr && !as_values;
    const bool is_behind = !fields_.are_counted;
    if (is_unknown(stored.type_type()) && !is_coded) fields_.are_counted = false;
    if (is_coded) {
      read_codes(field, stored, depth);
    } else {
      count(stored.type_type());
      read_children(field, stored, depth);
      finish(field, stored);
    }
    field.buffers = fields_.buffers - field.buffer;
    field.views = fields_.views - field.views_before;
    if (is_behind && field.layout != Layout::Other) {
      field.reason = "behind a field of a type that Heron does not know";
      field.layout = Layout::Other;
    }
    return field;
  }

 private:
  static bool is_unknown(arrow_fbs::Type type) {
    return type == arrow_fbs::Type::NONE || type > arrow_fbs::Type::MAX;
  }

  // Counts the nodes and buffers of the field without its children.
  void count(arrow_fbs::Type type) {
    using arrow_fbs::Type;
    if (!fields_.are_counted) return;
    ++fields_.nodes;
    switch (type) {
      case Type::Null:
      case Type::RunEndEncoded: return;
      case Type::Struct_:
      case Type::FixedSizeList: fields_.buffers += 1; return;
      case Type::Binary:
      case Type::Utf8:
      case Type::LargeBinary:
      case Type::LargeUtf8:
      case Type::ListView:
      case Type::LargeListView: fields_.buffers += 3; return;
      case Type::BinaryView:
      case Type::Utf8View:
        ++fields_.views;
        fields_.buffers += 2;
        return;
      default: fields_.buffers += 2; return;
    }
  }

  // A union's mode decides its buffers; in version 4 it has a validity bitmap as well.
  void count_union(const arrow_fbs::Field& stored) {
    if (!fields_.are_counted) return;
    const arrow_fbs::Union* type = stored.type_as_Union();
    const bool is_sparse = type == nullptr || type->mode() == arrow_fbs::UnionMode::Sparse;
    if (is_sparse) --fields_.buffers;
    if (version_ == arrow_fbs::MetadataVersion::V4) ++fields_.buffers;
  }

  void read_children(StoredField& field, const arrow_fbs::Field& stored, int depth) {
    if (stored.type_type() == arrow_fbs::Type::Union) count_union(stored);
    if (stored.children() == nullptr) return;
    for (const arrow_fbs::Field* child : *stored.children()) {
      field.children.push_back(read(*child, depth + 1));
    }
  }

  // Codes have a node and two buffers. What their values are is read from the same field.
  void read_codes(StoredField& field, const arrow_fbs::Field& stored, int depth) {
    Fields values;
    const StoredField value = FieldReader(values, version_, file_).read(stored, depth, true);
    if (fields_.are_counted) {
      ++fields_.nodes;
      fields_.buffers += 2;
    }
    const arrow_fbs::Int* index = stored.dictionary()->index_type();
    const auto code = index == nullptr ? std::optional<Type>(Type::Int32) : integer_type(*index);
    const uint32_t node = field.node, buffer = field.buffer;
    field = value;
    field.children.clear();
    field.node = node;
    field.buffer = buffer;
    field.views_before = fields_.views;
    if (field.layout == Layout::Struct || field.layout == Layout::LocalTimes) {
      set_other(field, "dictionary of structs");
    }
    if (!code) return set_other(field, concat("codes of ", index->bit_width(), " bits"));
    field.dictionary = stored.dictionary()->id();
    field.is_ordered = stored.dictionary()->is_ordered();
    field.code_type = *code;
    field.cell_bytes = code->width();
    field.words = concat("dictionary<", code->name(), ", ", value.words,
                         field.is_ordered ? ", ordered>" : ">");
  }

  // Makes the type of a field with children from theirs.
  void finish(StoredField& field, const arrow_fbs::Field& stored) {
    using arrow_fbs::Type;
    switch (stored.type_type()) {
      case Type::List: return finish_list(field, "list", false);
      case Type::LargeList: return finish_list(field, "large_list", true);
      case Type::ListView: return finish_list(field, "list_view", true);
      case Type::LargeListView: return finish_list(field, "large_list_view", true);
      case Type::FixedSizeList: return finish_list(field, "fixed_size_list", true);
      case Type::RunEndEncoded: return finish_runs(field);
      case Type::Struct_: return finish_struct(field, stored);
      default: break;
    }
    if (!is_value(field) || field.children.empty()) return;
    set_other(field, concat(field.words, " with children"));
  }

  void finish_list(StoredField& field, std::string_view name, bool is_large) {
    const std::string size = std::exchange(field.words, "");
    if (field.children.size() != 1) {
      return set_other(field, concat("list of ", field.children.size(), " children"));
    }
    const StoredField& item = field.children[0];
    field.words = concat(name, '<', item.words, '>', size);
    if (field.layout == Layout::Other) return;
    if (!is_value(item)) return set_other(field, field.words);
    field.type = heron::Type::list(item.type, is_large);
  }

  void finish_runs(StoredField& field) {
    if (field.children.size() != 2) return set_other(field, "run ends without two children");
    const StoredField& ends = field.children[0];
    const StoredField& values = field.children[1];
    field.words = concat("run_end_encoded<", ends.words, ", ", values.words, '>');
    const heron::Type::Id id = ends.type.id();
    const bool are_ends = ends.layout == Layout::Cells && !ends.dictionary &&
                          id >= heron::Type::Int16 && id <= heron::Type::Int64;
    if (!are_ends || !is_value(values)) return set_other(field, field.words);
    field.type = values.type;
  }

  // A struct that Heron made of datetimeoffsets is one column.
  void finish_struct(StoredField& field, const arrow_fbs::Field& stored) {
    const heron::Type type = heron::Type::DateTimeOffset;
    if (field.children.size() != 2 || !has_type_entry(stored, type)) return;
    const auto is_cells_of = [](const StoredField& child, const heron::Type& cells) {
      return child.layout == Layout::Cells && !child.dictionary && child.type == cells;
    };
    if (!is_cells_of(field.children[0], in_nanoseconds(type)) ||
        !is_cells_of(field.children[1], heron::Type::Int16)) {
      return;
    }
    field.layout = Layout::LocalTimes;
    field.type = type;
    field.words = "struct<timestamp[ns, UTC], int16>";
  }

  Fields& fields_;
  const arrow_fbs::MetadataVersion version_;
  const std::string& file_;
};

void add_leaves(const StoredField& field, std::vector<const StoredField*>& parents,
                std::vector<Leaf>& leaves) {
  if (field.layout != Layout::Struct) {
    leaves.push_back({&field, parents});
    return;
  }
  parents.push_back(&field);
  for (const StoredField& child : field.children) add_leaves(child, parents, leaves);
  parents.pop_back();
}

}  // namespace

Fields read_fields(const arrow_fbs::Schema& schema, arrow_fbs::MetadataVersion version,
                   const std::string& file) {
  Fields fields;
  FieldReader reader(fields, version, file);
  if (schema.fields() == nullptr) return fields;
  fields.fields.reserve(schema.fields()->size());
  for (const arrow_fbs::Field* stored : *schema.fields()) {
    fields.fields.push_back(reader.read(*stored, 0));
  }
  std::vector<const StoredField*> parents;
  for (const StoredField& field : fields.fields) add_leaves(field, parents, fields.leaves);
  return fields;
}

Fields dictionary_fields(const StoredField& field, arrow_fbs::MetadataVersion version,
                         const std::string& file) {
  Fields fields;
  fields.fields.push_back(FieldReader(fields, version, file).read(*field.stored, 0, true));
  fields.leaves.push_back({&fields.fields[0], {}});
  return fields;
}

}  // namespace heron::inline v0::arrow_ipc
