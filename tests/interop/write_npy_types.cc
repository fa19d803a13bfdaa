// Writes a NumPy file with a field of every type, a matrix or an array of texts, for another
// program to read.
#include <iostream>
#include <string_view>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/random_batch.h"

namespace {

using namespace heron;

std::vector<Type> types_of(std::string_view what) {
  if (what == "matrix") return {Type::vector(Type::Float32, {3, 4})};
  if (what == "texts") return {Type::LargeText};
  std::vector<Type> types = {Type::Bool,   Type::Int8,      Type::Int16,    Type::Int32,
                             Type::Int64,  Type::UInt8,     Type::UInt16,   Type::UInt32,
                             Type::UInt64, Type::Float32,   Type::Float64,  Type::Text,
                             Type::Date32, Type::Timestamp, Type::DateTime, Type::Duration};
  for (const Type::Unit unit : {Type::Second, Type::Millisecond, Type::Microsecond}) {
    types.push_back(Type::timestamp(unit));
    types.push_back(Type::duration(unit));
  }
  types.push_back(Type::duration(Type::Nanosecond));
  const std::vector<Type> items = types;
  for (const Type& item : items) types.push_back(Type::vector(item, 3));
  return types;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "write_npy_types OUT all|matrix|texts\n";
    return 2;
  }
  auto schema = std::make_shared<Schema>();
  for (const Type& type : types_of(arguments[2])) {
    Field field;
    field.name = concat("größe ", schema->size(), ' ', type.name());
    field.type = type;
    schema->push_back(field);
  }
  const auto writer = create(arguments[1], *schema);
  writer->write(random_batch(schema, 1500, 0, 1));
  writer->write(random_batch(schema, 700, 0, 2));
  writer->close();
  writer->publish();
}
