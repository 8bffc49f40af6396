"""`pliant compile`: the kernels, before they are needed."""


def compile_kernels() -> None:
    """Compile the kernels for this machine now, so that the first run starts at once. Costs nothing the second time."""
    from pliant import jit
    from pliant.models import models
    from pliant.world import World

    models()
    for precision in jit.PRECISIONS:
        World(precision=precision)
    print(f"kernels are in {jit.CACHE}")
