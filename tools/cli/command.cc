#include "command.h"

#include <algorithm>

#include "base/nearest.h"
#include "heron/error.h"
#include "verbs.h"

namespace heron::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {
      info_verb(),     schema_verb(),     head_verb(),  tail_verb(),    row_verb(),
      rows_verb(),     slice_verb(),      block_verb(), group_verb(),   column_verb(),
      scan_verb(),     count_verb(),      stats_verb(), find_verb(),    diff_verb(),
      sample_verb(),   verify_verb(),     index_verb(), split_verb(),   convert_verb(),
      generate_verb(), bench_verb(),      completion_verb(), help_verb(),  version_verb(),
  };
  return all;
}

const Verb& verb_named(std::string_view name) {
  Nearest nearest(name);
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
    nearest.consider(verb.name);
  }
  fail(ErrorKind::Argument, {}, "unknown verb \"", name, '"',
       nearest.found().empty() ? "; see heron help" : nearest.question());
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

}  // namespace heron::cli
