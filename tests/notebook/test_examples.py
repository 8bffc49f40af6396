"""Every notebook of examples/ runs from a new kernel, and stands there with the pictures that it shows."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from notebook_examples import EXAMPLES, run

BOOKS = sorted(EXAMPLES.glob("*.ipynb"))
LARGEST = 250_000  # bytes of a notebook, pictures and all


def pictures(notebook: Any) -> list[bytes]:
    found = [output.get("data", {}).get("image/png") for cell in notebook.cells for output in cell.get("outputs", [])]
    return [base64.b64decode(each) for each in found if each]


def printed(notebook: Any) -> list[str]:
    """Without numbers: processors differ in their last digits, and falling bodies make more of that."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [re.sub(r"[\d.]+", "#", output["text"]) for output in outputs if "text" in output]
    return [re.sub(r" +", " ", text) for text in texts]  # columns are as wide as their numbers


def shows(notebook: Any) -> int:
    return sum(cell.source.count("pliant.show(") for cell in notebook.cells if cell.cell_type == "code")


def as_saved(book: Path) -> Any:
    """The notebook, which has the form that it should."""
    import nbformat  # takes seconds, which only these tests have to wait

    saved = nbformat.read(book, as_version=4)
    nbformat.validate(saved)
    return saved


def test_there_are_three() -> None:
    assert len(BOOKS) == 3


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_it_runs(book: Path, tmp_path: Path) -> None:
    done = run(book, tmp_path)  # raises where a cell does
    saved = as_saved(book)
    assert len(pictures(done)) == shows(done) >= 2
    assert all(each.startswith(b"\x89PNG") for each in pictures(done))
    assert printed(done) == printed(saved)
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind where it stands


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_it_is_saved_with_pictures(book: Path) -> None:
    saved = as_saved(book)
    assert len(pictures(saved)) == shows(saved)
    assert book.stat().st_size < LARGEST
    assert "widgets" not in saved.metadata
    numbers = [cell.execution_count for cell in saved.cells if cell.cell_type == "code"]
    assert numbers == list(range(1, len(numbers) + 1))
