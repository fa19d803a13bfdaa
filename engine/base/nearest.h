// What was probably meant by a name that nothing has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heron::inline v0 {

// Of the names that are considered, the first of those most like the wanted one: by how many
// characters have to be added, left out or replaced, whatever the case; a name that begins with the
// wanted one is as near as one character. Names of more than 64 bytes are nobody's mistake.
class Nearest {
 public:
  // Views must stay as long as the object.
  explicit Nearest(std::string_view wanted);

  void consider(std::string_view name) { consider(name, name); }
  // `shown` is what is suggested for the name.
  void consider(std::string_view name, std::string_view shown);

  // Empty: none is near.
  std::string_view found() const noexcept { return found_; }
  // "; did you mean "price"?", or nothing.
  std::string question() const;

 private:
  uint64_t distance_to(std::string_view name);

  std::string_view wanted_;
  std::string_view found_;
  uint64_t least_;
  std::vector<uint64_t> row_;
};

}  // namespace heron::inline v0
