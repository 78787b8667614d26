"""What all measurements share: the program, the place for data, how long and how often."""

import itertools
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import data_file
import servers
from load import put_on


@dataclass
class Sizes:
    """How large the data is; the short form has so little that it takes no time to make."""

    cached_goals: int = 10_000
    reported_transactions: int = 1_000
    small_goals: int = 1_000
    large_goals: int = 1_000_000
    searched_goals: int = 100_000
    long_history: int = 1_000_000
    idle_connections: int = 10_000


SHORT = Sizes(
    cached_goals=300,
    reported_transactions=100,
    small_goals=100,
    large_goals=2_000,
    searched_goals=2_000,
    long_history=20_000,
    idle_connections=1_000,
)


@dataclass(frozen=True)
class Store:
    """A data file of goals that each have ten transactions."""

    path: Path
    goals: int
    transactions: int
    totals: int


TRANSACTIONS_EACH = 10


@dataclass
class Bench:
    program: Path
    folder: Path
    rounds: int
    seconds: int
    connections: int
    minutes: float
    is_short: bool
    _numbers: itertools.count = field(default_factory=itertools.count)
    _stores: dict = field(default_factory=dict)

    @property
    def sizes(self):
        return SHORT if self.is_short else Sizes()

    def place(self):
        """The path of a data file that is not there yet."""
        return self.folder / f"{next(self._numbers)}.sqlite"

    def data(self, *groups):
        """The path of a new data file, which the program has found sound."""
        path = self.place()
        began = time.monotonic()
        data_file.make(self.program, path, groups)
        servers.check(self.program, path)
        note(f"{path.stat().st_size / 1e6:,.0f} MB of data in {time.monotonic() - began:.0f} s")
        return path

    def small_store(self):
        return self._store(self.sizes.small_goals)

    def large_store(self):
        """The large store, which several rows share, since it takes minutes to make."""
        return self._store(self.sizes.large_goals)

    def _store(self, goals):
        if goals not in self._stores:
            count = goals * TRANSACTIONS_EACH
            # Dated so far apart that each is the only one of its month.
            path = self.data(data_file.Group(goals, TRANSACTIONS_EACH))
            self._stores[goals] = Store(path, goals, transactions=count, totals=count)
        return self._stores[goals]

    def check(self, path):
        servers.check(self.program, path)

    def remove(self, path):
        """Removes a data file and what is beside it, for the next may be as large."""
        for file in self.folder.glob(path.name + "*"):
            file.unlink()

    def goalpost(self, data, *settings):
        return servers.goalpost(self.program, data, *settings)

    def nginx(self, body_bytes, status=200):
        return servers.nginx(self.folder, body_bytes, status)

    def load(self, server, load, connections=None, seconds=None):
        """Loads a server for the usual time. Returns the figures."""
        return put_on(
            server,
            load,
            self.folder,
            seconds or self.seconds,
            connections or self.connections,
        )

    def in_turn(self, *loads):
        """Runs functions that each put a load on a server, in turn, for so many rounds.

        Returns the figures of each, round by round. There is a round first that does not count.
        In the short form, whose figures are of no use, all run at once.
        """
        if self.is_short:
            with ThreadPoolExecutor(len(loads)) as pool:
                return [[future.result()] for future in [pool.submit(run) for run in loads]]
        for run in loads:
            run()
        rounds = [[run() for run in loads] for _ in range(self.rounds)]
        return [list(figures) for figures in zip(*rounds, strict=True)]


def note(text):
    """Tells whoever waits what is going on; the table alone goes to the standard output."""
    print(text, file=sys.stderr, flush=True)
