"""Checks that an installed wheel works without other packages: rows, a take, a scan, a file written, the shipped files.

    python -I tools/python/check_wheel.py DATA
"""
import importlib.metadata
import pathlib
import sys
import tempfile

import heron

data = pathlib.Path(sys.argv[1])
assert [found.name for found in importlib.metadata.distributions()] == ["heron"]
package = pathlib.Path(heron.__file__).parent
assert pathlib.Path(sys.prefix) in package.parents, package
assert (package / "py.typed").exists() and (package / "_heron.pyi").stat().st_size > 1000
assert {"loader", "distributed", "integrations"} <= {path.name for path in package.iterdir() if path.is_dir()}
assert heron.__version__ == importlib.metadata.version("heron")

table = heron.open(data / "jay/fread_chunked_legacy.jay", threads=2)
assert len(table) == 10000 and table[7104]["Y"] == 7104 and table.tuple(5)[1:] == (5, None, 1e300)
assert table.take([9999, 5])["Y"].to_pylist() == [9999, 5]
assert table.scan("Y < 3", columns=["Y", "F"]).read()[2] == {"Y": 2, "F": 1e300}
assert table.count("Y > 9000") == 999 and table.file.verify() == []
assert table.sample(3, seed=7)["Y"].to_pylist() == [802, 7398, 1435]
for path in sorted(data.glob("*/*")):  # decoders and their libraries: zip, deflate, trees, both byte orders
    if path.parent.name in ("arrow", "idv", "jforests", "balsa", "csv", "gzip", "bzip2", "xz", "zstd", "zip", "treezip", "npy", "safetensors") and path.is_file():
        try:
            few = heron.open(path)
            few.head(3).to_pylist()
        except heron.Error:
            pass  # some have no rows or are not data
with tempfile.TemporaryDirectory() as folder:
    pathlib.Path(f"{folder}/cities.csv").write_text("id,city\n3,Oslo\n5,\n")
    heron.convert(f"{folder}/cities.csv", f"{folder}/cities.jay", key=["id"])
    assert heron.open(f"{folder}/cities.jay").find(5).to_pylist() == [{"id": 5, "city": None}]

maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
libraries = {line.split()[-1] for line in maps if ".so" in line}
for grafted in "libtbb", "libre2", "libboost_iostreams", "libbz2", "liblzma", "libzstd", "liblz4":
    found = [library for library in libraries if grafted in library]
    assert any("heron.libs" in library for library in found), (grafted, found)  # Python has compressors of its own
assert not [library for library in libraries if "deflate" in library or "xxhash" in library]
