// Copies of a variant that run out of memory.
#include "base/copyable_variant.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace heron {
namespace {

bool g_is_full = false;

// Allocates, unless memory is full.
template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) noexcept {}  // containers rebind allocators
  T* allocate(size_t count) {
    if (g_is_full) throw std::bad_alloc();
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* at, size_t count) noexcept { std::allocator<T>().deallocate(at, count); }
  bool operator==(const Allocator&) const noexcept { return true; }
};
template <class T>
using Vector = std::vector<T, Allocator<T>>;
using Text = std::basic_string<char, std::char_traits<char>, Allocator<char>>;
using Made = CopyableVariant<std::monostate, int, Vector<char>, Vector<double>, Text>;

void expect_copy(const Made& from) {
  const Made copy = from;
  EXPECT_EQ(copy, from);
  Made assigned = 5;
  assigned = from;
  EXPECT_EQ(assigned, from);
  assigned = 7;
  EXPECT_EQ(assigned, Made(7));
}

TEST(CopyableVariant, IsAVariant) {
  expect_copy({});
  expect_copy(3);
  expect_copy(Vector<double>{1, 2, 3});
  expect_copy(Text(100, 'x'));
  Made from = Text(100, 'x');
  const Made to = std::move(from);
  EXPECT_EQ(std::get<Text>(to), Text(100, 'x'));
  EXPECT_EQ(std::visit([](const auto& value) { return sizeof(value); }, to), sizeof(Text));
}

TEST(CopyableVariant, ACopyWithoutMemoryThrowsAndChangesNothing) {
  for (const Made& from :
       {Made(Vector<char>(100)), Made(Vector<double>(9)), Made(Text(100, 'x'))}) {
    for (const Made& before : {Made(3), Made(Vector<char>(50)), Made(Text(50, 'y')), Made()}) {
      Made to = before;
      g_is_full = true;
      EXPECT_THROW(Made{from}, std::bad_alloc);
      EXPECT_THROW(to = from, std::bad_alloc);
      g_is_full = false;
      EXPECT_EQ(to, before);
      to = from;
      EXPECT_EQ(to, from);
    }
  }
}

}  // namespace
}  // namespace heron
