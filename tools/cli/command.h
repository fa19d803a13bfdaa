// The command line as data: verbs, their arguments and their options. Parsing, help and shell
// completion all read these tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heron::cli {

class Session;

// A number of bytes, which may be given with a unit.
struct ByteSize {
  uint64_t bytes = 0;
};

// The options and arguments of one call of the program.
struct Request {
  // The words of each of the verb's `arguments`; for most verbs FILE is first.
  std::vector<std::vector<std::string>> arguments;
  bool help = false;

  std::string columns;  // a list of names, empty: all
  std::string table;
  std::string output = "table";
  bool row_number = false;
  bool raw = false;
  bool sparse = false;
  std::string format;
  bool no_mmap = false;
  bool no_index = false;
  std::optional<uint64_t> threads;
  std::optional<uint64_t> cache_mib;
  std::optional<ByteSize> max_decode;
  bool explain = false;
  std::string values;
  std::string mode;
  bool skip_damaged = false;
  std::string dtype;
  bool exact = false;
  std::string to;
  bool quiet = false;
  bool verbose = false;

  std::optional<uint64_t> count;  // -n
  std::optional<uint64_t> limit;
  std::optional<std::string> where;
  std::optional<std::string> aggregates;
  std::string at;
  std::string at_file;
  std::string rows;
  std::vector<std::string> keys;
  std::string by;
  std::string order_by;
  std::optional<uint64_t> seed;
  bool replace = false;
  bool by_group = false;
  std::string out_prefix;
  bool labels = false;
  std::string preset;
  std::optional<uint64_t> features;
  std::string byte_order;  // "little", "big" or empty
  std::optional<uint64_t> block_rows;
  std::optional<uint64_t> compression;
  std::optional<uint64_t> previous_bits;
  std::optional<uint64_t> address_bits;
  bool unpack = false;
  std::string to_format;
  std::string out_dir;
  bool force = false;
  bool cast = false;
  bool drop_unsupported = false;
  std::string sort_key;
  std::string label_column;
  std::string group_column;
  std::optional<uint64_t> rows_per_file;
  std::string types;
  std::string null_words = "NA,null,NULL";
  std::string separator;
  std::string encoding;
  bool no_header = false;
  bool remove = false;
  bool deep = false;
};

struct Option {
  std::string_view names;  // "-c,--columns"
  std::string_view value;  // the name of its value in the help; empty: a switch
  std::string_view what;
  std::variant<bool Request::*, std::string Request::*, std::optional<uint64_t> Request::*,
               std::optional<ByteSize> Request::*, std::optional<std::string> Request::*,
               std::vector<std::string> Request::*>
      into;
  std::string_view choices = {};  // all possible values, separated by blanks
  bool is_file = false;
  bool may_be_empty = false;  // for texts
  uint64_t least = 0;         // for numbers
};

struct Argument {
  enum class Kind : uint8_t { File, Verb, Word };
  std::string_view name;
  std::string_view what;
  Kind kind = Kind::Word;
  bool required = true;
  bool repeats = false;           // only for the first, if it is FILE, and the last
  std::string_view choices = {};  // as in Option
};

struct Example {
  std::string_view command;
  std::string_view what;
};

struct Verb {
  std::string_view name;
  std::string_view what;
  std::vector<Example> examples;
  std::vector<Argument> arguments;
  std::vector<Option> options;
  void (*run)(Session&);
  std::string notes = {};  // whole lines, at the end of its help

  // Whether its first argument is a file.
  bool reads_file() const noexcept {
    return !arguments.empty() && arguments.front().kind == Argument::Kind::File;
  }
};

// All verbs, in the order of the help.
const std::vector<Verb>& verbs();
// Throws Error(Argument) for an unknown verb.
const Verb& verb_named(std::string_view name);

// The words of a list separated by blanks, as in `choices`.
std::vector<std::string_view> words(std::string_view list);
// The parts of `names`: "-c" and "--columns"; either may be empty.
struct OptionNames {
  std::string_view brief, full;
};
OptionNames option_names(const Option& option);

}  // namespace heron::cli
