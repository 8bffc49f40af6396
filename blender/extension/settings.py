# SPDX-License-Identifier: GPL-3.0-or-later
"""What the artist sets: kept in the .blend file, on the scene and on each object."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

# How hard a material is, in weights of itself as high as the object: so a jelly is a jelly at any size.
# name, what it is, stiffness, density kg/m^3, damping 1/s, friction, bounce
PRESETS = {
    "RUBBER": ("Rubber", "Springs back, and bounces", 200.0, 1100.0, 1.0, 0.8, 0.4),
    "JELLY": ("Jelly", "Wobbles for long", 10.0, 1000.0, 0.8, 0.3, 0.1),
    "CLAY": ("Clay", "Heavy and dull: it moves once and stops", 20.0, 1800.0, 20.0, 0.9, 0.0),
    "CLOTH": ("Cloth", "A thin sheet of springs", 10.0, 400.0, 2.0, 0.6, 0.0),
    "FLESH": ("Flesh", "Gives way, and calms down soon", 15.0, 1050.0, 5.0, 0.6, 0.0),
}
MATERIALS = [
    ("FITTING", "Fitting", "As soft as its size and weight allow, so that its keys show"),
    *((key, name, about) for key, (name, about, *_) in PRESETS.items()),
    ("OWN", "Own", "The numbers below"),
]
MODELS = [
    ("shape_matching", "Shape matching", "Fast, with examples by regions; for most characters"),
    ("oriented_particles", "Oriented particles", "A few ellipsoids; also rods and sheets"),
    ("fem", "Finite elements", "Accurate, slower"),
    ("mass_spring", "Masses and springs", "Cloth above all"),
    ("clusters", "Clusters", "Many small bodies"),
]
KINDS = [
    ("auto", "Automatic", "What encloses a volume is a solid, else it is a sheet"),
    ("solid", "Solid", "Filled inside"),
    ("shell", "Sheet", "A skin of some thickness"),
    ("rod", "Rope", "A chain along its middle"),
]


def _take_preset(soft, _context):
    """The numbers of a material, for the size of the object."""
    if soft.material not in PRESETS:
        return
    _, _, hardness, soft.density, soft.damping, soft.friction, soft.bounce = PRESETS[soft.material]
    size = max((*soft.id_data.dimensions, 1e-3)) * unit_scale(bpy.context.scene)
    soft.young = hardness * soft.density * 9.81 * size
    if soft.material == "CLOTH":
        soft.model, soft.kind = "mass_spring", "shell"


def unit_scale(scene):
    """Metres of a Blender unit."""
    return scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0


class PliantFinding(bpy.types.PropertyGroup):
    pose: StringProperty()
    text: StringProperty()
    advice: StringProperty()
    vertices: StringProperty()  # numbers, joined by spaces


class PliantObject(bpy.types.PropertyGroup):
    """How an object takes part."""

    soft: BoolProperty(name="Soft", description="This mesh is a soft body")
    collider: BoolProperty(name="Collider", description="Soft bodies bump into this object")
    model: EnumProperty(name="Model", items=MODELS, description="How it is computed")
    material: EnumProperty(name="Material", items=MATERIALS, update=_take_preset)
    kind: EnumProperty(name="Body", items=KINDS)
    particles: IntProperty(
        name="Particles", default=600, min=4, max=200_000, description="About how many: more follow finer details"
    )
    young: FloatProperty(
        name="Young's Modulus", default=1e5, min=1.0, max=1e13, precision=0, description="How hard it is, in Pa"
    )
    density: FloatProperty(name="Density", default=1000.0, min=0.1, max=1e5, precision=0, description="kg/m³")
    thickness: FloatProperty(
        name="Thickness", default=0.0, min=0.0, unit="LENGTH", description="Of sheets and ropes; 0: chosen"
    )
    damping: FloatProperty(
        name="Damping", default=2.0, min=0.0, max=1000.0, description="How fast it calms down, 1/s"
    )
    friction: FloatProperty(name="Friction", default=0.5, min=0.0, max=10.0)
    bounce: FloatProperty(name="Bounce", default=0.0, min=0.0, max=1.0)
    self_contact: BoolProperty(name="Self Contact", description="Its own parts touch one another")
    fixed_strength: BoolProperty(name="Own Example Strength", description="Else the weight of the body decides")
    strength: FloatProperty(
        name="Example Strength",
        default=0.9,
        min=0.0,
        max=1.0,
        description="How much of the keys' weight is kept; below 1 the body goes back to rest",
    )
    by_groups: BoolProperty(
        name="Groups Choose Alone",
        description="Each vertex group, but those that pin and paint, weighs the keys for itself",
    )
    pin_group: StringProperty(
        name="Pin", description="Vertices of at least half a weight are held where the scene moves them"
    )
    stiffness_group: StringProperty(
        name="Stiffness", description="A painted group that makes parts harder or softer"
    )
    stiffness_times: FloatProperty(
        name="Times",
        default=10.0,
        min=0.01,
        max=100.0,
        description="How many times as hard it is where the group is painted full",
    )
    # What is known of its recording.
    cache: StringProperty()  # path
    digest: StringProperty()
    baked: IntProperty()
    said: StringProperty()  # settings at the time, to compare
    first: IntProperty()
    state: EnumProperty(items=[(each, each, "") for each in ("NONE", "PREVIEW", "PART", "BAKED", "STALE")])
    findings: CollectionProperty(type=PliantFinding)


class PliantScene(bpy.types.PropertyGroup):
    """What is the same for all."""

    floor: BoolProperty(name="Floor", default=True, description="A floor at height 0")
    floor_friction: FloatProperty(name="Friction", default=0.8, min=0.0, max=10.0)
    contact: BoolProperty(name="Bodies Meet", default=True, description="Soft bodies touch one another")
    substeps: IntProperty(
        name="Sub-steps", default=0, min=0, max=1000, description="Steps of a frame; 0: as many as the materials need"
    )
    precise: BoolProperty(name="Double Precision", description="For very long shots, and slower")


CLASSES = (PliantFinding, PliantObject, PliantScene)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Object.pliant = PointerProperty(type=PliantObject)
    bpy.types.Scene.pliant = PointerProperty(type=PliantScene)


def unregister():
    del bpy.types.Scene.pliant
    del bpy.types.Object.pliant
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
