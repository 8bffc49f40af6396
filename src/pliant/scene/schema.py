"""A scene: what the artist wrote, checked, without arrays. Every key of a scene file is a field here, or of a table
that is made from the settings of a model (`model_schema`) or the parameters of a function (`makers`)."""

from math import prod
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Field, PrivateAttr, model_validator

from pliant.scene.choices import by_key, by_type
from pliant.scene.conditions import CONDITION
from pliant.scene.makers import collider_type, field_type, pose_tables, shape_type
from pliant.scene.model_schema import ModelTable, model_tables, model_type
from pliant.scene.origin import Origin
from pliant.scene.selection import Selection
from pliant.scene.tracks import MotionPath, keyed
from pliant.scene.values import (
    Colour,
    Degrees,
    Density,
    File,
    Length,
    Name,
    Rotation,
    Seconds,
    Share,
    Table,
    Vector,
    listed,
    mistake,
    unit,
    worded,
)

MOST_COPIES = 10_000
EVENT = r"^(landing|touching \S.*)$"
MOST_FRAMES = 1_000_000
MOST_SUBSTEPS = 1_000_000  # of a frame
MOST_PIXELS = 8192 * 8192

if TYPE_CHECKING:
    Model: TypeAlias = ModelTable
    Shape: TypeAlias = str | Table
    Collider: TypeAlias = Any
    ForceField: TypeAlias = Any
    Pose: TypeAlias = Table
    VectorKeys: TypeAlias = Any
    Files: TypeAlias = str | list[str]
    Kept: TypeAlias = str | list[str]
    Count: TypeAlias = int | tuple[int, int, int]
    Pixels: TypeAlias = tuple[int, int]
    Springs: TypeAlias = float | list[float]
    Check: TypeAlias = str
    EventText: TypeAlias = str
else:
    Model, Shape, Collider = model_type(), shape_type(), collider_type()
    ForceField = field_type()
    VectorKeys = keyed(Vector, "VectorKeys")
    Files = by_type(text=File, list=Annotated[list[File], Field(min_length=1)])
    Check = worded(Annotated[str, Field(pattern=CONDITION)], 'a measure and a limit, such as "near(squash) < 0.02"')
    EventText = worded(Annotated[str, Field(pattern=EVENT)], '"landing" or "touching NAME"')
    Kept = by_type(text=Literal["all", "none"], list=list[Name])
    Pixels = listed(tuple[(Annotated[int, Field(ge=16, le=16384)],) * 2], "two whole numbers [width, height]")
    Springs = by_type(
        number=Annotated[float, Field(gt=0)],
        list=Annotated[list[Annotated[float, Field(gt=0)]], Field(min_length=1)],
    )
    Count = by_type(
        number=Annotated[int, Field(ge=1, le=MOST_COPIES)],
        list=listed(tuple[(Annotated[int, Field(ge=1, le=1000)],) * 3], "three whole numbers [x, y, z]"),
    )


class SceneWind(Table):
    """Air that moves through the world, and pushes at every body by its surface."""

    velocity: Vector = Field(description="of the air", json_schema_extra=unit("m/s"))
    drag: float = Field(1.0, ge=0, le=100, description="push along the air, on a surface that stands square to it")
    lift: float = Field(0.5, ge=0, le=100, description="push across the air, on a surface that stands aslant to it")
    density: float = Field(1.2, ge=0, le=1e5, description="1.2 of air", json_schema_extra=unit("kg/m³"))
    gusts: float = Field(0.0, ge=0, le=10, description="how much it varies, as a part of its velocity")
    gust_size: float = Field(2.0, ge=1e-6, le=1e6, description="how large gusts are", json_schema_extra=unit("m"))


class WorldKeys(Table):
    """What of the world may change over time."""

    gravity: VectorKeys | None = Field(None, description="gravity", json_schema_extra=unit("m/s²"))


