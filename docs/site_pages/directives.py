"""Directives that write a part of a page from the package, in Markdown."""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.util.docutils import SphinxDirective

from site_pages import command_line, exhibits


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


ALL: dict[str, type[Directive]] = {"commands": Commands, "scene_keys": SceneKeys, "exhibits": Exhibits}
