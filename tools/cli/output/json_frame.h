// Writes the text around and between objects: one per line, or one array of them.
#pragma once

#include "output/sink.h"

namespace heron::cli {

class JsonFrame {
 public:
  explicit JsonFrame(bool lines) noexcept : lines_(lines) {}

  // Call before each object.
  void next(TextSink& sink) {
    if (!lines_) sink.append(empty_ ? "[" : ",\n ");
    empty_ = false;
  }
  // Call after each object.
  void done(TextSink& sink) {
    if (lines_) sink.append('\n');
  }
  void finish(TextSink& sink) {
    if (!lines_) sink.append(empty_ ? "[]\n" : "]\n");
  }

 private:
  bool lines_;
  bool empty_ = true;
};

}  // namespace heron::cli
