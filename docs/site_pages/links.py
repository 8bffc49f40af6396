"""Links between pages of the project, which lead to files, become links between pages of the site."""

import re
from pathlib import Path

from sphinx.application import Sphinx

# A model's README is read in its folder, and shown on the site as architecture/MODEL.
README = re.compile(r"\]\((?:\.\./)+src/pliant/models/(\w+)/README\.md\)")
DOCS = re.compile(r"\]\((?:\.\./)+docs/([\w/-]+\.md)\)")


def onto_the_site(app: Sphinx, docname: str, source: list[str]) -> None:
    """Sphinx calls it with the text of each page."""
    source[0] = site_links(source[0])
    if docname == "formats/README":  # which is read without a site too, where a table of contents would be noise
        others = sorted(path.stem for path in Path(app.srcdir, "formats").glob("*.md") if path.stem != "README")
        source[0] += "\n".join(["", ":::{toctree}", ":hidden:", "", *others, ":::", ""])


def site_links(text: str) -> str:
    """
    >>> site_links("[it](../src/pliant/models/rigid/README.md), [that](../../../../docs/material.md)")
    '[it](/architecture/rigid.md), [that](/material.md)'
    """
    return DOCS.sub(r"](/\1)", README.sub(r"](/architecture/\1.md)", text))
