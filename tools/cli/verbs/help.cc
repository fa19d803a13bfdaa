#include "help.h"

#include "manual.h"
#include "options.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_help(Session& session) {
  const std::string topic = session.argument(0);
  FileSink& out = session.out();
  if (topic == "man") {
    out.append(manual());
  } else if (topic == "options") {
    print_options(out);
  } else {
    print_help(out, topic.empty() ? nullptr : &verb_named(topic));
  }
}

}  // namespace

Verb help_verb() {
  return {"help",
          "print this help, the help of a verb, or the options that most verbs have",
          {{"heron help find", "all that find can do"},
           {"heron help options", "the options of all verbs that read files"},
           {"heron help man > heron.1", "the manual page"}},
          {{"TOPIC", "a verb, options or man", Kind::Topic, false}},
          {kHelp},
          run_help,
          {},
          {{"man usage commands", "to print the help", "heron help"}}};
}

}  // namespace heron::cli
