// Ordered dictionaries as the values of keys: the order of such a dictionary is that of its codes,
// and keys are sorted by their numbers. So a column of ordered categories is sorted in their order,
// and texts are compared and aggregated in it (KeyValues::are_ordered); it is tested for its values
// as text or numbers, and is written again as keys, or as an ordered dictionary.
#pragma once

#include "arrow_ipc/contents.h"

namespace heron::inline v0::arrow_ipc {

// Makes keys the type of each column with an ordered dictionary of numbers or bytes that all record
// batches share. Other dictionaries are decoded: those that a stream replaces, those with nulls,
// those in lists, and those of dates and times, whose order is their own.
void set_key_types(Contents& contents);

}  // namespace heron::inline v0::arrow_ipc
