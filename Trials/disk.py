"""A disk that is full, fails, may not be written, or is gone."""

import errno
import hashlib
import os
import random
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from kill import NEWEST, figures, make_old_file
from ledger import Ledger, Writers, read
from shim import Faults, compile_shim, preloaded
from support import Server, command, judge, wait_until

CONNECTIONS = 4

# Of the file system that gets full: more than the log takes before it is folded in.
BYTES = 12 * 1024 * 1024


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        folder = Path(folder)
        library = compile_shim(folder)
        failing_calls(report, program, library, dice, folder, rounds=1 if short else 8)
        failing_start(report, program, library, dice, folder, tries=2 if short else 20)
        with small_file_system(folder / "small") as small:
            if small:
                full_while_writing(report, program, dice, small)
                full_at_start(report, program, dice, small)
                full_in_upgrade(report, program, small)
                full_in_backup(report, program, dice, small)
                read_only(report, program, small)
            else:
                print("skip  disk: a file system can be mounted by root only", flush=True)
        file_gone(report, program, dice, folder)
        not_allowed(report, program, dice, folder)


# Calls that fail

# What fails, how, and what clients are told then.
KINDS = {
    "EIO on write": (["write"], errno.EIO, 503),
    "ENOSPC on write": (["write"], errno.ENOSPC, 507),
    "half of each write, then ENOSPC": (["write"], 0, 507),
    "EIO on sync": (["sync"], errno.EIO, 503),
    "ENOSPC on sync": (["sync"], errno.ENOSPC, 503),
}


def failing_calls(report, program, library, dice, folder, rounds):
    """Writes while calls fail from the first, the second ... on, and once they succeed again."""
    for kind, (calls, error, status) in KINDS.items():
        data = folder / kind.replace(" ", "-") / "goalpost.sqlite"
        data.parent.mkdir()
        faults = Faults(data.parent.with_suffix(".faults"))
        ledger = Ledger(dice)
        wrong, statuses, hits, tries = [], set(), 0, 0
        readiness, reads, refused = set(), set(), 0
        prefix = preloaded(library, data.parent, faults=faults.path)
        for _ in range(rounds):
            with Server(program, prefix=prefix, data=data) as server:
                write(server, ledger, 40)
                for after in range(8):
                    tries += 1
                    faults.set(calls, error or 0, after, ending="-wal")
                    before = ledger.counts.copy()
                    if error:
                        write(server, ledger, 12)
                    else:
                        # SQLite writes the other half by itself; so the disk has to be full, too.
                        write(server, ledger, 4)
                        faults.set(calls, errno.ENOSPC, after, ending="-wal")
                        write(server, ledger, 12)
                    failed = {s: n for s, n in (ledger.counts - before).items() if s >= 500}
                    statuses |= set(failed)
                    refused += sum(failed.values())
                    # The last of the calls that still succeed may be those of the last write.
                    if failed:
                        readiness.add(readiness_of(server))
                    reads.add(server.ask("GET", "/goals").status)
                    hits += faults.end()
                    before = ledger.counts.copy()
                    write(server, ledger, 12)
                    statuses |= {-s for s, n in (ledger.counts - before).items() if s >= 500}
                    wrong += ledger.contradictions(read(server, ledger.goals))
                server.process.kill()
            if judge(program, data):
                wrong.append("the file is not sound")
            with Server(program, data=data) as server:
                seen = read(server, ledger.goals)
                wrong += ledger.contradictions(seen)
                ledger.settle(seen, ledger.goals)
        what = f"{kind}, {tries} times"
        report.at_least(f"{what}: calls that failed", hits, tries)
        report.at_least(f"{what}: writes refused", refused, tries)
        # Negative ones came when nothing failed any more.
        report.exactly(f"{what}: refused with", statuses, {status})
        report.exactly(f"{what}: /readyz", {one[0] for one in readiness}, {503})
        report.note(f"{what}: it says", sorted({one[1] for one in readiness}))
        report.exactly(f"{what}: reads", reads, {200})
        report.exactly(f"{what}: contradictions", wrong[:3], [])


def write(server, ledger, count):
    writers = Writers(server, ledger, CONNECTIONS)
    writers.run(writes=count)
    writers.finish()