class SceneWorld(Table):
    """Where and how long it plays."""

    gravity: Vector = Field((0.0, -9.81, 0.0), description="acceleration of free fall", json_schema_extra=unit("m/s²"))
    wind: SceneWind | None = Field(None, description="air that pushes at bodies; without it there is none")
    fields: list[ForceField] = Field([], description="force fields: attractor, vortex, turbulence, upright")
    seconds: float = Field(4.0, gt=0, le=100_000, description="how long it plays", json_schema_extra=unit("s"))
    fps: float = Field(60.0, ge=0.001, le=10_000, description="frames a second")
    substeps: int = Field(
        4, ge=1, le=10_000, description="steps of each frame; stiff bodies need more, `young` adds its own"
    )
    precision: Literal["single", "double"] = Field("single", description="single is fast, double for research")
    threads: int = Field(1, ge=1, le=256, description="results are the same for any number")
    seed: int = Field(0, ge=0, le=999_999_999, description="of what is random: the `jitter` of bodies")
    contact: bool = Field(True, description="whether bodies touch one another; obstacles they touch in any case")
    keys: WorldKeys | None = Field(None, description="values that change over time, instead of a fixed one")


class FilePose(Table):
    """A pose from a file with the same vertices as the body's own."""

    file: File = Field(description="the file")


class OriginalPose(Table):
    """A pose of the body's own file under another name."""

    original: Name = Field(description="its name in the file")


class SampledPose(Table):
    """A moment of the animation in the body's own file."""

    at: Seconds = Field(description="when", json_schema_extra=unit("s"))


if not TYPE_CHECKING:
    Pose = worded(
        by_key({"file": FilePose, "original": OriginalPose, "at": SampledPose}, named=pose_tables()),
        'a pose such as { type = "twist" }',
    )


class Copies(Table):
    """The same body several times, in a row or in a block."""

    count: Count = Field(description="how many in a row, or [x, y, z] in a block")
    spacing: Vector = Field(description="from one to the next; in a block along each axis", json_schema_extra=unit("m"))

    @model_validator(mode="after")
    def _not_too_many(self) -> "Copies":
        if prod(counts_of(self)) > MOST_COPIES:
            raise mistake(f"{prod(counts_of(self))} copies; give at most {MOST_COPIES}", "count")
        return self


class Jitter(Table):
    """Small random changes of the placement, of each copy by itself; the same for the same `seed`."""

    position: float = Field(0.0, ge=0, description="at most so far along each axis", json_schema_extra=unit("m"))
    rotation: float = Field(
        0.0, ge=0, le=180, description="at most so far, about any axis", json_schema_extra=unit("degrees")
    )


class HoldTable(Table):
    """What pins and handles have in common."""

    where: Selection = Field(description="which particles")
    path: MotionPath | None = Field(None, description="where they are taken, from where they were taken hold of")
    begin: Seconds = Field(0.0, description="when they are taken hold of", json_schema_extra=unit("s"))
    end: Seconds | None = Field(
        None, description="when they are let go; never if not said", json_schema_extra=unit("s")
    )

    begin_on: EventText | None = Field(
        None, description='an event from which `begin` counts: "landing" on any obstacle, or "touching NAME"'
    )
    end_on: EventText | None = Field(
        None, description='an event from which `end` counts, or at which they are let go: as in `begin_on`'
    )

    @model_validator(mode="after")
    def _in_order(self) -> "HoldTable":
        if self.begin_on is not None or self.end_on is not None:
            if self.end is not None and self.end_on is None:
                raise mistake("the beginning waits for an event; give `end_on`, from which this counts, too", "end")
            return self
        if self.end is not None and self.end <= self.begin:
            raise mistake(f"{self.end:g} s is not after the beginning, {self.begin:g} s; give a later time", "end")
        return self


class Pin(HoldTable):
    """Particles that stay where they are, or go where the path takes them, whatever else happens."""


class Handle(HoldTable):
    """Particles that are pulled by springs, to where they are, to points, or along the path."""

    stiffness: Springs | None = Field(
        None,
        description="of the springs together, or a list, one of each particle in the order of their numbers; if not "
        "said, the body's weight stretches them by 25 mm",
        json_schema_extra=unit("N/m"),
    )
    to: list[Vector] | None = Field(
        None,
        min_length=1,
        description="where they are pulled, a point of the world for each in the order of their numbers; if not said, "
        "to where they were taken hold of",
        json_schema_extra=unit("m"),
    )


