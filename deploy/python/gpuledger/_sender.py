"""The background thread that sends rows, and keeps those that cannot be sent."""

from __future__ import annotations

import dataclasses
import random
import threading
import time
import typing

from ._http import Away, Denied, Refused, Server
from ._spool import CHECKPOINT, RESULT, Row, Spool
from ._times import after
from ._told import Told, log

ADDRESSES = {CHECKPOINT: "/api/v1/checkpoints", RESULT: "/api/v1/experiments"}
MOST_AT_ONCE = 500  # rows in a request
MOST_METRICS = 1_000  # different ones that wait in memory


@dataclasses.dataclass(frozen=True)
class Pace:
    """How often is sent, in seconds."""

    results: float = 60.0  # between two values of a metric
    gather: float = 0.2  # between two looks at the queue: a loop that tells much is not slowed by the thread
    first_pause: float = 1.0  # after a failure; doubled up to longest_pause
    longest_pause: float = 60.0
    clock: typing.Callable[[], float] = time.monotonic


class Sender:
    """Takes rows without waiting, and sends them in a thread that never holds up the end of the program."""

    def __init__(self, server: Server, spool: Spool, told: Told, pace: Pace = Pace()) -> None:
        self._server, self._spool, self._told, self._pace = server, spool, told, pace
        self._lock = threading.Lock()
        self._checkpoints: list[Row] = []
        self._results: dict[tuple[str, ...], Row] = {}  # the newest of each metric
        self._kept_at: dict[tuple[str, ...], str] = {}
        self._wake, self._rested, self._closing = threading.Event(), threading.Event(), False
        self._urged = threading.Event()
        self._not_before = self._results_at = 0.0
        self._failures = 0
        self._urgent = False
        self._thread = threading.Thread(target=self._work, name="gpuledger", daemon=True)
        self._thread.start()

    def put(self, row: Row) -> None:
        key = row.replaces
        with self._lock:
            if key is None:
                self._checkpoints.append(row)
                if len(self._checkpoints) > MOST_AT_ONCE * 20:  # the thread cannot keep up, or has died
                    del self._checkpoints[0]
                    self._told.count("dropped")
            else:
                if key in self._results:
                    self._told.count("replaced")
                elif len(self._results) >= MOST_METRICS:
                    self._told.count("dropped")
                    self._told.trouble("metrics", "more than %d different metrics at once: further ones are dropped",
                                       MOST_METRICS)
                    return
                self._results[key] = row
        if key is None:
            self._wake.set()

    def waiting(self) -> int:
        with self._lock:
            return len(self._checkpoints) + len(self._results) + len(self._spool)

    def flush(self, timeout: float) -> bool:
        """Asks for a try at once and waits for its end; whether nothing waits then."""
        with self._lock:
            self._rested.clear()
            self._urgent = True
            self._urged.set()
        self._wake.set()
        self._rested.wait(timeout)
        return self.waiting() == 0

    def close(self, timeout: float) -> bool:
        """Tries once more, then ends the thread. Rows that are left wait in the file."""
        with self._lock:
            self._closing = True
        sent = self.flush(timeout)
        self._thread.join(0.1 if sent else 0.0)
        return sent

    def _work(self) -> None:
        try:
            self._spool.adopt()
        except Exception as error:
            self._told.caught("taking over rows that wait", error)
        while True:
            with self._lock:
                urgent, closing, self._urgent = self._urgent, self._closing, False
                self._urged.clear()
            self._wake.clear()
            try:
                self._keep()
                if urgent or self._pace.clock() >= self._not_before:
                    self._send_all(urgent)
            except Exception as error:
                self._told.caught("sending", error)
                self._pause(0.0)
            if urgent:
                if closing:
                    self._spool.close()
                self._rested.set()
                if closing:
                    return
            self._urged.wait(self._pace.gather)
            self._wake.wait(self._until())

    def _until(self) -> float:
        """How long the thread rests: at most a second, since results come in without waking it."""
        pause = self._not_before - self._pace.clock()
        return min(pause, 1.0) if pause > 0 and len(self._spool) else 1.0

    def _keep(self) -> None:
        """Moves what was handed over to the file."""
        with self._lock:
            rows = self._checkpoints + list(self._results.values())
            self._checkpoints, self._results = [], {}
        for row in rows:
            if row.replaces:  # two values of one metric in one second would contradict each other
                before = self._kept_at.get(row.replaces, "")
                if row.content["at"] <= before:
                    row.content["at"] = after(before)
                self._kept_at[row.replaces] = row.content["at"]
        self._spool.add(rows)

    def _send_all(self, urgent: bool) -> None:
        for kind in (CHECKPOINT, RESULT):
            if kind == RESULT and not urgent and self._pace.clock() < self._results_at:
                continue
            while True:
                rows = self._spool.first(kind, MOST_AT_ONCE)
                if not rows:
                    break
                if not self._send(kind, rows):
                    return
                if kind == RESULT:
                    self._results_at = self._pace.clock() + self._pace.results

    def _send(self, kind: str, rows: list[Row]) -> bool:
        """Sends rows of a kind; False if the server cannot be reached now."""
        try:
            self._server.post(ADDRESSES[kind], [row.content for row in rows])
        except Away as error:
            self._told.trouble("away", "%s; rows wait in %s and are sent later", error, self._spool.place)
            self._pause(error.after)
            return False
        except Denied as error:
            self._told.trouble("denied", "%s; rows wait in %s and are sent later", error, self._spool.place)
            self._pause(self._pace.longest_pause)
            return False
        except Refused as error:
            if len(rows) > 1:  # one faulty row refuses the list: find it
                half = len(rows) // 2
                return self._send(kind, rows[:half]) and self._send(kind, rows[half:])
            self._told.count("refused", len(rows))
            self._told.trouble("refused", "a %s is refused: %s", kind, error)
            self._spool.done(rows)
            return True
        self._spool.done(rows)
        self._told.count("sent", len(rows))
        if self._failures:
            log.info("gpuledger answers again")
        self._failures, self._not_before = 0, 0.0
        return True

    def _pause(self, after: float) -> None:
        self._failures += 1
        pause = min(self._pace.first_pause * 2 ** min(self._failures - 1, 10), self._pace.longest_pause)
        self._not_before = self._pace.clock() + max(after, pause * random.uniform(0.75, 1.0))
