// The files of a run while they are measured, and the preparation of questions: the columns, rows
// and predicates that they are about.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "base/fail.h"
#include "bench/measurement.h"
#include "bytes/byte_source.h"
#include "heron/context.h"
#include "heron/error.h"
#include "measure/cold_file.h"

namespace heron::cli::bench {

struct Target {
  Subject subject;
  FileFacts facts;
  OpenFile file;
  OpenFile without_map;  // the system counts its reads
  std::unique_ptr<measure::ColdFile> cold;
};

// Opens the subjects of the plan and fills in what they leave open; `files` gets a report of each
// file, with the failure of one that cannot be opened or described. Throws Error: Argument, Io or
// Changed of any file, any kind if no file can be opened, and Cancelled.
std::vector<Target> prepare_targets(const Plan& plan, std::vector<FileReport>& files,
                                    const Context& context);

// Returns the error that `work` throws, but throws a cancellation. An error caused by bytes that
// others wrote meanwhile becomes that change. `file` may be null.
template <class Work>
std::optional<Error> failure_of(const measure::ColdFile* file, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    const char* change = file == nullptr ? nullptr : file->change();
    if (change != nullptr && may_come_of_change(error.kind())) {
      return Error(ErrorKind::Changed, file->path(), change);
    }
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::Limit, {}, "out of memory");
  } catch (const std::system_error& error) {
    return Error(ErrorKind::Limit, {}, concat("a thread cannot be started: ", error.what()));
  }
  return std::nullopt;
}

}  // namespace heron::cli::bench
