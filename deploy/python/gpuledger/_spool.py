"""Rows that wait to be sent, in memory and in a file of their own, so that they outlive the process."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import itertools
import json
import os
import tempfile
import time
import typing
import uuid

from ._told import Told

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

CHECKPOINT = "checkpoint"
RESULT = "result"
MOST_ROWS = 10_000
MOST_BYTES = 4 << 20
ABANDONED_AFTER = 86_400.0  # seconds; where files cannot be locked, one as old as this has no owner


@dataclasses.dataclass(frozen=True)
class Row:
    """One thing to send: the kind decides where to."""

    kind: str
    content: dict[str, typing.Any]

    @property
    def replaces(self) -> tuple[str, ...] | None:
        """What a newer row has in common with an older one that it replaces; None: it replaces none. Of several
        results of one metric the newest counts; each checkpoint counts."""
        if self.kind != RESULT:
            return None
        return (self.content["experiment"], self.content["metric"], self.content.get("run", ""))

    def line(self) -> bytes:
        return json.dumps({"kind": self.kind, "row": self.content}, separators=(",", ":")).encode() + b"\n"


def folder_for(url: str, base: str | None = None) -> str:
    """The folder of a server: rows must not reach another one. Without base, GPULEDGER_SPOOL or the user's state."""
    base = base or os.environ.get("GPULEDGER_SPOOL", "")
    if not base:
        state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
        base = os.path.join(state, "gpuledger") if os.access(_standing(state), os.W_OK) else os.path.join(
            tempfile.gettempdir(), "gpuledger-%s" % getattr(os, "getuid", lambda: "")())
    return os.path.join(base, hashlib.sha256(url.encode()).hexdigest()[:12])


def _standing(path: str) -> str:
    """The nearest folder above that exists."""
    while not os.path.isdir(path):
        above = os.path.dirname(path)
        if above == path:
            break
        path = above
    return path


