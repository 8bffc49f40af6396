"""What the site has beyond plain pages: pages made from the package itself, while Sphinx reads, so that none is stored.

`commands`: every command from its own help.  `scene_keys`: every key of a scene file from the schema.  `exhibits`: the
gallery from its registry.  `bench_plot`: a table of the README as a drawing.  `project_file`: a page outside docs/.
"""

from typing import Any

from sphinx.application import Sphinx

from site_pages import directives, docstrings, links


def setup(app: Sphinx) -> dict[str, Any]:
    for name, directive in directives.ALL.items():
        app.add_directive(name, directive)
    app.connect("autodoc-process-docstring", docstrings.as_rst)
    app.connect("autodoc-process-signature", docstrings.as_written)
    app.connect("doctree-resolved", docstrings.shorten_properties)
    app.connect("source-read", links.onto_the_site)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
