#include <algorithm>
#include <string_view>

#include "base/counted.h"
#include "base/fail.h"
#include "base/memory_rule.h"
#include "cache/block_column.h"
#include "columns/null_column.h"
#include "files/foreign_format.h"
#include "format/table_source.h"
#include "svmlight/blocks.h"
#include "svmlight/line.h"
#include "svmlight/options.h"
#include "svmlight/saved.h"
#include "svmlight/svmlight.h"
#include "table/internals.h"

namespace heron::inline v0::svmlight {
namespace {

// The facts of all files of a table.
Facts united(const Facts& a, const Facts& b) {
  if (b.rows == 0) return a;
  if (a.rows == 0) return b;
  Facts all = a;
  all.rows += b.rows;
  all.has_comments |= b.has_comments;
  all.has_whole_labels &= b.has_whole_labels;
  all.min_label = std::min(a.min_label, b.min_label);
  all.max_label = std::max(a.max_label, b.max_label);
  all.min_index = std::min(a.min_index, b.min_index);
  all.max_index = std::max(a.max_index, b.max_index);
  return all;
}

Type::Id label_type(const Facts& facts) {
  if (!facts.has_whole_labels) return Type::Float64;
  const bool is_narrow =
      facts.rows == 0 || (facts.min_label >= INT32_MIN && facts.max_label <= INT32_MAX);
  return is_narrow ? Type::Int32 : Type::Int64;
}

// The columns: label, qid if rows have queries, the features, a comment if any row has one.
class Rows final : public TableSource {
 public:
  // `all` are the facts of all files of the table.
  Rows(std::shared_ptr<const ByteSource> source, RowIndex index, const Facts& all,
       const OpenOptions& options, std::shared_ptr<BlockCache> cache)
      : facts_(all),
        is_dense_(switch_option(options.format_options, kDense)),
        cache_(std::move(cache)) {
    RowText text{std::move(source), std::move(index), 0, 1};
    const FeatureBase base = feature_base(options);
    const bool is_zero =
        base == FeatureBase::Zero || (base == FeatureBase::Detect && all.min_index == 0);
    text.base = is_zero ? 0 : 1;
    if (all.has_features() && all.max_index >= text.base) {
      text.features = all.max_index - text.base + 1;
    }
    constexpr uint64_t kMaxDense = uint64_t{1} << 20;
    if (is_dense_ && text.features > kMaxDense) {
      fail(ErrorKind::Limit, text.source->name(), "expected at most ", kMaxDense,
           " features for a column each, got ", text.features);
    }
    text_ = std::make_shared<const RowText>(std::move(text));
    if (all.has_queries) {
      groups_ = std::make_unique<const Runs>(text_->index.facts.groups, rows(),
                                             [text = text_] { return group_starts(*text); });
    }
    if (is_dense_ && text_->features != 0) features_ = open_features("features");
  }

  const RowIndex& index() const noexcept { return text_->index; }
  const std::shared_ptr<BlockCache>& cache() const noexcept { return cache_; }

  uint64_t column_count() const noexcept override {
    return first_feature() + feature_columns() + (facts_.has_comments ? 1 : 0);
  }
  std::string stored_name(uint64_t column) const override {
    if (column == 0) return "label";
    if (column < first_feature()) return "qid";
    if (column == first_feature() + feature_columns()) return "comment";
    return is_dense_ ? concat('f', text_->base + column - first_feature()) : "features";
  }
  bool has_sound_names() const noexcept override { return true; }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    if (column == 0) {
      const Type::Id type = label_type(facts_);
      return open_blocks(type, {name, "label"}, label_blocks(text_, type));
    }
    if (column < first_feature()) {
      return open_blocks(Type::Int64, {name, "qid"}, query_blocks(text_));
    }
    if (column == first_feature() + feature_columns()) {
      return open_blocks(Type::Text, {name, "comment"}, comment_blocks(text_));
    }
    if (!is_dense_) return open_features(name);
    return open_blocks(Type::Float32, {name, "feature"},
                       dense_blocks(text_, *features_, column - first_feature()));
  }
  uint64_t block_rows() const noexcept override { return text_->index.block_rows; }
  bool stores_rows() const noexcept override { return true; }
  const Runs* groups() const noexcept override { return groups_.get(); }
  std::optional<uint64_t> label_column() const noexcept override { return 0; }

 private:
  uint64_t rows() const noexcept { return text_->index.facts.rows; }
  uint64_t first_feature() const noexcept { return facts_.has_queries ? 2 : 1; }
  uint64_t feature_columns() const noexcept {
    return is_dense_ ? text_->features : std::min<uint64_t>(text_->features, 1);
  }
  ColumnPtr open_blocks(Type type, ColumnLabel label,
                        std::shared_ptr<const BlockSource> blocks) const {
    return std::make_unique<BlockColumn>(std::move(type), rows(), std::move(label), block_rows(),
                                         false, std::move(blocks), cache_);
  }
  ColumnPtr open_features(const std::string& name) const {
    return open_blocks(Type::vector(Type::Float32, text_->features), {name, "features"},
                       feature_blocks(text_));
  }

