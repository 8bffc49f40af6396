"""An inspection as people read it: tables where they fit, lists where the terminal is narrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pliant.cli.bars import size

if TYPE_CHECKING:
    from rich.console import Console

    from pliant.session.cost import Cost
    from pliant.session.inspection import BodyFacts, Inspection
    from pliant.volume.dirty import MeshFacts

NOUNS = {"solid": "tets", "shell": "triangles", "rod": "segments", "graph": "edges"}
SIZE_NAMES = {"solid": "volume", "shell": "area", "rod": "length", "graph": "length"}
MANY = 6  # names written out


def print_inspection(seen: Inspection, console: Console) -> None:
    """All of it."""
    sheet = Sheet(console)
    stage = f", among {_listed(seen.colliders)}" if seen.colliders else ""
    sheet.heading(
        f"{seen.title or seen.name}: {seen.seconds:g} s, {_counted(len(seen.bodies), 'body', 'bodies')}{stage}"
    )
    for body in seen.bodies:
        _print_body(sheet, body)
    _print_cost(sheet, seen.cost)
    told = {note for body in seen.bodies for note in body.notes}
    for note in seen.notes:
        if note not in told:
            sheet.line(f"note: {note}")


class Sheet:
    """Lines and tables on a console of any width."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def heading(self, text: str) -> None:
        self.console.print(text, style="bold", highlight=False, markup=False)

    def line(self, text: str = "") -> None:
        self.console.print(text, highlight=False, markup=False)

    def facts(self, rows: Sequence[tuple[str, str]]) -> None:
        """Names and values, long values continued under themselves."""
        from rich.table import Table

        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(no_wrap=True, style="dim")
        table.add_column(overflow="fold")
        for name, value in rows:
            table.add_row(_plain(name), _plain(value))
        self.console.print(table)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A row a thing; where that is too wide, a list for each thing."""
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        if sum(widths) + 2 * len(widths) > self.console.width:
            for row in rows:
                self.line(f"{row[0]}")
                self.facts([(f"  {name}", value) for name, value in zip(head[1:], row[1:], strict=True)])
            return
        from rich.table import Table

        table = Table(box=None, header_style="bold", pad_edge=False)
        for place, name in enumerate(head):
            table.add_column(name, justify="left" if place == 0 else "right", no_wrap=True)
        for row in rows:
            table.add_row(*map(_plain, row))
        self.console.print(table)


def _plain(text: str) -> Any:
    """Names may hold square brackets, which are no markup here."""
    from rich.text import Text

    return Text(text)


def _print_body(sheet: Sheet, body: BodyFacts) -> None:
    mesh, skin = body.mesh, body.binding
    played = "" if body.actors == (body.name,) else f", played by {_listed(body.actors)}"
    sheet.line()
    sheet.heading(f"{body.name}: {mesh.kind} of {mesh.particles:,} particles{played}")
    noun = NOUNS[mesh.kind]
    worst = f"{mesh.worst_quality:.2f} at worst ({noun[:-1]} {mesh.worst_element})"
    facts = [
        ("model", ", ".join(body.models)),
        ("size", " x ".join(f"{length:.3g}" for length in mesh.size) + f" m, {_mass(mesh.mass)}"),
        (noun, f"{mesh.elements:,}; quality {worst}, {mesh.mean_quality:.2f} on average"),
        ("volume", _volume(body)),
        ("pieces", f"{mesh.components}"),
        ("holes", f"{mesh.holes}" + (" rims of the skin are open" if mesh.holes > 1 else "")),
        ("skin", f"{skin.vertices:,} vertices, {skin.faces:,} faces; {_bound(body)}"),
    ]
    if body.surface is not None:
        facts.append(("surface", _surface(body.surface, body.notes)))
    if body.groups:
        facts.append(("groups", ", ".join(f"{name} ({count})" for name, count in body.groups.items())))
    sheet.facts(facts)
    _print_poses(sheet, body)
    for note in body.notes:
        sheet.line(f"note: {note}")


def _surface(surface: MeshFacts, notes: Sequence[str]) -> str:
    """What the file's surface is like; what was mended stands in the notes."""
    counts = f"{surface.points:,} points, {surface.faces:,} faces, {_counted(surface.shells, 'shell', 'shells')}"
    if not surface.findings:
        return f"{counts}; nothing to mend"
    return "; ".join([counts, *(finding for finding in surface.findings if finding not in notes)])


