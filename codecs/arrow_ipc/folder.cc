#include "arrow_ipc/folder.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "format/json_reader.h"

namespace heron::inline v0::arrow_ipc {
namespace {

constexpr uint64_t kMaxJsonBytes = uint64_t{64} << 20;
constexpr std::string_view kEnding = ".arrow";
constexpr std::string_view kDict = "dataset_dict.json", kState = "state.json",
                           kInfo = "dataset_info.json";

std::string joined(const std::string& folder, std::string_view name) {
  return concat(folder, folder.ends_with('/') ? "" : "/", name);
}

// The text of a JSON file, and its reader.
class JsonFile {
 public:
  JsonFile(std::string path, const Context& context)
      : path_(std::move(path)), text_(text(path_, context)), reader_(text_, path_, 0, "JSON") {}
  JsonFile(const JsonFile&) = delete;
  JsonFile& operator=(const JsonFile&) = delete;

  JsonReader* operator->() noexcept { return &reader_; }
  const std::string& path() const noexcept { return path_; }
  // Calls use(name) for each member of the object that comes next, none if that is null; it reads
  // the value.
  template <class Use>
  void members(Use&& use) {
    if (reader_.take_null()) return;
    reader_.open('{');
    for (bool is_first = true; reader_.next_item('}', is_first);) use(reader_.name());
  }
  // Calls use() for each item of the list that comes next, likewise.
  template <class Use>
  void items(Use&& use) {
    if (reader_.take_null()) return;
    reader_.open('[');
    for (bool is_first = true; reader_.next_item(']', is_first);) use();
  }

 private:
  static std::string text(const std::string& path, const Context& context) {
    const auto file = open_file(path, false);
    if (file->size() > kMaxJsonBytes) {
      fail(ErrorKind::Limit, path, "expected at most ", kMaxJsonBytes, " bytes of JSON, got ",
           file->size());
    }
    std::string text(file->size(), '\0');
    file->read(0, std::as_writable_bytes(std::span(text)), context);
    return text;
  }

  const std::string path_;
  const std::string text_;
  JsonReader reader_;
};

// A name of the form STEM-00001-of-00004.arrow, or STEM.arrow, which has no count.
struct Shard {
  std::string_view stem;
  uint64_t index = 0;
  uint64_t count = 0;
};

// Takes the digits, and the dash in front of them, from the end of a text.
std::optional<uint64_t> take_number(std::string_view& text) {
  const size_t dash = text.rfind('-');
  if (dash == text.npos) return std::nullopt;
  const std::string_view digits = text.substr(dash + 1);
  uint64_t number = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || end.ptr != digits.data() + digits.size() || end.ec != std::errc()) {
    return std::nullopt;
  }
  text.remove_suffix(digits.size() + 1);
  return number;
}

Shard shard_of(std::string_view name) {
  constexpr std::string_view kOf = "-of";
  name.remove_suffix(kEnding.size());
  std::string_view rest = name;
  const auto count = take_number(rest);
  if (!count || !rest.ends_with(kOf)) return {name};
  rest.remove_suffix(kOf.size());
  const auto index = take_number(rest);
  return index ? Shard{rest, *index, *count} : Shard{name};
}

class Folder {
 public:
  Folder(const std::string& path, std::span<const std::string> names, const Context& context)
      : path_(path), names_(names), context_(context) {}

  std::vector<FolderTable> tables() const {
    if (has(kDict)) return tables_of_splits();
    const auto data = files([](const Shard& shard) { return shard.stem == "data"; });
    if (has(kState) && (has(kInfo) || !data.empty())) return {{"", files_of_state()}};
    if (!data.empty()) return {{"", all_of(data)}};
    return has(kInfo) ? tables_of_cache() : std::vector<FolderTable>();
  }

 private:
  bool has(std::string_view name) const { return std::ranges::binary_search(names_, name); }
  JsonFile json(std::string_view name) const { return {joined(path_, name), context_}; }

  // Returns the names of Arrow files, in order, whose shard `is_one`.
  template <class IsOne>
  std::vector<std::string_view> files(IsOne is_one) const {
    std::vector<std::string_view> found;
    for (const std::string_view name : names_) {
      if (name.ends_with(kEnding) && is_one(shard_of(name))) found.push_back(name);
    }
    return found;
  }