def readiness_of(server):
    answer = server.ask("GET", "/readyz")
    return answer.status, answer.json.get("detail", "")


# The calls of a start, an error, and how many of them a start may make.
START_FAULTS = [
    (["write"], errno.EIO, 60),
    (["write"], errno.ENOSPC, 60),
    (["sync"], errno.EIO, 8),
    (["read"], errno.EIO, 30),
    (["open"], errno.EMFILE, 20),
    (["truncate"], errno.EIO, 3),
]


def failing_start(report, program, library, dice, folder, tries):
    """The n-th call of a start fails, or of the stop after it: on a new file, on one with a log,
    and on one to upgrade."""
    old = folder / "old.sqlite"
    make_old_file(old, 1)
    expected = figures(old)
    ledger = Ledger(dice)
    crashed = folder / "crashed" / "goalpost.sqlite"
    crashed.parent.mkdir()
    with Server(program, data=crashed) as server:
        write(server, ledger, 300)
        server.process.kill()
    for stage in ["new", "log", "upgrade"]:
        statuses, silent, wrong, hits, refusals = set(), [], [], 0, 0
        for calls, error, most in START_FAULTS:
            for after in [0, *dice.sample(range(1, most), min(most, tries) - 1)]:
                place = folder / "stage"
                shutil.rmtree(place, ignore_errors=True)
                data = place / "goalpost.sqlite"
                place.mkdir()
                if stage == "log":
                    shutil.copy(crashed, data)
                    shutil.copy(f"{crashed}-wal", f"{data}-wal")
                elif stage == "upgrade":
                    shutil.copy(old, data)
                faults = Faults(folder / "stage.faults")
                faults.set(calls, error, after)
                prefix = preloaded(library, place, faults=faults.path)
                status, said = start_and_stop(program, prefix, data)
                hits += bool(faults.end())
                statuses.add(status)
                refusals += status == 1
                # One sentence, which names the file and what is wrong.
                if status == 1 and (str(data) not in said or "\n" in said):
                    silent.append(said)
                wrong += after_a_failed_start(program, data, stage, expected, ledger)
        what = f"calls that fail in a start ({stage})"
        report.at_least(f"{what}: starts with a fault", hits, 3)
        report.at_least(f"{what}: starts refused", refusals, 2)
        report.exactly(f"{what}: exit statuses but 0 and 1", statuses - {0, 1}, set())
        report.exactly(f"{what}: refusals without one sentence on the file", silent[:2], [])
        report.exactly(f"{what}: what the next start found wrong", wrong[:3], [])


def start_and_stop(program, prefix, data):
    """Starts a server and stops it once it serves. Returns its exit status and what it said."""
    # Read by its name: who reads by what the server has open moves the place where that writes.
    with tempfile.NamedTemporaryFile("w") as log:
        start = command(program, "--port", "0", "--log-level", "error", "--data", str(data))
        started = subprocess.Popen([*prefix, *start], stderr=log)

        def said():
            return Path(log.name).read_text()

        wait_until(lambda: started.poll() is not None or "Data in" in said(), 20)
        started.terminate()
        try:
            status = started.wait(20)
        except subprocess.TimeoutExpired:
            started.kill()
            status = started.wait()
        lines = [line for line in said().splitlines() if '"level":"notice"' not in line]
        return status, "\n".join(lines)


def after_a_failed_start(program, data, stage, expected, ledger):
    try:
        with Server(program, data=data) as server:
            if stage == "log":
                return ledger.contradictions(read(server, ledger.goals))
            found = figures(data)
            is_right = stage == "new" or found == expected | {"version": NEWEST}
            return [] if is_right else [found]
    except RuntimeError as problem:
        return [str(problem)]


# A full disk


