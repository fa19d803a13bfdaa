// A separate object for each thread. A thread_local with a destructor would do, but glibc ends the
// process if it has no memory for one.
#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace heron::inline v0 {

// Used for static variables. Thread-safe. A thread's object is deleted when the thread ends, except
// for the thread that ends the process.
template <class T>
class PerThread {
 public:
  // Throws std::bad_alloc.
  PerThread() {
    const auto remove = [](void* object) { delete static_cast<T*>(object); };
    if (::pthread_key_create(&key_, remove) != 0) throw std::bad_alloc();
  }
  ~PerThread() { ::pthread_key_delete(key_); }
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  // Returns this thread's object, which the first call constructs by default. Throws std::bad_alloc
  // and what its constructor throws.
  T& get() {
    if (void* object = ::pthread_getspecific(key_)) return *static_cast<T*>(object);
    auto made = std::make_unique<T>();
    if (::pthread_setspecific(key_, made.get()) != 0) throw std::bad_alloc();
    return *made.release();
  }

 private:
  pthread_key_t key_;
};

}  // namespace heron::inline v0