def _volume(body: BodyFacts) -> str:
    """Of the particles, and of what they should fill."""
    mesh = body.mesh
    inside = f"{mesh.volume:.4g} m^3"
    if mesh.kind != "solid":
        return inside
    wanted = mesh.enclosed if body.surface is None else body.surface.volume
    if wanted is None or wanted <= 0:
        return f"{inside}; the skin is open"
    where = "skin" if body.surface is None else "surface"
    return f"{inside}, {mesh.volume / wanted:.1%} of the {wanted:.4g} m^3 in the {where}"


def _bound(body: BodyFacts) -> str:
    skin = body.binding
    if body.mesh.kind != "solid":
        return f"at most {skin.offset:.3g} m off the particles"
    carried = f"each on up to {_counted(skin.particles, 'particle', 'particles')}"
    if not skin.outside:
        return f"all inside the tets, {carried}"
    return f"{skin.outside:,} outside the tets, the farthest by {skin.extrapolation:.2g} m, {carried}"


def _print_poses(sheet: Sheet, body: BodyFacts) -> None:
    report = body.poses
    sheet.line()
    if not report.poses and not body.fits:
        sheet.line("no poses: it will always come back to its rest shape")
        return
    if report.poses:
        head = ("pose", "moves (rms)", "at most", "|S - I|", "stretch", SIZE_NAMES[body.mesh.kind])
        rows = [
            (
                pose.name,
                f"{pose.rms:.3g} m ({pose.rms_percent:.1f} %)",
                f"{pose.largest:.3g} m ({pose.largest_percent:.1f} %)",
                f"{pose.strain:.3f}",
                f"{pose.stretch[0]:.2f} to {pose.stretch[1]:.2f}",
                f"{pose.size[0]:.2f} to {pose.size[1]:.2f}",
            )
            for pose in report.poses
        ]
        sheet.table(head, rows)
    if body.fits:
        sheet.line()
        sheet.line("from the wanted skin to the one that the particles reach:")
        head = ("pose", "mean", "99 %", "at most", "smallest J", "verdict")
        sheet.table(head, [_fit(fit) for fit in body.fits])
        for fit in body.fits:
            if fit.remedy:
                sheet.line(f'{fit.verdict}: pose "{fit.name}": {fit.remedy}')
    if report.condition is not None:
        sheet.line(f"condition number of the set: {report.condition:.3g}")
    for finding in report.findings:
        sheet.line(f'{finding.kind}: pose "{finding.pose}" {finding.text}; {finding.advice}')


def _fit(fit: Any) -> tuple[str, ...]:
    def part(distance: float) -> str:
        return f"{distance:.2g} m ({distance / fit.diagonal:.2%})" if fit.diagonal > 0 else f"{distance:.2g} m"

    return fit.name, part(fit.mean), part(fit.high), part(fit.largest), f"{fit.smallest_j:.3g}", fit.verdict


def _print_cost(sheet: Sheet, cost: Cost) -> None:
    sheet.line()
    sheet.heading("cost")
    facts = [
        ("memory", f"{size(cost.bodies)} for the bodies, {size(cost.world)} for the world"),
        ("on disk", f"{size(cost.frame)} a frame while it is baked"),
    ]
    if cost.step is not None and cost.frame_time is not None and cost.realtime is not None:
        threads = _counted(cost.threads, "thread", "threads")
        facts += [
            ("step", f"{_time(cost.step)}, {cost.substeps} a frame"),
            ("frame", f"{_time(cost.frame_time)}, {cost.realtime:.3g} times as fast as it plays at {cost.fps:g} fps"),
            ("", f"measured here and now: {cost.measured} frames, {threads}, {cost.precision} precision"),
        ]
    sheet.facts(facts)
    if cost.note:
        sheet.line(cost.note)


def _mass(kilograms: float) -> str:
    return f"{kilograms:,.0f} kg" if kilograms >= 1000 else f"{kilograms:.4g} kg"


def _time(milliseconds: float) -> str:
    if milliseconds < 1:
        return f"{1e3 * milliseconds:.3g} us"
    return f"{milliseconds:.3g} ms" if milliseconds < 1e3 else f"{milliseconds / 1e3:.3g} s"


def _counted(count: int, one: str, many: str) -> str:
    return f"1 {one}" if count == 1 else f"{count:,} {many}"


def _listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are.

    >>> _listed(["box", "box"]), _listed([f"car {n}" for n in range(9)])
    ('2 x box', 'car 0, car 1, car 2, car 3, car 4, car 5 and 3 more')
    """
    words = [name if count == 1 else f"{count} x {name}" for name, count in Counter(names).items()]
    more = len(words) - MANY
    return ", ".join(words[:MANY]) + (f" and {more} more" if more > 0 else "")
