"""Power cuts: what a disk may have kept of all that the server did to its files."""

import errno
import os
import random
import shutil
import signal
import struct
import subprocess
import tempfile
from pathlib import Path

from ledger import Ledger, Writers, read, read_file
from shim import Faults, compile_shim, preloaded
from support import Server, command, processes

CONNECTIONS = 16
SECTOR = 512
WRITE, TRUNCATE, SYNC, CREATE, UNLINK, RENAME, LINK, SYNC_FOLDER, FAILED_SYNC = range(1, 10)
ENTRY = struct.Struct("=QIIQQ")

# How often an image is not only examined, but served.
SERVED_OF = 25


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        library = compile_shim(folder)
        seeds, points, writes = (1, 200, 1200) if short else (5, 1000, 4000)
        totals = dict.fromkeys(["acknowledged", "checkpoints", "points"], 0)
        wrong, served = [], 0
        for number in range(seeds):
            run = Run(program, library, Path(folder) / f"run-{number}", dice)
            run.write(lambda writers: writers.run(writes=writes))
            # Before the kill, which may come between a call and its line in the record.
            report.exactly("the record differs from the files", run.differences(), [])
            run.write(lambda writers: writers.run(writes=writes))
            totals["acknowledged"] += run.ledger.acknowledged
            totals["checkpoints"] += run.checkpoints
            totals["points"] += points
            found, count = run.cut(points, is_strict=number % 2 == 0)
            wrong += found
            served += count
        what = f"{totals['points']} power cuts"
        report.note(f"{what}: writes acknowledged", totals["acknowledged"])
        report.at_least(f"{what}: checkpoints recorded", totals["checkpoints"], 2 * seeds)
        report.note(f"{what}: of which were also served", served)
        report.exactly(f"{what}: with a loss or damage", len(wrong), 0)
        report.exactly(f"{what}: the first of them", wrong[:3], [])
        failed_syncs(report, program, library, Path(folder) / "failed", dice, 40 if short else 1000)
        control(report, program, library, Path(folder) / "control", dice, 30 if short else 200)


def failed_syncs(report, program, library, folder, dice, points):
    """Syncs that fail now and then: what was to be kept never is, though it can be read until the
    cut, and the next sync succeeds."""
    folder.mkdir()
    faults = Faults(folder / "faults")
    run = Run(program, library, folder, dice, faults=faults.path)
    failed = 0

    def write(writers):
        nonlocal failed
        for _ in range(12):
            faults.set(["sync"], errno.EIO, after=dice.randint(0, 6), count=1)
            writers.run(writes=100)
            failed += faults.end()
            writers.run(writes=20)

    run.write(write)
    wrong, _ = run.cut(points, is_strict=False)
    what = f"{points} power cuts after {failed} failed syncs"
    report.at_least(f"{what}: failed syncs", failed, 6)
    report.at_least(f"{what}: writes refused", run.ledger.counts[503], 6)
    report.note(f"{what}: writes acknowledged", run.ledger.acknowledged)
    report.exactly(f"{what}: with a loss or damage", len(wrong), 0)
    report.exactly(f"{what}: the first of them", wrong[:3], [])


def control(report, program, library, folder, dice, points):
    """A disk that lies about its syncs of the log: the trial must see what gets lost."""
    run = Run(program, library, folder, dice, mute="-wal")
    run.write(lambda writers: writers.run(writes=600))
    wrong, _ = run.cut(points, is_strict=False)
    share = 100 * len({point for point, _ in wrong}) / points
    report.at_least("control, no sync of the log: power cuts with a loss", share, 20.0, "%")


