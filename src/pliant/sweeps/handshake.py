"""What a worker has, asked before anything starts. The function that asks is sent whole, since a worker may not have
this file: nothing of Pliant may be imported at the head of it."""

import os
from typing import Any


def worker_facts(probe: str) -> dict[str, Any]:
    """What makes the numbers on this worker: versions, kernels and processor; and whether it sees a file."""
    facts: dict[str, Any] = {"sees": bool(probe) and os.path.exists(probe)}
    try:
        from pliant import __version__

        facts["pliant"] = __version__
        from pliant.runtime.processor import instruction_set
        from pliant.session.bake_folder import engine
    except ImportError as error:
        return facts | {"missing": str(error)}
    return facts | {"engine": engine(), "processor": instruction_set()}


def complaint(address: str, here: dict[str, Any], there: dict[str, Any], probe: str, out: str) -> str:
    """What is wrong with a worker, in one line; empty if nothing is."""
    if "pliant" not in there:
        return f"worker {address} has no pliant; install it there: pip install 'pliant[sweep]=={here['pliant']}'"
    if there["pliant"] != here["pliant"]:
        return f"worker {address} has pliant {there['pliant']}, here is {here['pliant']}; install the same there"
    if "missing" in there:
        return f"worker {address} cannot load pliant ({there['missing']}); install it anew there"
    if there["engine"] != here["engine"]:
        return (
            f"worker {address} has pliant {there['pliant']} with other kernels, Python, numba or NumPy than here "
            f"({there['engine']}, not {here['engine']}); install the same versions there"
        )
    if there["processor"] != here["processor"]:
        return (
            f"worker {address} compiles for {there['processor']}, here it is {here['processor']}: rows would differ in "
            "their last bits; set NUMBA_CPU_NAME=x86-64-v3 and NUMBA_CPU_FEATURES= for all workers and here"
        )
    if probe and not there["sees"]:
        return f"worker {address} does not see the folder {out}; give one that all machines share, or s3://… and such"
    return ""
