#include "help/completion.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/fail.h"
#include "csv/options.h"
#include "expression/lexer.h"
#include "files/formats.h"
#include "help/help.h"
#include "help/shell_words.h"
#include "heron/aggregate.h"
#include "heron/error.h"
#include "heron/expression.h"
#include "interrupt.h"
#include "parsing/command.h"
#include "parsing/files.h"
#include "parsing/parse.h"
#include "session.h"

namespace heron::cli {
namespace {

using Paths = Completion::Paths;
using Names = std::vector<std::string>;

std::string with_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  if (!path.starts_with("~/") || home == nullptr || std::filesystem::exists(path, ignored)) {
    return path;
  }
  return home + path.substr(1);
}

// Reads the first file among the words before the unfinished one.
class FirstFile {
 public:
  FirstFile(const Verb& verb, std::vector<std::string> words)
      : verb_(verb), words_(std::move(words)) {}

  Names columns() const {
    return names([](Session& session) {
      Names all;
      const Table& table = *session.table();
      for (uint64_t i = 0; i < table.column_count(); ++i) all.push_back(table.column_name(i));
      return all;
    });
  }
  Names tables() const {
    return names([](Session& session) {
      Names all;
      for (const auto& table : session.file().tables()) all.push_back(table->name());
      return all;
    });
  }
  Names entries() const {
    return names([](Session& session) {
      Names all;
      for (const ArchiveEntry& entry : session.file().entries()) all.push_back(entry.path);
      return all;
    });
  }

 private:
  template <class Read>
  Names names(Read read) const {
    try {
      Request request;
      std::vector<std::string> files = parse_options(verb_, words_, request);
      if (files.empty() || !verb_.reads_file()) return {};
      files = matching_files(std::vector{with_home(files.front())});
      request.arguments.assign(verb_.arguments.size(), {});
      request.arguments.front() = {files.front()};
      Session session(verb_, std::move(request), interrupted());
      session.read_only_head(1);
      return read(session);
    } catch (const Error&) {
      return {};
    }
  }

