"""The public names of classes, which say nothing of the modules that define them."""


def show_as_of(module, names, public):
    """Makes public classes show themselves as those of the module that users import them from, as
    `heron.CorruptError`: in tracebacks, repr() and pickles. `names` are the globals of that module."""
    for name in public:
        if isinstance(names[name], type):
            names[name].__module__ = module
