#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/per_thread.h"
#include "heron/error.h"
#include "heron/library.h"

namespace heron::inline v0 {

using Work = std::function<void(uint64_t, const Context&)>;

// The items of one call, and its errors.
class ParallelItems {
 public:
  ParallelItems(uint64_t count, const Context& context, const Work& work)
      : context_(context), work_(work), done_(context.progress ? count : 0) {}

  void work_on(uint64_t i) {
    if (i > failed_.load(std::memory_order_relaxed)) return;
    try {
      context_.check_cancelled();
      work_(i, context_of(i));
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (i >= failed_.load(std::memory_order_relaxed)) return;
      failed_.store(i, std::memory_order_relaxed);
      error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  Context context_of(uint64_t i) {
    Context context = context_;
    context.threads = 1;
    if (context_.progress) {
      context.progress = [this, i](uint64_t done, uint64_t total) {
        std::lock_guard lock(mutex_);
        all_done_ += done - std::exchange(done_[i], done);
        context_.progress(all_done_, total * done_.size());
      };
    }
    return context;
  }

  const Context& context_;
  const Work& work_;
  std::mutex mutex_;  // guards the members below; writes of failed_
  std::vector<uint64_t> done_;
  uint64_t all_done_ = 0;
  std::atomic<uint64_t> failed_{UINT64_MAX};
  std::exception_ptr error_;
};

namespace {

// Makes the writes of one thread visible to the next. oneTBB does that too, but inside its library,
// where ThreadSanitizer does not see it.
void hand_over() {
  static std::atomic<uint32_t> hands{0};
  hands.fetch_add(1, std::memory_order_acq_rel);
}

// Each calling thread keeps its last arena: workers that have just left it return within
// microseconds; for a new one they must be woken.
struct LastArena {
  unsigned threads = 0;
  std::shared_ptr<tbb::task_arena> arena;
};

// The number of processors that this process may run on. oneTBB's own function loads a library
// first and hangs if memory runs out in that.
int usable_processors() noexcept {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(CPU_COUNT(&set), 1);
  // The machine has more processors than fit the set.
  return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

// oneTBB's threads do not exist in a forked child, and it waits for them.
constinit std::atomic<uint32_t> g_forks{0};  // forks up to this process

void watch_forks() {
  static const int watched [[maybe_unused]] = ::pthread_atfork(nullptr, nullptr, [] { ++g_forks; });
}

unsigned allowed_threads(unsigned threads) {
  const auto most = static_cast<unsigned>(usable_processors());
  return threads == 0 ? most : std::min(threads, most);
}

// In a forked child: makes the calls on threads of its own, this one included.
template <class Call>
void call_on_new_threads(unsigned threads, uint64_t most, const Call& call) {
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < std::min<uint64_t>(allowed_threads(threads), most)) {
      others.emplace_back([&call] { call(0); });
    }
  } catch (const std::system_error&) {
    // The system gives no more threads: the existing ones do the work.
  }
  call(0);
}

std::shared_ptr<tbb::task_arena> arena_of(unsigned threads) {
  watch_forks();
  static PerThread<LastArena> last_arenas;
  LastArena& last = last_arenas.get();
  if (last.arena == nullptr || last.threads != threads) {
    // oneTBB has no more workers than the machine has threads, and warns if more are requested.
    auto arena = std::make_shared<tbb::task_arena>(static_cast<int>(allowed_threads(threads)));
    // oneTBB would wait forever in an arena that it had no memory to initialize, and in every later
    // call once its first initialization failed.
    static std::atomic<bool> has_failed{false};
    if (has_failed) throw std::bad_alloc();
    try {
      arena->initialize();
    } catch (...) {
      has_failed = true;
      throw;
    }
    last.arena = std::move(arena);
    last.threads = threads;
  }
  return last.arena;
}

// Throws std::bad_alloc if oneTBB has no memory, before or after it has made some of the calls.
template <class Call>
void call_on_threads(unsigned threads, uint64_t most, const Call& call) {
  if (is_forked_child()) return call_on_new_threads(threads, most, call);
  const std::shared_ptr<tbb::task_arena> arena = arena_of(threads);
  const auto workers = std::min(most, static_cast<uint64_t>(arena->max_concurrency()));
  arena->execute([&] { tbb::parallel_for(uint64_t{0}, workers, call, tbb::simple_partitioner()); });
}

}  // namespace

bool is_forked_child() noexcept {
  return g_forks != 0;
}

unsigned thread_count(const Context& context) {
  if (context.threads == 1) return 1;
  if (is_forked_child()) return allowed_threads(context.threads);
  return static_cast<unsigned>(arena_of(context.threads)->max_concurrency());
}

void parallel_for(uint64_t count, const Context& context,
                  const std::function<void(uint64_t i, const Context& context)>& work) {
  ParallelItems run(count, context, work);
  if (context.threads == 1 || count < 2) {
    for (uint64_t i = 0; i < count; ++i) run.work_on(i);
  } else {
    std::atomic<uint64_t> next{0};
    const auto work_on_next = [&](uint64_t) {
      hand_over();
      for (uint64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) run.work_on(i);
      hand_over();
    };
    hand_over();
    try {
      call_on_threads(context.threads, count, work_on_next);
    } catch (const std::bad_alloc&) {
      // `run` keeps what work throws; this error is oneTBB's. This thread does the work not yet
      // started.
    }
    work_on_next(0);
  }
  run.rethrow();
}

struct WorkAhead::Shared {
  Shared(const Context& of, uint64_t left)
      : context(of), most_threads(context.threads), left_to_caller(left) {
    context.threads = 1;
    context.progress = nullptr;
  }

