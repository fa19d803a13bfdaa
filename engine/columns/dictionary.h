// The distinct values of a column whose cells are codes into a table.
#pragma once

#include "base/once.h"
#include "columns/column.h"

namespace heron::inline v0 {

// Values of a type 4 or 8 bytes wide, by code from 0. Immutable, thread-safe. A codec says how a
// value is made of what the file holds; when to make one value and when all of them is decided
// here.
class Dictionary {
 public:
  virtual ~Dictionary() = default;
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  const Type& type() const noexcept { return type_; }
  uint64_t size() const noexcept { return size_; }

  // The values of `count` codes from `first` on, all below size(), as cells of type().
  virtual void decode(uint64_t first, uint64_t count, std::byte* cells,
                      const Context& context) const = 0;

  // Asks memory for what decode() needs of a code, whatever code that is; a hint.
  virtual void prefetch(uint64_t /*code*/) const noexcept {}

  // All of them, and behind them zeros for what other codes of a byte there are: codes of a byte
  // may be looked up whatever they become while somebody writes to the file. Decoded at the first
  // call and kept; the memory is the budget's of that call.
  const std::byte* cells(const Context& context) const;

 protected:
  Dictionary(Type type, uint64_t size) : type_(std::move(type)), size_(size) {}

 private:
  Type type_;
  uint64_t size_;
  mutable Once once_;
  mutable std::unique_ptr<Arena> arena_;
  mutable const std::byte* cells_ = nullptr;
};

}  // namespace heron::inline v0
