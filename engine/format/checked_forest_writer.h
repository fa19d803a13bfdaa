// The checks of every format's writer of forests before it writes: that arrays of a tree have equal
// lengths and that calls come in order.
#pragma once

#include <string>
#include <string_view>

#include "bytes/output_file.h"
#include "heron/forest.h"

namespace heron::inline v0 {

class CheckedForestWriter : public ForestWriter {
 public:
  void add(const TreeNodes& tree) final { add(tree, path(), trees_); }
  // Adds a tree of another file; errors name it by `file` and `number`.
  void add(const TreeNodes& tree, std::string_view file, uint64_t number);
  void close() final;
  void publish() final;
  // Returns the file itself after close(), for a caller that publishes it in another way than
  // publish().
  OutputFile release();

  uint64_t trees() const noexcept final { return trees_; }

 protected:
  explicit CheckedForestWriter(const Context& context) : context_(context) {}

  // The file to publish, which errors name.
  virtual OutputFile& file() noexcept = 0;
  // Returns what the format does not allow in a tree with at least a root and equal lengths; empty
  // if it allows the tree.
  virtual std::string fault_of(const TreeNodes& tree) = 0;
  virtual void append(const TreeNodes& tree) = 0;
  // Called after the last tree.
  virtual void finish() = 0;

  const std::string& path() { return file().path(); }
  const Context& context() const noexcept { return context_; }

 private:
  enum class State : uint8_t { Open, Closed, Failed };

  void require(State state, const char* what);

  const Context context_;
  uint64_t trees_ = 0;
  State state_ = State::Open;
};

}  // namespace heron::inline v0
