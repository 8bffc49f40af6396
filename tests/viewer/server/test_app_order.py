"""What a server does before it serves."""

import subprocess
import sys

ORDER = """
import gc
import os
import threading
from pliant.viewer import app
from pliant.viewer.server.preparation import Preparation

def no_thread(*_):
    names = [thread.name for thread in threading.enumerate()]
    told.append("pliant-preparation" in names)
    return objects()

def prepared(self):
    print(told, "and started", flush=True)
    os._exit(0)

told, objects = [], gc.get_objects
gc.get_objects = no_thread
Preparation.start = prepared
app.run(port=0, open_browser=False)
"""


def test_nothing_is_imported_while_the_site_looks_through_all_objects() -> None:
    """A tuple that a module is just making in another thread does not stand to be looked at: the import fails, and the
    program with it."""
    ran = subprocess.run([sys.executable, "-c", ORDER], capture_output=True, text=True, timeout=120)
    assert ran.stdout.splitlines()[-1] == "[False] and started", ran.stderr
