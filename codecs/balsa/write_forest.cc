// Writes an ensemble tree by tree. Unknown counts are written as zeros, and patched after the last
// tree.
#include <algorithm>
#include <array>
#include <vector>

#include "balsa/balsa.h"
#include "balsa/heads.h"
#include "balsa/options.h"
#include "balsa/tree_rules.h"
#include "base/fail.h"
#include "bytes/appender.h"
#include "bytes/on_disk.h"

namespace heron::inline v0::balsa {
namespace {

constexpr uint64_t kMaxCount = UINT8_MAX;

uint8_t checked_count(const std::string& path, const char* what, uint64_t given) {
  if (given > kMaxCount) {
    fail(ErrorKind::Argument, path, "a Balsa forest has 1 to ", kMaxCount, ' ', what, ", got ",
         given);
  }
  return static_cast<uint8_t>(given);
}

class BalsaForestWriter final : public CheckedForestWriter {
 public:
  BalsaForestWriter(const std::string& path, uint8_t class_count, uint8_t feature_count,
                    const WriteOptions& options, const Context& context)
      : CheckedForestWriter(context),
        class_count_(class_count),
        feature_count_(feature_count),
        order_(byte_order(options)),
        file_(path, existing_if(options.replace)),
        out_(file_, 0) {
    append_text(file_head(order_));
    ensemble_ = out_.end();
    append_text(ensemble_head(class_count_, feature_count_));
  }

  uint64_t bytes_written() const override { return out_.end(); }

 private:
  OutputFile& file() noexcept override { return file_; }
  std::string fault_of(const TreeNodes& tree) override;
  void append(const TreeNodes& tree) override;
  void finish() override;

  bool is_known() const noexcept { return class_count_ != 0 && feature_count_ != 0; }
  void count(const TreeNodes& tree);
  void patch_counts();
  void append_text(std::string_view text) { out_.append(std::as_bytes(std::span(text))); }
  // Appends a table of one column.
  template <class Little, class Big, class T>
  void append_array(Array array, bool wide, std::span<const T> cells);
  template <class Stored, class T>
  void append_cells(std::span<const T> cells);

  const uint8_t class_count_, feature_count_;  // 0: unknown
  const std::endian order_;
  OutputFile file_;
  Appender out_;
  uint64_t ensemble_ = 0;               // offset of the ensemble
  std::vector<uint64_t> tree_offsets_;  // offsets of the trees, if a count is unknown
  uint64_t labels_end_ = 0;             // one more than the largest label of the trees so far
  uint64_t features_end_ = 0;           // one more than the largest feature of inner nodes so far
};

std::string BalsaForestWriter::fault_of(const TreeNodes& tree) {
  if (tree.left.size() > UINT32_MAX) {
    return concat("expected at most ", UINT32_MAX, " nodes, got ", tree.left.size());
  }
  const auto nodes = static_cast<uint32_t>(tree.left.size());
  const auto largest = [](uint8_t known) { return known == 0 ? kMaxCount : known; };
  TreeRules rules(nodes, static_cast<uint32_t>(largest(class_count_)),
                  static_cast<uint32_t>(largest(feature_count_)));
  std::string fault = rules.check(
      {0, nodes, tree.left.data(), tree.right.data(), tree.feature.data(), tree.label.data()});
  if (!fault.empty() || !rules.needs_paths()) return fault;
  Arena arena(context().memory);
  return rules.check_paths(tree.left.data(), tree.right.data(), arena);
}

void BalsaForestWriter::count(const TreeNodes& tree) {
  tree_offsets_.push_back(out_.end());
  for (uint64_t i = 0; i < tree.left.size(); ++i) {
    labels_end_ = std::max<uint64_t>(labels_end_, tree.label[i] + uint64_t{1});
    if (tree.left[i] == 0) continue;
    features_end_ = std::max<uint64_t>(features_end_, tree.feature[i] + uint64_t{1});
  }
}

void BalsaForestWriter::append(const TreeNodes& tree) {
  if (!is_known()) count(tree);
  const bool wide = std::holds_alternative<std::span<const double>>(tree.value);
  append_text(tree_head(class_count_, feature_count_, wide));
  append_array<u32le, u32be>(kLeft, wide, tree.left);
  append_array<u32le, u32be>(kRight, wide, tree.right);
  append_array<uint8_t, uint8_t>(kFeature, wide, tree.feature);
  if (wide) {
    append_array<f64le, f64be>(kValue, wide, std::get<std::span<const double>>(tree.value));
  } else {
    append_array<f32le, f32be>(kValue, wide, std::get<std::span<const float>>(tree.value));
  }
  append_array<uint8_t, uint8_t>(kLabel, wide, tree.label);
  append_text(kTreeEnd);
}

template <class Little, class Big, class T>
void BalsaForestWriter::append_array(Array array, bool wide, std::span<const T> cells) {
  append_text(table_head(scalar_of(array, wide), order_, static_cast<uint32_t>(cells.size()), 1));
  if (sizeof(T) == 1 || order_ == std::endian::native) {
    out_.append(std::as_bytes(cells));
  } else {
    order_ == std::endian::little ? append_cells<Little>(cells) : append_cells<Big>(cells);
  }
  append_text(kTableEnd);
}

template <class Stored, class T>
void BalsaForestWriter::append_cells(std::span<const T> cells) {
  std::array<Stored, 1024> some;
  for (uint64_t done = 0; done < cells.size();) {
    const uint64_t count = std::min(cells.size() - done, some.size());
    for (uint64_t i = 0; i < count; ++i) some[i] = cells[done + i];
    out_.append(std::as_bytes(std::span(some).first(count)));
    done += count;
  }
}

// Writes the counts of the ensemble and of all trees that were not known.
void BalsaForestWriter::patch_counts() {
  if (tree_offsets_.empty()) {
    fail(ErrorKind::Argument, path(),
         "the class and feature counts of a forest without trees have to be given");
  }
  tree_offsets_.push_back(ensemble_);
  const auto patch = [&](uint8_t known, const char* what, uint64_t counted, uint64_t offset) {
    if (known != 0) return;
    const auto count = std::max<uint64_t>(counted, 1);
    const auto stored = static_cast<std::byte>(count);
    for (const uint64_t object : tree_offsets_) file_.write_at(object + offset, {&stored, 1});
    if (context().note) {
      context().note(concat("the forest has as many ", what, " as its nodes show, ", count));
    }
  };
  patch(class_count_, "classes", labels_end_, kClassCountOffset);
  patch(feature_count_, "features", features_end_, kFeatureCountOffset);
}

void BalsaForestWriter::finish() {
  append_text(kEnsembleEnd);
  out_.flush();
  if (!is_known()) patch_counts();
}

}  // namespace

std::unique_ptr<CheckedForestWriter> create_forest(const std::string& path,
                                                   const ForestShape& shape,
                                                   const WriteOptions& options,
                                                   const Context& context) {
  const auto given = [&](std::string_view name, uint64_t known) {
    const auto count = number_option(options.format_options, name);
    return count ? static_cast<uint64_t>(*count) : known;
  };
  const uint8_t classes =
      checked_count(path, "classes", given(kClassCount, shape.class_count));
  const uint8_t features =
      checked_count(path, "features", given(kFeatureCount, shape.feature_count));
  return std::make_unique<BalsaForestWriter>(path, classes, features, options, context);
}

}  // namespace heron::inline v0::balsa
