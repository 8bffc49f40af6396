"""The examples of an actor: the columns that its rings are blended from, which regions share weights, and their metric.

The goals R q~ + c minimise  sum_r sum_i m~_i |R_r q~_i + c_r - x_i|^2,  q~ = q + sum_k w_k u^k.  So the descriptor of
a region is the shape of its ring in its own frame, its metric the masses m~, and the weights are those that make this
very sum least: then the forces are the gradient of an energy, whatever the weights do. (6) measures stretches by the
plain norm instead, and a body can shake itself with the difference.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import Groups, factors, free_poses, given_weights, groups_of, visible
from pliant.models import Role
from pliant.models.shape_matching.constants import BodyConstants, body_constants, gram_by_region, pose_constants
from pliant.models.shape_matching.material import stiffness_of
from pliant.models.shape_matching.settings import ShapeMatching

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Examples:
    """Of one actor: K poses whose weights are found, and C that rings are blended from: these, then the given ones."""

    groups: Groups
    free: list[int]
    columns: list[int]  # (C,) numbers of poses
    kept: NDArray[np.bool_]  # (V, C): which poses a region takes part in
    given: Array  # (V, C): weights that are given
    remainder: Array  # (V,) 1 - F, F the sum of the given weights of its group; 1 where there are no examples
    offsets: Array  # (V, K): <q + u_given, u_k>, in units of s of the region
    stretches: Array  # (V, K + 1, 6): a basis of S^k - I (for weights="paper"), and the given blend of them
    weights: Array  # (V,): by how much a region is stiffer than the mean, and counts more in the energy
    upper: Array  # (groups, K, K): U, with U^T U the Gram matrix of the group
    inverse: Array


def describe(role: Role[ShapeMatching]) -> Examples:
    """How the poses of an actor look to its regions."""
    body, settings = role.body, role.settings
    constants, poses = body_constants(body), pose_constants(body, settings.goals)
    sizes, whole = measured(body, settings)
    seen = visible(sizes, whole) if settings.examples == "regions" else _seen_at_all(sizes, whole)
    groups = groups_of(body, settings.examples, np.where(seen, sizes, 0.0), role.name)
    seen = (seen & np.append(groups.seen, np.zeros((1, len(sizes)), bool), axis=0)[groups.of].T).T
    free = found_poses(body, settings)
    columns = blended_poses(body, settings)
    inside = np.repeat((groups.of < len(groups.names))[:, None], len(columns) - len(free), axis=1)
    stretches = np.where(seen[:, :, None], constants.stretches, 0.0)[:, free]
    weights = stiffness_of(body, settings).weights
    upper, inverse = factors(_grams(constants, settings, groups, _among(poses.grams, seen, free), stretches, weights))
    # Clamping jumps: it takes stretches in an orthonormal basis Q = L U^-1, whose products lose fewer digits.
    back = np.concatenate([inverse, np.zeros((1, len(free), len(free)))])[groups.of]
    stretches = np.einsum("vkj,vki->vji", back, stretches)
    none = np.zeros((len(constants.scales), 0))
    kept = np.concatenate([seen[:, free], inside], axis=1)
    return give(role, Examples(groups, free, columns, kept, none, none, none, stretches, weights, upper, inverse))


def measured(body: Body, settings: ShapeMatching) -> tuple[Array, Array]:
    """(K, V) squared lengths of the poses in the regions, by what weights are found from, and (V,) those of rest: of
    the shapes that goals are blended from, but of stretches for weights="paper"."""
    constants = body_constants(body)
    poses = pose_constants(body, "paper" if settings.weights == "paper" else settings.goals)
    return np.einsum("vkk->kv", poses.grams), 3.0 * constants.scales


def sees(body: Body, settings: ShapeMatching) -> NDArray[np.bool_]:
    """(K,) which poses it can tell from rest, in some region at least where each has weights of its own."""
    sizes, whole = measured(body, settings)
    if settings.examples == "regions":
        return np.asarray(visible(sizes, whole).any(axis=1))
    return visible(sizes.sum(axis=1), whole.sum())


def found_poses(body: Body, settings: ShapeMatching) -> list[int]:
    """The numbers of the poses whose weights are to be found; at strength 0 none is."""
    return free_poses(body.poses, settings.forced) if settings.example_strength > 0 else []


def blended_poses(body: Body, settings: ShapeMatching) -> list[int]:
    """The same, and then all others if some are given."""
    free = found_poses(body, settings)
    return free + [number for number in range(len(body.poses)) if number not in free] if settings.forced else free


def give(role: Role[ShapeMatching], found: Examples) -> Examples:
    """The same with the weights that are given now. What is given acts in all groups, what is found in its own."""
    body, settings, groups = role.body, role.settings, found.groups
    constants, poses = body_constants(body), pose_constants(body, settings.goals)
    count, free = len(found.free), found.free
    given = given_weights(body.poses, settings.forced)
    inside = groups.of < len(groups.names)
    blended_stretch = np.einsum("k,vki->vi", given, constants.stretches) * inside[:, None]
    taken = np.append(groups.seen @ given, 0.0)[groups.of]
    offsets = poses.along + inside[:, None] * np.einsum("vkl,l->vk", poses.grams, given)
    return replace(
        found,
        given=np.where(inside[:, None], given[found.columns], 0.0),
        remainder=np.maximum(0.0, 1.0 - taken),
        offsets=np.where(found.kept[:, :count], offsets[:, free], 0.0) / constants.scales[:, None],
        stretches=np.concatenate([found.stretches[:, :count], blended_stretch[:, None]], axis=1),
    )


def _among(grams: Array, seen: NDArray[np.bool_], free: list[int]) -> Array:
    """(V, K, K): of the poses whose weights are found, zero where a region does not see them."""
    return np.where(seen[:, :, None] & seen[:, None, :], grams, 0.0)[:, free][:, :, free]


def _seen_at_all(sizes: Array, whole: Array) -> NDArray[np.bool_]:
    """(K, V): a pose is seen everywhere or nowhere."""
    return np.repeat(visible(sizes.sum(axis=1), whole.sum())[:, None], sizes.shape[1], axis=1)


def _grams(
    constants: BodyConstants,
    settings: ShapeMatching,
    groups: Groups,
    grams: Array,
    stretches: Array,
    weights: Array,
) -> Array:
    """(groups, K, K), in units of the mean s of the body; for weights="paper" of plain stretches."""
    if settings.weights == "paper":
        each = gram_by_region(stretches)
    else:
        each = grams * weights[:, None, None] / constants.scale
    if settings.examples == "regions":
        return each
    total = np.zeros((len(groups.names) + 1, *each.shape[1:]))
    np.add.at(total, groups.of, each)
    return total[:-1]
