#include <charconv>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "heron/convert.h"
#include "heron/csv.h"
#include "heron/error.h"
#include "heron/forest.h"
#include "heron/formats.h"
#include "output/destination.h"
#include "output/report.h"
#include "output/row_writer.h"
#include "parsing/arguments.h"
#include "parsing/files.h"
#include "parsing/format_flags.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/shared/requested_rows.h"
#include "verbs/shared/writing.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct PredictVerbOptions {
  std::string features;  // a list of names, empty: all columns that are not in `keep`
  std::string keep;
  std::string weights;
  bool votes = false;
  bool probabilities = false;
  std::string nulls = "error";
  std::string forest;
  std::string against;
  std::string label;
  std::string to;
};

constexpr Option kFeatures{
    .names = "-c,--columns",
    .value = "A,B,C",
    .what = "classify by these columns of POINTS, in the order of the forest's features (default: "
            "all that are not kept)",
    .read = into<&PredictVerbOptions::features>,
    .kind = Kind::Columns,
    .elsewhere = "--features --select --cols -f --usecols"};
constexpr Option kKeep{.names = "--keep",
                       .value = "A,B",
                       .what = "print these columns of POINTS before the label",
                       .read = into<&PredictVerbOptions::keep>,
                       .kind = Kind::Columns,
                       .elsewhere = "--id --ids --passthrough --index"};
constexpr Option kWeights{
    .names = "--weights",
    .value = "W,W",
    .what = "multiply the votes for each class by its weight (default: 1)",
    .read = into<&PredictVerbOptions::weights>,
    .elsewhere = "--class-weights --class-weight --weight"};
constexpr Option kVotes{.names = "--votes",
                        .value = "",
                        .what = "print how many trees vote for each class: votes_0 and so on",
                        .read = into<&PredictVerbOptions::votes>,
                        .elsewhere = "--counts --raw-score"};
constexpr Option kProbabilities{
    .names = "--probabilities",
    .value = "",
    .what = "print the share of trees that vote for each class: probability_0 and so on",
    .read = into<&PredictVerbOptions::probabilities>,
    .elsewhere = "--proba --predict-proba --probs --scores"};
constexpr Option kNulls{.names = "--nulls",
                        .value = "HOW",
                        .what = "take a null feature for an error, or for NaN, which goes right at "
                                "every node (default: error)",
                        .read = into<&PredictVerbOptions::nulls>,
                        .choices = "error nan",
                        .elsewhere = "--missing --na"};
constexpr Option kForest{.names = "--forest",
                         .value = "NAME",
                         .what = "classify by the forest of this table of FOREST (default: the "
                                 "first forest)",
                         .read = into<&PredictVerbOptions::forest>,
                         .elsewhere = "--model --tree"};
constexpr Option kAgainst{
    .names = "--against",
    .value = "LABELS",
    .what = "print how well the labels agree with those of this file, instead of the labels",
    .read = into<&PredictVerbOptions::against>,
    .kind = Kind::File,
    .elsewhere = "--truth --evaluate --score --y --expected"};
constexpr Option kLabel{
    .names = "--label",
    .value = "COLUMN",
    .what = "take the labels of LABELS from this column (default: its only one)",
    .read = into<&PredictVerbOptions::label>,
    .kind = Kind::Column,
    .elsewhere = "--label-column --target"};
constexpr Option kPredictTo{
    .names = "--to",
    .value = "OUT",
    .what = "write to this file, whole or not at all, in the format that its ending names",
    .read = into<&PredictVerbOptions::to>,
    .kind = Kind::File,
    .elsewhere = "--out --output-file --outfile --out-file --file --save"};

std::vector<float> parse_weights(const std::string& list) {
  std::vector<float> weights;
  for (const std::string& word : parse_names(list)) {
    float weight = 0;
    const char* end = word.data() + word.size();
    const auto [behind, failed] = std::from_chars(word.data(), end, weight);
    if (failed != std::errc() || behind != end) {
      fail(ErrorKind::Argument, {}, "--weights: expected a number for each class, got \"", word,
           '"');
    }
    weights.push_back(weight);
  }
  return weights;
}

