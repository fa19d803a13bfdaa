// The verbs, one file each; `row` is in the file of `rows`.
#pragma once

#include "parsing/command.h"

namespace heron::cli {

Verb info_verb();
Verb schema_verb();
Verb head_verb();
Verb tail_verb();
Verb row_verb();
Verb rows_verb();
Verb slice_verb();
Verb block_verb();
Verb group_verb();
Verb column_verb();
Verb scan_verb();
Verb view_verb();
Verb count_verb();
Verb stats_verb();
Verb find_verb();
Verb diff_verb();
Verb sample_verb();
Verb verify_verb();
Verb index_verb();
Verb split_verb();
Verb bench_verb();
Verb convert_verb();
Verb generate_verb();
Verb predict_verb();
Verb completion_verb();
Verb help_verb();
Verb version_verb();

}  // namespace heron::cli
