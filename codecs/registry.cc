// Lists the formats, in the order in which they are detected and listed.
#include "arrow_ipc/arrow_ipc.h"
#include "arrow_ipc/folder.h"
#include "arrow_ipc/options.h"
#include "balsa/balsa.h"
#include "balsa/options.h"
#include "compression/compression.h"
#include "csv/csv.h"
#include "csv/options.h"
#include "files/formats.h"
#include "gzip/gzip.h"
#include "idv/idv.h"
#include "idv/options.h"
#include "jay/jay.h"
#include "jay/options.h"
#include "jforests/jforests.h"
#include "jforests/options.h"
#include "npy/npy.h"
#include "npy/options.h"
#include "safetensors/options.h"
#include "safetensors/safetensors.h"
#include "svmlight/options.h"
#include "svmlight/svmlight.h"
#include "treezip/treezip.h"
#include "treezip/options.h"
#include "zip/zip.h"

namespace heron::inline v0 {
namespace {

constexpr Format kFormats[] = {
    {.name = "arrow",
     .extension = ".arrow",
     .what = "Arrow IPC files and streams, Feather",
     .other_endings = arrow_ipc::kOtherEndings,
     .options = arrow_ipc::kOptions,
     .probe_bytes = 64,
     .probe = arrow_ipc::probe,
     .open = arrow_ipc::open,
     .create = arrow_ipc::create,
     .write_support = &arrow_ipc::kWriteSupport,
     .folder = arrow_ipc::kFolder},
    {.name = "balsa",
     .extension = ".balsa",
     .what = "tables, decision trees and forests",
     .options = balsa::kOptions,
     .probe_bytes = 4,
     .probe = balsa::probe,
     .open = balsa::open,
     .create = balsa::create,
     .create_forest = balsa::create_forest,
     .write_support = &balsa::kWriteSupport},
    {.name = "bzip2",
     .extension = ".bz2",
     .what = "any file, compressed",
     .probe_bytes = 8,
     .probe = compression::probe_bzip2,
     .unwrap = compression::unwrap<Compression::Bzip2>,
     .wrap = compression::wrap<Compression::Bzip2>},
    {.name = "csv",
     .extension = ".csv",
     .what = "text with a separator between fields",
     .options = csv::kOptions,
     .probe = csv::probe,
     .open = csv::open,
     .create = csv::create,
     .write_support = &csv::kWriteSupport,
     .index = csv::index,
     .resembles = csv::resembles,
     .unify = csv::unify},
    {.name = "gzip",
     .extension = ".gz",
     .what = "any file, compressed",
     .probe_bytes = 3,
     .probe = gzip::probe,
     .unwrap = gzip::unwrap,
     .wrap = compression::wrap<Compression::Gzip>},
    {.name = "idv",
     .extension = ".idv",
     .what = "ML.NET binary data views",
     .options = idv::kOptions,
     .probe_bytes = 8,
     .probe = idv::probe,
     .open = idv::open,
     .create = idv::create,
     .write_support = &idv::kWriteSupport},
    {.name = "jay",
     .extension = ".jay",
     .what = "h2o datatable frames",
     .options = jay::kOptions,
     .probe_bytes = 8,
     .probe = jay::probe,
     .open = jay::open,
     .create = jay::create,
     .write_support = &jay::kWriteSupport,
     .spills = true},
    {.name = "jforests",
     .extension = ".bin",
     .what = "jforests learning-to-rank data sets",
     .options = jforests::kOptions,
     .probe_bytes = 4,
     .probe = jforests::probe,
     .open = jforests::open,
     .create = jforests::create,
     .write_support = &jforests::kWriteSupport},
    {.name = "npy",
     .extension = ".npy",
     .what = "NumPy arrays (.npz: a zip of them)",
     .options = npy::kOptions,
     .probe_bytes = 6,
     .probe = npy::probe,
     .open = npy::open,
     .create = npy::create,
     .write_support = &npy::kWriteSupport},
    {.name = "safetensors",
     .extension = ".safetensors",
     .what = "named tensors, as models store their weights",
     .options = safetensors::kOptions,
     .probe_bytes = 9,
     .probe = safetensors::probe,
     .open = safetensors::open,
     .create = safetensors::create,
     .write_support = &safetensors::kWriteSupport},
    {.name = "svmlight",
     .extension = ".svmlight",
     .what = "labels and sparse features as text, also of LIBSVM and LETOR",
     .options = svmlight::kOptions,
     .probe = svmlight::probe,
     .open = svmlight::open,
     .create = svmlight::create,
     .write_support = &svmlight::kWriteSupport,
     .index = svmlight::index,
     .resembles = svmlight::resembles,
     .unify = svmlight::unify},
    {.name = "treezip",
     .extension = ".tz",
     .what = "any file, compressed as a decision tree",
     .options = treezip::kOptions,
     .probe_bytes = 8,
     .probe = treezip::probe,
     .unwrap = treezip::unwrap,
     .wrap = treezip::wrap,
     .index = treezip::index},
    {.name = "xz",
     .extension = ".xz",
     .what = "any file, compressed",
     .probe_bytes = 6,
     .probe = compression::probe_xz,
     .unwrap = compression::unwrap<Compression::Xz>,
     .wrap = compression::wrap<Compression::Xz>},
    {.name = "zip",
     .extension = ".zip",
     .what = "an archive of files of any format (only read)",
     .probe_bytes = 4,
     .probe = zip::probe,
     .unwrap = zip::unwrap,
     .holds_many = true},
    {.name = "zstd",
     .extension = ".zst",
     .what = "any file, compressed",
     .probe_bytes = 4,
     .probe = compression::probe_zstd,
     .unwrap = compression::unwrap<Compression::Zstd>,
     .wrap = compression::wrap<Compression::Zstd>},
};

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

}  // namespace heron::inline v0
