#include "generate/generate.h"

#include <algorithm>
#include <chrono>

#include "generate/preset.h"

namespace heron::generate {
namespace {

constexpr uint64_t kBatchRows = 8192;

}  // namespace

Outcome generate(const Order& order, const Context& context) {
  using Clock = std::chrono::steady_clock;
  const auto preset = make_preset(order.preset, order.seed, order.features);
  if (order.rows > preset->most_rows()) {
    fail(ErrorKind::Limit, order.path, "the preset \"", order.preset, "\" has at most ",
         preset->most_rows(), " rows, got ", order.rows);
  }
  const auto start = Clock::now();
  WriteOptions options = order.options;
  options.rows = order.rows;
  options.replace = true;
  const auto writer = create(order.path, *preset->schema(), options, context);
  RowBatch batch;
  for (uint64_t done = 0; done < order.rows; done += batch.rows) {
    context.step(done, order.rows);
    preset->fill(std::min(kBatchRows, order.rows - done), batch);
    writer->write(batch);
  }
  writer->close();
  const std::chrono::duration<double> taken = Clock::now() - start;
  writer->publish();
  return {writer->bytes_written(), taken.count()};
}

}  // namespace heron::generate
