// Writes a Jay file with a column of every type, for another program to read.
#include <iostream>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/random_batch.h"

namespace {

using namespace heron;

std::shared_ptr<const Schema> every_type() {
  auto schema = std::make_shared<Schema>();
  for (const Type& type :
       {Type(Type::Null), Type(Type::Bool), Type(Type::Int8), Type(Type::Int16), Type(Type::Int32),
        Type(Type::Int64), Type(Type::Float32), Type(Type::Float64), Type(Type::Text),
        Type(Type::LargeText), Type(Type::Date32), Type(Type::Timestamp), Type::list(Type::Int32),
        Type::list(Type::Float64, true), Type::list(Type::Text),
        Type::list(Type::list(Type::Int8))}) {
    Field field;
    field.name = concat("c", schema->size(), ' ', type.name());
    field.type = type;
    schema->push_back(field);
  }
  return schema;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "write_jay_types OUT\n";
    return 2;
  }
  const auto schema = every_type();
  const auto writer = create(arguments[1], *schema);
  writer->write(random_batch(schema, 1500, 0.2, 1));
  writer->write(random_batch(schema, 700, 0, 2));
  writer->close();
  writer->publish();
}
