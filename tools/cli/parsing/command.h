// The command line as data: verbs, their arguments and their options. Parsing, help, the man page,
// shell completion and the hints at wrong words all read these tables: everything is defined here
// once.
#pragma once

#include <any>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

namespace heron::cli {

class Session;

// A number of bytes, which may be given with a unit.
struct ByteSize {
  uint64_t bytes = 0;
};

// The options of one call, in structs: a verb has one of its own and those that it shares with
// others. Options that were not given have the defaults of their struct.
class Options {
 public:
  template <class Struct>
  const Struct& get() const {
    static const Struct kDefaults;
    const auto found = all_.find(typeid(Struct));
    return found == all_.end() ? kDefaults : std::any_cast<const Struct&>(found->second);
  }
  template <class Struct>
  Struct& get() {
    std::any& one = all_[typeid(Struct)];
    if (!one.has_value()) one = Struct();
    return std::any_cast<Struct&>(one);
  }

 private:
  std::map<std::type_index, std::any> all_;
};

// One call of the program.
struct Request {
  // The words of each of the verb's `arguments`; for most verbs FILE is the first.
  std::vector<std::vector<std::string>> arguments;
  Options options;
};

struct Option;
// The values given for an option, one for each time it was given, none for a switch. read_values()
// throws Error(Argument) for an invalid value.
using GivenValues = std::vector<std::string>;
void read_values(const Option& option, const GivenValues& given, bool& value);
void read_values(const Option& option, const GivenValues& given, std::string& value);
void read_values(const Option& option, const GivenValues& given, std::vector<std::string>& value);
void read_values(const Option& option, const GivenValues& given, std::optional<std::string>& value);
void read_values(const Option& option, const GivenValues& given, std::optional<uint64_t>& value);
void read_values(const Option& option, const GivenValues& given, std::optional<ByteSize>& value);

template <class Member>
struct StructOf;
template <class Value, class Struct>
struct StructOf<Value Struct::*> {
  using Type = Struct;
};
// Reads the given values into a member of one of the structs.
template <auto kMember>
void into(const Option& option, const GivenValues& given, Options& options) {
  using Struct = typename StructOf<decltype(kMember)>::Type;
  read_values(option, given, options.get<Struct>().*kMember);
}

// The kinds of things that the value of an option or an argument names, for completion and for
// errors.
enum class Kind : uint8_t {
  Word,
  File,
  Folder,
  Topic,       // topic of the help: a verb, ..
  Row,         // the number of a row, or several numbers with commas
  Rows,        // A:B
  Column,      // a column of FILE
  Columns,     // several columns, with commas
  Order,       // several columns, each with :asc or :desc
  Expression,  // a predicate, with names of columns and functions
  Aggregates,  // several aggregates, with names of columns and functions
  Types,       // COLUMN=TYPE, several with commas
  Table,       // a table of FILE
  Entry,       // an entry of FILE, an archive
  Format,
  WrittenFormat,
};

// The section of the help that lists an option: its verb's, or one for all verbs.
enum class Section : uint8_t { Own, Opening, Text, Running };

struct Option {
  std::string_view names;  // "-c,--columns"
  std::string_view value;  // the name of its value in the help; empty: a switch
  std::string_view what;
  void (*read)(const Option&, const GivenValues&, Options&);  // into<&Struct::member>
  std::string_view choices = {};  // all allowed values, with blanks between
  Kind kind = Kind::Word;
  bool is_list = false;       // a list of choices, with commas between
  bool may_be_empty = false;  // a text may be empty
  bool repeats = false;
  uint64_t min = 0;  // the minimum of a number
  Section section = Section::Own;
  // The names of this option in other programs, with blanks between: for hints at what was meant.
  std::string_view elsewhere = {};
};

struct Argument {
  std::string_view name;
  std::string_view what;
  Kind kind = Kind::Word;
  bool required = true;
  bool repeats = false;             // set only for the first argument, if it is FILE, and the last
  std::string_view choices = {};    // see Option::choices
  std::string_view elsewhere = {};  // options of other programs that name it
};

struct Example {
  std::string_view command;
  std::string_view what;
};

// Verbs of other programs, with blanks between, and the command that does their work here.
struct Elsewhere {
  std::string_view verbs;
  std::string_view aim;  // "to sort rows"
  std::string_view command;
};

struct Verb {
  std::string_view name;
  std::string_view what;
  std::vector<Example> examples;
  std::vector<Argument> arguments;
  std::vector<Option> options;
  void (*run)(Session&);
  std::string notes = {};  // whole lines at the end of its help, which are wrapped
  std::vector<Elsewhere> elsewhere = {};

  // Returns whether the verb's first argument is a file.
  bool reads_file() const noexcept {
    return !arguments.empty() && arguments.front().kind == Kind::File;
  }
};

// All verbs, in the order of the help.
const std::vector<Verb>& verbs();
// Throws Error(Argument) for an unknown verb, with a hint at what was meant.
const Verb& verb_named(std::string_view name);

// Returns the words of a list separated by blanks, as in `choices`.
std::vector<std::string_view> words(std::string_view list);
bool has_word(std::string_view list, std::string_view word);
// The parts of Option::names: "-c" and "--columns"; either may be empty.
struct OptionNames {
  std::string_view brief, full;
};
OptionNames option_names(const Option& option);
// Returns the long name if there is one, else the short one.
std::string_view shown_name(const Option& option);
// Returns the option of the verb with that name, which begins with dashes; null: there is none.
const Option* option_named(const Verb& verb, std::string_view name);

}  // namespace heron::cli
