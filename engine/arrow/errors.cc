#include "arrow/errors.h"

#include <cerrno>
#include <exception>
#include <new>

namespace heron::inline v0::arrow {
namespace {

int code_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::Argument: return EINVAL;
    case ErrorKind::Unsupported: return ENOSYS;
    case ErrorKind::Limit: return ERANGE;
    case ErrorKind::Cancelled: return ECANCELED;
    default: return EIO;
  }
}

void copy_text(std::string& text, const char* from) noexcept {
  try {
    text = from;
  } catch (...) {
    text.clear();
  }
}

}  // namespace

int code_of_exception(std::string& text) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    copy_text(text, error.what());
    return code_of(error.kind());
  } catch (const std::bad_alloc&) {
    text.clear();
    return ENOMEM;
  } catch (const std::exception& error) {
    copy_text(text, error.what());
  } catch (...) {
    copy_text(text, "an unknown exception");
  }
  return EIO;
}

ErrorKind kind_of_code(int code) noexcept {
  switch (code) {
    case EINVAL: return ErrorKind::Argument;
    case ENOSYS:
    case ENOTSUP: return ErrorKind::Unsupported;
    case ERANGE:
    case ENOMEM: return ErrorKind::Limit;
    case ECANCELED: return ErrorKind::Cancelled;
    default: return ErrorKind::Io;
  }
}

}  // namespace heron::inline v0::arrow
