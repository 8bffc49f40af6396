"""`pliant compile`: the kernels, before they are needed."""


def compile_kernels() -> None:
    """Compile all kernels for this machine now, so that every first run starts at once. Costs nothing the second
    time."""
    import os
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from pliant import jit

    _import_all()
    missing = sorted({name for precision in jit.PRECISIONS for name in jit.missing(precision)}, key=_in_turn)
    if len(missing) > 1 and (os.cpu_count() or 1) > 1:
        print(f"compiling {len(missing)} kernels for this machine, once …", flush=True)
        with ProcessPoolExecutor(min(len(missing), os.cpu_count() or 1), get_context("spawn"), _import_all) as pool:
            list(pool.map(_compile, missing))
    for precision in jit.PRECISIONS:
        jit.make_ready(precision)
    print(f"kernels are in {jit.CACHE}")


def _in_turn(name: str) -> tuple[bool, str]:
    """Those first that take longest: the others fill in what is left of the time."""
    return not name.startswith("pliant.world.contact."), name


def _import_all() -> None:
    """Every file that may hold a kernel."""
    from importlib import import_module
    from pkgutil import walk_packages

    for name in ("maths", "elastic", "models", "world"):
        package = import_module(f"pliant.{name}")
        for each in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(each.name)


def _compile(name: str) -> None:
    from pliant import jit

    for precision in jit.PRECISIONS:
        jit.make_ready(precision, name, quiet=True)
