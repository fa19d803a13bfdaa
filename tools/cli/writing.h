// What verbs have in common that write files of a format.
#pragma once

#include "command.h"
#include "heron/writer.h"

namespace heron::cli {

WriteOptions write_options(const Request& request);

}  // namespace heron::cli
