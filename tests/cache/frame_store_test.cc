#include "cache/frame_store.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <vector>

namespace heron {
namespace {

constexpr uint64_t kRange = uint64_t{1} << 20;

struct Frame {
  std::byte* memory;
  uint64_t bytes;
  int mark;
};

bool is_marked(const Frame& frame) {
  for (uint64_t i = 0; i < frame.bytes; i += 512) {
    if (frame.memory[i] != static_cast<std::byte>(frame.mark)) return false;
  }
  return true;
}

TEST(FrameStore, FramesDoNotOverlapAndAllComesBack) {
  FrameStore store(kRange, nullptr);
  std::mt19937 random(1);
  std::vector<Frame> frames;
  for (int i = 0; i < 20'000; ++i) {
    if (frames.empty() || random() % 2 == 0) {
      const Frame frame = {nullptr, 1 + random() % 40'000, static_cast<int>(random() % 256)};
      std::byte* memory = store.allocate(frame.bytes);
      if (memory == nullptr) continue;
      std::memset(memory, frame.mark, frame.bytes);
      frames.push_back({memory, frame.bytes, frame.mark});
    } else {
      std::swap(frames[random() % frames.size()], frames.back());
      ASSERT_TRUE(is_marked(frames.back()));
      store.give_back(frames.back().memory, frames.back().bytes);
      frames.pop_back();
    }
  }
  for (const Frame& frame : frames) store.give_back(frame.memory, frame.bytes);
  const uint64_t whole = kRange - 1024;
  std::byte* memory = store.allocate(whole);  // the freed frames are one run again
  EXPECT_NE(memory, nullptr);
  store.give_back(memory, whole);
}

TEST(FrameStore, WhatIsNotInTheRangeIsOnTheHeap) {
  FrameStore store(kRange, std::make_shared<MemoryBudget>(kRange * 4));
  EXPECT_EQ(store.allocate(kRange * 2), nullptr);
  std::byte* memory = store.allocate_outside(kRange * 2);
  ASSERT_NE(memory, nullptr);
  store.give_back(memory, kRange * 2);
  store.give_back(nullptr, 10);
}

}  // namespace
}  // namespace heron
