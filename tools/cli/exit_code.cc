#include "exit_code.h"

#include "interrupt.h"

namespace heron::cli {

int exit_code(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::Argument: return 2;
    case ErrorKind::Io:
    case ErrorKind::Changed: return 3;
    case ErrorKind::UnknownFormat:
    case ErrorKind::Unsupported: return 4;
    case ErrorKind::Corrupt: return 5;
    case ErrorKind::Cancelled: return interrupted_exit_code();
    case ErrorKind::Write:
    case ErrorKind::Limit: break;
  }
  return 1;
}

}  // namespace heron::cli
