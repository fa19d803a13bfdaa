// A std::variant of strings or vectors whose copies may run out of memory.
//
// A copy of libstdc++'s std::variant that throws destroys an alternative that it has not
// constructed, if it takes the variant for one that is never valueless: one of strings, vectors and
// trivially copyable types (seen with GCC 12). Construction in place does not.
#pragma once

#include <utility>
#include <variant>

namespace heron::inline v0 {

// Used as a std::variant. The types differ from each other.
template <class... Types>
class CopyableVariant : public std::variant<Types...> {
  using Base = std::variant<Types...>;

 public:
  using Base::Base;
  using Base::operator=;

  CopyableVariant() = default;
  CopyableVariant(CopyableVariant&&) noexcept = default;
  CopyableVariant& operator=(CopyableVariant&&) noexcept = default;
  ~CopyableVariant() = default;
  CopyableVariant(const CopyableVariant& other)
      : Base(std::visit(
            []<class T>(const T& value) { return Base(std::in_place_type<T>, value); },
            static_cast<const Base&>(other))) {}
  // Copies first: if that throws, this keeps its value.
  CopyableVariant& operator=(const CopyableVariant& other) {
    return *this = CopyableVariant(other);
  }
};

}  // namespace heron::inline v0
