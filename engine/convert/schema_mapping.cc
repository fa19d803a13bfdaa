#include "convert/schema_mapping.h"

#include <algorithm>
#include <charconv>

#include "base/fail.h"
#include "base/hints.h"
#include "convert/trial.h"
#include "table/names.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMaxReported = 100;  // columns in one error

// A column: its candidate types, in order, and the results of trials.
struct ColumnPlan {
  uint64_t column = 0;
  std::vector<Candidate> candidates;
  std::vector<bool> as_nan;  // for each candidate: a null is written as NaN
  bool wants_trial = false;  // the choice depends on the values
  bool wants_range = false;
  std::optional<NumberRange> range = std::nullopt;
  uint64_t null_count = 0;
};

std::string quoted(const std::string& name) {
  return concat('"', name, '"');
}

void check_same_columns(std::span<const RowSourcePtr> sources) {
  const RowSource& first = *sources.front();
  for (const RowSourcePtr& source : sources.subspan(1)) {
    const Schema &schema = source->schema(), &expected = first.schema();
    for (uint64_t i = 0; i < std::max(schema.size(), expected.size()); ++i) {
      const auto described = [&](const Schema& one) {
        return i < one.size() ? concat(quoted(one[i].name), " (", one[i].type.name(), ')')
                              : std::string("none");
      };
      if (described(schema) == described(expected)) continue;
      fail(ErrorKind::Argument, source->name(), "column ", i, ": expected ", described(expected),
           " as in ", first.name(), ", got ", described(schema));
    }
  }
}

bool nullable(std::span<const RowSourcePtr> sources, uint64_t column) {
  return std::any_of(sources.begin(), sources.end(),
                     [&](const RowSourcePtr& source) { return source->schema()[column].nullable; });
}

// Returns the names of metadata with stored values: texts are derived from values, and key values
// are written with their keys.
std::vector<std::string> names_of_metadata(const Field& field) {
  std::vector<std::string> names;
  for (const Metadata& one : field.metadata) {
    if (one.value != nullptr && !field.type.is(Type::Key)) names.push_back(one.name);
  }
  return names;
}

std::string joined(std::span<const std::string> reasons) {
  std::string text;
  for (const std::string& reason :
       reasons.first(std::min<uint64_t>(reasons.size(), kMaxReported))) {
    text += concat(text.empty() ? "" : "; ", reason);
  }
  if (reasons.size() > kMaxReported)
    text += concat("; and ", reasons.size() - kMaxReported, " more");
  return text;
}

// Returns the type of the innermost items.
const Type& leaf_of(const Type& type) {
  return type.is_nested() ? leaf_of(type.item()) : type;
}

class SchemaMapper {
 public:
  SchemaMapper(std::span<const RowSourcePtr> sources, std::string_view format,
               const WriteSupport& write_support, const ConvertOptions& options,
               const std::string& out, const Context& context)
      : sources_(sources),
        schema_(sources.front()->schema()),
        format_(format),
        write_support_(write_support),
        options_(options),
        out_(out),
        context_(context) {}

  SchemaMapping run() {
    leave_out_unreadable();
    const std::vector<uint64_t> columns = ordered_columns();
    for (const uint64_t column : columns) {
      ColumnPlan one = plan(column);
      if (waits(one)) plans_.push_back(std::move(one));
    }
    if (write_support_.one_type) choose_one_type();
    run_trials();
    if (write_support_.one_type) keep_one_type();
    mapping_.columns.reserve(columns.size());
    auto waiting = plans_.begin();
    for (const uint64_t column : columns) {
      const bool is_next = waiting != plans_.end() && waiting->column == column;
      resolve(is_next ? *waiting++ : plan(column));
    }
    if (!refused_.empty() && !options_.drop_unsupported) refuse();
    if (mapping_.columns.empty()) refuse_empty();
    return std::move(mapping_);
  }

