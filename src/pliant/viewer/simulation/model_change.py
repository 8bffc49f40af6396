"""Another deformable model under the same body, while it plays."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pliant.models import Model, model_of, models
from pliant.models.settings import Settings
from pliant.runtime.errors import SettingsError
from pliant.viewer.simulation.posing import that_fits
from pliant.world import Actor

if TYPE_CHECKING:
    from pliant.viewer.simulation.simulation import Simulation

MATERIAL_FIELDS = ("young", "poisson")
UNDOES = {"young": "stiffness", "stiffness": "young"}  # of models that take either


class ModelChange:
    """Belongs to a simulation. Which model a person has chosen for an actor outlives a reset; so does what was tuned
    under a model that is put away, until it is taken up again."""

    def __init__(self, simulation: "Simulation") -> None:
        self.simulation = simulation
        self.chosen: dict[str, str] = {}  # actor: name of the model
        self.put_away: dict[tuple[str, str], dict[str, Any]] = {}  # (actor, model): field: value
        self._own: dict[str, Any] = {}  # settings that the show has

    def rebuild(self) -> None:
        """There is a new world: bring back the models that were chosen in the old one."""
        simulation = self.simulation
        self._own = simulation.settings()
        for actor in simulation.actors:
            model = models().get(self.chosen.get(actor.name, ""))
            if model is not None and model.settings is not type(actor.settings):
                actor.settings = simulation._own_settings[actor.name] = self._own_under(actor, model)

    def use(self, name: str | None, model_name: str) -> None:
        """Give one actor, or all, another model. They go on from where they are; nothing happens if one cannot."""
        model = models().get(model_name)
        if model is None:
            raise SettingsError(f'there is no model "{model_name}"; there are {", ".join(models())}')
        simulation = self.simulation
        actors = simulation.actors if name is None else (simulation.world[name],)
        changing = [actor for actor in actors if type(actor.settings) is not model.settings]
        prepared = [self._prepared(actor, model) for actor in changing]
        for actor, settings, _ in prepared:
            model.check(actor.body, settings, actor.name)
        for actor, settings, tuned in prepared:
            self._change(actor, model, settings, tuned)

    def restore(self) -> None:
        """The models and settings that the show has."""
        self.chosen.clear()
        self.put_away.clear()
        simulation = self.simulation
        for actor in simulation.actors:
            actor.settings = simulation._own_settings[actor.name] = that_fits(self._own[actor.name], actor.body)

    def model_of(self, actor: Actor) -> str:
        """The name of the model that an actor has now."""
        return _name(actor.settings)

    def own_model_of(self, actor: Actor) -> str:
        """The name of the model that the show has for an actor."""
        return _name(self._own[actor.name])

    def _own_under(self, actor: Actor, model: Model) -> Settings:
        """What counts as not tuned under a model that the show does not have."""
        own = self._own[actor.name]
        own = own if type(own) is model.settings else carried(own, model.settings)
        fitting: Settings = that_fits(own, actor.body)
        return fitting

    def _prepared(self, actor: Actor, model: Model) -> tuple[Actor, Settings, dict[str, Any]]:
        """The settings under a model, and which of them a person has tuned: what both models have in common stays,
        the rest is as it was under this model before."""
        both = in_common(type(actor.settings), model.settings)
        both += [name for name in material(actor.settings, model.settings) if name not in both]
        tuned = {field: value for field, value in self._tuned(actor).items() if field in both}
        tuned = either(self.put_away.get((actor.name, model.name), {}), tuned)
        settings = that_fits(self._own_under(actor, model).changed(**tuned), actor.body)
        return actor, settings, {field: getattr(settings, field) for field in tuned}

    def _change(self, actor: Actor, model: Model, settings: Settings, tuned: dict[str, Any]) -> None:
        simulation = self.simulation
        self.put_away[actor.name, self.model_of(actor)] = self._tuned(actor)
        self.put_away.pop((actor.name, model.name), None)
        own = self._own_under(actor, model)
        actor.settings = settings
        for key in [key for key in simulation._tuned if key[0] == actor.name]:
            del simulation._tuned[key]
        simulation._tuned.update({(actor.name, field): value for field, value in tuned.items()})
        simulation._own_settings[actor.name] = own
        self.chosen[actor.name] = model.name

    def _tuned(self, actor: Actor) -> dict[str, Any]:
        return {field: value for (name, field), value in self.simulation._tuned.items() if name == actor.name}


def _name(settings: Settings) -> str:
    model = model_of(settings)
    return "" if model is None else model.name


def in_common(one: type[Settings], other: type[Settings]) -> list[str]:
    """Fields that mean the same in two models: they have the name, the kind, the range and the default in common."""
    alike = []
    for name, field in one.model_fields.items():
        twin = other.model_fields.get(name)
        same = twin is not None and (twin.annotation, twin.metadata) == (field.annotation, field.metadata)
        if twin is not None and same and twin.default == field.default:
            alike.append(name)
    return alike


def carried(settings: Settings, kind: type[Settings]) -> Settings:
    """Settings of another model that agree where both mean the same; the rest are its defaults."""
    same = {name: getattr(settings, name) for name in in_common(type(settings), kind)}
    return kind(**same | material(settings, kind))


def either(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What was tuned before and what is tuned now; of `stiffness` and `young`, what is tuned now."""
    return {name: value for name, value in before.items() if UNDOES.get(name) not in now} | dict(now)


def material(settings: Settings, kind: type[Settings]) -> dict[str, Any]:
    """What is said of the material and another model has, too: it is the same in all, whatever their defaults are."""
    said = {name: getattr(settings, name, None) for name in MATERIAL_FIELDS if name in kind.model_fields}
    return {name: value for name, value in said.items() if value is not None}
