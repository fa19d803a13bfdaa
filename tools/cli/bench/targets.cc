#include "bench/targets.h"

#include <algorithm>

#include "base/fail.h"
#include "heron/expression.h"
#include "measure/machine.h"

namespace heron::cli::bench {
namespace {

using measure::ColdFile;

// Throws for wrong usage and for files that cannot be read: they end a run before it measures.
void check_usable(const std::optional<Error>& failure) {
  if (!failure) return;
  for (const ErrorKind kind : {ErrorKind::Argument, ErrorKind::Io, ErrorKind::Changed}) {
    if (failure->kind() == kind) throw Error(*failure);
  }
}

class Preparation {
 public:
  Preparation(const Plan& plan, std::vector<FileReport>& files, const Context& context)
      : plan_(plan), files_(files), context_(context), targets_(plan.subjects.size()) {}

  std::vector<Target> run();

 private:
  void describe(uint64_t i);
  void check_predicates();
  void share_columns();
  void share_rows();
  void find_predicates();
  void find_facts(uint64_t i);
  bool is_open(uint64_t i) const { return !files_[i].failure; }

  const Plan& plan_;
  std::vector<FileReport>& files_;
  const Context& context_;
  std::vector<Target> targets_;
  bool same_columns_ = true;  // all files have the requested columns, of the same names
  uint64_t common_rows_ = UINT64_MAX;
};

void Preparation::describe(uint64_t i) {
  FileReport& file = files_[i];
  Target& target = targets_[i];
  target.cold = std::make_unique<ColdFile>(target.subject.path);
  file.bytes = target.cold->bytes();
  file.disk = measure::disk_facts(file.path);
  target.file = open_file(target.subject, context_);
  file.format = target.file.table->format();
  file.containers = target.file.opened->containers();
  file.rows = target.file.table->rows();
  projection_of(target.subject, target.file);  // checks that the columns exist
}

// Selects, of several files, the columns that all have, by name, in the order of the first file.
void Preparation::share_columns() {
  std::vector<std::string> shared;
  bool is_first = true;
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    if (!is_open(i) || !targets_[i].subject.columns.empty()) continue;
    const std::shared_ptr<const Table>& table = targets_[i].file.table;
    if (is_first) {
      const Projection all(table);
      for (const uint64_t column : all.indices()) {
        shared.push_back(table->column_name(column));
      }
    } else {
      std::erase_if(shared, [&](const auto& name) { return !table->find_column(name); });
    }
    is_first = false;
  }
  if (targets_.size() == 1) return;
  if (shared.empty() && !is_first) {
    same_columns_ = false;
    if (context_.note) {
      context_.note("the files have no column in common: each answers for its own");
    }
  }
  for (Target& target : targets_) {
    if (target.subject.columns.empty()) target.subject.columns = shared;
  }
}

// All files of the same columns answer for the same rows: those of the shortest file that has rows.
void Preparation::share_rows() {
  if (!same_columns_) return;
  uint64_t max_rows = 0;
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    const uint64_t rows = files_[i].rows;
    if (!is_open(i) || rows == 0) continue;
    common_rows_ = std::min(common_rows_, rows);
    max_rows = std::max(max_rows, rows);
  }
  if (common_rows_ < max_rows && context_.note) {
    context_.note(concat("the files have ", common_rows_, " to ", max_rows,
                         " rows: questions are about the first ", common_rows_));
  }
}

// A given predicate applies to the files that have its columns; at least one file must have them.
void Preparation::check_predicates() {
  std::optional<Error> first;
  bool fits_any = false;
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    Subject& subject = targets_[i].subject;
    if (!is_open(i) || subject.where.empty()) continue;
    const auto failure = failure_of(targets_[i].cold.get(), [&] {
      const Predicate parsed(targets_[i].file.table, subject.where);
    });
    fits_any |= !failure;
    if (!failure) continue;
    if (!first) first = failure;
    subject.where.clear();
    subject.no_where = failure->what();
  }
  if (!fits_any) check_usable(first);
}

// Finds one predicate for all files, if questions are about the same columns; else one for each.
void Preparation::find_predicates() {
  std::string where;
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    Target& target = targets_[i];
    Subject& subject = target.subject;
    if (is_open(i) && subject.where.empty() && subject.no_where.empty()) {
      if ((where.empty() || !same_columns_) && files_[i].rows > 0) {
        where.clear();
        failure_of(target.cold.get(), [&] {  // on failure filter has no answer, as the report says
          where = find_predicate(subject, *target.file.opened, common_rows_, context_);
        });
      }
      subject.where = where;
    }
    files_[i].where = subject.where;
  }
}

void Preparation::find_facts(uint64_t i) {
  Target& target = targets_[i];
  FileReport& file = files_[i];
  target.facts = facts_of(target.subject, *target.file.opened, plan_.ops, common_rows_, context_);
  target.cold->warm();
  file.in_memory = static_cast<double>(target.cold->resident_pages()) /
                   static_cast<double>(std::max<uint64_t>(target.cold->pages(), 1));
  file.common_rows = target.facts.rows;
  file.columns = target.facts.column_count;
  file.key_columns = target.facts.key_columns;
}

std::vector<Target> Preparation::run() {
  bool any_open = false;
  files_.resize(targets_.size());
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    targets_[i].subject = plan_.subjects[i];
    files_[i].path = plan_.subjects[i].path;
    files_[i].failure = failure_of(nullptr, [&] { describe(i); });
    check_usable(files_[i].failure);
    any_open |= is_open(i);
  }
  if (!any_open) throw Error(*files_.front().failure);
  const bool filters = std::find(plan_.ops.begin(), plan_.ops.end(), Op::Filter) != plan_.ops.end();
  if (filters) check_predicates();
  share_columns();
  share_rows();
  if (filters) find_predicates();
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    if (!is_open(i)) continue;
    files_[i].failure = failure_of(targets_[i].cold.get(), [&] { find_facts(i); });
    check_usable(files_[i].failure);
  }
  return std::move(targets_);
}

}  // namespace

std::vector<Target> prepare_targets(const Plan& plan, std::vector<FileReport>& files,
                                    const Context& context) {
  return Preparation(plan, files, context).run();
}

}  // namespace heron::cli::bench
