// Formats: their names, the endings of their files, what they can store, and the options that only
// one of them has. Each format has a table of its options, from which come the checks of their
// values, the flags of the command line and the arguments of Python.
//
//   options.set("block_rows", 8192);
//   heron::wrap(in, out, {.format_options = {{"previous_bits", 8}}});
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heron/export.h"

namespace heron::inline v0 {

// "x.jay.tz": a Jay file in one container.
struct NamedFormat {
  std::string format;       // a format's name; empty: no format has this ending
  uint64_t containers = 0;  // number of containers around the file
};
HERON_EXPORT NamedFormat format_by_name(const std::string& path);

// The ending of file names of a format, with the dot. Throws Error(Argument) for an unknown format.
HERON_EXPORT std::string_view ending_of(std::string_view format);

// Returns whether files of a format are containers, which wrap() makes. Throws Error(Argument) for
// an unknown format.
HERON_EXPORT bool is_container(std::string_view format);

// Returns whether files of a format store by which columns their rows are sorted and unique
// (WriteOptions::key_columns). Throws Error(Argument) for an unknown format.
HERON_EXPORT bool stores_keys(std::string_view format);

// Returns whether files of a format hold forests (create_forest()). Throws Error(Argument) for an
// unknown format.
HERON_EXPORT bool stores_forests(std::string_view format);

// The value of an option. Integers beyond int64 are its limits.
class HERON_EXPORT OptionValue : public std::variant<bool, int64_t, std::string> {
 public:
  OptionValue(std::same_as<bool> auto value) : variant(value) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  OptionValue(T value) : variant(limited(value)) {}
  OptionValue(std::string value) : variant(std::move(value)) {}
  OptionValue(std::string_view value) : variant(std::string(value)) {}
  OptionValue(const char* value) : variant(std::string(value)) {}

 private:
  template <class T>
  static int64_t limited(T value) noexcept {
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
    return std::cmp_greater(value, kMax) ? kMax : static_cast<int64_t>(value);
  }
};

// Describes an option of a format. No two formats have options of one name.
struct FormatOption {
  enum class Use : uint8_t { Open, Write };
  enum class Kind : uint8_t {
    Switch,  // true or false; the default is `is_on`
    Number,  // an integer, from `min` to `max`
    Word,    // one of `choices`
    Column,  // the name of a column
    Text,    // any text
    Names,   // names with commas between, in backticks where they hold one
    Types,   // COLUMN=TYPE, several with commas between
  };

  std::string_view name;  // "block_rows"
  Use use = Use::Write;
  Kind kind = Kind::Number;
  std::string_view what;          // one line of help, with the default
  std::string_view value = {};    // what the help calls its value: "N"; empty for a switch
  std::string_view choices = {};  // words with blanks between
  bool is_on = false;
  // Returns what is wrong with a text, "expected one character or tab, got \"ab\""; empty if
  // nothing is. Null: any text is right.
  std::string (*fault)(std::string_view text) = nullptr;
  int64_t min = 0;
  int64_t max = std::numeric_limits<int64_t>::max();
  // The flag of the command line, without its dashes; empty: the name with dashes between its
  // words; "-": none, because another flag sets the option.
  std::string_view flag = {};
  // Flags of other programs that mean this option, without dashes, with blanks between.
  std::string_view elsewhere = {};
};

// The options of a format, for every use. Throws Error(Argument) for an unknown format.
HERON_EXPORT std::span<const FormatOption> format_options(std::string_view format);
// The names of all formats, in the order in which files are detected.
HERON_EXPORT std::vector<std::string_view> format_names();

// Values of options by name; those that are not set have their defaults. open(), create() and the
// other calls that take them check names and values.
class HERON_EXPORT FormatOptions {
 public:
  using Named = std::pair<std::string, OptionValue>;

  FormatOptions() = default;
  FormatOptions(std::initializer_list<Named> values);

  // Sets an option, or replaces its value.
  void set(std::string_view name, OptionValue value);
  bool empty() const noexcept { return values_.empty(); }
  // In the order in which they were first set.
  std::span<const Named> values() const noexcept { return values_; }
  // The value of an option; null: it is not set, or of another type. Valid until the next set().
  template <class T>
  const T* get(std::string_view name) const noexcept {
    const OptionValue* value = find(name);
    return value == nullptr ? nullptr : std::get_if<T>(value);
  }

 private:
  const OptionValue* find(std::string_view name) const noexcept;

  std::vector<Named> values_;
};

}  // namespace heron::inline v0
