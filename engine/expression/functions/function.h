// Functions of expressions: each is one line of a family's table, with its argument types, its
// result type and the kernel that computes it for some rows at a time.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/fail.h"
#include "columns/row_bits.h"
#include "expression/expression.h"
#include "expression/source_text.h"

namespace heron::inline v0 {

struct Values;

// The content of a vector of lists: row i is row first + i of `values`, which are of a list or
// vector.
struct ListRows {
  const Values* values;
  uint64_t first;
};

// How many rows a kernel computes at once: vectors of eight bytes a row stay in the nearest cache.
inline constexpr uint64_t kVectorRows = 1024;
inline constexpr uint64_t kVectorWords = kVectorRows / 64;

// A value for each of some rows, at most kVectorRows.
struct Vector {
  ValueKind kind = ValueKind::Integer;
  const void* values = nullptr;     // values of the kind's C++ type
  const uint64_t* valid = nullptr;  // whole words; a clear bit: the row is null
  // The end of the memory that may be read, if the bytes of all texts lie in one buffer; null:
  // unknown.
  const char* texts_end = nullptr;
  bool are_consecutive = false;  // texts in one buffer follow each other, also in null rows
  bool has_no_nan = false;       // no float is NaN, not even in null rows; false: unknown

  template <class T>
  const T* as() const noexcept {
    return static_cast<const T*>(values);
  }
};

// One call of a kernel. What the kernel leaves in rows that are not active is never read.
struct KernelCall {
  const Expression& expression;
  std::span<const Vector> arguments;
  uint64_t rows;
  // The rows whose results are needed, without rows in which an argument is null, unless the
  // function sees nulls. Kernels that can fail, or are slow, compute no other rows.
  const uint64_t* active;
  void* out;        // room for kVectorRows values of the result's kind
  uint64_t* valid;  // set where the result is not null: kernels clear what becomes null
  Arena& texts;     // memory for the texts of the result
  const SourceText& source;
  Vector& vector;  // the result: kernels may set what is known of the values and their memory

  template <class T>
  const T* argument(size_t i) const noexcept {
    return arguments[i].as<T>();
  }
  template <class T>
  T* result() const noexcept {
    return static_cast<T*>(out);
  }
  // Calls work(row) for each active row.
  template <class Work>
  void each(Work&& work) const {
    for (uint64_t first = 0; first < rows; first += 64) {
      uint64_t left = active[first / 64];
      if (left == UINT64_MAX) {
        for (uint64_t row = first; row < first + 64; ++row) work(row);
        continue;
      }
      for (; left != 0; left &= left - 1) {
        work(first + static_cast<uint64_t>(std::countr_zero(left)));
      }
    }
  }
  void set_null(uint64_t row) const noexcept { valid[row / 64] &= ~(uint64_t{1} << row % 64); }
  // Sets the bits of a result of bools: holds(row) is called for all rows.
  template <class Holds>
  void set_bits(Holds&& holds) const {
    auto* bits = result<uint64_t>();
    alignas(64) uint8_t flags[64];
    for (uint64_t first = 0; first < rows; first += 64) {
      const uint64_t here = rows - first < 64 ? rows - first : 64;
      for (uint64_t i = 0; i < here; ++i) flags[i] = static_cast<uint8_t>(-int{holds(first + i)});
      for (uint64_t i = here; i < 64; ++i) flags[i] = 0;
      bits[first / 64] = pack_flags(flags);
    }
  }
  // Sets the bits of a result of bools, but calls holds() only for active rows.
  template <class Holds>
  void set_active_bits(Holds&& holds) const {
    auto* bits = result<uint64_t>();
    for (uint64_t i = 0; i < bit_words(rows); ++i) bits[i] = 0;
    each([&](uint64_t row) { bits[row / 64] |= uint64_t{holds(row)} << row % 64; });
  }
  // Returns whether at least half of the rows are active, so that computing all rows at once is
  // faster.
  bool is_dense() const noexcept;
  // The characters of an argument of consecutive texts, if the rows are dense; else nullopt.
  std::optional<std::string_view> text_block(size_t i) const noexcept;
  // Memory for the characters of the results. Throws Error(Limit) for more than kMaxTextBytes.
  char* text_room(uint64_t bytes) const;
  // Throws an error that shows the call in the expression's text.
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    source.fail_at(ErrorKind::Argument, expression.offset, parts...);
  }