  const Verb& verb_;
  std::vector<std::string> words_;
};

// Returns the names of all formats or, if `is_written`, of those that can be written.
Names format_names(bool is_written) {
  Names names;
  for (const Format& format : formats()) {
    if (!is_written || format.create != nullptr) names.emplace_back(format.name);
  }
  if (std::ranges::find(names, "csv") == names.end()) names.emplace_back("csv");
  return names;
}

// Returns each function's name with its opening bracket, once.
Names function_names() {
  Names names;
  for (const FunctionHelp& function : expression_functions()) {
    const bool is_name = std::ranges::all_of(function.name, Lexer::in_name);
    if (is_name) names.push_back(concat(function.name, '('));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// Returns the names of aggregates and of the functions that may be inside them.
Names aggregate_names() {
  Names names = function_names();
  const std::string usage = aggregates_usage();
  for (size_t at = 0; (at = usage.find('(', at)) != std::string::npos; ++at) {
    size_t first = at;
    while (first > 0 && Lexer::in_name(usage[first - 1])) --first;
    if (first < at) names.push_back(usage.substr(first, at + 1 - first));
  }
  return names;
}

// Quotes a name that contains a comma, or with `colon` a colon, which would end it.
std::string in_list(const std::string& name, bool colon = false) {
  const bool is_plain = !name.empty() && name.front() != '`' &&
                        name.find(',') == std::string::npos &&
                        !(colon && name.find(':') != std::string::npos);
  if (is_plain) return name;
  std::string quoted = "`";
  for (const char c : name) quoted.append(c == '`' ? 2 : 1, c);
  return quoted + '`';
}

class Completer {
 public:
  Completer(const Verb& verb, std::span<const std::string> words)
      : verb_(verb), before_(words.begin(), words.end() - 1), word_(words.back()) {}

  Completion run() {
    const size_t equals = word_.find('=');
    if (word_.starts_with("--") && equals != std::string::npos) {
      const Option* option = option_named(verb_, word_.substr(0, equals));
      if (option != nullptr) complete_value(*option, equals + 1);
      return std::move(found_);
    }
    const Option* option = before_.empty() ? nullptr : option_named(verb_, before_.back());
    if (option != nullptr && !option->value.empty()) {
      before_.pop_back();
      complete_value(*option, 0);
    } else if (word_.starts_with('-')) {
      complete_option();
    } else {
      complete_argument();
    }
    return std::move(found_);
  }

 private:
  // Adds a word if it begins with the typed word.
  void add(std::string word, std::string_view what = {}) {
    if (word.starts_with(word_)) found_.candidates.push_back({std::move(word), what});
  }
  // Adds words in which each text replaces the typed word from `from` on.
  template <class Texts>
  void add_all(size_t from, const Texts& texts) {
    for (const auto& text : texts) add(concat(word_.substr(0, from), text));
  }
  // Adds names that are not yet in the list, which begins at `from`.
  void add_to_list(size_t from, const Names& names) {
    const size_t last = std::max(word_.rfind(',') + 1, from);
    const std::string earlier = word_.substr(from, last - from);
    for (const std::string& name : names) {
      const bool is_used = concat(',', earlier).find(concat(',', name, ',')) != std::string::npos;
      if (!is_used) add(concat(word_.substr(0, last), name));
    }
  }

  void complete_option();
  void complete_argument();
  void complete_value(const Option& option, size_t from);
  void complete_kind(Kind kind, size_t from);
  void complete_columns(size_t from, bool colon);
  void complete_order(size_t from);
  void complete_expression(size_t from, const Names& functions);
  void complete_types(size_t from);
  Names columns() const { return FirstFile(verb_, before_).columns(); }

  const Verb& verb_;
  std::vector<std::string> before_;
  const std::string word_;
  Completion found_;
};

void Completer::complete_option() {
  for (const Option& option : verb_.options) {
    const OptionNames names = option_names(option);
    const bool is_given = std::ranges::any_of(before_, [&](const std::string& word) {
      return word == names.brief || word == names.full;
    });
    if (is_given && !option.repeats) continue;
    add(std::string(shown_name(option)), option.what);
    if (word_ != "-" && !names.full.empty()) add(std::string(names.brief), option.what);
  }
}

// Completes an argument. A verb's file repeats, so that any further word may be another file.
void Completer::complete_argument() {
  Request ignored;
  uint64_t given = 0;
  try {
    given = parse_options(verb_, before_, ignored).size();
  } catch (const Error&) {
    return;
  }
  for (uint64_t i = 0; i < verb_.arguments.size(); ++i) {
    const Argument& argument = verb_.arguments[i];
    if (given < i || (given > i && !argument.repeats && !verb_.arguments.front().repeats)) continue;
    if (!argument.choices.empty()) {
      add_all(0, words(argument.choices));
    } else {
      complete_kind(argument.kind, 0);
    }
  }
}

void Completer::complete_value(const Option& option, size_t from) {
  if (option.choices.empty()) return complete_kind(option.kind, from);
  const std::vector<std::string_view> choices = words(option.choices);
  if (!option.is_list) return add_all(from, choices);
  add_to_list(from, {choices.begin(), choices.end()});
}

void Completer::complete_kind(Kind kind, size_t from) {
  switch (kind) {
    case Kind::Word:
    case Kind::Row:
    case Kind::Rows: break;
    case Kind::File: found_.paths = Paths::Files; break;
    case Kind::Folder: found_.paths = Paths::Folders; break;
    case Kind::Topic: add_all(from, help_topics()); break;
    case Kind::Column: {
      Names names = columns();
      for (std::string& name : names) {
        if (name.starts_with('`')) name = in_list(name);
      }
      add_all(from, names);
      break;
    }
    case Kind::Columns: complete_columns(from, false); break;
    case Kind::Order: complete_order(from); break;
    case Kind::Expression: complete_expression(from, function_names()); break;
    case Kind::Aggregates: complete_expression(from, aggregate_names()); break;
    case Kind::Types: complete_types(from); break;
    case Kind::Table: add_all(from, FirstFile(verb_, before_).tables()); break;
    case Kind::Entry: add_all(from, FirstFile(verb_, before_).entries()); break;
    case Kind::Format: add_all(from, format_names(false)); break;
    case Kind::WrittenFormat: add_all(from, format_names(true)); break;
  }
}

void Completer::complete_order(size_t from) {
  const size_t term = std::max(word_.rfind(',') + 1, from);
  const size_t colon = word_.rfind(':');
  if (colon != std::string::npos && colon >= term) {
    return add_all(colon + 1, std::array{"asc", "desc"});
  }
  complete_columns(from, true);
}

// Completes a list of columns. Functions are candidates only if no column fits: most lists are of
// columns. A term that is an expression is completed as one. `colon`: a colon ends a name.
void Completer::complete_columns(size_t from, bool colon) {
  const size_t term = std::max(word_.rfind(',') + 1, from);
  if (word_.find_first_of("( +-*/%", term) != std::string::npos) {
    return complete_expression(term, function_names());
  }
  Names names = columns();
  for (std::string& name : names) name = in_list(name, colon);
  add_to_list(from, names);
  if (!found_.candidates.empty() || term == word_.size()) return;
  add_all(term, function_names());
  found_.is_unfinished = true;
}

// Completes the name at the end of the text: a column or, if its first letter is typed, a function.
void Completer::complete_expression(size_t from, const Names& functions) {
  size_t name = word_.size();
  while (name > from && Lexer::in_name(word_[name - 1])) --name;
  if (name > from && word_[name - 1] == '`') --name;
  Names names = columns();
  for (std::string& one : names) one = Lexer::quoted_name(one);
  add_all(name, names);
  if (name < word_.size()) add_all(name, functions);
  found_.is_unfinished = true;
}

void Completer::complete_types(size_t from) {
  const size_t term = std::max(word_.rfind(',') + 1, from);
  const size_t equals = word_.rfind('=');
  if (equals != std::string::npos && equals >= term) return add_all(equals + 1, csv::type_names());
  Names names = columns();
  for (std::string& name : names) name = concat(in_list(name), '=');
  add_to_list(from, names);
  found_.is_unfinished = true;
}

std::string_view paths_word(Paths paths) {
  switch (paths) {
    case Paths::None: break;
    case Paths::Files: return "files";
    case Paths::Folders: return "folders";
  }
  return "words";
}

}  // namespace

Completion complete(std::span<const std::string> words) {
  Completion found;
  if (words.size() < 2) {
    const std::string word = words.empty() ? std::string() : words.front();
    for (const Verb& verb : verbs()) {
      if (verb.name.starts_with(word)) {
        found.candidates.push_back({std::string(verb.name), verb.what});
      }
    }
    return found;
  }
  const auto verb = std::ranges::find(verbs(), std::string_view(words.front()), &Verb::name);
  return verb == verbs().end() ? found : Completer(*verb, words.subspan(1)).run();
}

void print_completion(FileSink& out, std::span<const std::string> request) {
  if (request.empty()) return;
  std::vector<std::string> words(request.begin() + 1, request.end());
  const bool is_bash = request.front() == "bash";
  const ShellLine line(is_bash && !words.empty() ? words.front() : "");
  if (is_bash) words = {line.words().begin() + 1, line.words().end()};
  const Completion found = complete(words);
  out.append(found.is_unfinished ? "unfinished " : "");
  out.append(concat(paths_word(found.paths), '\n'));
  for (const auto& [word, what] : found.candidates) {
    out.append(is_bash ? concat(line.in_place(word), '\n') : concat(word, '\t', what, '\n'));
  }
}

}  // namespace heron::cli
