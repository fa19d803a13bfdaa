#include "parsing/command.h"

#include <algorithm>

#include "help/suggestions.h"
#include "verbs/verbs.h"

namespace heron::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {
      info_verb(),     schema_verb(),  head_verb(),       tail_verb(),    row_verb(),
      rows_verb(),     slice_verb(),   block_verb(),      group_verb(),   column_verb(),
      scan_verb(),     view_verb(),    count_verb(),      stats_verb(),   find_verb(),
      diff_verb(),     sample_verb(),  verify_verb(),     index_verb(),   split_verb(),
      convert_verb(),  predict_verb(), generate_verb(),   bench_verb(),   completion_verb(),
      help_verb(),     version_verb(),
  };
  return all;
}

const Verb& verb_named(std::string_view name) {
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
  }
  fail_unknown_verb(name);
}

std::vector<std::string_view> words(std::string_view list) {
  std::vector<std::string_view> all;
  while (!list.empty()) {
    const size_t end = std::min(list.find(' '), list.size());
    all.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return all;
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> all = words(list);
  return std::find(all.begin(), all.end(), word) != all.end();
}

OptionNames option_names(const Option& option) {
  OptionNames names;
  for (std::string_view rest = option.names; !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view name = rest.substr(0, end);
    (name.starts_with("--") ? names.full : names.brief) = name;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

std::string_view shown_name(const Option& option) {
  const OptionNames names = option_names(option);
  return names.full.empty() ? names.brief : names.full;
}

const Option* option_named(const Verb& verb, std::string_view name) {
  if (name.empty()) return nullptr;
  for (const Option& option : verb.options) {
    const OptionNames names = option_names(option);
    if (name == names.brief || name == names.full) return &option;
  }
  return nullptr;
}

}  // namespace heron::cli