  // Works on the first group that no thread has begun; returns false if there is none.
  bool work_on_group(std::unique_lock<std::mutex>& lock) {
    if (groups.empty()) return false;
    const uint64_t first = begun;
    const uint64_t last = begun += groups.front();
    groups.pop_front();
    for (uint64_t i = first; i < last && !is_closed; ++i) {
      Added& item = items[i - taken];
      lock.unlock();
      std::exception_ptr error;
      try {
        context.check_cancelled();
        item.work(context);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      item.error = std::move(error);
      item.is_done = true;
      changed.notify_all();
    }
    return true;
  }

  void work_on_all() {
    hand_over();
    std::unique_lock lock(mutex);
    while (work_on_group(lock)) {
    }
    --helpers;
  }

  void add_own_thread() {
    changed.notify_all();
    if (own_threads.size() + 1 >= allowed_threads(most_threads)) return;
    try {
      own_threads.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: take() does the work.
    }
  }

  // Works on groups as they are added, until the end.
  void serve() {
    std::unique_lock lock(mutex);
    while (!is_closed) {
      if (!work_on_group(lock)) changed.wait(lock);
    }
  }

  // Returns whether the threads belong to the process from which this one was forked: here they
  // never end, and one may hold the mutex.
  bool is_lost() const noexcept {
    return forks != g_forks && (arena != nullptr || !own_threads.empty());
  }

  struct Added {
    explicit Added(Item item) : work(std::move(item)) {}
    Item work;
    std::atomic<bool> is_done{false};
    std::exception_ptr error;
  };

  Context context;  // passed to each item
  const unsigned most_threads;
  const uint64_t left_to_caller;
  const uint32_t forks = g_forks;
  std::shared_ptr<tbb::task_arena> arena;  // runs the tasks; null: no other thread has begun
  std::optional<tbb::task_group> tasks;
  std::vector<std::jthread> own_threads;  // in a forked child, instead of tasks
  std::condition_variable changed;
  std::mutex mutex;             // guards the members below
  std::deque<Added> items;      // items not yet taken
  std::deque<uint64_t> groups;  // sizes of the groups that no thread has begun
  uint64_t taken = 0;           // the number of the first item in `items`
  uint64_t begun = 0;           // the number of the first item in `groups`
  uint64_t helpers = 0;         // tasks that have not ended
  bool is_closed = false;
};

WorkAhead::WorkAhead(const Context& context, uint64_t left_to_caller)
    : shared_(std::make_unique<Shared>(context, left_to_caller)) {}

WorkAhead::~WorkAhead() {
  if (shared_->is_lost()) {
    static_cast<void>(shared_.release());
    return;
  }
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->groups.clear();
    shared_->is_closed = true;
  }
  shared_->changed.notify_all();
  // Tasks that no thread has begun run here, and do nothing.
  if (shared_->arena != nullptr) shared_->arena->execute([this] { shared_->tasks->wait(); });
  shared_->own_threads.clear();
  const std::lock_guard after_others(shared_->mutex);  // makes other threads' writes visible
}

void WorkAhead::add(std::vector<Item> group) {
  Shared& shared = *shared_;
  if (shared.is_lost()) return;  // take() reports it
  {
    const std::lock_guard lock(shared.mutex);
    for (Item& item : group) shared.items.emplace_back(std::move(item));
    shared.groups.push_back(group.size());
    if (shared.most_threads == 1 || shared.groups.size() <= shared.left_to_caller) return;
  }
  if (is_forked_child()) return shared.add_own_thread();
  // oneTBB copies a Task, which a worker then reads: a race to ThreadSanitizer, which does not see
  // how it gets there (hand_over); all else is under the mutex.
  struct Task {
    Shared* shared;
    __attribute__((no_sanitize("thread"))) void operator()() const { shared->work_on_all(); }
  };
  try {
    if (shared.arena == nullptr) {
      const std::shared_ptr<tbb::task_arena> arena = arena_of(shared.most_threads);
      shared.tasks.emplace();
      shared.arena = arena;
    }
    {
      const std::lock_guard lock(shared.mutex);
      if (shared.helpers + 1 >= static_cast<uint64_t>(shared.arena->max_concurrency())) return;
      ++shared.helpers;
    }
    hand_over();
    shared.arena->execute([&] { shared.tasks->run(Task{&shared}); });
  } catch (const std::bad_alloc&) {
    // take() does the work that no other thread begins.
  }
}

void WorkAhead::take() {
  constexpr int kSpins = 100;
  Shared& shared = *shared_;
  if (shared.is_lost()) {
    fail(ErrorKind::Argument, {},
         "work that began before fork() cannot continue in the child process");
  }
  std::exception_ptr error;
  {
    std::unique_lock lock(shared.mutex);
    Shared::Added& first = shared.items.front();
    while (!first.is_done && shared.work_on_group(lock)) {
    }
    if (!first.is_done) {  // another thread does it; sleeping takes as long as a short item
      lock.unlock();
      for (int i = 0; i < kSpins && !first.is_done; ++i) std::this_thread::yield();
      lock.lock();
      shared.changed.wait(lock, [&first] { return first.is_done.load(); });
    }
    error = std::move(first.error);
    shared.items.pop_front();
    ++shared.taken;
  }
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace heron::inline v0