 private:
  void leave_out_unreadable();
  std::vector<uint64_t> ordered_columns() const;
  ColumnPlan plan(uint64_t column) const;
  // Returns whether a plan depends on values or on other columns. Only such plans are held, because
  // a table may have a million columns.
  bool waits(const ColumnPlan& plan) const {
    return plan.wants_trial || plan.wants_range || write_support_.one_type;
  }
  bool is_as_nan(const Type& type) const;
  bool items_may_miss(const Type& type) const;
  void add_candidate(ColumnPlan& plan, const Type& type) const;
  void choose_one_type();
  std::optional<Type> chosen_type() const;
  void keep_one_type();
  void run_trials();
  void resolve(const ColumnPlan& plan);
  std::string why_not(const ColumnPlan& plan) const;
  void set_metadata(const ColumnPlan& plan, CastColumn& cast) const;
  [[noreturn]] void refuse() const;
  [[noreturn]] void refuse_empty() const;

  std::span<const RowSourcePtr> sources_;
  const Schema& schema_;
  std::string_view format_;
  const WriteSupport& write_support_;
  const ConvertOptions& options_;
  const std::string& out_;
  const Context& context_;
  std::vector<ColumnPlan> plans_;
  std::vector<std::string> refused_;
  SchemaMapping mapping_;
};

// Reports for each source the unreadable columns that the caller did not exclude.
void SchemaMapper::leave_out_unreadable() {
  for (const RowSourcePtr& source : sources_) {
    const std::span<const Field> unreadable = source->left_out();
    if (unreadable.empty()) continue;
    if (!options_.drop_unsupported) {
      const uint64_t more = unreadable.size() - 1;
      const std::string others = more == 0 ? "" : concat(", nor can ", more, " more");
      fail_with_hint(ErrorKind::Unsupported, hint::kDropUnreadable,
                     unreadable.front().reason,  // it begins with the file
                     "cannot be converted", others);
    }
    for (const Field& field : unreadable) {
      mapping_.dropped.push_back(field.reason);
      mapping_.dropped_names.push_back(field.name);
    }
  }
}

// Returns the columns of the key, then the other columns.
std::vector<uint64_t> SchemaMapper::ordered_columns() const {
  std::vector<uint64_t> columns;
  columns.reserve(schema_.size());
  for (const std::string& name : options_.key) {
    const auto field = std::find_if(schema_.begin(), schema_.end(),
                                    [&](const Field& one) { return one.name == name; });
    if (field == schema_.end()) {
      fail(ErrorKind::Argument, sources_.front()->name(), "no column ", quoted(name),
           " to be a key", similar_column(schema_, name));
    }
    const auto column = static_cast<uint64_t>(field - schema_.begin());
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
      fail(ErrorKind::Argument, {}, "the key has the column ", quoted(name), " twice");
    }
    columns.push_back(column);
  }
  for (uint64_t column = 0; column < schema_.size(); ++column) {
    const auto keys = columns.begin() + static_cast<ptrdiff_t>(options_.key.size());
    if (std::find(columns.begin(), keys, column) == keys) columns.push_back(column);
  }
  return columns;
}

// Returns whether a null of exactly this type becomes NaN, by the format or by a cast.
bool SchemaMapper::is_as_nan(const Type& type) const {
  const TypeSupport support = write_support_.type_support(type);
  return support.nulls == TypeSupport::Nulls::AsNaN ||
         (support.nulls == TypeSupport::Nulls::Refused && options_.cast && type.is_float() &&
          !support.nan_is_null);
}

// Returns whether the format can store null items of a list or a vector.
bool SchemaMapper::items_may_miss(const Type& type) const {
  if (!type.is_nested()) return true;
  const Type& item = type.item();
  return (write_support_.type_support(item).nulls != TypeSupport::Nulls::Refused ||
          is_as_nan(item)) &&
         items_may_miss(item);
}

// Adds a type if the format supports it. Nulls rule it out if they cannot be stored.
void SchemaMapper::add_candidate(ColumnPlan& plan, const Type& type) const {
  const TypeSupport support = write_support_.type_support(type);
  if (!support.read_as) return;
  const bool refused = support.nulls == TypeSupport::Nulls::Refused;
  const bool nan_fits = !refused || !support.nan_is_null || !type.is_float();
  plan.candidates.push_back({type, !refused || is_as_nan(type), items_may_miss(type), nan_fits});
  plan.as_nan.push_back(is_as_nan(leaf_of(type)));
}

