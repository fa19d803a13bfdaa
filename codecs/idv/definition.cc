#include "idv/definition.h"

#include "idv/codec_type.h"
#include "idv/layout.h"

namespace heron::inline v0::idv {

void put_definition(Bytes& out, const Type& type) {
  Bytes parameters;
  if (type.is(Type::Vector)) {
    put_string(out, kVector);
    put_definition(parameters, type.item());
    put_cell<i32le>(parameters, 1);  // dimension
    put_cell<i32le>(parameters, static_cast<int32_t>(type.size()));
  } else if (type.is(Type::Key)) {
    put_string(out, kKey);
    put_definition(parameters, type.item());
    put_cell<u64le>(parameters, type.size());
  } else {
    put_string(out, plain_codec(type));
  }
  put_leb128(out, parameters.size());
  put(out, parameters);
}

}  // namespace heron::inline v0::idv