class SceneBody(Table):
    """A soft body: what it is, what it is made of, where it is, and what holds it."""

    name: Name | None = Field(None, description="its own; that of the file or the shape if not said")
    file: File | None = Field(None, description="a mesh with its poses; this or `shape`")
    shape: Shape | None = Field(None, description="a ready-made shape by name, or a table with its parameters")
    file_poses: Kept = Field("all", description="which poses of the file are kept: all, none, or those named")
    pose_folder: File | None = Field(None, description="a folder of files, each a pose named after its file")
    poses: dict[Name, Pose] = Field({}, description="further poses by name: ready-made, from files, or renamed")
    groups: dict[Name, Selection] = Field({}, description="named groups of particles, for use in selections")
    kind: Literal["solid", "shell", "rod"] | None = Field(
        None, description="what a file is taken for; a surface is a solid if not said"
    )
    particles: int | None = Field(
        None, ge=1, le=1_000_000, description="about how many; 600 for a file, a shape has its own number"
    )
    mesher: Literal["lattice", "wild"] | None = Field(
        None, description="how a file's inside is filled: lattice (if not said) or pytetwild"
    )
    density: Density | None = Field(None, description="1000 if not said", json_schema_extra=unit("kg/m³"))
    thickness: Length | None = Field(
        None, description="of a shell or rod; a hundredth of its size if not said", json_schema_extra=unit("m")
    )
    model: Model = Field(model_tables()["shape_matching"](), description="the deformable model and its settings")
    position: Vector = Field((0.0, 0.0, 0.0), description="where it is put", json_schema_extra=unit("m"))
    anchor: Literal["origin", "centre", "bottom"] = Field(
        "origin",
        description="which of its points is put there: its origin, its centre of mass, or the middle of its underside",
    )
    rotation: Rotation = Field((0.0, 0.0, 0.0), description="how it is turned; about x first, then y, then z")
    scale: float = Field(1.0, ge=1e-6, le=1e6, description="how many times as large as it is made")
    velocity: Vector = Field((0.0, 0.0, 0.0), description="at the beginning", json_schema_extra=unit("m/s"))
    angular_velocity: Degrees = Field(
        (0.0, 0.0, 0.0), description="about its centre, at the beginning", json_schema_extra=unit("degrees/s")
    )
    friction: float = Field(0.5, ge=0, description="against other bodies; a pair has the geometric mean of both")
    restitution: Share = Field(
        0.0, description="against other bodies: the part of the speed that is left at least; a pair has the larger one"
    )
    self_contact: bool = Field(False, description="whether its own parts touch one another")
    may_sleep: bool = Field(True, description="whether it sleeps when it has come to rest, until something moves it")
    copies: Copies | None = Field(None, description="the same body several times")
    jitter: Jitter | None = Field(None, description="small random changes of the placement")
    pins: list[Pin] = Field([], description="particles held hard")
    handles: list[Handle] = Field([], description="particles held softly")
    colour: Colour | None = Field(None, description="painted over with one colour")

    @property
    def label(self) -> str:
        """Its name, or what it would be called."""
        if self.name is not None:
            return self.name
        if self.file is not None:
            return PurePath(self.file).stem
        return self.shape if isinstance(self.shape, str) else self.shape.type  # type: ignore[union-attr]

    @model_validator(mode="after")
    def _one_source(self) -> "SceneBody":
        if (self.file is None) == (self.shape is None):
            both = "both `file` and" if self.file is not None else "neither `file` nor"
            raise mistake(f"{both} `shape` given; give one of them")
        if self.shape is not None:
            for key in ("kind", "mesher", "pose_folder"):
                if getattr(self, key) is not None:
                    raise mistake("this is for a `file`; leave it out for a shape", key)
            for name, pose in self.poses.items():
                if not hasattr(pose, "type"):
                    raise mistake("this is for a `file`; for a shape give a pose by its `type`", "poses", name)
        return self


