// A schema handed to a writer: shared with a caller that has one to share, else copied. With a
// million columns a copy takes 160 MB.
#pragma once

#include <memory>
#include <utility>

#include "heron/schema.h"

namespace heron::inline v0 {

class SharedSchema {
 public:
  SharedSchema(const Schema& schema)  // NOLINT: a schema is enough to write
      : schema_(std::make_shared<const Schema>(schema)) {}
  explicit SharedSchema(std::shared_ptr<const Schema> schema) noexcept
      : schema_(std::move(schema)) {}

  const Schema& operator*() const noexcept { return *schema_; }
  const Schema* operator->() const noexcept { return schema_.get(); }

 private:
  std::shared_ptr<const Schema> schema_;
};

}  // namespace heron::inline v0
