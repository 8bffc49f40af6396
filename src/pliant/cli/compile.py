"""`pliant compile`: the kernels, before they are needed."""


def compile_kernels() -> None:
    """Compile all kernels for this machine now, so that every first run starts at once. Costs nothing the second time,
    and replaces those that came with the package for processors of many kinds."""
    from pliant.runtime import jit

    import_all()
    jit.compile_all()
    print(f"kernels are in {jit.CACHE or 'memory'}")


def import_all() -> None:
    """Every file that may hold a kernel."""
    from importlib import import_module
    from pkgutil import walk_packages

    from pliant.runtime.jit import FOLDERS_WITH_KERNELS

    for name in ("runtime", *FOLDERS_WITH_KERNELS):
        package = import_module(f"pliant.{name}")
        for each in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(each.name)
