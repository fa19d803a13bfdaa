#include "forest_stats.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/fail.h"
#include "heron/forest.h"
#include "output/records.h"
#include "session.h"

namespace heron::cli {
namespace {

// The minimum, mean and maximum of a number that each tree has.
struct OfTrees {
  double least = 0, mean = 0, greatest = 0;
};
template <class Number>
OfTrees of_trees(const ForestStats& summary, Number number) {
  OfTrees of;
  if (summary.trees.empty()) return of;
  of.least = of.greatest = number(summary.trees.front());
  for (const ForestStats::Tree& tree : summary.trees) {
    const double one = number(tree);
    of.least = std::min(of.least, one);
    of.greatest = std::max(of.greatest, one);
    of.mean += one;
  }
  of.mean /= static_cast<double>(summary.trees.size());
  return of;
}

class ForestPrinter {
 public:
  explicit ForestPrinter(Session& session)
      : form_(session.form()),
        writer_(make_record_writer(form_, session.out(), {{"figure", false},
                                                          {"of", true},
                                                          {"value", true},
                                                          {"share", true}})) {}

  void print(const ForestStats& summary) {
    line("trees", std::nullopt, number_cell(uint64_t{summary.trees.size()}));
    line("nodes", of_trees(summary, [](const auto& tree) { return tree.nodes; }));
    line("leaves", of_trees(summary, [](const auto& tree) { return tree.leaves; }));
    line("depth", of_trees(summary, [](const auto& tree) { return tree.depth; }));
    lines("splits on feature", summary.splits_of_feature);
    lines("leaves of class", summary.leaves_of_class);
    writer_->finish();
  }

 private:
  void line(std::string_view figure, std::optional<uint64_t> of, RecordCell value,
            RecordCell share = {}) {
    writer_->write({text_cell(figure), of ? number_cell(*of) : RecordCell{}, std::move(value),
                    std::move(share)});
  }
  void line(std::string_view figure, const OfTrees& of) {
    line(concat(figure, " of a tree, least"), std::nullopt, number_cell(of.least));
    line(concat(figure, " of a tree, mean"), std::nullopt, rounded_cell(of.mean, form_));
    line(concat(figure, " of a tree, greatest"), std::nullopt, number_cell(of.greatest));
  }
  void lines(std::string_view figure, const std::vector<uint64_t>& counts) {
    uint64_t all = 0;
    for (const uint64_t count : counts) all += count;
    for (uint64_t i = 0; i < counts.size(); ++i) {
      const double share = all == 0 ? 0 : static_cast<double>(counts[i]) / static_cast<double>(all);
      line(figure, i, number_cell(counts[i]), rounded_cell(share, form_));
    }
  }

  const OutputForm form_;
  const std::unique_ptr<RecordWriter> writer_;
};

}  // namespace

void print_forest_stats(Session& session) {
  ForestPrinter(session).print(stats(Forest(session.table()), session.context()));
}

}  // namespace heron::cli