@contextmanager
def small_file_system(place):
    """A small file system at a place; `None` where none can be mounted."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={BYTES},mode=755", "goalpost-trial", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill_up(ballast, leave=0):
    """Takes all room of a file system but some bytes."""
    with open(ballast, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        file.truncate(max(0, file.tell() - leave))


def empty(place):
    for path in place.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def full_while_writing(report, program, dice, small):
    data, ballast = small / "goalpost.sqlite", small / "ballast"
    ledger = Ledger(dice)
    with Server(program, data=data) as server:
        write(server, ledger, 40)
        fill_up(ballast, leave=200_000)
        # Refused are those that add; what is changed may find room in the log.
        while ledger.counts[507] < 50 and ledger.counts.total() < 20_000:
            write(server, ledger, 20)
        refused = {s: n for s, n in ledger.counts.items() if s >= 500}
        status, detail = readiness_of(server)
        reads = {server.ask("GET", target).status for target in ["/goals", ledger.goals[0].path]}
        wrong = ledger.contradictions(read(server, ledger.goals))
        ballast.unlink()
        before = ledger.counts.copy()
        write(server, ledger, 40)
        late = {s: n for s, n in (ledger.counts - before).items() if s >= 500}
        ready = server.ask("GET", "/readyz").status
        wrong += ledger.contradictions(read(server, ledger.goals))
        server.process.kill()
    unsound = judge(program, data)
    with Server(program, data=data) as server:
        wrong += ledger.contradictions(read(server, ledger.goals))
    what = "a full disk"
    report.note(f"{what}: writes acknowledged", ledger.acknowledged)
    report.exactly(f"{what}: refused with", set(refused), {507})
    # It tries a small write, for which the log may have room.
    report.note(f"{what}: /readyz", f"{status} {detail}".rstrip())
    report.exactly(f"{what}: reads", reads - {410}, {200})
    report.exactly(f"{what}: refused once there is room", late, {})
    report.exactly(f"{what}: /readyz then", ready, 200)
    report.exactly(f"{what}: contradictions", wrong[:3], [])
    report.exactly(f"{what}: the file is sound", unsound, 0)
    empty(small)


def full_at_start(report, program, dice, small):
    """With ever more room, until a server starts."""
    data, ballast = small / "goalpost.sqlite", small / "ballast"
    ledger = Ledger(dice)
    for stage in ["new", "log"]:
        refusals, other, wrong = 0, [], []
        for leave in range(0, 400_000, 40_000):
            empty(small)
            if stage == "log":
                ledger = Ledger(dice)
                with Server(program, data=data) as server:
                    write(server, ledger, 60)
                    server.process.kill()
            fill_up(ballast, leave)
            status, said = start_and_stop(program, [], data)
            refusals += status == 1
            if status not in (0, 1) or status == 1 and str(data) not in said:
                other.append((status, said))
            ballast.unlink()
            wrong += after_a_failed_start(program, data, stage, None, ledger)
        what = f"a start on a full disk ({stage})"
        # What has its log already needs no room to start.
        report.at_least(f"{what}: refused", refusals, 1 if stage == "new" else 0)
        report.exactly(f"{what}: refused in another way", other[:2], [])
        report.exactly(f"{what}: what the next start found wrong", wrong[:3], [])
    empty(small)


def full_in_upgrade(report, program, small):
    """With ever more room, until the upgrade is done: before, the file is as it was."""
    old, data, ballast = small.parent / "old.sqlite", small / "goalpost.sqlite", small / "ballast"
    expected, refusals, wrong, said = figures(old), 0, [], ""
    for leave in range(0, BYTES, 50_000):
        empty(small)
        shutil.copy(old, data)
        before = digest(data)
        fill_up(ballast, leave)
        status, said = start_and_stop(program, [], data)
        if status == 0:
            break
        refusals += 1
        if digest(data) != before or f"{data}" not in said:
            wrong.append((leave, said))
        ballast.unlink()
        wrong += after_a_failed_start(program, data, "upgrade", expected, None)
        wrong += [f"{one} is not sound" for one in small.glob("*.sqlite") if judge(program, one)]
    what = "an upgrade on a full disk"
    report.at_least(f"{what}: refused", refusals, 3)
    report.exactly(f"{what}: done once there is room", status, 0)
    report.exactly(f"{what}: the file changed, no word of it, or a loss", wrong[:3], [])
    empty(small)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def full_in_backup(report, program, dice, small):
    data, copy, ballast = small.parent / "whole.sqlite", small / "copy.sqlite", small / "ballast"
    ledger = Ledger(dice)
    with Server(program, data=data) as server:
        write(server, ledger, 400)
    size = data.stat().st_size
    left, refusals, statuses = [], 0, set()
    for leave in range(0, size, max(4096, size // 10)):
        empty(small)
        fill_up(ballast, leave)
        copying = subprocess.run(
            command(program, "backup", str(copy), "--data", str(data)),
            capture_output=True,
            text=True,
        )
        statuses.add(copying.returncode)
        refusals += "full" in copying.stderr or "No space" in copying.stderr
        left += [path.name for path in small.iterdir() if path != ballast]
    what = f"a backup of {size // 1024} KiB to a full disk"
    report.exactly(f"{what}: exit statuses", statuses, {1})
    report.at_least(f"{what}: that said so", refusals, 10)
    report.exactly(f"{what}: files that were left", left, [])
    empty(small)


# A disk that may not be written, and files that are gone


def read_only(report, program, small):
    data = small / "goalpost.sqlite"
    with Server(program, data=data) as server:
        server.fill(3)
        server.stop()
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    status, said = start_and_stop(program, [], data)
    subprocess.run(["mount", "-o", "remount,rw", str(small)], check=True)
    report.exactly("a start on a read-only file system: exit status", status, 1)
    report.exactly("a start on a read-only file system: names the file", str(data) in said, True)
    report.note("a start on a read-only file system: says", said.strip())
    empty(small)


def file_gone(report, program, dice, folder):
    """The file, or its folder, is moved away under the server, and back; or removed for good."""
    for what, is_folder in [("the file", False), ("the folder", True)]:
        data = folder / f"gone-{is_folder}" / "goalpost.sqlite"
        data.parent.mkdir()
        moved = data.parent if is_folder else data
        away = folder / f"away-{is_folder}"
        ledger = Ledger(dice)
        with Server(program, data=data) as server:
            write(server, ledger, 40)
            moved.rename(away)
            before = ledger.counts.copy()
            write(server, ledger, 20)
            statuses = {s for s, n in (ledger.counts - before).items() if s < 400 or s >= 500}
            ready, detail = readiness_of(server)
            reads = server.ask("GET", "/goals").status
            is_made_anew = moved.exists()
            away.rename(moved)
            before = ledger.counts.copy()
            write(server, ledger, 20)
            late = {s for s, n in (ledger.counts - before).items() if s >= 500}
            wrong = ledger.contradictions(read(server, ledger.goals))
            server.process.kill()
        with Server(program, data=data) as server:
            wrong += ledger.contradictions(read(server, ledger.goals))
            if is_folder:
                shutil.rmtree(data.parent)
            else:
                data.unlink()
            removed = server.ask("POST", "/goals", {"title": "Lost?"}).status
            made = data.exists()
        report.exactly(f"{what} is gone: writes", statuses, {503})
        report.exactly(f"{what} is gone: /readyz", ready, 503)
        report.note(f"{what} is gone: it says", detail)
        report.exactly(f"{what} is gone: reads", reads, 200)
        report.exactly(f"{what} is gone: made anew", is_made_anew, False)
        report.exactly(f"{what} is back: refused", late, set())
        report.exactly(f"{what} is back: contradictions", wrong[:3], [])
        report.exactly(f"{what} is removed for good: a write", removed, 503)
        report.exactly(f"{what} is removed for good: a file is made", made, False)


def not_allowed(report, program, dice, folder):
    """Another user may not write the file, or nothing beside it."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        print("skip  disk: only root can become another user, with setpriv", flush=True)
        return
    place = folder / "other"
    place.mkdir()
    data = place / "goalpost.sqlite"
    # Where the program is need not be open to others.
    own = folder / "program"
    shutil.copy(program, own)
    own.chmod(0o755)
    for path in [folder, place]:
        path.chmod(0o755)
    with Server(program, data=data) as server:
        server.fill(3)
        server.stop()
    before = digest(data)
    other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    for what, mode, folder_mode in [
        ("a file that may not be read", 0o600, 0o777),
        ("a file that may only be read", 0o644, 0o777),
        ("a folder that may only be read", 0o666, 0o755),
        ("a folder that may not be entered", 0o666, 0o700),
    ]:
        data.chmod(mode)
        place.chmod(folder_mode)
        status, said = start_and_stop(str(own), other, data)
        report.exactly(f"{what}: exit status", status, 1)
        report.exactly(f"{what}: it is named", str(data) in said, True)
        report.note(f"{what}: says", said.strip())
    report.exactly("what may not be written: is as it was", digest(data) == before, True)
