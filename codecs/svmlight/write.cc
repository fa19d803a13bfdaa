// Writes a line for each row, in one pass. Features that are 0 are left out, except that the first
// row has the last feature, so that readers find how many there are, and a feature of index 0, so
// that they find the base.
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "format/file_text.h"
#include "format/format_options.h"
#include "svmlight/line.h"
#include "svmlight/options.h"
#include "svmlight/svmlight.h"
#include "values/cells.h"

namespace heron::inline v0::svmlight {
namespace {

bool is_number(const Type& type) {
  return type.is(Type::Bool) || type.is_integer() || type.is_float();
}

TypeSupport type_support(const Type& type) {
  if (is_number(type)) return {.read_as = type};
  if (type.is(Type::Vector) && type.size() != 0 && is_number(type.item())) return {.read_as = type};
  if (type.is_text()) return {.read_as = type, .nulls = TypeSupport::Nulls::Stored};
  return {};
}

// The columns of a schema by what a line has of them.
struct Roles {
  uint64_t label = 0;
  std::optional<uint64_t> query;
  std::optional<uint64_t> comment;
  std::vector<uint64_t> features;
};

// Finds columns by the names that readers give them, or that jforests data has. Throws
// Error(Unsupported) for a text that is no comment, and if there is no column of labels.
Roles roles_of(const std::string& path, const Schema& schema) {
  const auto named = [&](std::initializer_list<std::string_view> names) {
    std::optional<uint64_t> found;
    for (const std::string_view name : names) {
      for (uint64_t i = 0; i < schema.size() && !found; ++i) {
        if (schema[i].name == name) found = i;
      }
    }
    return found;
  };
  const auto require = [&](uint64_t column, bool holds, std::string_view what) {
    if (holds) return;
    fail(ErrorKind::Unsupported, path, "column \"", schema[column].name, "\": expected ", what,
         ", got ", schema[column].type.name());
  };
  Roles roles;
  const std::optional<uint64_t> label = named({"label", "target", "Label"});
  if (!label) {
    fail(ErrorKind::Unsupported, path,
         "expected a column \"label\" or \"target\", which every line begins with");
  }
  roles.label = *label;
  require(roles.label, is_number(schema[roles.label].type), "numbers as labels");
  roles.query = named({"qid", "query"});
  if (roles.query) {
    require(*roles.query, schema[*roles.query].type.is_integer(), "integers as queries");
  }
  roles.comment = named({"comment"});
  if (roles.comment) require(*roles.comment, schema[*roles.comment].type.is_text(), "a text");
  for (uint64_t i = 0; i < schema.size(); ++i) {
    if (i == roles.label || i == roles.query || i == roles.comment) continue;
    require(i, !schema[i].type.is_text(), "numbers as features, or the name \"comment\"");
    roles.features.push_back(i);
  }
  return roles;
}

template <class T>
void append_number(TextSink& sink, T number) {
  constexpr size_t kMaxBytes = 32;
  char* const to = sink.room(kMaxBytes);
  sink.advance(std::to_chars(to, to + kMaxBytes, number).ptr);
}

// Calls use(number) with a row's value, of its own type; a bool is 0 or 1.
template <class Use>
void with_number(const Values& values, uint64_t row, Use use) {
  if (values.type.is(Type::Bool)) return use(static_cast<int>(values.data.bit(row)));
  visit_cell_type(values.type, [&]<class T>() { use(cell_of<T>(values, row)); });
}

class RowWriter final : public CheckedWriter {
 public:
  RowWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
            const Context& context)
      : CheckedWriter(schema, options, context),
        roles_(roles_of(path, *schema)),
        first_(
            static_cast<uint64_t>(number_option(options.format_options, kWriteBase).value_or(1))),
        file_(path, existing_if(options.replace)),
        text_(file_) {
    for (const uint64_t column : roles_.features) {
      const Type& type = (*schema)[column].type;
      features_ += type.is(Type::Vector) ? type.size() : 1;
    }
    if (features_ > kMaxIndex - first_ + 1) {
      fail(ErrorKind::Unsupported, path, "expected at most ", kMaxIndex - first_ + 1,
           " features, got ", features_);
    }
    marks_base_ = first_ == 0 && features_ != 0;
  }

