// Progress of an encoder, reported at intervals.
#pragma once

#include "base/cpu.h"
#include "heron/context.h"

namespace heron::inline v0::treezip {

// Progress in bits of the payload, `done` of which need no tree. One thread at a time.
class EncodeProgress {
 public:
  // Bits between two reports: encoding them takes milliseconds.
  static constexpr uint64_t kStep = uint64_t{1} << 16;

  EncodeProgress(uint64_t done, uint64_t all, const Context& context) noexcept
      : context_(context), done_(done), all_(all) {}

  HERON_INLINE void add(uint64_t samples) {
    done_ += samples;
    if (done_ - reported_ >= kStep) report();
  }
  // Reports the progress. Throws Error(Cancelled).
  void report() {
    reported_ = done_;
    context_.step(done_, all_);
  }

 private:
  const Context& context_;
  uint64_t done_;
  const uint64_t all_;
  uint64_t reported_ = 0;
};

}  // namespace heron::inline v0::treezip
