#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "base/no_such.h"
#include "forest/class_labels.h"
#include "heron/forest.h"

namespace heron::inline v0 {
namespace {

constexpr uint32_t kLabels = 255;

std::optional<double> share(uint64_t part, uint64_t whole) noexcept {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Reads the labels of a source of one column, batch by batch.
class Labels {
 public:
  Labels(const RowSource& source, const Context& context) : source_(source) {
    if (source.schema().size() != 1) {
      fail(ErrorKind::Argument, source.name(), "expected one column of labels, got ",
           source.schema().size());
    }
    const uint64_t column = 0;
    stream_ = source.read({&column, 1}, context);
  }

  // Returns the next label; nullopt at the end.
  std::optional<uint8_t> next() {
    while (at_ == labels_.size()) {
      if (!stream_->next(batch_)) return std::nullopt;
      read_class_labels(source_.name(), source_.schema().front(), batch_.columns.front(), rows_,
                        labels_);
      rows_ += batch_.rows;
      at_ = 0;
    }
    return labels_[at_++];
  }

 private:
  const RowSource& source_;
  std::unique_ptr<RowStream> stream_;
  RowBatch batch_;
  std::vector<uint8_t> labels_;
  uint64_t at_ = 0, rows_ = 0;
};

}  // namespace

uint64_t Confusion::cell(uint32_t truth, uint32_t label) const {
  for (const uint32_t one : {truth, label}) {
    if (one >= classes_) fail_no_such({}, "class", one, "the confusion matrix", classes_);
  }
  return uint64_t{truth} * classes_ + label;
}

void Confusion::add(uint32_t truth, uint32_t label, uint64_t points) {
  counts_[cell(truth, label)] += points;
}

uint64_t Confusion::count(uint32_t truth, uint32_t label) const {
  return counts_[cell(truth, label)];
}

uint64_t Confusion::points() const noexcept {
  return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
}

std::optional<double> Confusion::accuracy() const {
  uint64_t right = 0;
  for (uint32_t i = 0; i < classes_; ++i) right += count(i, i);
  return share(right, points());
}

std::optional<double> Confusion::precision(uint32_t label) const {
  const uint64_t right = count(label, label);
  uint64_t labelled = 0;
  for (uint32_t truth = 0; truth < classes_; ++truth) labelled += count(truth, label);
  return share(right, labelled);
}

std::optional<double> Confusion::recall(uint32_t label) const {
  const uint64_t right = count(label, label);
  uint64_t of_class = 0;
  for (uint32_t given = 0; given < classes_; ++given) of_class += count(label, given);
  return share(right, of_class);
}

std::optional<double> Confusion::f1(uint32_t label) const {
  const std::optional<double> p = precision(label), r = recall(label);
  if (!p && !r) return std::nullopt;
  const double sum = p.value_or(0) + r.value_or(0);
  return sum == 0 ? 0 : 2 * p.value_or(0) * r.value_or(0) / sum;
}

Confusion compare_labels(const RowSource& truth, const RowSource& labels, uint32_t classes,
                         const Context& context) {
  Labels truths(truth, context), given(labels, context);
  Confusion all(kLabels);
  uint64_t rows = 0;
  for (;; ++rows) {
    const std::optional<uint8_t> is = truths.next(), got = given.next();
    if (!is && !got) break;
    if (!is || !got) {
      fail(ErrorKind::Argument, (is ? labels : truth).name(), "expected as many labels as ",
           (is ? truth : labels).name(), " has, got ", rows);
    }
    all.add(*is, *got);
    classes = std::max({classes, *is + 1U, *got + 1U});
  }
  Confusion result(classes);
  const uint32_t some = std::min(classes, kLabels);
  for (uint32_t is = 0; is < some; ++is) {
    for (uint32_t got = 0; got < some; ++got) result.add(is, got, all.count(is, got));
  }
  return result;
}

}  // namespace heron::inline v0
