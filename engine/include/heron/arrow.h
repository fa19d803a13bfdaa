// Rows to and from other programs in one process, by the Arrow C data and stream interfaces. No
// Arrow library is needed: the structs below are the whole contract.
//
//   Heron                   Arrow                                   copied on export, on import
//   null, bool, integers,   n, b, c C s S i I l L, f g              no, no
//     floats
//   date32, timestamp[ns]   tdD, tsn:                               no, no
//   text                    u, U (binary_text: z, Z)                no (unless not UTF-8), no
//   list                    +l, +L                                  no, no
//   datetime, duration      tsn:, tDn (see ArrowTimes)              yes, yes (Ticks: no, no)
//   datetimeoffset          +s of utc tsn:UTC, offset_minutes s     yes, yes
//   rowid                   w:16, as the struct RowId lies          no, no
//   key for values          C S I l with a dictionary; codes from 0 codes, codes
//   key for nothing         its unsigned integers                   no, no
//   vector[n]               +w:n                                    where rows are sparse, no
//   vector                  +L                                      where rows are sparse, no
//
// A column whose type Arrow does not have tells it in the metadata entry "heron.type", so that it
// comes back as what it was. Further entries are "heron.encoding", "heron.metadata.<name>" for
// metadata in words, and "heron.value.<name>" for other metadata as JSON, which is not read back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "heron/context.h"
#include "heron/query.h"
#include "heron/row_source.h"
#include "heron/schema.h"
#include "heron/values.h"

// As https://arrow.apache.org/docs/format/CDataInterface.html has them. Whoever defines them first
// defines the same.
extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

}  // extern "C"

namespace heron::inline v0 {

// The unit of datetimes, durations and datetimeoffsets, whose ticks of 100 ns Arrow does not have.
enum class ArrowTimes : uint8_t {
  Nanoseconds,   // exact; what they cannot count, before 1677 or after 2262, is Error(Limit)
  Microseconds,  // of every year; a part of a microsecond is cut off (towards the past)
  Ticks          // int64, the stored ticks: exact, of every year, not copied, no times for others
};

struct ArrowOptions {
  ArrowTimes times = ArrowTimes::Nanoseconds;
  // Texts as Arrow's binary, whatever their bytes are. Else as utf8: they are read once to see
  // whether they are, some GB/s; where one is not, all of the column is copied and U+FFFD stands
  // for what is not.
  bool binary_text = false;
  // The most slots that the vectors of a column of a batch may have together when they are made
  // dense; more are Error(Limit).
  uint64_t most_slots = uint64_t{1} << 26;
  // Rows of a batch of a stream, at most.
  uint64_t batch_rows = 8192;
};

// ---- Export ----
// The structs written are the caller's to release, once, on any thread; what they held before is
// overwritten. Children and dictionaries may be moved out and released later or earlier, as the
// specification has it: each keeps the memory by itself. Nothing is written where a call throws.

// All columns as the children of a struct. What keys stand for is not in a schema: they are the
// unsigned integers here. Where they may stand for values, use the schema of a batch or a stream.
void export_schema(const Schema& schema, ArrowSchema* out, const ArrowOptions& options = {});

// A batch as a struct array of its columns, which keeps the batch's memory: it is not copied but
// for what the table above says, and not used again for another batch until all is released. Values
// that lie in a mapped file stay there, see RowBatch. `schema` may be null. Throws Error: Argument
// (a batch without a schema, or of another one), Limit (times, slots, memory).
void export_batch(const RowBatch& batch, ArrowSchema* schema, ArrowArray* array,
                  const ArrowOptions& options = {}, const Context& context = {});
// One column of a batch by itself, as an array of its type. Error(Argument) if there is none such.
void export_column(const RowBatch& batch, uint64_t column, ArrowSchema* schema, ArrowArray* array,
                   const ArrowOptions& options = {}, const Context& context = {});

// The batches of a Scan of the query as a stream. The schema has the columns' metadata. Callbacks
// never throw: they return 0 or an errno code, EINVAL (Argument), ENOSYS (Unsupported), ERANGE
// (Limit), ECANCELED, ENOMEM, else EIO, and get_last_error() has the text of the Error; every later
// call returns the same. One thread at a time. What the Context and the options point to must
// outlive the stream; its arrays may outlive it. Cost: what the Scan costs.
void export_stream(const Query& query, ArrowArrayStream* out, const ArrowOptions& options = {},
                   const Context& context = {});

// ---- Import ----
// What else Arrow has becomes: binary and views of text or binary, text; fixed-size binary, text;
// float16, float32; timestamps of other units, timestamp[ns], with their time zone in the metadata
// "timezone" (they count from 1970 UTC); date64, date32; durations, duration; fixed-size lists,
// lists; dictionaries, the values they stand for. These are copied but for binary and what lies in
// fixed-size binary and lists. Decimals, times of day, intervals, structs, maps, unions, run-ends
// and views of lists are Error(Unsupported).
//
// Structure is checked: null pointers, negative lengths, counts of buffers and children, offsets
// and codes; how long buffers are, no consumer can know. What is wrong is Error(Argument) that
// names the column. Values that their type cannot hold are Error(Limit).

// Columns of a struct's children, or one column of any other type. Reads `schema`, which stays the
// caller's.
Schema import_schema(const ArrowSchema& schema);

// The rows of an array of that schema. Takes `array` over, also where it throws: it is released
// once, on the thread where the last copy of the batch goes. Slices are no copies, but for bits
// that do not begin at a byte. Cost: offsets, validity bitmaps and codes are read once.
RowBatch import_batch(const ArrowSchema& schema, ArrowArray* array, const Context& context = {});

// How often the rows of a stream can be gone through: a stream gives them once.
enum class ArrowPasses : uint8_t {
  Any,  // its arrays are kept until the source goes: memory grows with rows
  One   // they are not; a second read() is Error(Argument). For conversions that need no other one
};

// The batches of a stream as rows, for convert() and others. Takes `stream` over, also where it
// throws. Reads its schema at once and the batches when a RowStream asks for them. `name` stands
// for it in errors. A stream's own errors are thrown as Error by their code, as export_stream() has
// them. Dictionaries become the values they stand for, those of keys too: each batch may have
// another. Cost of a read: what import_batch() says, some thousand rows at a time.
RowSourcePtr arrow_rows(ArrowArrayStream* stream, ArrowPasses passes = ArrowPasses::Any,
                        std::string name = "Arrow stream");

// A stream for each time the rows are gone through: open() writes a new one of the same rows. It is
// called on any thread, once now for the schema.
using OpenArrowStream = std::function<void(ArrowArrayStream* out)>;
RowSourcePtr arrow_rows(OpenArrowStream open, std::string name = "Arrow stream");

}  // namespace heron::inline v0