  // The most bytes of all results of one call: functions within each other could grow without end.
  static constexpr uint64_t kMaxTextBytes = uint64_t{1} << 28;
};

// The kind of argument that a parameter accepts. Every kind accepts a null literal.
enum class Parameter : uint8_t {
  Number,   // an integer or a float; decimals become float64
  Integer,  // converted to int64
  Float,    // any number, converted to float64
  Text,
  Bytes,    // text or binary
  Bool,
  Instant,  // a date32, timestamp, datetime or datetimeoffset
  Clock,    // an instant or a time of day
  Unit,     // a literal text that names a part of a date
  Any,      // any type with scalar values; all arguments of this kind become one type
  List      // a column of lists or vectors
};

enum class Result : uint8_t {
  Bool,
  Int64,
  UInt64,
  Float64,
  Text,
  Same,   // the type of the arguments that are Any, else of the first
  Shaped  // the type that `shape` sets
};

// The bytes of an ASCII text from `skipped` on, at most `most`.
struct AsciiPart {
  uint64_t skipped, most;
};

struct Function {
  std::string_view name;
  std::string_view arguments;           // for help: "text, start [, length]"
  std::array<Parameter, 4> parameters;  // the last one stands for all further arguments
  uint8_t min_arguments, max_arguments;
  Result result;
  void (*kernel)(const KernelCall& call);
  std::string_view help;    // one line
  bool sees_nulls = false;  // the kernel is called for null arguments, all `valid` bits set
  // A Shaped function sets type, value and range of a call from its parts, which it may convert;
  // any function may check its parts here, and prepare what its kernel needs of constant ones.
  void (*shape)(Expression& call, const SourceText& source) = nullptr;
  // A text function that maps each ASCII byte to one byte sets this: it writes as many bytes as the
  // text has, and returns whether all were ASCII.
  bool (*map_ascii)(std::string_view text, char* to) noexcept = nullptr;
  // A text function that keeps a part of each text sets this: it returns the part, if the other
  // arguments of the call are constants that determine one.
  std::optional<AsciiPart> (*ascii_part)(const Expression& call) = nullptr;

  static constexpr uint8_t kAnyNumber = 255;  // any number of arguments
};

// All functions that can be written as name(arguments), by family; several of a name differ in
// their parameters, and the first that fits is called.
std::span<const Function* const> functions();
std::span<const Function> math_functions();
std::span<const Function> text_functions();
std::span<const Function> pattern_functions();
std::span<const Function> time_functions();
std::span<const Function> null_functions();
std::span<const Function> list_functions();
std::span<const Function> hash_functions();
std::span<const Function> byte_functions();
// The number of a unit of date_trunc(): "month", "months".
std::optional<uint8_t> find_unit(std::string_view name);

// Converts a number to another kind: a decimal only to a float. A Wide that becomes an Integer must be
// known to fit.
Expression converted(Expression number, ValueKind to);
// Checks at each row that an integer fits `type`, else the call fails.
Expression narrowed(Expression integer, const Type& type);
// Returns a op b, for numbers of any kinds or values of one other kind.
Expression compare(CompareOperator op, Expression a, Expression b);
// Whether a value is in a set of values of its type.
Expression in_set(Expression value, ValueSet set);
Expression like(Expression text, const LikePattern& pattern, bool ignore_case);
Expression negation(Expression truth);              // `not truth`
Expression is_null(Expression value);               // the result is never null
Expression is_nan(Expression number);               // the result is null for null
Expression is_truth(Expression truth, bool which);  // whether truth equals `which`; never null
enum class Arithmetic : uint8_t { Negate, Add, Subtract, Multiply, Divide, Remainder };
// Computes arithmetic on parts, which it converts to the kind in which it computes.
Expression arithmetic(Arithmetic op, ValueKind computed_in, std::vector<Expression> parts);
// Converts a value to another type; a value that does not fit becomes null with `to_null`,
// otherwise an error.
Expression cast(Expression value, const Type& type, bool to_null);
// Returns whether cast() converts between these types.
bool can_cast(const Type& from, const Type& to);

}  // namespace heron::inline v0