ColumnPlan SchemaMapper::plan(uint64_t column) const {
  const Field& field = schema_[column];
  ColumnPlan plan;
  plan.column = column;
  add_candidate(plan, field.type);
  const bool may_miss = nullable(sources_, column);
  const bool fits = !plan.candidates.empty() && (plan.candidates.front().null_fits || !may_miss) &&
                    plan.candidates.front().null_items_fit && plan.candidates.front().nan_fits;
  plan.wants_trial = !fits;
  // Group numbers may become signed: they only count the groups.
  if (plan.candidates.empty() && !options_.cast && sources_.front()->group_column() == column) {
    for (const Type::Id wider : {Type::Int32, Type::Int64}) add_candidate(plan, wider);
  }
  if (!fits && options_.cast) {
    for (const Type& type : cast_candidates(field.type)) {
      if (type != field.type) add_candidate(plan, type);
    }
  }
  plan.wants_range =
      write_support_.expected_loss != nullptr && (options_.foresee_rounding || sources_.size() > 1);
  return plan;
}

// With casts, every column tries every type of the format: the first one that fits all of them, or
// most of them, is chosen.
void SchemaMapper::choose_one_type() {
  if (!options_.cast) return;
  std::vector<Type> types;
  const auto add = [&](const Type& type) {
    if (write_support_.type_support(type).read_as &&
        std::find(types.begin(), types.end(), type) == types.end())
      types.push_back(type);
  };
  for (const ColumnPlan& one : plans_) add(schema_[one.column].type);
  std::stable_sort(types.begin(), types.end(), [](const Type& a, const Type& b) {
    return std::pair(a.is_float(), a.width()) > std::pair(b.is_float(), b.width());
  });
  for (const ColumnPlan& one : plans_) {
    for (const Type& type : cast_candidates(schema_[one.column].type)) add(type);
  }
  if (types.empty()) return;
  for (ColumnPlan& one : plans_) {
    const Type& own = schema_[one.column].type;
    one.candidates.clear();
    one.as_nan.clear();
    for (const Type& type : types) {
      if (castable(own, type)) add_candidate(one, type);
    }
    one.wants_trial = types.size() > 1 || own != types.front() || one.wants_trial;
  }
}

