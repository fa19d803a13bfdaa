// Finds the known name that is most similar to an unknown one, for "did you mean".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heron::inline v0 {

// Finds the first of the considered names that are most similar to an unknown one: by the number of
// characters to insert, delete or replace and of neighbours to swap, ignoring case, which is at
// most a third of the unknown name's characters, or 1; a name that begins with the unknown one has
// distance 1 at most. Names of more than 64 bytes are never similar.
class Nearest {
 public:
  // The object holds views of the names.
  explicit Nearest(std::string_view target);

  void consider(std::string_view name) { consider(name, name); }
  // Considers `name`, and suggests `shown` for it.
  void consider(std::string_view name, std::string_view shown);

  // Returns the most similar name; empty if none is similar.
  std::string_view found() const noexcept { return found_; }
  // Returns "; did you mean "price"?", or an empty text.
  std::string question() const;

 private:
  uint64_t distance_to(std::string_view name);

  std::string_view target_;
  std::string_view found_;
  uint64_t least_;
  std::vector<uint64_t> row_, row_before_;
};

}  // namespace heron::inline v0
