// Objects that threads take, use and return for reuse.
#pragma once

#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace heron::inline v0 {

// Thread-safe.
template <class T>
class Pool {
 public:
  // Takes a returned object; null if there is none.
  std::unique_ptr<T> take() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<T> item = std::move(free_.back());
    free_.pop_back();
    return item;
  }
  void give_back(std::unique_ptr<T> item) noexcept {
    std::lock_guard lock(mutex_);
    try {
      free_.push_back(std::move(item));
    } catch (const std::bad_alloc&) {  // the next thread makes its own
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace heron::inline v0