// Returns the type that fits most columns; without casts, the type of the first column that fits.
std::optional<Type> SchemaMapper::chosen_type() const {
  std::vector<std::pair<Type, uint64_t>> fits;
  for (const ColumnPlan& one : plans_) {
    for (const Candidate& candidate : one.candidates) {
      if (candidate.fault) continue;
      if (!options_.cast) return candidate.type;
      auto entry = std::find_if(fits.begin(), fits.end(),
                                [&](const auto& known) { return known.first == candidate.type; });
      if (entry == fits.end()) entry = fits.insert(entry, {candidate.type, 0});
      ++entry->second;
    }
  }
  if (fits.empty()) return std::nullopt;
  return std::max_element(fits.begin(), fits.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

void SchemaMapper::keep_one_type() {
  const std::optional<Type> type = chosen_type();
  if (!type) return;
  for (ColumnPlan& one : plans_) {
    for (uint64_t i = one.candidates.size(); i-- > 0;) {
      if (one.candidates[i].type == *type) continue;
      one.candidates.erase(one.candidates.begin() + static_cast<ptrdiff_t>(i));
      one.as_nan.erase(one.as_nan.begin() + static_cast<ptrdiff_t>(i));
    }
  }
}

void SchemaMapper::run_trials() {
  std::vector<Trial> trials;
  std::vector<ColumnPlan*> on_trial;
  for (ColumnPlan& one : plans_) {
    const bool ranged = one.wants_range && !one.candidates.empty();
    if (!(one.wants_trial && !one.candidates.empty()) && !ranged) continue;
    Trial& trial = trials.emplace_back();
    trial.column = one.column;
    trial.wants_range = ranged;
    if (one.wants_trial) trial.candidates = one.candidates;
    on_trial.push_back(&one);
  }
  if (trials.empty()) return;
  for (const RowSourcePtr& source : sources_) heron::run_trials(*source, trials, context_);
  for (uint64_t i = 0; i < trials.size(); ++i) {
    if (on_trial[i]->wants_trial) on_trial[i]->candidates = std::move(trials[i].candidates);
    on_trial[i]->range = trials[i].range;
    on_trial[i]->null_count = trials[i].null_count;
  }
}

void SchemaMapper::resolve(const ColumnPlan& plan) {
  const Field& field = schema_[plan.column];
  for (uint64_t i = 0; i < plan.candidates.size(); ++i) {
    const Candidate& candidate = plan.candidates[i];
    if (candidate.fault) continue;
    MappedColumn& column = mapping_.columns.emplace_back();
    const TypeSupport support = write_support_.type_support(leaf_of(candidate.type));
    const bool by_cast = plan.as_nan[i] && support.nulls == TypeSupport::Nulls::Refused;
    column.cast = {plan.column, candidate.type, by_cast ? NullFloat::AsNaN : NullFloat::Keep};
    set_metadata(plan, column.cast);
    if (write_support_.types && !column.cast.keeps_metadata && column.cast.metadata.empty()) {
      column.metadata_lost = names_of_metadata(field);
    }
    column.nulls_as_nan = plan.as_nan[i] && !by_cast;
    if (by_cast) column.cast_to_nan = plan.null_count;
    column.nan_as_null = leaf_of(candidate.type).is_float() && support.nan_is_null &&
                         sources_.front()->format() != format_;
    if (plan.wants_range && plan.range) {
      column.expected_loss = write_support_.expected_loss(field.name, options_.write, *plan.range);
    }
    return;
  }
  refused_.push_back(concat(quoted(field.name), ": ", why_not(plan)));
  mapping_.dropped.push_back(refused_.back());
  mapping_.dropped_names.push_back(field.name);
}

std::string SchemaMapper::why_not(const ColumnPlan& plan) const {
  const Field& field = schema_[plan.column];
  if (plan.candidates.empty()) {
    if (write_support_.one_type && write_support_.type_support(field.type).read_as) {
      return concat(field.type.name(), ", where others are of another type");
    }
    return concat("type ", field.type.name(), " is not supported");
  }
  const Candidate& last = plan.candidates.front();
  const std::string as = last.type == field.type ? "" : concat(" as ", last.type.name());
  return concat("row ", last.fault->row, " is ", last.fault->value, ", which it cannot hold", as);
}

// Metadata is kept within a format; several files share the range by which values are scaled.
void SchemaMapper::set_metadata(const ColumnPlan& plan, CastColumn& cast) const {
  const auto text = [](double value) { return concat(value); };
  if (plan.wants_range && plan.range && sources_.size() > 1) {
    cast.metadata = {{"min", text(plan.range->least)}, {"max", text(plan.range->largest)}};
  } else {
    cast.keeps_metadata =
        sources_.front()->format() == format_ && cast.type == schema_[plan.column].type;
  }
}

void SchemaMapper::refuse() const {
  fail_with_hint(ErrorKind::Unsupported, options_.cast ? hint::kDropColumns : hint::kCastOrDrop,
                 out_, format_, " cannot hold ", refused_.size(),
                 refused_.size() == 1 ? " column: " : " columns: ", joined(refused_));
}

// A file without columns would have lost the rows, even their number in most formats.
void SchemaMapper::refuse_empty() const {
  if (mapping_.dropped.empty()) {
    fail(ErrorKind::Argument, out_, "no column to write: ", sources_.front()->name(), " has none");
  }
  fail_with_hint(ErrorKind::Unsupported, options_.cast ? "" : hint::kCast, out_,
                 "no column is left to write in ", format_, ": ", joined(mapping_.dropped));
}

}  // namespace

SchemaMapping map_schema(std::span<const RowSourcePtr> sources, std::string_view format,
                         const WriteSupport& write_support, const ConvertOptions& options,
                         const std::string& out, const Context& context) {
  check_same_columns(sources);
  return SchemaMapper(sources, format, write_support, options, out, context).run();
}

}  // namespace heron::inline v0
