#!/usr/bin/env python3
"""Makes data/zip/mlnet_model.zip: a model that ML.NET saves, and its golden rows. Runs in the environment of the test
interop_idv, which has ML.NET:

    tests/interop/in_venv.sh build/venvs tests/interop/idv.py HERON ...     # once: makes it
    build/venvs/idv/bin/python data/make_mlnet_model.py [OUT]

The model maps column "i4" of data/idv/one_row.idv by a table of three keys, which it stores as an IDV. Two runs
may differ in the times of the entries and in the order of the table's blocks, which ML.NET writes in parallel.
"""

import json
import pathlib
import sys

DATA = pathlib.Path(__file__).parent
sys.path.insert(0, str(DATA.parent / "tests" / "interop"))
ROWS = [(1, "one"), (2, "two"), (300, "söven")]
TABLE = "TransformerChain/DefaultMap.idv:data"


def main():
    import mlnet

    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "zip" / "mlnet_model.zip"
    ml = mlnet.MLNet()
    import System
    from Microsoft.ML import ConversionsExtensionsCatalog, MLContext
    from System.Collections.Generic import Dictionary, KeyValuePair

    context = MLContext()
    pairs = Dictionary[System.Int32, System.String]()
    for key, value in ROWS:
        pairs.Add(key, value)
    map_value = ConversionsExtensionsCatalog.MapValue[System.Int32, System.String]
    estimator = map_value(context.Transforms.Conversion, "label", pairs, "i4", False)
    view = ml.load(DATA / "idv" / "one_row.idv")
    context.Model.Save(estimator.Fit(view), view.Schema, str(out))
    lines = [json.dumps({"Key": key, "Value": value}, ensure_ascii=False, separators=(",", ":")) + "\n" for key, value in ROWS]
    out.with_suffix(".jsonl").write_text("".join(lines), encoding="utf-8")
    out.with_suffix(".Schema_data.jsonl").write_text("")


if __name__ == "__main__":
    main()
