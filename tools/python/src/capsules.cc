// Exports the Arrow PyCapsule interface. Capsules hold no Python object, so that consumers may
// release what they took over on any thread, without the GIL.
#include <time.h>

#include <cerrno>

#include "common.h"

namespace heron::python {
namespace {

template <class Struct>
void destroy(PyObject* capsule) {
  auto* held = static_cast<Struct*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (held == nullptr) return PyErr_Clear();
  if (held->release != nullptr) held->release(held);
  delete held;
}

template <class Struct>
nb::object capsule_of(std::unique_ptr<Struct> held, const char* name) {
  PyObject* made = PyCapsule_New(held.get(), name, destroy<Struct>);
  if (made == nullptr) throw nb::python_error();
  held.release();
  return nb::steal(made);
}

// The engine's stream, which Ctrl-C ends, with the objects that its Context and its query point to.
struct GuardedStream {
  ArrowArrayStream inner{};
  std::atomic<bool> cancel{false};
  std::shared_ptr<QueryMetrics> metrics;
  bool only_column = false;  // arrays of the one column, not of structs
  timespec looked{};
  std::string error;

  ~GuardedStream() {
    if (inner.release != nullptr) inner.release(&inner);
  }
};

GuardedStream& guarded(ArrowArrayStream* stream) {
  return *static_cast<GuardedStream*>(stream->private_data);
}

// Returns whether Python has a signal to handle, checked every 50 ms, on the main thread. Runs the
// handler and drops the exception that it raises; sends SIGINT to Python anew, which raises when
// the consumer returns to it.
bool interrupted(GuardedStream& stream) {
  if (!on_main_thread() || Py_IsInitialized() == 0) return false;
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t passed = (now.tv_sec - stream.looked.tv_sec) * 1000 +
                         (now.tv_nsec - stream.looked.tv_nsec) / 1'000'000;
  if (passed < 50) return false;
  stream.looked = now;
  const nb::gil_scoped_acquire gil;
  if (PyErr_Occurred() != nullptr || PyErr_CheckSignals() == 0) return false;
  PyErr_Clear();
  PyErr_SetInterruptEx(2);
  return true;
}

// Replaces a struct of one column by its only child, moved as Arrow defines it.
template <class Struct>
void unwrap(Struct* whole) {
  Struct child = *whole->children[0];
  whole->children[0]->release = nullptr;
  whole->release(whole);
  *whole = child;
}

int next_array(ArrowArrayStream* stream, ArrowArray* out) {
  GuardedStream& self = guarded(stream);
  if (interrupted(self)) self.cancel = true;
  const InterruptWatch watch(self.cancel, true);
  keep_fault_handler();
  const int code = self.inner.get_next(&self.inner, out);
  if (code == 0 && self.only_column && out->release != nullptr) unwrap(out);
  return code;
}

void move_to(std::unique_ptr<GuardedStream> self, ArrowArrayStream* out) {
  out->get_schema = [](ArrowArrayStream* stream, ArrowSchema* schema) {
    GuardedStream& self = guarded(stream);
    const int code = self.inner.get_schema(&self.inner, schema);
    if (code == 0 && self.only_column) unwrap(schema);
    return code;
  };
  out->get_next = next_array;
  out->get_last_error = [](ArrowArrayStream* stream) {
    return guarded(stream).inner.get_last_error(&guarded(stream).inner);
  };
  out->release = [](ArrowArrayStream* stream) {
    delete &guarded(stream);
    stream->release = nullptr;
    stream->private_data = nullptr;
  };
  out->private_data = self.release();
}

// The stream of one batch in memory, or of one column of it.
struct OneBatch {
  RowBatch batch;
  std::optional<uint64_t> column;
  ArrowOptions options;
  bool done = false;
  std::string error;

