// Returns a context of `threads` threads, otherwise the default.
#pragma once

#include "heron/context.h"

namespace heron::inline v0 {

inline Context on_threads(unsigned threads) {
  Context context;
  context.threads = threads;
  return context;
}

}  // namespace heron::inline v0
