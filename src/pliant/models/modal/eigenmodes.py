"""The softest modes of a body that nothing holds:  K Phi = M Phi Lambda."""

from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.elastic.elements import elements_of
from pliant.models.modal.elements import stiffness_matrix
from pliant.runtime.errors import SettingsError
from pliant.volume.store import key_of, remembered

Array = NDArray[np.float64]
RIGID = 6
DENSE = 360  # unknowns: below, all modes at once are found as fast as a few of them
BELOW = 1e-2  # of the stiffness of a body as long as this one: the shift, below all modes, at which K is factored
LOOSE = 1e-7  # of the hardest mode that is found: what is softer is a rigid motion

_kept: "WeakKeyDictionary[Body, dict[tuple[int, float], tuple[Array, Array]]]" = WeakKeyDictionary()


def most_modes(body: Body) -> int:
    """How many a body has: its unknowns without the rigid motions."""
    return 3 * len(body.rest) - RIGID


def eigenmodes(body: Body, modes: int, poisson: float) -> tuple[Array, Array]:
    """Eigenvalues (R,) in 1/s^2 for a modulus of 1 Pa, rising, and modes (3 V, R) with Phi^T M Phi = 1. Kept with the
    body, and in the user's cache folder under a hash of all they depend on; what is damaged there is made anew."""
    known = _kept.setdefault(body, {})
    if (modes, poisson) not in known:
        sources = [Path(__file__).parent / name for name in ("eigenmodes.py", "elements.py")]
        stamp = tuple(source.read_text(encoding="utf-8") for source in sources)
        key = key_of("modes", stamp, body.rest, body.tets, body.masses, modes, poisson)

        def make() -> dict[str, Array]:
            values, vectors = _make(body, modes, poisson)
            return {"values": values, "vectors": vectors}

        found, _ = remembered(key, ("values", "vectors"), make)
        if found["vectors"].shape != (3 * len(body.rest), modes) or found["values"].shape != (modes,):
            found = make()
        known[modes, poisson] = found["values"], found["vectors"]
    return known[modes, poisson]


def _make(body: Body, modes: int, poisson: float) -> tuple[Array, Array]:
    """With x = M^-1/2 z the problem is a plain symmetric one. Rigid motions have the eigenvalue 0, so K is factored a
    little below it, where it is positive [shift-invert Lanczos]."""
    from scipy.linalg import eigh
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import LinearOperator, eigsh, splu

    matrix = stiffness_matrix(elements_of(body), poisson)
    root = 1.0 / np.sqrt(np.repeat(body.masses, 3))
    plain = diags_array(root) @ matrix @ diags_array(root)
    size, wanted = plain.shape[0], modes + RIGID
    if size <= DENSE or wanted > size // 2:
        values, vectors = eigh(plain.toarray(), subset_by_index=(0, wanted - 1))
    else:
        length = float(np.linalg.norm(body.size))
        shift = -BELOW / (body.density * length**2)
        lu = splu((plain - shift * diags_array(np.ones(size))).tocsc(), permc_spec="MMD_AT_PLUS_A")
        inverse = LinearOperator((size, size), matvec=lu.solve)
        start = np.random.default_rng(0).standard_normal(size)
        values, vectors = eigsh(plain, wanted, sigma=shift, OPinv=inverse, v0=start)
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order]
    if values[RIGID] < LOOSE * max(values[-1], values[RIGID]):
        raise SettingsError(
            f'body "{body.name}" is in several pieces, and modes are those of one; give each piece an actor, or use '
            "ShapeMatching or Fem"
        )
    vectors = vectors[:, RIGID:] * root[:, None]
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(modes)])
    return values[RIGID:].copy(), np.ascontiguousarray(vectors * signs)
