#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "base/per_thread.h"
#include "heron/error.h"
#include "heron/process.h"

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

// On how many processors this process may run. oneTBB's own function loads a library first and
// hangs if memory runs out in that.
int usable_processors() noexcept {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(CPU_COUNT(&set), 1);
  // More processors than fit the set.
  return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

// oneTBB's threads do not exist in a forked child, and it waits for them.
constinit std::atomic<bool> g_forked_child{false};

void watch_forks() {
  static const int watched [[maybe_unused]] =
      ::pthread_atfork(nullptr, nullptr, [] { g_forked_child = true; });
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
    // No more threads: those that exist do the work.
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
  if (g_forked_child) return call_on_new_threads(threads, most, call);
  const std::shared_ptr<tbb::task_arena> arena = arena_of(threads);
  const auto workers = std::min(most, static_cast<uint64_t>(arena->max_concurrency()));
  arena->execute([&] { tbb::parallel_for(uint64_t{0}, workers, call, tbb::simple_partitioner()); });
}

}  // namespace

bool is_forked_child() noexcept {
  return g_forked_child;
}

unsigned thread_count(const Context& context) {
  if (context.threads == 1) return 1;
  if (g_forked_child) return allowed_threads(context.threads);
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
      // Run keeps what work throws; this one is oneTBB's. This thread does the work not yet
      // started.
    }
    work_on_next(0);
  }
  run.rethrow();
}

struct WorkAhead::Shared {
  Shared(uint64_t all, const Context& allowed, Work todo)
      : count(all), context(allowed), work(std::move(todo)), items(count, context, work) {
    context.progress = nullptr;
  }

  void work_on_next() {
    hand_over();
    for (uint64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) items.work_on(i);
    hand_over();
  }
  // Until no thread works; what was not begun before is left out. Tasks that no worker came for are
  // run here, and do nothing.
  void finish() {
    next.store(count, std::memory_order_relaxed);
    if (arena != nullptr) arena->execute([this] { tasks.wait(); });
    hand_over();
  }

  // Whether the tasks are those of the process that this one was forked from: here they never end.
  bool is_lost() const noexcept { return arena != nullptr && g_forked_child; }

  const uint64_t count;
  Context context;
  const Work work;
  ParallelItems items;
  std::atomic<uint64_t> next{0};
  std::shared_ptr<tbb::task_arena> arena;  // of the tasks; null: no other thread works
  tbb::task_group tasks;
};

WorkAhead::WorkAhead() = default;

WorkAhead::~WorkAhead() {
  if (shared_ == nullptr) return;
  if (shared_->is_lost()) {
    static_cast<void>(shared_.release());
  } else {
    shared_->finish();
  }
}

void WorkAhead::start(uint64_t count, const Context& context, Work work) {
  shared_ = std::make_unique<Shared>(count, context, std::move(work));
  if (context.threads == 1 || g_forked_child) return;  // join() does the work
  // oneTBB copies it into the task that a worker then reads: a race to those who do not see how it
  // gets there (hand_over).
  struct Task {
    Shared* shared;
    __attribute__((no_sanitize("thread"))) void operator()() const { shared->work_on_next(); }
  };
  try {
    shared_->arena = arena_of(context.threads);
    const auto others = static_cast<uint64_t>(shared_->arena->max_concurrency()) - 1;
    hand_over();
    shared_->arena->execute([&] {
      for (uint64_t i = std::min(others, count); i-- > 0;) shared_->tasks.run(Task{shared_.get()});
    });
  } catch (const std::bad_alloc&) {
    // join() does the work that no other thread begins.
  }
}

void WorkAhead::join() {
  if (shared_ == nullptr) return;
  if (shared_->is_lost()) {
    static_cast<void>(shared_.release());
    fail(ErrorKind::Argument, {},
         "a scan that began before fork() cannot go on in the child process");
  }
  const std::unique_ptr<Shared> all = std::move(shared_);
  all->work_on_next();
  all->finish();
  all->items.rethrow();
}

}  // namespace heron::inline v0
