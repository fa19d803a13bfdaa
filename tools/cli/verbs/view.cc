#include <filesystem>

#include "base/fail.h"
#include "heron/error.h"
#include "interrupt.h"
#include "output/terminal.h"
#include "parsing/arguments.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"
#include "view/help_lines.h"
#include "view/pager.h"
#include "view/terminal.h"
#include "view/work.h"

namespace heron::cli {
namespace {

// The file's name without its folders, and the table if one was named.
std::string title_of_view(const Session& session) {
  const std::string source = session.source_name();
  const std::string name = std::filesystem::path(source).filename();
  const std::string& table = session.get<TableOptions>().table;
  return table.empty() ? name : concat(name, ' ', table);
}

// Shows rows until a key ends the view, or the terminal is gone. Throws Error(Cancelled) after a
// signal.
void show_rows(Session& session, Pager& pager, ViewWork& work, RawTerminal& terminal) {
  for (;;) {
    const ScreenSize size = terminal.size();
    terminal.draw(pager.screen(size));
    session.context().check_cancelled();
    if (terminal.is_closed()) return;
    if (terminal.size() != size) continue;
    for (std::optional<Key> key = work.next_key(); key; key = work.pending_key()) {
      if (key->is_control("l")) {
        terminal.forget();
      } else if (key->is_control("z")) {
        terminal.suspend();
      } else if (!pager.press(*key, size)) {
        if (key->is_control("c")) session.set_exit_code(interrupted_exit_code());
        return;
      }
    }
    session.context().check_cancelled();
  }
}

void run_view(Session& session) {
  RawTerminal::check("view");
  PagerOptions options{.title = title_of_view(session), .columns = session.projection()};
  options.where = session.where();
  const std::string& order = session.get<SortOptions>().order_by;
  if (!order.empty()) options.order = parse_order(order);
  const auto& output = session.get<OutputOptions>();
  options.form = {.raw = output.raw, .sparse = output.sparse};
  options.row_numbers = output.row_number;
  SkippedRows skipped;
  Context context = session.context();
  options.skipped = session.skipped() == nullptr ? &skipped : session.skipped();
  context.note = nullptr;  // lines on stderr would appear among the rows

  RawTerminal terminal(uses_colour());
  ViewWork work(terminal, context);
  Pager pager(std::move(options), [&work](std::string_view what, const ViewTask& task) {
    work.run(what, task);
  });
  show_rows(session, pager, work, terminal);
}

}  // namespace

Verb view_verb() {
  return {"view",
          "show all rows on the terminal: scroll, search, filter and sort",
          {{"heron view data.jay", "all rows; ? lists the keys, q ends"},
           {"heron view data.jay --where \"price > 3.5\" -c id,price", "the rows that match"},
           {"heron view 'part-*.jay' --order-by price:desc", "the highest price first"}},
          {kFile},
          opening_options({kWhere, kParameter, kOrderBy, kColumns, kTable, kRowNumber, kRaw,
                           kSparse, kSkipDamaged}),
          run_view,
          concat("Only the rows and columns on the screen are read; a predicate is tested on as "
                 "many rows as it takes to find these. Damaged cells are marked.\n",
                 view_help_text()),
          {{"less more pager browse tui vd visidata tabview", "to scroll through the rows",
            "heron view FILE"}}};
}

}  // namespace heron::cli
