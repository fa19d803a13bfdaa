// Converts heron::Error to the Python classes of heron/errors.py.
#include <algorithm>
#include <new>
#include <stdexcept>

#include "base/hints.h"
#include "common.h"

namespace heron::python {
namespace {

// Returns an option as an argument: `max_decode=`, `mmap=False`, `format="csv"`. A value in
// capitals stands for any.
std::string python_option(std::string_view name, std::string_view value) {
  if (name == "sparse") return "to_arrow()";
  if (name == "features") return "columns=";
  if (name == "nulls_as_nan") return "nulls=\"nan\"";
  std::string text = std::string(name) + '=';
  if (value == "true") return text + "True";
  if (value == "false") return text + "False";
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (std::ranges::none_of(value, is_lower)) return text;
  return text.append("\"").append(value).append("\"");
}

const char* class_of(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::Io: return "IoError";
    case ErrorKind::Write: return "WriteError";
    case ErrorKind::Changed: return "ChangedError";
    case ErrorKind::UnknownFormat: return "UnknownFormatError";
    case ErrorKind::Unsupported: return "UnsupportedError";
    case ErrorKind::Corrupt: return "CorruptError";
    case ErrorKind::Argument:
      return error.message().starts_with("no column \"") ||
                     error.message().find("no column \"") != std::string_view::npos
                 ? "UnknownColumnError"
                 : "ArgumentError";
    case ErrorKind::Limit: return "LimitError";
    case ErrorKind::Cancelled: return "CancelledError";
  }
  return "Error";
}

void raise_error(const Error& error) {
  const nb::object name = nb::module_::import_("heron.errors").attr(class_of(error));
  const nb::object text =
      text_object(std::string(error.what()) + hint::shown(error.hint(), python_option));
  const nb::object made = name(text, text_object(error.file()));
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

// Raises one of the classes of heron/errors.py; nanobind and Python raise their own errors
// themselves.
void raise_named(const char* name, const char* text) {
  PyErr_SetString(nb::module_::import_("heron.errors").attr(name).ptr(), text);
}

}  // namespace

void refuse_argument(std::string_view name, std::string_view kind, nb::handle value) {
  const nb::object made = nb::module_::import_("heron._internal.words")
                              .attr("refusal")(text_object(name), text_object(kind), value);
  PyErr_SetObject(made.type().ptr(), made.ptr());
  throw nb::python_error();
}

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise_error(error);
    } catch (const nb::cast_error&) {
      PyErr_SetString(PyExc_TypeError, "an argument has a type that this call does not take");
    } catch (const std::bad_alloc&) {
      raise_named("OutOfMemoryError", "the system has no memory for what this call asks for");
    } catch (const std::length_error&) {
      raise_named("OutOfMemoryError", "this call asks for more than memory can be addressed");
    } catch (const std::out_of_range&) {
      PyErr_SetString(PyExc_IndexError, "a number is out of range");
    } catch (const std::exception&) {
      raise_named("Error", "Heron failed inside of this call; please report what it was");
    }
  });
}

}  // namespace heron::python
