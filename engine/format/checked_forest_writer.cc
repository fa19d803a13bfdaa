#include "format/checked_forest_writer.h"

#include "base/fail.h"

namespace heron::inline v0 {
namespace {

// Returns the fault in the lengths of a tree's arrays; empty if there is none.
std::string fault_of_lengths(const TreeNodes& tree) {
  const uint64_t nodes = tree.left.size();
  const uint64_t values = std::visit([](const auto& value) { return value.size(); }, tree.value);
  const std::pair<const char*, uint64_t> others[] = {{"right", tree.right.size()},
                                                     {"feature", tree.feature.size()},
                                                     {"value", values},
                                                     {"label", tree.label.size()}};
  for (const auto& [name, count] : others) {
    if (count == nodes) continue;
    return concat("expected as many elements of ", name, " as of left, ", nodes, ", got ", count);
  }
  return nodes == 0 ? "expected at least a root, got no nodes" : "";
}

}  // namespace

// A call that throws may leave half a tree in the file, so no call may follow it.
void CheckedForestWriter::require(State state, const char* what) {
  if (state_ != state) fail(ErrorKind::Argument, path(), what);
  state_ = State::Failed;
}

void CheckedForestWriter::add(const TreeNodes& tree, std::string_view file, uint64_t number) {
  context_.check_cancelled();
  require(State::Open, "cannot be written to any more");
  std::string fault = fault_of_lengths(tree);
  if (fault.empty()) fault = fault_of(tree);
  if (!fault.empty()) fail(ErrorKind::Argument, file, "tree ", number, ": ", fault);
  append(tree);
  ++trees_;
  state_ = State::Open;
}

void CheckedForestWriter::close() {
  require(State::Open, "cannot be closed again or after an error");
  finish();
  state_ = State::Closed;
}

void CheckedForestWriter::publish() {
  require(State::Closed, "cannot be published: it is not closed");
  file().publish();
}

OutputFile CheckedForestWriter::release() {
  require(State::Closed, "cannot be handed on: it is not closed");
  return std::move(file());
}

}  // namespace heron::inline v0