  // Returns the paths of the shards of one stem, which must be complete.
  std::vector<std::string> all_of(std::span<const std::string_view> names) const {
    std::vector<std::string> paths;
    for (const std::string_view name : names) {
      const Shard shard = shard_of(name);
      const Shard first = shard_of(names.front());
      const bool is_next = shard.count == 0 ? names.size() == 1 : shard.index == paths.size();
      if (shard.stem != first.stem || shard.count != first.count || !is_next) {
        fail(ErrorKind::Io, path_, "expected the files of one table without gaps from ",
             names.front(), " on, got ", name, " as file ", paths.size());
      }
      paths.push_back(joined(path_, name));
    }
    const uint64_t count = std::max<uint64_t>(shard_of(names.front()).count, 1);
    if (paths.size() != count) {
      fail(ErrorKind::Io, path_, "expected ", count, " files like ", names.front(), ", got ",
           paths.size());
    }
    return paths;
  }

  // Throws unless a JSON file may name something in the folder so.
  void check_name(const JsonFile& json, const std::string& name) const {
    if (has(name)) return;
    fail(ErrorKind::Io, joined(path_, name), "does not exist, but ", json.path(), " lists it");
  }

  std::vector<std::string> files_of_state() const {
    std::vector<std::string> paths;
    JsonFile state = json(kState);
    const auto add_file = [&] {
      state.members([&](const std::string& member) {
        if (member != "filename") return state->skip();
        const std::string name = state->string();
        check_name(state, name);
        paths.push_back(joined(path_, name));
      });
    };
    const auto fail_indices = [&] {
      fail(ErrorKind::Unsupported, state.path(),
           "the rows are a choice of those in the files, which another file lists; save the "
           "dataset after flatten_indices()");
    };
    state.members([&](const std::string& member) {
      if (member == "_data_files") return state.items(add_file);
      if (member == "_indices_data_files") return state.items(fail_indices);
      state->skip();
    });
    state->end();
    if (paths.empty()) {
      fail(ErrorKind::Unsupported, state.path(),
           "expected files under _data_files, got none: the dataset has no rows");
    }
    return paths;
  }

  std::vector<FolderTable> tables_of_splits() const;
  std::vector<FolderTable> tables_of_cache() const;

  const std::string& path_;
  const std::span<const std::string> names_;
  const Context& context_;
};

std::vector<FolderTable> Folder::tables_of_splits() const {
  std::vector<FolderTable> tables;
  JsonFile dict = json(kDict);
  const auto add_split = [&] {
    const std::string split = dict->string();
    check_name(dict, split);
    const std::string folder = joined(path_, split);
    const std::vector<std::string> names = names_in_folder(folder);
    std::vector<FolderTable> of_split;
    const Folder inside(folder, names, context_);
    if (!inside.has(kDict)) of_split = inside.tables();
    if (of_split.size() != 1) {
      fail(ErrorKind::Io, folder, "expected state.json or data-*.arrow of the split \"", split,
           "\" of ", dict.path(), ", got ", names.size(), " other files");
    }
    tables.push_back({split, std::move(of_split[0].paths)});
  };
  dict.members([&](const std::string& member) {
    member == "splits" ? dict.items(add_split) : dict->skip();
  });
  dict->end();
  if (tables.empty()) fail(ErrorKind::Corrupt, dict.path(), "expected splits, got none");
  return tables;
}

// Files that begin with "cache-" are results of functions over the rows.
std::vector<FolderTable> Folder::tables_of_cache() const {
  std::vector<FolderTable> tables;
  JsonFile info = json(kInfo);
  const auto add_split = [&](const std::string& split) {
    info->skip();
    const auto names = files([&, ending = concat('-', split)](const Shard& shard) {
      return shard.stem.ends_with(ending) && !shard.stem.starts_with("cache-");
    });
    if (names.empty()) {
      fail(ErrorKind::Io, path_, "expected a file NAME-", split, ".arrow, since ", kInfo,
           " lists the split \"", split, "\", got none");
    }
    tables.push_back({split, all_of(names)});
  };
  info.members([&](const std::string& member) {
    member == "splits" ? info.members(add_split) : info->skip();
  });
  info->end();
  if (tables.empty()) {
    fail(ErrorKind::Io, path_, "expected files data-*.arrow beside ", kInfo, ", got none");
  }
  return tables;
}

}  // namespace

std::vector<FolderTable> tables_of_folder(const std::string& path,
                                          std::span<const std::string> names,
                                          const Context& context) {
  return Folder(path, names, context).tables();
}

}  // namespace heron::inline v0::arrow_ipc
