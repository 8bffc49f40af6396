"""Dask: a cluster of this machine's own, or one that runs already. Nothing of ours lies between its tasks."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pliant.runtime.errors import PliantError
from pliant.runtime.thread_pool import CORES
from pliant.sweeps.place import Place

if TYPE_CHECKING:
    from distributed import Client

NO_DASK = "sweep: it needs Dask, PyArrow and Cryptography, which are not installed; run: pip install 'pliant[sweep]'"
ANSWERS = 10.0  # seconds in which a scheduler has to answer
WORKERS_COME = 60.0  # seconds in which workers of our own have to be there
FACTS_PATIENCE = 60.0  # seconds for all workers to say what they have: the first import of a fresh worker takes some
LOSSES = 3  # workers that may die over one row before the row counts as failed
LOGGERS = ("distributed", "tornado", "asyncio")
# One thread for all that could take more: the workers are many, and results must not depend on it.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}


def check_installed() -> None:
    """They are an extra."""
    from importlib.util import find_spec

    if any(find_spec(each) is None for each in ("distributed", "pyarrow", "fsspec", "cryptography")):
        raise PliantError(NO_DASK)


@contextmanager
def connected(
    scheduler: str | None = None, scheduler_file: Path | None = None, workers: int | None = None, memory: str = "auto"
) -> Iterator[Client]:
    """A client of the running cluster that is named, else of one with a process for each core of this machine."""
    check_installed()
    import dask
    import distributed  # noqa: F401 (its settings must be there before some of them are changed for a while)

    level = {name: logging.getLogger(name).level for name in LOGGERS}
    settings = {
        "distributed.scheduler.allowed-failures": LOSSES,
        "distributed.scheduler.worker-saturation": float("inf"),  # rows wait at their worker, not far away
        "distributed.comm.timeouts.connect": f"{ANSWERS:g}s",
        "distributed.admin.large-graph-warning-threshold": "1GB",
    }
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told in one line, by us
    try:
        with dask.config.set(settings), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            address = scheduler if scheduler_file is None else _address_in(scheduler_file)
            if address is not None:
                with _running(address) as client:
                    yield client
            else:
                with _own(CORES if workers is None else workers, memory) as client:
                    yield client
    finally:
        for name, before in level.items():
            logging.getLogger(name).setLevel(before)


@contextmanager
def _running(address: str) -> Iterator[Client]:
    from distributed import Client

    try:
        client = Client(address, timeout=ANSWERS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        reason = " ".join(str(error).split())[:120]
        raise PliantError(
            f"--scheduler {address}: it does not answer ({reason}); start one with `dask scheduler`, or leave it out"
        ) from None
    try:
        if not client.scheduler_info(n_workers=-1)["workers"]:
            raise PliantError(f"--scheduler {address}: it has no workers; start some with `dask worker {address}`")
        yield client
    finally:
        client.close(timeout=2)


@contextmanager
def _own(workers: int, memory: str) -> Iterator[Client]:
    """Processes with one thread each, which listen on this machine alone, to who has the key of this one run, and end
    with us."""
    from distributed import Client, LocalCluster
    from distributed.security import Security

    if workers < 1:
        raise PliantError(f"sweep: {workers} workers; give at least 1")
    with _without_main():
        try:
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                memory_limit=memory,
                dashboard_address=None,
                security=Security.temporary(),
                silence_logs=logging.CRITICAL,
                env=ONE_THREAD,
                preload=["pliant.sweeps.worker"],
                timeout=WORKERS_COME,
            )
        except ValueError as error:
            raise PliantError(f"--memory {memory}: {error}; give bytes such as 2GB") from None
        with cluster, Client(cluster, timeout=ANSWERS, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=WORKERS_COME)
            yield client


@contextmanager
def _without_main() -> Iterator[None]:
    """Processes that multiprocessing starts import the program again that started them, which would sweep again where
    it does not ask for its `__name__`. Workers need nothing of it: functions of it are sent whole."""
    main = sys.modules["__main__"]
    kept = {name: vars(main)[name] for name in ("__file__", "__spec__") if name in vars(main)}
    for name in kept:
        delattr(main, name)
    main.__spec__ = None
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(main, name, value)


def _address_in(path: Path) -> str:
    try:
        return str(json.loads(path.read_text())["address"])
    except OSError as error:
        raise PliantError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise PliantError(f"{path}: is no scheduler file; `dask scheduler --scheduler-file FILE` writes one") from None


def check_workers(client: Client, place: Place) -> int:
    """That every worker has the same Pliant and reaches the place for the results. Returns how many rows they bake at
    once."""
    import cloudpickle

    from pliant.sweeps import handshake

    versions: Any = client.get_versions()
    mine = versions["client"]["host"]["python"]
    for address, found in versions["workers"].items():
        if found is None or found["host"]["python"].split(".")[:2] != mine.split(".")[:2]:
            theirs = "another" if found is None else ".".join(found["host"]["python"].split(".")[:3])
            raise PliantError(
                f"worker {address} has Python {theirs}, here is {'.'.join(mine.split('.')[:3])}; take the same there"
            )
    probe = "" if place.folder is None else os.path.join(os.path.abspath(place.folder), ".sweep-probe")
    try:
        if probe:
            Path(probe).parent.mkdir(parents=True, exist_ok=True)
            Path(probe).write_bytes(b"")
        with _by_value(cloudpickle, handshake):
            answers = _ask(client, handshake.worker_facts, probe)
    finally:
        if probe:
            Path(probe).unlink(missing_ok=True)
    here = handshake.worker_facts(probe)
    for address, there in answers.items():
        if told := handshake.complaint(address, here, there, probe, place.address):
            raise PliantError(f"sweep: {told}")
    return sum(client.nthreads().values())


def _ask(client: Client, question: Any, probe: str) -> dict[str, Any]:
    """The answer of every worker, by its address."""
    try:
        answers = client.sync(client._run, question, probe, on_error="return", callback_timeout=FACTS_PATIENCE)
    except (OSError, TimeoutError) as error:
        raise PliantError(f"sweep: a worker does not answer in {FACTS_PATIENCE:g} s ({error}); see its log") from None
    found: dict[str, Any] = {}
    for address, answer in answers.items():
        broken = isinstance(answer, BaseException)
        found[address] = {"missing": " ".join(str(answer).split())[:120], "sees": False} if broken else answer
    return found


@contextmanager
def _by_value(cloudpickle: Any, module: ModuleType) -> Iterator[None]:
    cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)
