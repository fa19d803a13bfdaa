// Writes an IDV file with a column of every type, alone and in vectors, for other programs to read.
#include <cstdlib>
#include <iostream>

#include "base/arena.h"
#include "base/fail.h"
#include "heron/heron.h"
#include "kit/random_batch.h"

namespace {

using namespace heron;

Field field_of(std::string name, const Type& type) {
  return {.name = std::move(name), .type = type, .encoding = {}, .reason = {}, .metadata = {}};
}

// Returns metadata of one row of `count` texts.
Metadata texts(const std::string& name, uint64_t count) {
  const auto schema =
      std::make_shared<const Schema>(Schema{field_of(name, Type::vector(Type::Text, count))});
  return {name, std::make_shared<const RowBatch>(random_batch(schema, 1, 0, count))};
}

std::shared_ptr<const Schema> every_type() {
  auto schema = std::make_shared<Schema>();
  const auto add = [&](const Type& type) {
    schema->push_back(field_of(concat("\u00e5", schema->size(), ' ', type.name()), type));
  };
  for (const Type& type : {Type(Type::Bool),
                           Type(Type::Int8),
                           Type(Type::Int16),
                           Type(Type::Int32),
                           Type(Type::Int64),
                           Type(Type::UInt8),
                           Type(Type::UInt16),
                           Type(Type::UInt32),
                           Type(Type::UInt64),
                           Type(Type::Float32),
                           Type(Type::Float64),
                           Type(Type::Text),
                           Type(Type::LargeText),
                           Type(Type::DateTime),
                           Type(Type::DateTimeOffset),
                           Type(Type::Duration),
                           Type(Type::RowId),
                           Type::key(Type::UInt8, 200),
                           Type::key(Type::UInt16, 300),
                           Type::key(Type::UInt32, 70'000),
                           Type::key(Type::UInt64, UINT64_MAX)}) {
    add(type);
    add(Type::vector(type, 4));
    schema->back().metadata = {texts("SlotNames", 4), {"Note", "1 \u20ac, \U0001F426"}};
    add(Type::vector(type));
  }
  add(Type::key(Type::UInt32, 50));
  schema->back().metadata = {texts("KeyValues", 50)};
  return schema;
}

// Returns rows in which types that can be null have some nulls.
RowBatch some_rows(const std::shared_ptr<const Schema>& schema, uint64_t rows, uint64_t seed) {
  RowBatch batch = random_batch(schema, rows, 0, seed);
  const RowBatch gaps = random_batch(schema, rows, 0.2, seed);
  for (size_t i = 0; i < schema->size(); ++i) {
    const Type& type = (*schema)[i].type;
    const Type& item = type.is(Type::Vector) ? type.item() : type;
    if (item.is_float() || item.is(Type::Key)) batch.columns[i] = gaps.columns[i];
  }
  batch.memory->keep(gaps.memory);
  return batch;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "write_idv_types OUT COMPRESSION\n";
    return 2;
  }
  WriteOptions options;
  options.set("block_rows", 128);
  options.set("compression", std::atoi(arguments[2]));
  const auto schema = every_type();
  const auto writer = create(arguments[1], *schema, options);
  writer->write(some_rows(schema, 700, 1));
  writer->write(some_rows(schema, 300, 2));
  writer->close();
  writer->publish();
}
