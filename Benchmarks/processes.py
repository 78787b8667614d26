"""What processes cost: CPU time and memory, read from Linux's /proc."""

import os
import re
import resource
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def descendants(pid):
    """The ids of a process and of all its descendants."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parent = int(Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                # It has ended since.
                continue
            children.setdefault(parent, []).append(int(entry))
    found, waiting = [], [pid]
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


def cpu_seconds(pids):
    """User and system time that processes have used so far."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS_PER_SECOND


def resident_mebibytes(pids):
    total = 0
    for pid in pids:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
        total += int(found.group(1)) if found else 0
    return total / 1024


def machine():
    """This machine in a line."""
    model = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())
    system = re.search(r'PRETTY_NAME="(.+)"', Path("/etc/os-release").read_text())
    return (
        f"{os.cpu_count()} cores ({model.group(1).strip() if model else os.uname().machine}),"
        f" {int(memory.group(1)) / 1024**2:.0f} GiB, Linux {os.uname().release},"
        f" {system.group(1) if system else 'unknown system'}"
    )


def allow_descriptors():
    """Raises the limit of descriptors, of what is started from here too, as far as allowed."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
