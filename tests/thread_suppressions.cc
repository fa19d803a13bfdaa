// Suppressions for ThreadSanitizer. oneTBB's library is not compiled with it, so that it does not
// see how tasks, whose code is in headers, are handed from thread to thread. Only races within
// those headers are suppressed: functions that tasks call are watched. A race is suppressed by the
// stacks of both accesses, so that the longest history is kept: without its stack, a task's last
// access to the frame of a call that has returned looks like a race.
extern "C" const char* __tsan_default_suppressions() {  // NOLINT: that is its name
  return "race_top:oneapi/tbb/\n"
         "race:tbb::detail::d1::fold_tree\n"
         "race:tbb::detail::d1::node::node\n"
         "race:tbb::detail::d1::wait_context\n";
}

extern "C" const char* __tsan_default_options() {  // NOLINT: that is its name
  return "history_size=7";
}
