"""The library that stands between the server and its disk: `disk.c`, compiled and spoken to."""

import mmap
import os
import shutil
import struct
import subprocess
from pathlib import Path

from support import Skipped

SOURCE = Path(__file__).resolve().parent / "disk.c"
CALLS = {"write": 1, "sync": 2, "read": 4, "open": 8, "truncate": 16}


def compile_shim(folder):
    """Compiles the library. Returns its path."""
    compiler = next(filter(shutil.which, ["cc", "clang", "gcc"]), None)
    if not compiler:
        raise Skipped("there is no C compiler here")
    library = Path(folder) / "disk.so"
    subprocess.run(
        [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
        + ["-o", str(library), str(SOURCE), "-ldl"],
        check=True,
    )
    return library


def preloaded(library, folder, **settings):
    """What a command has to begin with so that its calls on files of a folder go by the library."""
    variables = {f"TRIAL_{name.upper()}": str(value) for name, value in settings.items()}
    variables |= {"LD_PRELOAD": str(library), "TRIAL_FOLDER": os.path.realpath(folder)}
    return ["env", *(f"{name}={value}" for name, value in variables.items())]


class Faults:
    """What is to fail, as the library reads it while the server runs."""

    LAYOUT = struct.Struct("=iiiii28s")

    def __init__(self, path):
        self.path = path
        Path(path).write_bytes(bytes(self.LAYOUT.size))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), self.LAYOUT.size)

    def set(self, calls, error, after=0, count=-1, ending=""):
        """Makes calls fail with an error, all but the first; 0 for writes of half the bytes."""
        bits = sum(CALLS[call] for call in calls)
        # The bits come last: nothing fails by half of an order.
        order = self.LAYOUT.pack(bits, error, after, count, 0, ending.encode())
        self.memory[4:] = order[4:]
        self.memory[:4] = order[:4]

    def end(self):
        """Lets all succeed again. Returns how many calls have failed."""
        hits = self.LAYOUT.unpack(self.memory[:])[4]
        self.memory[:4] = bytes(4)
        return hits