class Run:
    """A data folder, and the record of all that was done to it."""

    def __init__(self, program, library, folder, dice, **settings):
        self.program, self.library, self.dice, self.settings = program, library, dice, settings
        self.folder = Path(os.path.realpath(folder))
        self.data = self.folder / "data" / "goalpost.sqlite"
        self.data.parent.mkdir(parents=True, exist_ok=True)
        self.ledger = Ledger(dice)
        self.entries = []
        self.names = {}
        self.files = 0
        self.checkpoints = 0
        self.runs = 0

    def write(self, work):
        """Has a server take the writes of some work, and stop: the first time in order, then by
        kill -9."""
        self.runs += 1
        record = self.folder / f"record-{self.runs}"
        prefix = preloaded(self.library, self.data.parent, record=record, **self.settings)
        with Server(self.program, prefix=prefix, data=self.data) as server:
            writers = Writers(server, self.ledger, CONNECTIONS)
            work(writers)
            server.signal(signal.SIGTERM if self.runs % 2 else signal.SIGKILL)
            server.process.wait()
            writers.finish()
        self._take(record.read_bytes())

    def _take(self, record):
        """Reads a record; the files that it numbers get the numbers they have in all records."""
        numbers, position = {}, 0
        while position < len(record):
            nanoseconds, kind, file, offset, length = ENTRY.unpack_from(record, position)
            position += ENTRY.size
            data = record[position : position + length]
            position += length
            if kind == CREATE:
                path = data.decode()
                if path in self.names:
                    numbers[file] = self.names[path]
                    continue
                self.files += 1
                numbers[file] = self.names[path] = self.files
            elif kind == UNLINK:
                self.names.pop(data.decode(), None)
            elif kind in (RENAME, LINK):
                path, other = data.decode().split("\0")
                self.names[other] = numbers[file]
                if kind == RENAME:
                    self.names.pop(path)
            elif kind == SYNC and self.names.get(str(self.data)) == numbers[file]:
                self.checkpoints += 1
            self.entries.append((nanoseconds / 1e9, kind, numbers.get(file, 0), offset, data))

    def differences(self):
        """The files that are not what the record makes of them."""
        disk = Disk()
        for entry in self.entries:
            disk.take(entry, is_strict=False)
        image = disk.image(None)
        real = {str(path): path.read_bytes() for path in self.data.parent.iterdir()}
        paths = {path for path in [*image, *real] if not path.endswith(("-shm", ".lock"))}
        return sorted(path for path in paths if image.get(path) != real.get(path))

    def cut(self, count, is_strict):
        """Cuts the power at moments of the record. Returns what is wrong then, with the moment, and
        how many of the images were served."""
        times = self.ledger.acknowledgements()
        first, last = self.entries[0][0], self.entries[-1][0]
        # Half of them at the very moment at which a client has an answer.
        points = [
            self.dice.choice(times) if number % 2 and times else self.dice.uniform(first, last)
            for number in range(count)
        ]
        workers = os.cpu_count() or 1
        results = in_parallel(
            [
                (self._cut_some, sorted(points[number::workers]), self.dice.random(), is_strict)
                for number in range(workers)
            ]
        )
        return [one for wrong, _ in results for one in wrong], sum(count for _, count in results)

    def _cut_some(self, points, seed, is_strict):
        dice = random.Random(seed)
        disk, position, wrong, served = Disk(), 0, [], 0
        place = "/dev/shm" if os.path.isdir("/dev/shm") else None
        for number, point in enumerate(points):
            while position < len(self.entries) and self.entries[position][0] <= point:
                disk.take(self.entries[position], is_strict)
                position += 1
            with tempfile.TemporaryDirectory(prefix="goalpost-trial-", dir=place) as folder:
                image = disk.image(dice)
                for path, data in image.items():
                    (Path(folder) / Path(path).name).write_bytes(data)
                is_served = number % SERVED_OF == 0
                served += is_served
                for problem in self._examine(Path(folder) / self.data.name, point, is_served):
                    wrong.append((point, problem))
        return wrong, served

    def _examine(self, data, point, is_served):
        """What is wrong with an image: examined, read, and also served if need be."""
        wrong = []
        # The power may have gone before there was a file, or while it was made ready: then it is a
        # start that puts things right.
        if is_served or not data.exists() or Path(f"{data}-journal").exists():
            wrong += self._serve(data, point)
        check = subprocess.run(
            command(self.program, "check", str(data)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if check.returncode != 0:
            return [*wrong, check.stdout[-500:]]
        return wrong + self.ledger.contradictions(read_file(data), at=point)

    def _serve(self, data, point):
        try:
            with Server(self.program, data=data) as server:
                return self.ledger.contradictions(read(server, self.ledger.goals), at=point)
        except RuntimeError as problem:
            return [str(problem)]


class Disk:
    """Files as a disk has them: what was synced, and what of the rest may be there or not."""

    def __init__(self):
        self.kept = {}
        self.pending = {}
        self.names = {}
        self.pending_names = []

    def take(self, entry, is_strict):
        """Does one thing of a record.

        As file systems with a journal have it, a sync of any file keeps the names, too; if strict,
        only that of the folder does.
        """
        _, kind, file, offset, data = entry
        if kind in (WRITE, TRUNCATE):
            self.pending.setdefault(file, []).append((kind, offset, data))
        elif kind == FAILED_SYNC:
            # The system takes what it could not write for written.
            self.pending.pop(file, None)
        elif kind == SYNC:
            content = self.kept.setdefault(file, bytearray())
            for change in self.pending.pop(file, []):
                apply(content, *change)
        else:
            if kind == CREATE:
                self.kept.setdefault(file, bytearray())
            if kind != SYNC_FOLDER:
                self.pending_names.append((kind, file, data.decode()))
        if kind == SYNC_FOLDER or (kind == SYNC and not is_strict):
            for change in self.pending_names:
                rename(self.names, *change)
            self.pending_names.clear()

    def image(self, dice):
        """The files after a power cut; without dice, those that the system shows."""
        names = dict(self.names)
        count = len(self.pending_names)
        for change in self.pending_names[: dice.randint(0, count) if dice else count]:
            rename(names, *change)
        how = dice.choice(["keep", "drop", "order", "tear", "tear"]) if dice else "keep"
        image = {}
        for path, file in names.items():
            content = bytearray(self.kept.get(file, b""))
            changes = self.pending.get(file, [])
            if how == "drop":
                changes = []
            elif how == "order":
                changes = changes[: dice.randint(0, len(changes))]
            elif how == "tear":
                changes = torn(changes, dice)
            for change in changes:
                apply(content, *change)
            image[path] = bytes(content)
        return image


def torn(changes, dice):
    """Some of the changes, and of those some of the sectors."""
    share = dice.random()
    for kind, offset, data in changes:
        if kind == TRUNCATE:
            if dice.random() < share:
                yield kind, offset, data
            continue
        start = 0
        while start < len(data):
            end = min(len(data), (offset + start) // SECTOR * SECTOR + SECTOR - offset)
            if dice.random() < share:
                yield kind, offset + start, data[start:end]
            start = end


def apply(content, kind, offset, data):
    if kind == TRUNCATE and offset <= len(content):
        del content[offset:]
        return
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    if kind == WRITE:
        content[offset : offset + len(data)] = data


def rename(names, kind, file, path):
    if kind == CREATE:
        names[path] = file
    elif kind == UNLINK:
        names.pop(path, None)
    else:
        old, new = path.split("\0")
        names[new] = file
        if kind == RENAME:
            names.pop(old, None)


def in_parallel(tasks):
    """Does tasks, a function and its arguments each, in processes of their own."""
    running = []
    for work, *arguments in tasks:
        receiver, sender = processes.Pipe(duplex=False)
        process = processes.Process(
            target=lambda: sender.send(work(*arguments)), daemon=True
        )
        process.start()
        sender.close()
        running.append((process, receiver))
    results = [receiver.recv() for _, receiver in running]
    for process, _ in running:
        process.join()
    return results
