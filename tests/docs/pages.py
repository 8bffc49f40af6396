"""The pages as tests see them: their examples, tables and links."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {path.name: path for path in [DOCS / "from-blender-and-back.md", *sorted((DOCS / "formats").glob("*.md"))]}
FENCE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


def text_of(page: str) -> str:
    return PAGES[page].read_text(encoding="utf-8")


def blocks(page: str, kind: str) -> list[str]:
    """Fenced blocks of a kind."""
    return [body for found, body in FENCE.findall(text_of(page)) if found == kind]


def tables(page: str) -> list[list[list[str]]]:
    """Tables as rows of cells, the head first and the rule left out. A bar within code parts no cells."""
    found: list[list[list[str]]] = []
    before = ""
    for line in FENCE.sub("", text_of(page)).splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not before.startswith("|"):
                found.append([])
            if not set(line) <= set("|- "):
                found[-1].append(cells)
        before = line
    return found


def table(page: str, head: str) -> list[list[str]]:
    """The rows below the head of the table whose first column is called so."""
    (rows,) = [rows for rows in tables(page) if rows[0][0] == head]
    return rows[1:]


def anchor(heading: str) -> str:
    """What a heading is called in links."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