Forest forest_of(Session& session) {
  const std::string& table = session.get<PredictVerbOptions>().forest;
  const auto file = open(session.argument(0), session.open_options(), session.context());
  return table.empty() ? Forest(file) : Forest(file->table(table));
}

PredictOptions predict_options(const PredictVerbOptions& requested) {
  PredictOptions options;
  if (!requested.features.empty()) options.features = parse_names(requested.features);
  if (!requested.keep.empty()) options.keep = parse_names(requested.keep);
  if (!requested.weights.empty()) options.weights = parse_weights(requested.weights);
  options.votes = requested.votes;
  options.probabilities = requested.probabilities;
  options.nulls_as_nan = requested.nulls == "nan";
  return options;
}

// Returns the labels of --against, as a source of one column.
RowSourcePtr labels_of(Session& session) {
  const auto& requested = session.get<PredictVerbOptions>();
  const std::vector<std::string> files = {requested.against};
  RowSourcePtr rows;
  if (is_csv({}, files)) {
    rows = csv_rows(files, session.get<FormatValues>().open, session.context());
  } else {
    const auto file = open(requested.against, session.open_options(), session.context());
    rows = table_rows(session.counted(Query(file->table())), session.context());
  }
  if (!requested.label.empty()) return selected_columns(rows, {parse_name(requested.label)});
  if (rows->schema().size() != 1) {
    fail(ErrorKind::Argument, requested.against, "expected one column of labels, got ",
         rows->schema().size(), "; --label names one");
  }
  return rows;
}

// Prints a line per class, with how often its points were given each label; then a line over all.
void print_agreement(Session& session, FileSink& out, const Confusion& confusion) {
  Schema columns = {text_column("class")};
  for (const char* name : {"points", "precision", "recall", "f1", "accuracy"}) {
    columns.push_back(number_column(name));
  }
  for (uint32_t label = 0; label < confusion.classes(); ++label) {
    columns.push_back(number_column(concat("label_", label)));
  }
  const OutputForm form = session.form(out);
  const auto writer = make_report_writer(form, out, columns);
  std::vector<uint64_t> labelled(confusion.classes());
  for (uint32_t truth = 0; truth < confusion.classes(); ++truth) {
    uint64_t points = 0;
    std::vector<Cell> counts;
    for (uint32_t label = 0; label < confusion.classes(); ++label) {
      const uint64_t count = confusion.count(truth, label);
      points += count;
      labelled[label] += count;
      counts.push_back(count);
    }
    std::vector<Cell> cells = {std::to_string(truth),
                               points,
                               rounded(confusion.precision(truth), form),
                               rounded(confusion.recall(truth), form),
                               rounded(confusion.f1(truth), form),
                               {}};
    cells.insert(cells.end(), counts.begin(), counts.end());
    writer->write(row_of(cells));
  }
  std::vector<Cell> all = {"all", confusion.points(), {}, {}, {},
                           rounded(confusion.accuracy(), form)};
  all.insert(all.end(), labelled.begin(), labelled.end());
  writer->write(row_of(all));
  writer->finish();
}

// Returns the binary format of a file, by its name; empty: text.
std::string binary_format(const std::string& path) {
  const NamedFormat named = format_by_name(path);
  return named.format == "csv" ? std::string() : std::string(named.format);
}

void print_predictions(Session& session, FileSink& out, const RowSource& rows) {
  OutputForm form = session.form(out);
  const std::string& to = session.get<PredictVerbOptions>().to;
  if (form.name == "table" && !to.empty() && format_by_name(to).format == "csv") form.name = "csv";
  if (form.name == "npy" && rows.rows() == WriteOptions::kUnknownRows) {
    fail(ErrorKind::Argument, {}, "-o npy writes the number of rows first: not for rows that only "
         "reading counts");
  }
  const auto writer = make_row_writer(form, out, rows.schema(), rows.rows());
  std::vector<uint64_t> columns(rows.schema().size());
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  const auto stream = rows.read(columns, session.context());
  for (RowBatch batch; stream->next(batch);) writer->write(batch);
  writer->finish();
}

