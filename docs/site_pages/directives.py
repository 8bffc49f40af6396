"""Directives that write a part of a page from the package, in Markdown."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.util.docutils import SphinxDirective

from site_pages import command_line, exhibits
from site_pages.links import site_links

README = Path(__file__).parents[2] / "README.md"


class Written(SphinxDirective):
    """A piece of Markdown that is made when the page is read."""

    required_arguments = 0
    optional_arguments = 1
    has_content = False

    def text(self) -> str:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(self.text(), allow_section_headings=True)


class Commands(Written):
    """`commands`: usage, arguments and options of every command."""

    def text(self) -> str:
        return command_line.page()


class SceneKeys(Written):
    """`scene_keys NAME`: a table of the schema."""

    required_arguments = 1

    def text(self) -> str:
        from pliant.scene.reference import tables

        return tables()[self.arguments[0]]


class Exhibits(Written):
    """`exhibits`: all of the gallery."""

    def text(self) -> str:
        return exhibits.page()


class Thumbnails(SphinxDirective):
    """`exhibit_thumbnails`: a small picture of each exhibit, for a page that has them all."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", exhibits.thumbnails(), format="html")]


class ProjectFile(Written):
    """`project_file PATH`: a page of the project that stands outside docs/, with its links."""

    required_arguments = 1

    def text(self) -> str:
        path = README.parent / self.arguments[0]
        self.env.note_dependency(str(path))
        return site_links(path.read_text(encoding="utf-8"))


class BenchPlot(SphinxDirective):
    """`bench_plot NAME`: a table of times in the README as a drawing."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(README))
        drawings = run_path(str(README.parent / "benchmarks" / "plots.py"))
        bars = drawings["tables"](README.read_text(encoding="utf-8"))
        return [nodes.raw("", drawings["svg"](bars[self.arguments[0]]), format="html")]


ALL: dict[str, type[Directive]] = {
    "commands": Commands,
    "scene_keys": SceneKeys,
    "exhibits": Exhibits,
    "exhibit_thumbnails": Thumbnails,
    "project_file": ProjectFile,
    "bench_plot": BenchPlot,
}