class Spool:
    """The rows of one process. Only the sending thread uses it, apart from len."""

    def __init__(self, folder: str, told: Told, most_rows: int = MOST_ROWS, most_bytes: int = MOST_BYTES) -> None:
        self._told, self._folder, self._most_rows, self._most_bytes = told, folder, most_rows, most_bytes
        self._rows: dict[int, Row] = {}  # by their id, the oldest first
        self._newest: dict[tuple[str, ...], Row] = {}  # of each metric
        self._bytes = 0  # that they take
        self._file: typing.BinaryIO | None = None
        self._lock: typing.BinaryIO | None = None
        self._size = 0  # of the file, which also has lines of rows that were replaced
        self._name = os.path.join(folder, "%d-%s" % (os.getpid(), uuid.uuid4().hex[:12]))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def place(self) -> str:
        """Where rows wait, for messages."""
        return self._folder if self._file is not None else "memory"

    def first(self, kind: str, most: int) -> list[Row]:
        """The oldest rows of a kind."""
        return list(itertools.islice((row for row in self._rows.values() if row.kind == kind), most))

    def add(self, rows: typing.Iterable[Row]) -> None:
        """Keeps rows: in the file at once, so that they are there after a kill."""
        rows = list(rows)
        if not rows:
            return
        text = b"".join(row.line() for row in rows if self._take(row))
        if len(self._rows) > self._most_rows or self._size + len(text) > self._most_bytes:
            self._shorten()
            self._rewrite()
            return
        self._guarded(lambda: self._append(text))

    def _take(self, row: Row) -> bool:
        """Takes a row, unless a newer value of its metric waits."""
        key = row.replaces
        if key is not None:
            before = self._newest.get(key)
            if before is not None:
                self._told.count("replaced")
                if before.content.get("at", "") > row.content.get("at", ""):
                    return False
                self._forget(before)
            self._newest[key] = row
        self._rows[id(row)] = row
        self._bytes += len(row.line())
        return True

    def _forget(self, row: Row) -> None:
        del self._rows[id(row)]
        self._bytes -= len(row.line())
        key = row.replaces
        if key is not None and self._newest.get(key) is row:
            del self._newest[key]

    def done(self, rows: typing.Iterable[Row]) -> None:
        """Forgets rows that were sent or refused."""
        for row in rows:
            self._forget(row)
        self._rewrite()

    def adopt(self) -> None:
        """Takes over the rows of processes that have ended without sending them."""
        with contextlib.suppress(OSError):
            for entry in sorted(os.listdir(self._folder)):
                name = os.path.join(self._folder, entry)
                if entry.endswith(".jsonl") and name[:-6] != self._name:
                    self._guarded(lambda name=name: self._adopt(name[:-6]))

    def close(self) -> None:
        """Removes the file, unless rows wait in it."""
        for file in (self._file, self._lock):
            if file is not None:
                with contextlib.suppress(OSError):
                    file.close()
        if self._file is not None and not self._rows:
            _remove(self._name)
        self._file = self._lock = None

    def _shorten(self) -> None:
        """Drops the oldest rows beyond the bounds: the newest checkpoint is the one that limits what is lost."""
        lost = 0
        while len(self._rows) > self._most_rows or self._bytes > self._most_bytes:
            self._forget(next(iter(self._rows.values())))
            lost += 1
        if lost:
            self._told.count("dropped", lost)
            self._told.trouble("full", "more than %d rows or %d bytes wait for the server: the oldest are dropped",
                               self._most_rows, self._most_bytes)

    def _open(self) -> None:
        if self._file is not None:
            return
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        self._lock = open(self._name + ".lock", "ab")
        _locked(self._lock)
        self._file = os.fdopen(os.open(self._name + ".jsonl", os.O_RDWR | os.O_CREAT, 0o600), "r+b")

    def _append(self, text: bytes) -> None:
        self._open()
        assert self._file is not None
        self._file.seek(0, os.SEEK_END)
        self._file.write(text)
        self._file.flush()
        self._size += len(text)

    def _rewrite(self) -> None:
        """Writes the file again with the rows that wait."""
        if self._file is None and not self._rows:
            return
        self._guarded(self._replace)

    def _replace(self) -> None:
        text = b"".join(row.line() for row in self._rows.values())
        self._open()
        assert self._file is not None
        new = self._name + ".new"
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(text)
        self._file.close()
        os.replace(new, self._name + ".jsonl")
        self._file = open(self._name + ".jsonl", "r+b")
        self._size = len(text)

    def _adopt(self, name: str) -> None:
        with open(name + ".lock", "ab") as lock:
            if not _locked(lock) or fcntl is None and time.time() - os.path.getmtime(name + ".jsonl") < ABANDONED_AFTER:
                return
            rows, faulty = _read(name + ".jsonl")
            self.add(rows)  # before the other file is removed: a kill in between leaves rows twice, which is harmless
            if faulty:
                self._told.count("dropped", faulty)
                self._told.trouble("unreadable", "%d lines of %s cannot be read and are dropped", faulty, name)
            _remove(name)

    def _guarded(self, step: typing.Callable[[], None]) -> None:
        """Without a file, rows wait in memory alone."""
        try:
            step()
        except OSError as error:
            self._told.trouble(
                "spool", "rows that wait for the server are in memory alone, since %s cannot be written: %s",
                self._folder,
                error)


def _read(path: str) -> tuple[list[Row], int]:
    """The rows of a file. A kill may have cut the last line."""
    rows, faulty = [], 0
    with open(path, "rb") as file:
        for line in file.read(2 * MOST_BYTES).splitlines():
            try:
                value = json.loads(line)
                row = Row(value["kind"], dict(value["row"]))
                if row.kind not in (CHECKPOINT, RESULT):
                    raise ValueError(row.kind)
                _ = row.replaces
                rows.append(row)
            except (ValueError, TypeError, KeyError):
                faulty += 1
    return rows, faulty


def _locked(file: typing.BinaryIO) -> bool:
    """Locks a file until it is closed; False if another process has locked it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove(name: str) -> None:
    for end in (".new", ".jsonl", ".lock"):
        with contextlib.suppress(OSError):
            os.remove(name + end)