// Writes predictions into a file of a binary format.
void write_predictions(Session& session, const RowSourcePtr& rows, const std::string& to) {
  ConvertOptions options = convert_options(session, to);
  options.cast = true;  // some formats lack uint8
  report_written(session, convert(rows, to, options, session.context()));
}

void print(Session& session, FileSink& out) {
  const auto& requested = session.get<PredictVerbOptions>();
  const Forest forest = forest_of(session);
  const RowSourcePtr points = requested_rows(session, matching_files(session.arguments(1)), ".");
  const RowSourcePtr rows = predictions(forest, points, predict_options(requested));
  if (requested.against.empty()) {
    if (!binary_format(requested.to).empty()) return write_predictions(session, rows, requested.to);
    return print_predictions(session, out, *rows);
  }
  const RowSourcePtr labels = selected_columns(rows, {std::string("label")});
  print_agreement(session, out, compare_labels(*labels_of(session), *labels, forest.class_count(),
                                               session.context()));
}

void run_predict(Session& session) {
  const auto& requested = session.get<PredictVerbOptions>();
  if (requested.against.empty() && !requested.label.empty()) {
    fail(ErrorKind::Argument, {}, "--label needs --against");
  }
  const bool is_more_than_labels =
      !requested.keep.empty() || requested.votes || requested.probabilities;
  if (!requested.against.empty() && is_more_than_labels) {
    fail(ErrorKind::Argument, {},
         "--against prints no rows: --keep, --votes and --probabilities do not apply");
  }
  if (requested.to.empty()) return print(session, session.out());
  session.check_output("--to", requested.to);
  const bool is_text = !requested.against.empty() || binary_format(requested.to).empty();
  if (!is_text) return print(session, session.out());
  Destination destination(requested.to, session.get<OutputOptions>().force);
  print(session, destination.sink());
  destination.finish();
}

std::vector<Option> predict_verb_options() {
  std::vector<Option> own = {kFeatures,  kKeep,   kWeights, kVotes, kProbabilities,
                             kNulls,     kAgainst, kLabel,  kForest, kWhere,
                             kParameter, kRows,   kTable,   kOutputRows, kRaw,
                             kSparse,    kDtype,  kExact,   kPredictTo, kForce};
  const std::vector<Option>& of_formats = format_flags(FormatOption::Use::Write);
  own.insert(own.end(), of_formats.begin(), of_formats.end());
  own.push_back(kSkipDamaged);
  return opening_options(std::move(own));
}

}  // namespace

Verb predict_verb() {
  return {
      "predict",
      "print the label that a forest gives to each point",
      {{"heron predict model.balsa points.balsa", "a label per row"},
       {"heron predict model.balsa data.jay -c x,y,z --keep id --to labels.jay",
        "by three columns, with the id of each row, into a file"},
       {"heron predict model.balsa points.csv --votes -o jsonl", "also the votes for each class"},
       {"heron predict model.balsa points.balsa --weights 1,2.5",
        "as if each vote for class 1 counted two and a half times"},
       {"heron predict model.balsa points.balsa --against labels.balsa",
        "accuracy, precision, recall, F1 and the confusion matrix"}},
      {{"FOREST", "the file with the forest", Kind::File},
       {"POINTS", "the file with a row per point; several files are read as one", Kind::File, true,
        true}},
      predict_verb_options(),
      run_predict,
      "A point goes left at a node if its feature is less than the split value, else right; each "
      "tree votes for the label of the leaf that the point reaches, and the class with the most "
      "votes is the label. Of equally many it is the lowest class. With --to the ending of OUT "
      "names the format: .jay, .idv, .balsa, .csv and so on.\n",
      {{"classify infer inference score evaluate apply", "to label points by a forest",
        "heron predict FOREST POINTS"}}};
}

}  // namespace heron::cli
