// The bound of a question: a plain loop over the same bytes of the mapped file, that checks and
// decodes nothing. The maps are the engine's, with its fault guard: where a file is cut, a loop
// reads zeros, and check() reports it.
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
  // Whether the loop does the work of the question, so that it is a bound. Otherwise it only shows
  // how fast the machine is meanwhile.
  virtual bool does_same_work() const = 0;
  virtual void run(const Input& input) = 0;
  // Between two runs, not timed.
  virtual void rest() {}
  // After a turn: throws Error(Changed) if the file was changed or cut meanwhile.
  virtual void check() const {}

 protected:
  PlainLoop() = default;
};

// `touched_bytes` of the file are what the question reads. `file` must outlive it. Null if there is
// nothing to read. Throws Error: Io, Changed.
std::unique_ptr<PlainLoop> plain_loop_of(Op op, const Subject& subject, const FileFacts& facts,
                                         const OpenFile& file, uint64_t touched_bytes);

// The loop over cells that lie in the map as they are, for questions about rows, blocks, columns
// and groups of them; null for other questions and where columns lie otherwise.
std::unique_ptr<PlainLoop> cells_loop_of(Op op, const Subject& subject, const FileFacts& facts,
                                         const OpenFile& file);

// Adds up bytes, eight at a time: what looking at them costs at least.
uint64_t sum_of(const std::byte* data, uint64_t bytes);
// Keeps the compiler from leaving out the work that makes it.
inline void keep_sum(uint64_t sum) {
  asm volatile("" : : "g"(sum) : "memory");
}

}  // namespace heron::cli::bench
