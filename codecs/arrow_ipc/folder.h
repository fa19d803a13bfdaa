// Folders of Hugging Face datasets, whose rows are in Arrow files. There are three kinds:
//
// - what Dataset.save_to_disk() writes: state.json lists the files under `_data_files`, each with a
//   `filename`; without it, data-00000-of-00002.arrow and so on are the files;
// - what DatasetDict.save_to_disk() writes: dataset_dict.json lists `splits`, and each is a folder
//   of the first kind;
// - where load_dataset() keeps what it has read: dataset_info.json lists `splits` as the members of
//   an object, and the files of each are NAME-SPLIT.arrow or NAME-SPLIT-00000-of-00002.arrow.
#pragma once

#include "format/folder.h"

namespace heron::inline v0::arrow_ipc {

// Implements FolderLayout::tables.
std::vector<FolderTable> tables_of_folder(const std::string& path,
                                          std::span<const std::string> names,
                                          const Context& context);

inline constexpr FolderLayout kFolder = {
    .what = "a folder of a Hugging Face dataset (with dataset_dict.json, or with dataset_info.json "
            "beside data-*.arrow or NAME-SPLIT.arrow)",
    .tables = tables_of_folder};

}  // namespace heron::inline v0::arrow_ipc
