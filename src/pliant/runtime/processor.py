"""The name of the processor, as each system tells it."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
# macOS calls every processor "arm" or "i386" unless it is asked for the brand.
BRAND = ("sysctl", "-n", "machdep.cpu.brand_string")
BRAND_PATIENCE = 5.0  # seconds for that answer


def processor() -> str:
    """The name that is on its box where the system tells it, else its architecture.

    >>> bool(processor())
    True
    """
    return next((name for name in _names() if name), "unknown")


def machine() -> str:
    """The processor and how many cores it has."""
    return f"{processor()}, {os.cpu_count()} cores"


def instruction_set() -> str:
    """What kernels are compiled for: the last bits of results depend on it. NUMBA_CPU_NAME says another.

    >>> bool(instruction_set())
    True
    """
    import numba
    from llvmlite import binding

    return str(numba.config.CPU_NAME or binding.get_host_cpu_name())


def _names() -> Iterator[str]:
    with suppress(OSError):
        for line in CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                yield line.partition(":")[2].strip()
    if sys.platform == "darwin":
        with suppress(OSError, subprocess.SubprocessError):
            asked = subprocess.run(BRAND, capture_output=True, text=True, timeout=BRAND_PATIENCE, check=True)
            yield asked.stdout.strip()
    if sys.platform == "win32":
        with suppress(ImportError, OSError):
            yield _of_registry()
    yield platform.processor()  # may start a program, so it comes late
    yield platform.machine()


def _of_registry() -> str:
    import winreg

    # mypy sees what this system has: elsewhere winreg is empty
    open_key, value_of = winreg.OpenKey, winreg.QueryValueEx  # type: ignore[attr-defined, unused-ignore]
    root = winreg.HKEY_LOCAL_MACHINE  # type: ignore[attr-defined, unused-ignore]
    with open_key(root, r"HARDWARE\DESCRIPTION\System\CentralProcessor\0") as key:
        return str(value_of(key, "ProcessorNameString")[0]).strip()
