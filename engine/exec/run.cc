#include <algorithm>

#include "base/parallel.h"
#include "exec/sink.h"
#include "format/table_source.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Passes all rows to each column on its own.
void run_apart(const Input& input, ColumnSink& sink, const Context& context) {
  const Morsels& morsels = input.morsels();
  ReadStates states(context, nullptr, input.skip_damaged());
  parallel_for(sink.column_count(), context, [&](uint64_t column, const Context& one_thread) {
    const ReadStates::Lease state(states);
    Context quiet = one_thread;
    quiet.progress = nullptr;
    const uint64_t count = sink.begin(column, quiet) ? morsels.size() : 0;
    const uint64_t index = sink.column(column);
    Readahead ahead(bytes_of(*input.table()),
                    [&](uint64_t item, unsigned round, Prefetch& pages) {
                      input.locate(morsels[item], {&index, 1}, round, pages, quiet);
                    });
    for (uint64_t i = 0; i < count; ++i) {
      one_thread.step(i, count);
      ahead.before(i, count);
      MorselReader reader(input, morsels[i], *state, quiet);
      sink.consume(column, reader);
    }
    sink.finish(column, quiet);
  });
}

// Columns that share a filter, or blocks that hold whole rows, go through the same morsels side by
// side; meanwhile threads select the rows of the next ones.
class SharedMorsels final : public Sink {
 public:
  SharedMorsels(const Input& input, ColumnSink& sink, const Context& context)
      : input_(input),
        sink_(sink),
        context_(context),
        states_(context, nullptr, input.skip_damaged()),
        arena_(context.memory),
        sees_morsels_(sink.column_count()) {
    context_.progress = nullptr;
    for_columns([&](uint64_t column, const Context& one_thread) {
      sees_morsels_[column] = sink.begin(column, one_thread);
    });
    const auto first = std::ranges::find(sees_morsels_, 1) - sees_morsels_.begin();
    if (input.filter() != nullptr || sees_morsels_.begin() + first == sees_morsels_.end()) return;
    decoded_.push_back(sink.column(static_cast<uint64_t>(first)));
  }
  // Returns the number of selected rows.
  uint64_t finish() {
    for_columns([this](uint64_t column, const Context& one_thread) {
      sink_.finish(column, one_thread);
    });
    return rows_;
  }

  std::unique_ptr<LocalState> local(uint64_t) const override { return std::make_unique<Local>(); }
  std::span<const uint64_t> columns() const override { return decoded_; }
  void consume(uint64_t number, MorselReader& morsel, LocalState& local) const override {
    Part part{number, 0, {}};
    if (const auto bits = morsel.selected()) part.bits.assign(bits->begin(), bits->end());
    part.count = morsel.count();
    static_cast<Local&>(local).parts.push_back(std::move(part));
  }
  void combine(uint64_t, LocalState& local) override {
    const std::vector<Part>& parts = static_cast<Local&>(local).parts;
    for (const Part& part : parts) {
      rows_ += part.count;
      if (!decoded_.empty() && input_.skip_damaged() == nullptr) decode(part);
    }
    for_columns([&](uint64_t column, const Context& one_thread) {
      if (sees_morsels_[column] != 0) consume(column, parts, one_thread);
    });
  }
  // Decoded blocks must stay in the cache until all columns have read them.
  Pace pace() const override {
    return {.most_items_a_range = input_.filter() == nullptr ? 1U : 64U,
            .ranges_a_thread = 1,
            .bounded = true};
  }

 private:
  struct Part {
    uint64_t number;  // number of the morsel
    uint64_t count;   // its selected rows
    std::vector<uint64_t> bits;
  };
  struct Local final : LocalState {
    std::vector<Part> parts;
  };

  template <class Work>
  void for_columns(const Work& work) {
    parallel_for(sees_morsels_.size(), context_, work);
  }
  void consume(uint64_t column, std::span<const Part> parts, const Context& one_thread) {
    const ReadStates::Lease state(states_);
    for (const Part& part : parts) {
      if (part.count == 0) continue;
      const Morsel morsel = input_.morsels()[part.number];
      MorselReader reader =
          input_.filter() == nullptr
              ? MorselReader(input_, morsel, *state, one_thread)
              : MorselReader(input_, morsel, part.bits, part.count, *state, one_thread);
      sink_.consume(column, reader);
    }
  }
  // Decodes, on all threads, the blocks that all columns read.
  void decode(const Part& part) {
    const auto [table, first] = input_.position(input_.morsels()[part.number], decoded_[0]);
    const Column& column = internals(*table).column(decoded_[0]);
    if (column.blocks() == nullptr) return;
    arena_.reset();
    column.read({first, first + part.count}, arena_, context_);
  }

  const Input& input_;
  ColumnSink& sink_;
  Context context_;
  ReadStates states_;
  Arena arena_;
  std::vector<char> sees_morsels_;  // per column: what begin() returned
  std::vector<uint64_t> decoded_;   // without a filter: the first column that is read
  uint64_t rows_ = 0;
};

}  // namespace

Run::Local Run::Steps::begin(uint64_t i) const {
  return sink->local(i == 0 ? 0 : input->morsels()[number(i)].first_row);
}

void Run::Steps::work(uint64_t i, Local& local, const Context& context) const {
  ahead->before(i, count);
  const ReadStates::Lease state(*states);
  MorselReader reader(*input, input->morsels()[number(i)], *state, context);
  sink->consume(number(i), reader, *local);
}

Run::Run(const Input& input, Sink& sink, const Context& context)
    : Run(input, sink, context, {}, input.skip_damaged()) {}

Run::Run(const Input& input, Sink& sink, const Context& context, std::span<const uint64_t> morsels,
         SkippedRows* skipped)
    : ahead_(bytes_of(*input.table()),
             [&input, &sink, &context, morsels](uint64_t i, unsigned round, Prefetch& pages) {
               const Morsel morsel = input.morsels()[morsels.empty() ? i : morsels[i]];
               input.locate(morsel, sink.columns(), round, pages, context);
             }),
      states_(context, &ahead_, skipped),
      morsels_(morsels.empty() ? input.morsels().size() : morsels.size(), context, sink.pace(),
               {&input, &sink, &states_, &ahead_,
                morsels.empty() ? input.morsels().size() : morsels.size(), morsels}) {}

void run(const Input& input, Sink& sink, const Context& context) {
  for (Run all(input, sink, context); !all.done();) all.next();
}

uint64_t run(const Input& input, ColumnSink& sink, const Context& context) {
  if (input.filter() == nullptr && !internals(*input.table()).source().stores_rows()) {
    run_apart(input, sink, context);
    return input.morsels().rows();
  }
  SharedMorsels shared(input, sink, context);
  run(input, shared, context);
  return shared.finish();
}

}  // namespace heron::inline v0
