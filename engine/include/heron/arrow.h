// Rows to and from other programs in one process, by the Arrow C data and stream interfaces. No
// Arrow library is needed: the structs below are the whole contract.
//
//   Heron                   Arrow                                   copied on export, on import
//   null, bool, integers,   n, b, c C s S i I l L, f g              no, no
//     floats
//   date32, timestamp[ns]   tdD, tsn:                               no, no
//   text                    u, U (binary_text: z, Z)                no (unless not UTF-8), no
//                           vu, vz (ArrowTexts::Views)              views, yes
//   binary                  z, Z, vz (ArrowTexts::Views)            no (views), no
//   decimal                 d:precision,scale                       no, no
//   list                    +l, +L                                  no, no
//   datetime, duration      tsn:, tDn (see ArrowTimes)              yes, yes (Ticks: no, no)
//   datetimeoffset          +s of utc tsn:UTC, offset_minutes s     yes, yes
//   rowid                   w:16, the bytes of struct RowId         no, no
//   key with values         C S I l with a dictionary; codes from 0 codes, codes
//   key without values      its unsigned integers                   no, no
//   vector[n]               +w:n                                    where rows are sparse, no
//   vector                  +L                                      where rows are sparse, no
//
// For a type that Arrow does not have, the metadata entry "heron.type" names it, so that import
// restores it. Further entries are "heron.encoding", "heron.metadata.<name>" for metadata in words,
// and "heron.value.<name>" for other metadata as JSON, which is not read back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/row_source.h"
#include "heron/schema.h"
#include "heron/values.h"

// The definitions of https://arrow.apache.org/docs/format/CDataInterface.html.
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
  Nanoseconds,   // exact; Error(Limit) before 1677 and after 2262
  Microseconds,  // for every year; parts of a microsecond are cut off (towards the past)
  Ticks          // int64, stored ticks: exact, for every year, not copied; consumers see integers
};

// The layout of texts, except the values of keys.
enum class ArrowTexts : uint8_t {
  AsStored,  // offsets of 32 or 64 bits
  Large,     // offsets of 64 bits, to which pandas would convert others
  Views      // views into the characters, to which Polars would convert offsets
};

struct ArrowOptions {
  ArrowTimes times = ArrowTimes::Nanoseconds;
  // Whether texts are exported as Arrow's binary, whatever their bytes. Otherwise they are utf8:
  // checked once, at some GB/s; if one is not UTF-8, the whole column is copied, with U+FFFD for
  // invalid bytes.
  bool binary_text = false;
  ArrowTexts texts = ArrowTexts::AsStored;
  // The most slots that the vectors of one column of a batch may have when they are made dense;
  // more are Error(Limit).
  uint64_t max_slots = uint64_t{1} << 26;
  // The most rows per batch of a stream.
  uint64_t batch_rows = 8192;
  // For a consumer that keeps all batches: up to 2^24 rows in each batch of a stream without a
  // predicate or an order, if the cells of all columns lie in the file.
  bool large_batches = false;
};

// ---- Export ----
// The caller releases the written structs, once, on any thread; their old content is overwritten;
// a null pointer for one is Error(Argument).
// Children and dictionaries may be moved out and released at another time, as the specification
// allows: each keeps the memory alive by itself. Nothing is written if a call throws.

// Exports all columns as the children of a struct. A schema does not contain the values of keys:
// they are unsigned integers here. If keys may have values, use the schema of a batch or a stream.
HERON_EXPORT void export_schema(const Schema& schema, ArrowSchema* out,
                                const ArrowOptions& options = {});

// Exports a batch as a struct array of its columns. The array keeps the batch's memory, which is
// copied only where the table above says so, and is not reused until all structs are released.
// Values in a mapped file stay there, see RowBatch. `schema` may be null. Throws Error: Argument (a
// batch without a schema, or with another one), Limit (times, slots, memory).
HERON_EXPORT void export_batch(const RowBatch& batch, ArrowSchema* schema, ArrowArray* array,
                               const ArrowOptions& options = {}, const Context& context = {});
// Exports one column of a batch as an array of its type. Error(Argument) if there is no such
// column.
HERON_EXPORT void export_column(const RowBatch& batch, uint64_t column, ArrowSchema* schema,
                                ArrowArray* array, const ArrowOptions& options = {},
                                const Context& context = {});

// Exports the batches of a Scan of the query as a stream. The schema has the columns' metadata.
// Callbacks never throw: they return 0 or an errno code, EINVAL (Argument), ENOSYS (Unsupported),
// ERANGE (Limit), ECANCELED, ENOMEM, else EIO, and get_last_error() has the text of the Error;
// every later call returns the same. One thread at a time. The objects that the Context and the
// options point to must outlive the stream; its arrays may outlive it. Costs as much as the Scan;
// columns of large batches are read and exported on the Context's threads.
HERON_EXPORT void export_stream(const Query& query, ArrowArrayStream* out,
                                const ArrowOptions& options = {}, const Context& context = {});

// ---- Import ----
// Arrow's other types become: views of text, text; views of binary and fixed-size binary, binary;
// float16, float32; date64, date32; times of day, time; fixed-size lists, lists; dictionaries,
// their values. These are copied, except the content of fixed-size binary and lists. Decimals of
// other than 128 bits or of a negative scale, intervals, structs, maps, unions, run-ends and views
// of lists are Error(Unsupported).
//
// Structure is checked: null pointers, negative lengths, numbers of buffers and children, offsets
// and codes; no consumer can check how long buffers are. Invalid structure is Error(Argument) that
// names the column. Values that their type cannot hold are Error(Limit).

// Returns a column for each child of a struct, or one column for any other type. Reads `schema`,
// which stays the caller's.
HERON_EXPORT Schema import_schema(const ArrowSchema& schema);

// Returns the rows of an array of that schema. Takes over `array`, even if it throws: it is
// released once, on the thread that drops the last copy of the batch. Slices are not copied, except
// for bits that do not begin at a byte. Cost: reads offsets, validity bitmaps and codes once.
HERON_EXPORT RowBatch import_batch(const ArrowSchema& schema, ArrowArray* array,
                                   const Context& context = {});

// How often the rows of a stream can be read: a stream yields them once.
enum class ArrowPasses : uint8_t {
  Any,  // the first read() stores all arrays, as long as the source lives: memory grows with rows
  One   // stores none; a second read() is Error(Argument). For conversions in one pass
};

// Returns the batches of a stream as rows, for convert() and others. Takes over `stream`, even if
// it throws. Reads its schema at once, and batches when a RowStream needs them or, with Any, all at
// the first read(), after which rows() is known. `name` is its name in errors. Errors of the stream
// are thrown as Error by their code, as in export_stream(). Dictionaries become their values, those
// of keys too: each batch may have another dictionary. A read costs as much as import_batch(), some
// thousand rows at a time.
HERON_EXPORT RowSourcePtr arrow_rows(ArrowArrayStream* stream,
                                     ArrowPasses passes = ArrowPasses::Any,
                                     std::string name = "Arrow stream");

// Opens a new stream for each pass: every stream that `open` writes yields the same rows. It is
// called on any thread, and once by arrow_rows() for the schema.
using OpenArrowStream = std::function<void(ArrowArrayStream* out)>;
HERON_EXPORT RowSourcePtr arrow_rows(OpenArrowStream open, std::string name = "Arrow stream");

}  // namespace heron::inline v0