  void export_to(ArrowSchema* schema, ArrowArray* array) const {
    if (column) return export_column(batch, *column, schema, array, options);
    export_batch(batch, schema, array, options);
  }
  template <class Call>
  int answer(const Call& call) {
    try {
      call();
      return 0;
    } catch (const Error& thrown) {
      error = thrown.what();
      return EINVAL;
    } catch (const std::exception&) {
      error = "Heron has no memory for this batch";
      return ENOMEM;
    }
  }
};

OneBatch& one(ArrowArrayStream* stream) {
  return *static_cast<OneBatch*>(stream->private_data);
}

}  // namespace

ArrowOptions arrow_options(std::string_view times, bool binary_text) {
  ArrowOptions options;
  options.binary_text = binary_text;
  if (times == "us") {
    options.times = ArrowTimes::Microseconds;
  } else if (times == "ns") {
    options.times = ArrowTimes::Nanoseconds;
  } else if (times == "ticks") {
    options.times = ArrowTimes::Ticks;
  } else {
    throw nb::value_error("times: expected \"us\", \"ns\" or \"ticks\"");
  }
  return options;
}

ArrowTexts arrow_texts(std::string_view layout) {
  if (layout == "views") return ArrowTexts::Views;
  return layout == "large" ? ArrowTexts::Large : ArrowTexts::AsStored;
}

nb::object stream_capsule(const Query& query, const ArrowOptions& options, const CallOptions& call,
                          bool only_column) {
  auto self = std::make_unique<GuardedStream>();
  self->metrics = call.metrics;
  self->only_column = only_column;
  Context context;
  context.cancel = &self->cancel;
  context.threads = call.threads;
  {
    const nb::gil_scoped_release release;
    const InterruptWatch watch(self->cancel);
    keep_fault_handler();
    export_stream(query, &self->inner, options, context);
  }
  auto stream = std::make_unique<ArrowArrayStream>();
  move_to(std::move(self), stream.get());
  return capsule_of(std::move(stream), "arrow_array_stream");
}

nb::object batches_capsule(const RowBatch& batch, std::optional<uint64_t> column,
                           const ArrowOptions& options) {
  auto stream = std::make_unique<ArrowArrayStream>();
  stream->get_schema = [](ArrowArrayStream* from, ArrowSchema* schema) {
    return one(from).answer([&] {
      ArrowArray array{};
      one(from).export_to(schema, &array);
      array.release(&array);
    });
  };
  stream->get_next = [](ArrowArrayStream* from, ArrowArray* out) {
    return one(from).answer([&] {
      *out = {};
      if (!one(from).done) one(from).export_to(nullptr, out);
      one(from).done = true;
    });
  };
  stream->get_last_error = [](ArrowArrayStream* from) -> const char* {
    return one(from).error.empty() ? nullptr : one(from).error.c_str();
  };
  stream->release = [](ArrowArrayStream* from) {
    delete &one(from);
    from->release = nullptr;
  };
  stream->private_data = new OneBatch{batch, column, options, false, {}};
  return capsule_of(std::move(stream), "arrow_array_stream");
}

nb::object schema_capsule(const Schema& schema, const ArrowOptions& options) {
  auto out = std::make_unique<ArrowSchema>();
  export_schema(schema, out.get(), options);
  return capsule_of(std::move(out), "arrow_schema");
}

nb::tuple array_capsules(const RowBatch& batch, std::optional<uint64_t> column,
                         const ArrowOptions& options) {
  auto schema = std::make_unique<ArrowSchema>();
  auto array = std::make_unique<ArrowArray>();
  {
    const nb::gil_scoped_release release;
    if (column) {
      export_column(batch, *column, schema.get(), array.get(), options);
    } else {
      export_batch(batch, schema.get(), array.get(), options);
    }
  }
  nb::object schema_part = capsule_of(std::move(schema), "arrow_schema");
  return nb::make_tuple(schema_part, capsule_of(std::move(array), "arrow_array"));
}

}  // namespace heron::python
