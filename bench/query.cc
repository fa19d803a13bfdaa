// heron-query: the cost of one query inside the process, with the file open and its pages in
// memory. The first answer, in a file just opened, is reported apart from later ones, which have
// its zone maps. One JSON line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file.h"
#include "measure.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

struct Question {
  std::string path;
  std::string where;            // a predicate; empty: all rows
  std::string aggregates;       // empty: counts rows, or fetches them
  std::vector<std::string> by;  // columns to group by
  bool fetch = false;           // fetches the rows, all columns
  unsigned repeat = 9;
  Context context;
  OpenOptions options;
};

uint64_t fetched_rows(const std::shared_ptr<const Table>& table,
                      const std::optional<Predicate>& where, const Context& context) {
  RowBatch batch;
  uint64_t rows = 0;
  for (Scan scan(Query(table, where), context); scan.next(batch);) {
    keep(batch);
    rows += batch.rows;
  }
  return rows;
}

void answer(const Question& question, const std::shared_ptr<const Table>& table,
            const std::optional<Predicate>& where) {
  if (!question.by.empty()) {
    Query query(table, where);
    query.by = question.by;
    keep(group_by(query, parse_aggregates(*table, question.aggregates), question.context));
  } else if (!question.aggregates.empty()) {
    keep(aggregate(Query(table, where), parse_aggregates(*table, question.aggregates),
                   question.context));
  } else if (question.fetch) {
    keep(fetched_rows(table, where, question.context));
  } else {
    keep(count(Query(table, where), question.context));
  }
}

void run(const Question& question) {
  const auto file = open(question.path, question.options);
  touch(*internals(*file).bytes);
  const auto& table = file->table();
  std::vector<double> seconds;
  for (unsigned i = 0; i <= question.repeat; ++i) {
    const double start = seconds_now();
    std::optional<Predicate> where;
    if (!question.where.empty()) where.emplace(table, question.where);
    answer(question, table, where);
    seconds.push_back(seconds_now() - start);
  }
  const double first = seconds.front();
  std::sort(seconds.begin() + 1, seconds.end());
  std::printf("{\"first_seconds\":%.9g,\"median_seconds\":%.9g}\n", first,
              seconds[1 + question.repeat / 2]);
}

std::optional<Question> parse(std::span<char* const> words) {
  Question question;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool has_value = i + 1 < words.size();
    if (word == "--no-mmap") {
      question.options.mmap = false;
    } else if (word == "--fetch") {
      question.fetch = true;
    } else if (word == "--where" && has_value) {
      question.where = words[++i];
    } else if (word == "--agg" && has_value) {
      question.aggregates = words[++i];
    } else if (word == "--by" && has_value) {
      question.by.push_back(words[++i]);
    } else if (word == "--repeat" && has_value) {
      question.repeat = static_cast<unsigned>(std::max(1, std::atoi(words[++i])));
    } else if (word == "--threads" && has_value) {
      question.context.threads = static_cast<unsigned>(std::max(0, std::atoi(words[++i])));
    } else if (word.starts_with("-") || !question.path.empty()) {
      return std::nullopt;
    } else {
      question.path = word;
    }
  }
  if (question.path.empty()) return std::nullopt;
  return question;
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** words) {
  using namespace heron::bench;
  const auto question = parse(std::span(words, static_cast<size_t>(count)).subspan(1));
  if (!question) {
    std::fprintf(stderr,
                 "usage: heron-query FILE [--where E] [--by COLUMN]... [--agg LIST | --fetch] "
                 "[--repeat N] [--threads N] [--no-mmap]\n");
    return 2;
  }
  try {
    run(*question);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-query: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
