// What the command line can be asked, as data: verbs, their arguments and their options. Parsing,
// help and shell completion all read these, so that nothing is said twice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heron::cli {

class Session;

// A number of bytes, which may be written with a unit.
struct ByteSize {
  uint64_t bytes = 0;
};

// One call of the program: what its options and arguments said.
struct Request {
  // The words of each of the verb's `arguments`; of most verbs FILE is first.
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
  std::optional<uint64_t> seed;
  bool replace = false;
  bool by_group = false;
  std::string out_prefix;
  bool labels = false;
  std::string preset;
  std::optional<uint64_t> features;
  std::string byte_order;  // "little", "big" or not told
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
  std::string_view value;  // how help calls what follows it; empty: a switch
  std::string_view what;
  std::variant<bool Request::*, std::string Request::*, std::optional<uint64_t> Request::*,
               std::optional<ByteSize> Request::*, std::optional<std::string> Request::*,
               std::vector<std::string> Request::*>
      into;
  std::string_view choices = {};  // all values there are, with blanks between
  bool is_file = false;
  bool may_be_empty = false;  // of a text
  uint64_t least = 0;         // of a number
};

struct Argument {
  enum class Kind : uint8_t { File, Verb, Word };
  std::string_view name;
  std::string_view what;
  Kind kind = Kind::Word;
  bool required = true;
  bool repeats = false;           // of the first, if it is FILE, and of the last
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
  std::string notes = {};  // at the end of its help: whole lines, which are wrapped

  // Whether its first argument is a file.
  bool reads_file() const noexcept {
    return !arguments.empty() && arguments.front().kind == Argument::Kind::File;
  }
};

// All verbs, in the order in which help tells of them.
const std::vector<Verb>& verbs();
// Throws Error(Argument) if there is none.
const Verb& verb_named(std::string_view name);

// The words of a list with blanks between, as in `choices`.
std::vector<std::string_view> words(std::string_view list);
// The parts of `names`: "-c" and "--columns"; either may be empty.
struct OptionNames {
  std::string_view brief, full;
};
OptionNames option_names(const Option& option);

}  // namespace heron::cli
