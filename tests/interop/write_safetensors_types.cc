// Writes a safetensors file with a tensor of every type, for another program to read.
#include <iostream>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/random_batch.h"

namespace {

using namespace heron;

std::shared_ptr<const Schema> every_type() {
  auto schema = std::make_shared<Schema>();
  const auto add = [&](Type type) {
    Field field;
    field.name = concat("c", schema->size(), " \"", type.name(), "\" \u00e9");
    field.type = std::move(type);
    schema->push_back(field);
  };
  for (const Type::Id id :
       {Type::Bool, Type::Int8, Type::Int16, Type::Int32, Type::Int64, Type::UInt8, Type::UInt16,
        Type::UInt32, Type::UInt64, Type::Float32, Type::Float64}) {
    add(id);
    add(Type::vector(id, 3));
    add(Type::vector(id, {2, 1, 4}));
  }
  return schema;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "write_safetensors_types OUT\n";
    return 2;
  }
  const auto schema = every_type();
  const auto writer = create(arguments[1], *schema);
  writer->write(random_batch(schema, 1500, 0, 1));
  writer->write(random_batch(schema, 700, 0, 2));
  writer->close();
  writer->publish();
}