  uint64_t bytes_written() const override { return text_.bytes(); }

 private:
  OutputFile& file() noexcept override { return file_; }
  void append(const RowBatch& batch) override {
    for (uint64_t row = 0; row < batch.rows; ++row) append_row(batch, row);
  }
  void finish() override { text_.flush(); }

  void append_row(const RowBatch& batch, uint64_t row) {
    row_ = rows() + row;
    const auto plain = [this](auto number) { append_number(text_, number); };
    with_number(batch.columns[roles_.label], row, plain);
    if (roles_.query) {
      text_.append(" qid:");
      with_number(batch.columns[*roles_.query], row, [this](auto query) { append_query(query); });
    }
    next_ = first_;
    last_written_ = UINT64_MAX;
    for (const uint64_t column : roles_.features) append_features(batch.columns[column], row);
    if (row_ == 0 && features_ != 0) {
      if (marks_base_) append_pair(0, 0);
      if (last_written_ != next_ - 1) append_pair(next_ - 1, 0);
      marks_base_ = false;
    }
    if (roles_.comment) append_comment(batch.columns[*roles_.comment], row);
    text_.append('\n');
  }

  template <class T>
  void append_query(T query) {
    if constexpr (std::is_same_v<T, uint64_t>) {  // readers have int64
      if (query > uint64_t{INT64_MAX}) {
        fail(ErrorKind::Argument, path(), "row ", row_, ": expected a query up to ", INT64_MAX,
             ", got ", query);
      }
    }
    append_number(text_, query);
  }

  // Appends a feature unless it is 0.
  template <class T>
  void append_feature(uint64_t index, T number) {
    if (number == 0) return;
    if (marks_base_ && index != 0) append_pair(0, 0);
    marks_base_ = false;
    append_pair(index, number);
  }
  template <class T>
  void append_pair(uint64_t index, T number) {
    text_.append(' ');
    append_number(text_, index);
    text_.append(':');
    append_number(text_, number);
    last_written_ = index;
  }

  void append_features(const Values& values, uint64_t row) {
    if (!values.type.is(Type::Vector)) {
      with_number(values, row, [this](auto number) { append_feature(next_, number); });
      ++next_;
      return;
    }
    const Values &items = values.children[0], &slots = values.children[1];
    const uint64_t first = items.extent(row), last = items.extent(row + 1);
    const uint64_t first_slot = slots.extent(row);
    const bool is_sparse = first_slot != slots.extent(row + 1);
    for (uint64_t i = first; i < last; ++i) {
      const uint64_t slot =
          is_sparse
              ? static_cast<uint64_t>(slots.children[0].data.as<int32_t>()[first_slot + i - first])
              : i - first;
      with_number(items.children[0], i, [&](auto number) { append_feature(next_ + slot, number); });
    }
    next_ += values.type.size();
  }

  // A comment ends with its line.
  void append_comment(const Values& values, uint64_t row) {
    if (values.is_null(row) || values.text(row).empty()) return;
    text_.append(" # ");
    for (const char c : values.text(row)) text_.append(c == '\n' || c == '\r' ? ' ' : c);
  }

  const Roles roles_;
  const uint64_t first_;
  OutputFile file_;
  FileText text_;
  uint64_t features_ = 0;      // number of features
  bool marks_base_ = false;    // no feature 0 is written yet, and readers need one
  uint64_t row_ = 0;           // the number of the row, for errors
  uint64_t next_ = 0;          // the index of the next feature of a row
  uint64_t last_written_ = 0;  // the index of the row's last pair; UINT64_MAX: it has none
};

}  // namespace

constexpr WriteSupport kWriteSupport = {.type_support = type_support, .types = false};

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  return std::make_unique<RowWriter>(path, schema, options, context);
}

}  // namespace heron::inline v0::svmlight
