// Adds predictions to the rows of a source.
#include <algorithm>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/fail.h"
#include "base/hints.h"
#include "base/no_such.h"
#include "base/parallel.h"
#include "forest/feature_columns.h"
#include "forest/internals.h"
#include "table/names.h"
#include "values/batch_like.h"

namespace heron::inline v0 {
namespace {

// The columns that a prediction adds: the label, then votes, then probabilities.
struct Outputs {
  uint64_t classes = 0;
  bool votes = false, probabilities = false;

  uint64_t size() const noexcept { return 1 + classes * (votes + probabilities); }
  bool is_label(uint64_t i) const noexcept { return i == 0; }
  bool is_votes(uint64_t i) const noexcept { return votes && i != 0 && i <= classes; }
  uint64_t class_of(uint64_t i) const noexcept { return (i - 1) % classes; }

  Field field(uint64_t i) const {
    Field field;
    field.name = is_label(i) ? "label"
                             : concat(is_votes(i) ? "votes_" : "probability_", class_of(i));
    field.type = is_label(i) ? Type::UInt8 : is_votes(i) ? Type::UInt32 : Type::Float64;
    return field;
  }
};

uint64_t column_named(const RowSource& points, const std::string& name) {
  const Schema& schema = points.schema();
  const auto field = std::ranges::find(schema, name, &Field::name);
  if (field == schema.end()) {
    fail(ErrorKind::Argument, points.name(), "no column \"", name, '"',
         similar_column(schema, name));
  }
  return static_cast<uint64_t>(field - schema.begin());
}

std::string free_name(const Schema& schema, const std::string& name) {
  const auto is_taken = [&](const std::string& one) {
    return std::ranges::find(schema, one, &Field::name) != schema.end();
  };
  std::string free = name;
  for (uint64_t i = 1; is_taken(free); ++i) free = concat(name, '.', i);
  return free;
}

class PredictedRows final : public RowStream {
 public:
  // `points` gives the features, then kept columns; the outputs come behind them. `requested` has
  // the indices, among all of these, of the columns of a batch.
  PredictedRows(const Forest& forest, FeatureColumns columns, Outputs outputs,
                std::span<const float> weights, std::unique_ptr<RowStream> points,
                std::vector<uint64_t> requested, std::shared_ptr<const Schema> schema,
                const Context& context)
      : forest_(forest),
        columns_(columns),
        outputs_(outputs),
        weights_(weights),
        points_(std::move(points)),
        requested_(std::move(requested)),
        schema_(std::move(schema)),
        context_(context) {}

  bool next(RowBatch& batch) override {
    if (!points_->next(input_)) {
      batch = RowBatch{};
      batch.schema = schema_;
      return false;
    }
    batch = batch_like(input_, context_);
    batch.schema = schema_;
    batch.rows = input_.rows;
    votes_.assign(input_.rows * outputs_.classes, 0);
    classify();
    const uint64_t inputs = input_.columns.size();
    for (const uint64_t column : requested_) {
      batch.columns.push_back(column < inputs ? input_.columns[column]
                                              : output(column - inputs, *batch.memory));
    }
    rows_ += input_.rows;
    return true;
  }

 private:
  // Sets votes_ from the features of input_.
  void classify() {
    const uint64_t features = columns_.schema.size();
    const auto values = std::span<const Values>(input_.columns).first(features);
    const PackedForest& packed = internals(forest_).packed(context_);
    Arena arena(context_.memory);
    PointKeys keys = features == 0 ? PointKeys{} : keys_of(packed, columns_, values, rows_, arena);
    if (features == 0) keys = without_features(packed, arena);
    const uint64_t threads = thread_count(context_);
    const uint64_t share = std::max<uint64_t>((input_.rows / threads / kGroup + 1) * kGroup, 256);
    const uint64_t shares = input_.rows / share + (input_.rows % share != 0);
    Context quiet = context_;
    quiet.progress = nullptr;
    parallel_for(shares, quiet, [&](uint64_t i, const Context&) {
      const uint64_t first = i * share;
      const PointKeys some{keys.narrow == nullptr ? nullptr : keys.narrow + first * features,
                           keys.wide == nullptr ? nullptr : keys.wide + first * features,
                           std::min(share, input_.rows - first)};
      packed.vote(some, outputs_.classes, votes_.data() + first * outputs_.classes);
    });
  }

  PointKeys without_features(const PackedForest&, Arena& arena) const {
    auto* zeros = arena.allocate_array<uint64_t>(kKeysBehind);
    std::fill_n(zeros, kKeysBehind, 0);
    return {reinterpret_cast<const uint32_t*>(zeros), zeros, input_.rows};
  }

  std::span<const uint32_t> votes_of(uint64_t row) const {
    return std::span(votes_).subspan(row * outputs_.classes, outputs_.classes);
  }