  const Facts facts_;
  const bool is_dense_;
  std::shared_ptr<BlockCache> cache_;
  RowTextPtr text_;
  std::unique_ptr<const Runs> groups_;  // null without queries
  ColumnPtr features_;                  // all features, from which dense columns are taken
};

std::shared_ptr<BlockCache> cache_for(const ByteSource& bytes, const OpenOptions& options,
                                      const Context& context) {
  const uint64_t memory_bytes = memory_for(bytes.size());
  return std::make_shared<BlockCache>(
      std::min(options.cache_bytes, memory_bytes),
      context.memory != nullptr ? context.memory : std::make_shared<MemoryBudget>(memory_bytes));
}

RowIndex index_of(const ByteSource& bytes, const OpenOptions& options,
                  std::span<const std::byte> saved, const Context& context) {
  if (!saved.empty()) {
    if (auto index = load_saved(saved, bytes.size())) return *std::move(index);
    if (context.note) {
      context.note(
          concat(bytes.name(), ": the saved row index does not match the file; it is built again"));
    }
  }
  if (options.head_rows == 0) bytes.check_whole_read();
  RowIndex index = find_rows(bytes, options.head_rows, context);
  if (index.is_cut && context.note) {
    context.note(concat(bytes.name(), ": columns are those of ", first_of(index.facts.rows, "row"),
                        "; the rest was not read"));
  }
  return index;
}

bool begins_with_pair(std::string_view pairs) {
  const std::string_view pair(pairs.begin(), std::ranges::find_if(pairs, is_blank));
  const size_t colon = pair.find(':');
  int64_t index = 0;
  double value = 0;
  return colon != pair.npos && parse(pair.substr(0, colon), index) &&
         parse(pair.substr(colon + 1), value);
}

// Returns whether the lines of a head, but for its last one, which may be cut, are rows.
bool has_rows(std::string_view head) {
  bool are_rows = true, has_pairs = false;
  const size_t end = head.size() < kForeignHeadBytes ? head.size() : head.rfind('\n') + 1;
  each_line(head.substr(0, end), [&](std::string_view text, size_t) {
    const std::optional<Line> line = split(text);
    if (!line || !are_rows) return;
    double label = 0;
    are_rows = parse(line->label, label) && (line->pairs.empty() || begins_with_pair(line->pairs));
    has_pairs = has_pairs || !line->pairs.empty();
  });
  return are_rows && has_pairs;
}

bool ends_as_rows(std::string_view name) {
  constexpr std::string_view kEndings[] = {".svmlight", ".libsvm", ".letor", ".svm"};
  return std::ranges::any_of(kEndings, [&](std::string_view one) { return name.ends_with(one); });
}

}  // namespace

Match probe(std::span<const std::byte>, uint64_t) noexcept {
  return Match::No;
}

// Lines that are rows are hardly anything else, though they may have as many commas or tabs each.
Match resembles(std::string_view name, std::string_view head, bool is_payload) {
  if (head.empty() || !looks_like_text(head)) return Match::No;
  return ends_as_rows(name) || (!is_payload && has_rows(head)) ? Match::Yes : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                 const OpenOptions& options, std::span<const std::byte> saved,
                                 const Context& context) {
  RowIndex index = index_of(*bytes, options, saved, context);
  const Facts facts = index.facts;
  FileContents parts;
  if (!index.is_cut) {
    parts.index = [kept = std::make_shared<const RowIndex>(index), size = bytes->size()] {
      return save(*kept, size);
    };
  }
  auto source = std::make_unique<const Rows>(bytes, std::move(index), facts, options,
                                             cache_for(*bytes, options, context));
  parts.format = "svmlight";
  if (facts.has_features()) {
    parts.header = {{"indices", concat(facts.min_index, " to ", facts.max_index)}};
  }
  parts.counters = [cache = source->cache()] {
    return std::vector<Counter>{{"blocks_decoded", cache->decoded_blocks()}};
  };
  parts.tables.push_back(
      std::make_shared<const Table>(TableContents{"data", facts.rows, bytes, std::move(source)}));
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

std::vector<std::shared_ptr<const File>> unify(std::span<const std::shared_ptr<const File>> files,
                                               const OpenOptions& options, const Context&) {
  const auto rows_of = [](const File& file) -> const Rows& {
    return static_cast<const Rows&>(internals(*file.table()).source());
  };
  Facts all = rows_of(*files.front()).index().facts;
  for (const auto& file : files) {
    const Facts& facts = rows_of(*file).index().facts;
    if (facts.rows != 0 && all.rows != 0 && facts.has_queries != all.has_queries) {
      fail(ErrorKind::Argument, file->path(), "rows have ", facts.has_queries ? "a" : "no",
           " qid:, unlike those of files before it");
    }
    all = united(all, facts);
  }
  std::vector<std::shared_ptr<const File>> unified;
  for (const auto& file : files) {
    FileContents parts = internals(*file);
    const Table& table = *parts.tables.front();
    parts.tables.front() = std::make_shared<const Table>(
        TableContents{table.name(), table.rows(), parts.bytes,
                      std::make_unique<const Rows>(parts.bytes, rows_of(*file).index(), all,
                                                   options, rows_of(*file).cache())});
    unified.push_back(std::make_shared<const File>(std::move(parts)));
  }
  return unified;
}

std::vector<std::byte> index(std::shared_ptr<const ByteSource> bytes, const OpenOptions&,
                             const Context& context) {
  return save(find_rows(*bytes, 0, context), bytes->size());
}

}  // namespace heron::inline v0::svmlight
