// The rows that a call of convert is to write, whatever they come from.
#pragma once

#include <string>
#include <vector>

#include "heron/row_source.h"
#include "session.h"

namespace heron::cli {

// Of text files.
struct CsvReadingOptions {
  std::string types;
  std::string null_words = "NA,null,NULL";
  std::string separator;
  std::string encoding;
  bool no_header = false;
};

// Whether the files are text with a separator between fields: by `format`, which --format
// names, or without one by their names.
bool is_csv(const std::string& format, const std::vector<std::string>& files);

// Rows of all these files, one after the other: those that --where, --rows, -n and -c ask for.
// `folder` is where they may be put away on the way.
RowSourcePtr asked_rows(Session& session, const std::vector<std::string>& files,
                        const std::string& folder);
// Of each of the files for itself; types that are found out are those of all of them.
std::vector<RowSourcePtr> asked_rows_of_each(Session& session,
                                             const std::vector<std::string>& files,
                                             const std::string& folder);

}  // namespace heron::cli
