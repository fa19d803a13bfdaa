"""Modules of the package import each other one way, and public classes show their public names."""

import ast
import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import traceback

import pytest

import heron

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "tools/python/heron"


def module_name(path):
    """Returns the name of the module in a file; __init__.py has the name of its folder."""
    parts = path.relative_to(SOURCES.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def run_statements(node):
    """Yields all statements and expressions below a node, except those that only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            for other in child.orelse:
                yield other
                yield from run_statements(other)
            continue
        yield child
        yield from run_statements(child)


def imports_of(path, names):
    """Returns the modules of the package that a module imports, also inside of functions."""
    name = module_name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in run_statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*package.split(".")[:len(package.split(".")) - node.level + 1], *filter(None, [node.module])])
            for one in node.names:
                target = f"{base}.{one.name}" if f"{base}.{one.name}" in names else base
                if target in names and target != name:
                    yield target


def cycle_in(edges):
    """Returns the modules of a cycle, in its order, or [] if there is none."""
    done = set()

    def search(name, trail):
        if name in trail:
            return [*trail[trail.index(name):], name]
        if name not in done:
            for target in edges.get(name, ()):
                if found := search(target, [*trail, name]):
                    return found
            done.add(name)
        return []

    return next(filter(None, (search(name, []) for name in edges)), [])


def test_no_module_imports_itself_by_way_of_others():
    paths = {module_name(path): path for path in sorted(SOURCES.rglob("*.py"))}
    assert len(paths) > 40, paths
    names = {*paths, "heron._heron"}  # the module in C++ imports no other module when it is loaded
    edges = {name: sorted(set(imports_of(path, names))) for name, path in paths.items()}
    assert edges["heron.write"] and "heron.table" in edges["heron.file"]  # relative imports are followed
    assert cycle_in({"a": ["b"], "b": ["c"], "c": ["b"]}) == ["b", "c", "b"]
    assert not (found := cycle_in(edges)), " -> ".join(found)


@pytest.mark.parametrize("name", [name for name in heron.__all__ if inspect.isclass(getattr(heron, name))])
def test_classes_show_their_public_name(name):
    shown = getattr(heron, name)
    assert repr(shown) == f"<class 'heron.{name}'>" and pickle.loads(pickle.dumps(shown)) is shown
    if issubclass(shown, heron.Error):
        error = shown("it is damaged", "a.jay")
        assert traceback.format_exception_only(error) == [f"heron.{name}: it is damaged\n"]
        assert b"heron.errors" not in pickle.dumps(error) and type(pickle.loads(pickle.dumps(error))) is shown


def test_modules_of_other_libraries():
    """Each such module is an attribute and can be imported by its name, by which its classes pickle."""
    for name in ("balsa", "catboost", "dask", "grain", "lightgbm", "ray", "torch", "xgboost"):
        if name not in dir(heron):
            continue
        code = (f"import pickle, heron; module = heron.{name}; import heron.{name}; assert heron.{name} is module\n"
                f"for name in module.__all__:\n"
                f"    exec(f'from heron.{name} import {{name}}')\n"
                f"    value = getattr(module, name)\n"
                f"    assert not isinstance(value, type) or value.__module__ == 'heron.{name}', value\n"
                f"    assert pickle.loads(pickle.dumps(value)) is value\n")
        subprocess.run([sys.executable, "-c", code], check=True,
                       env=dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path)))
