// The bound of a question: a plain loop over the same bytes of the mapped file, that checks and
// decodes nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bench/questions.h"

namespace heron::cli::bench {

class PlainLoop {
 public:
  virtual ~PlainLoop() = default;
  PlainLoop(const PlainLoop&) = delete;
  PlainLoop& operator=(const PlainLoop&) = delete;

  // In words.
  virtual std::string what() const = 0;
  virtual void run(const Input& input) = 0;
  // Between two runs, not timed.
  virtual void rest() {}

 protected:
  PlainLoop() = default;
};

// `touched_bytes` of the file are what the question reads. `file` must outlive it. Null if there is
// nothing to read. Throws Error(Io).
std::unique_ptr<PlainLoop> plain_loop_of(Op op, const Subject& subject, const FileFacts& facts,
                                         const OpenFile& file, uint64_t touched_bytes);

}  // namespace heron::cli::bench
