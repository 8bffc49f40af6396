"""The notebooks of examples/: run as they are, and saved with the pictures that they show.

python tests/notebook_examples.py     runs them all and writes them anew

What reads notebooks takes seconds to import: whoever calls these does it, and not who collects the tests.
"""

from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"
SECONDS = 600  # that a cell may take: the first may compile


def run(path: Path, folder: Path) -> Any:
    """The notebook with its outputs, from a new kernel."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    # What widgets hold is no part of it: megabytes, and without a kernel of no use.
    where = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=SECONDS, store_widget_state=False, resources=where).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it was run
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)  # of a kernel that is gone
    return notebook


if __name__ == "__main__":
    import nbformat

    for each in sorted(EXAMPLES.glob("*.ipynb")):
        nbformat.write(run(each, EXAMPLES), each)
        print(f"{each.name}: {each.stat().st_size // 1000} kB")