  template <class T, class Get>
  Values values_of(const Type& type, Arena& arena, Get get) const {
    Values values(type, input_.rows);
    auto* cells = arena.allocate_array<T>(input_.rows);
    for (uint64_t row = 0; row < input_.rows; ++row) cells[row] = get(row);
    values.data = {reinterpret_cast<const std::byte*>(cells), input_.rows * sizeof(T)};
    return values;
  }

  Values output(uint64_t i, Arena& arena) const {
    const Type type = outputs_.field(i).type;
    if (outputs_.is_label(i)) {
      return values_of<uint8_t>(type, arena,
                                [&](uint64_t row) { return label_of(votes_of(row), weights_); });
    }
    const uint64_t label = outputs_.class_of(i);
    if (outputs_.is_votes(i)) {
      return values_of<uint32_t>(type, arena, [&](uint64_t row) { return votes_of(row)[label]; });
    }
    const auto trees = static_cast<double>(std::max<uint64_t>(forest_.tree_count(), 1));
    return values_of<double>(type, arena,
                             [&](uint64_t row) { return votes_of(row)[label] / trees; });
  }

  const Forest& forest_;
  const FeatureColumns columns_;
  const Outputs outputs_;
  const std::span<const float> weights_;
  const std::unique_ptr<RowStream> points_;
  const std::vector<uint64_t> requested_;
  const std::shared_ptr<const Schema> schema_;
  const Context context_;
  RowBatch input_;
  std::vector<uint32_t> votes_;  // votes for input_: rows x classes
  uint64_t rows_ = 0;            // rows before input_
};

class Predictions final : public RowSource {
 public:
  Predictions(const Forest& forest, RowSourcePtr points, const PredictOptions& options)
      : forest_(forest),
        points_(std::move(points)),
        weights_(options.weights),
        nulls_as_nan_(options.nulls_as_nan),
        outputs_{forest.class_count(), options.votes, options.probabilities} {
    check_weights(forest, weights_);
    std::vector<uint64_t> kept;
    for (const std::string& name : options.keep) kept.push_back(column_named(*points_, name));
    for (const std::string& name : options.features) {
      inputs_.push_back(column_named(*points_, name));
    }
    if (options.features.empty()) {
      for (uint64_t i = 0; i < points_->schema().size(); ++i) {
        if (std::ranges::find(kept, i) == kept.end()) inputs_.push_back(i);
      }
    }
    check_features();
    for (const uint64_t column : kept) {
      inputs_.push_back(column);
      schema_.push_back(points_->schema()[column]);
    }
    for (uint64_t i = 0; i < outputs_.size(); ++i) {
      Field field = outputs_.field(i);
      field.name = free_name(schema_, field.name);
      schema_.push_back(std::move(field));
    }
  }

  const std::string& name() const noexcept override { return points_->name(); }
  const Schema& schema() const override { return schema_; }
  std::string_view format() const noexcept override { return points_->format(); }
  uint64_t rows() const override { return points_->rows(); }
  SkippedRows* skipped() const noexcept override { return points_->skipped(); }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    check_columns(columns, schema_);
    const uint64_t features = feature_fields_.size();
    auto schema = std::make_shared<Schema>();
    std::vector<uint64_t> requested;
    for (const uint64_t column : columns) {
      schema->push_back(schema_[column]);
      requested.push_back(column + features);
    }
    return std::make_unique<PredictedRows>(
        forest_, FeatureColumns{points_->name(), feature_fields_, nulls_as_nan_}, outputs_,
        weights_, points_->read(inputs_, context), std::move(requested), std::move(schema),
        context);
  }

 private:
  // Checks inputs_, which are the features so far.
  void check_features() {
    if (inputs_.size() != forest_.feature_count()) {
      fail_with_hint(ErrorKind::Argument, hint::kFeatureColumns, points_->name(), "expected ",
                     forest_.feature_count(), " features, as ", forest_.name(), " has, got ",
                     inputs_.size(), inputs_.size() == 1 ? " column" : " columns");
    }
    for (const uint64_t column : inputs_) {
      const Field& field = points_->schema()[column];
      check_feature_type(points_->name(), field);
      feature_fields_.push_back(field);
    }
  }

  const Forest forest_;
  const RowSourcePtr points_;
  const std::vector<float> weights_;
  const bool nulls_as_nan_;
  const Outputs outputs_;
  std::vector<uint64_t> inputs_;  // columns of the points: the features, then the kept ones
  Schema feature_fields_;
  Schema schema_;
};

}  // namespace

RowSourcePtr predictions(const Forest& forest, RowSourcePtr points,
                         const PredictOptions& options) {
  check_given(points, "a source of points");
  return std::make_shared<Predictions>(forest, std::move(points), options);
}

}  // namespace heron::inline v0
