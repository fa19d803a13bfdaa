#include "jforests/spill.h"

namespace heron::inline v0::jforests {
namespace {

constexpr uint64_t kMinRows = 64;
constexpr uint64_t kMaxRows = uint64_t{64} << 10;

uint64_t stripe_rows(uint64_t columns, uint64_t memory_bytes) {
  const uint64_t rows = memory_bytes / sizeof(double) / std::max<uint64_t>(columns, 1);
  return std::clamp(rows, kMinRows, kMaxRows) / kMinRows * kMinRows;
}

}  // namespace

Spill::Spill(const std::string& path, uint64_t columns, uint64_t memory_bytes)
    : scratch_(path),
      columns_(columns),
      stripe_rows_(stripe_rows(columns, memory_bytes)),
      stripe_(std::make_unique_for_overwrite<double[]>(columns * stripe_rows_)) {}

void Spill::flush() {
  const std::span stripe(stripe_.get(), columns_ * stripe_rows_);
  scratch_.write_at(flushed_ * stripe.size_bytes(), std::as_bytes(stripe));
  ++flushed_;
  used_ = 0;
}

void Spill::visit(uint64_t column, const Visitor& visitor) {
  piece_.resize(flushed_ > 0 ? stripe_rows_ : 0);
  for (uint64_t stripe = 0; stripe < flushed_; ++stripe) {
    scratch_.read_at((stripe * columns_ + column) * stripe_rows_ * sizeof(double),
                     std::as_writable_bytes(std::span(piece_)));
    visitor(piece_);
  }
  if (used_ > 0) visitor({stripe_.get() + column * stripe_rows_, used_});
}

}  // namespace heron::inline v0::jforests
