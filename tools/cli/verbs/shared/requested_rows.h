// The rows that convert and predict read, from any kind of source.
#pragma once

#include <string>
#include <vector>

#include "heron/row_source.h"
#include "session.h"

namespace heron::cli {

// Returns whether the files are text with a separator between fields: by `format`, the value of
// --format, or if that is empty by their names.
bool is_csv(const std::string& format, const std::vector<std::string>& files);

// Returns the rows of all these files, concatenated: those selected by --where, --rows, -n and -c.
// `folder` is where they may be spilled.
RowSourcePtr requested_rows(Session& session, const std::vector<std::string>& files,
                            const std::string& folder);
// Returns the first table of each file, if all of them are forests and no rows or columns are
// selected; else empty.
std::vector<RowSourcePtr> requested_forests(Session& session,
                                            const std::vector<std::string>& files);
// Returns the rows of each file separately; inferred types cover all of them.
std::vector<RowSourcePtr> requested_rows_of_each(Session& session,
                                                 const std::vector<std::string>& files,
                                                 const std::string& folder);

}  // namespace heron::cli
