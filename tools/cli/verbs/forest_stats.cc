#include "verbs/forest_stats.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/fail.h"
#include "heron/forest.h"
#include "output/report.h"
#include "session.h"

namespace heron::cli {
namespace {

// The minimum, mean and maximum of a number that each tree has.
struct OfTrees {
  double min = 0, mean = 0, max = 0;
};
template <class Number>
OfTrees of_trees(const ForestStats& summary, Number number) {
  OfTrees of;
  if (summary.trees.empty()) return of;
  of.min = of.max = number(summary.trees.front());
  for (const ForestStats::Tree& tree : summary.trees) {
    const double one = number(tree);
    of.min = std::min(of.min, one);
    of.max = std::max(of.max, one);
    of.mean += one;
  }
  of.mean /= static_cast<double>(summary.trees.size());
  return of;
}

class ForestPrinter {
 public:
  explicit ForestPrinter(Session& session)
      : form_(session.form()),
        writer_(make_report_writer(form_, session.out(),
                                   {text_column("figure"), number_column("of"),
                                    number_column("value"), number_column("share")})) {}

  void print(const ForestStats& summary) {
    line("trees", std::nullopt, uint64_t{summary.trees.size()});
    line("nodes", of_trees(summary, [](const auto& tree) { return tree.nodes; }));
    line("leaves", of_trees(summary, [](const auto& tree) { return tree.leaves; }));
    line("depth", of_trees(summary, [](const auto& tree) { return tree.depth; }));
    lines("splits on feature", summary.splits_of_feature);
    lines("leaves of class", summary.leaves_of_class);
    writer_->finish();
  }

 private:
  void line(std::string_view figure, std::optional<uint64_t> of, const Cell& value,
            const Cell& share = {}) {
    writer_->write(row_of({figure, of, value, share}));
  }
  void line(std::string_view figure, const OfTrees& of) {
    line(concat(figure, " of a tree, least"), std::nullopt, of.min);
    line(concat(figure, " of a tree, mean"), std::nullopt, rounded(of.mean, form_));
    line(concat(figure, " of a tree, greatest"), std::nullopt, of.max);
  }
  void lines(std::string_view figure, const std::vector<uint64_t>& counts) {
    uint64_t all = 0;
    for (const uint64_t count : counts) all += count;
    for (uint64_t i = 0; i < counts.size(); ++i) {
      const double share = all == 0 ? 0 : static_cast<double>(counts[i]) / static_cast<double>(all);
      line(figure, i, counts[i], rounded(share, form_));
    }
  }

  const OutputForm form_;
  const std::unique_ptr<RowWriter> writer_;
};

}  // namespace

void print_forest_stats(Session& session) {
  ForestPrinter(session).print(stats(Forest(session.table()), session.context()));
}

}  // namespace heron::cli
