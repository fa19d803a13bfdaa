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

  // Describes the loop in words.
  virtual std::string what() const = 0;
  // Returns whether the loop does the work of the question, so that it is a bound. Otherwise it
  // only shows how fast the machine is meanwhile.
  virtual bool does_same_work() const = 0;
  virtual void run(const Input& input) = 0;
  // Called between two runs, not timed.
  virtual void rest() {}
  // Called after a turn: throws Error(Changed) if the file was changed or cut meanwhile.
  virtual void check() const {}

 protected:
  PlainLoop() = default;
};

// Makes the loop of a question, which reads `touched_bytes` of the file. `file` must outlive the
// loop. Returns null if there is nothing to read. Throws Error: Io, Changed.
std::unique_ptr<PlainLoop> plain_loop_of(Op op, const Subject& subject, const FileFacts& facts,
                                         const OpenFile& file, uint64_t touched_bytes);

// Makes the loop over cells that are in the map as they are, for questions about rows, blocks,
// columns and groups of them; null for other questions and for columns stored otherwise.
std::unique_ptr<PlainLoop> cells_loop_of(Op op, const Subject& subject, const FileFacts& facts,
                                         const OpenFile& file);

// Adds up bytes, eight at a time: the least that reading them costs.
uint64_t sum_of(const std::byte* data, uint64_t bytes);
// Keeps the compiler from leaving out the work that computes `sum`.
inline void keep_sum(uint64_t sum) {
  asm volatile("" : : "g"(sum) : "memory");
}

}  // namespace heron::cli::bench