class SceneOutput(Table):
    """What `pliant bake` writes if nothing else is asked for."""

    file: Files | None = Field(
        None, description="one or several: .glb .usdc .pc2 .npz .mp4 .csv, or a folder obj/ or png/"
    )
    frames: int | None = Field(
        None, ge=1, le=MOST_FRAMES, description="how many, the first included; if not said, for the world's seconds"
    )
    fps: float | None = Field(None, ge=0.001, le=10_000, description="frames a second; the world's if not said")
    style: Literal["vertices", "weights", "skeleton"] | None = Field(
        None,
        description="of a .glb: every vertex exactly, the weights of its morph targets (a small file), or oriented "
        "particles as joints; if not said, a skeleton where there are such particles and vertices elsewhere",
    )
    size: Pixels = Field((1280, 720), description="of films and pictures", json_schema_extra=unit("pixels"))
    camera: Vector | None = Field(None, description="the direction to look from")

    @model_validator(mode="after")
    def _not_too_many(self) -> "SceneOutput":
        if prod(self.size) > MOST_PIXELS:
            raise mistake(f"{prod(self.size):,} pixels; give at most {MOST_PIXELS:,}, such as [8192, 8192]", "size")
        return self


class Scene(Table):
    """A whole scene. `origin` tells where it was written, for messages; it is no part of what the scene says."""

    title: str = Field("", description="for people")
    world: SceneWorld = Field(SceneWorld(), description="gravity, time and precision")
    colliders: list[Collider] = Field([], description="obstacles: plane, sphere, box, capsule, mesh")
    bodies: list[SceneBody] = Field([], description="the soft bodies")
    output: SceneOutput = Field(SceneOutput(), description="what `pliant bake` writes")
    checks: dict[Name, Check] = Field(
        {}, description='what `pliant sweep` looks at, by name: a measure and a limit, such as "near(squash) < 0.02"'
    )

    _origin: Origin = PrivateAttr(default_factory=Origin)

    @property
    def origin(self) -> Origin:
        return self._origin

    def written_at(self, origin: Origin) -> "Scene":
        """The same scene, known to come from there."""
        copied = self.model_copy()
        copied._origin = origin
        return copied

    @model_validator(mode="after")
    def _not_too_long(self) -> "Scene":
        world, fps = self.world, self.output.fps or self.world.fps
        if self.output.frames is None and world.seconds * fps > MOST_FRAMES:
            said = f"{world.seconds * fps:,.0f} frames, {fps:g} a second; give at most {MOST_FRAMES:,} in all"
            raise mistake(said, "world", "seconds")
        if world.fps * world.substeps / fps > MOST_SUBSTEPS:
            said = f"{world.fps * world.substeps / fps:,.0f} steps of each frame, as fine as the world's"
            raise mistake(f"{said}; give at most {MOST_SUBSTEPS:,}, with more frames a second", "output", "fps")
        return self

    @model_validator(mode="after")
    def _own_names(self) -> "Scene":
        colliders = [[] if each.name is None else [each.name] for each in self.colliders]
        for key, named in (("colliders", colliders), ("bodies", [names_of(body) for body in self.bodies])):
            seen: set[str] = set()
            for number, names in enumerate(named):
                if twice := next((name for name in names if name in seen), None):
                    raise mistake(f'there is one called "{twice}" already; give each a `name` of its own', key, number)
                seen.update(names)
        return self


def counts_of(copies: Copies) -> tuple[int, int, int]:
    """How many along each axis; a row is one along the first."""
    return (copies.count, 1, 1) if isinstance(copies.count, int) else copies.count


def names_of(body: SceneBody) -> list[str]:
    """The names of its actors: copies are numbered."""
    if body.copies is None:
        return [body.label]
    x, y, z = counts_of(body.copies)
    return [f"{body.label} {number + 1}" for number in range(x * y * z)]
