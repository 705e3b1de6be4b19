"""A run, as a training script uses it."""

from __future__ import annotations

import atexit
import contextlib
import datetime
import decimal
import os
import threading
import time
import typing

from . import _cost, _identity, _times
from ._http import Away, Denied, Refused, Server
from ._sender import Pace, Sender
from ._spool import CHECKPOINT, MOST_BYTES, MOST_ROWS, RESULT, Row, Spool, folder_for
from ._told import Told, never_raises

LONGEST_CHECKPOINT = 86_400.0  # seconds
FIRST_WAIT = 2.0  # seconds that the first cost() may wait
COST_EVERY = 60.0  # seconds between two questions for the cost
CLOSED = "closed"

_open: set[Run] = set()  # those that are closed when the program ends


def start(run_id: str | None = None, *, experiment: str | None = None, url: str | None = None,
          token: str | None = None, read_token: str | None = None, cluster: str | None = None,
          spool: str | None = None, all_ranks: bool = False, timeout: float = 5.0) -> Run:
    """Begins to tell gpuledger about a run. It returns a Run whatever happens: one that cannot send logs the reason
    once and counts what it drops.

    Every argument has a variable: GPULEDGER_RUN_ID, GPULEDGER_EXPERIMENT, GPULEDGER_URL, GPULEDGER_TOKEN,
    GPULEDGER_READ_TOKEN, GPULEDGER_CLUSTER, GPULEDGER_SPOOL. Of processes that train together, only rank 0 sends,
    unless all_ranks is true."""
    return Run(run_id, experiment=experiment, url=url, token=token, read_token=read_token, cluster=cluster, spool=spool,
               all_ranks=all_ranks, timeout=timeout)


class Run:
    """One run. No method raises, and only cost, flush and close wait, each for a bounded time."""

    def __init__(self, run_id: str | None, *, experiment: str | None, url: str | None, token: str | None,
                 read_token: str | None, cluster: str | None, spool: str | None, all_ranks: bool, timeout: float,
                 pace: Pace = Pace(), most_rows: int = MOST_ROWS, most_bytes: int = MOST_BYTES) -> None:
        self._told = Told()
        self._sender: Sender | None = None
        self._server: Server | None = None
        self._identity: _identity.Identity | None = None
        self._experiment = ""
        self._silent = ""  # why nothing is sent
        self._quiet = False  # another process sends, so nothing is missing
        self._left = 0  # rows that waited when it was closed
        self._lock = threading.Lock()
        self._cost: _cost.Cost | None = None
        self._cost_asked = -COST_EVERY
        self._cost_known = threading.Event()
        self._asking = False
        self._clock = pace.clock
        try:
            self._begin(run_id, experiment, url, token, read_token, cluster, spool, all_ranks, timeout, pace, most_rows,
                        most_bytes)
        except Exception as error:
            self._silent = "start failed"
            self._told.caught("start", error)

    def _begin(self, run_id: str | None, experiment: str | None, url: str | None, token: str | None,
               read_token: str | None, cluster: str | None, spool: str | None, all_ranks: bool, timeout: float,
               pace: Pace, most_rows: int, most_bytes: int) -> None:
        env = os.environ
        self._experiment = experiment or env.get("GPULEDGER_EXPERIMENT", "")
        self._identity = _identity.find(run_id, cluster)
        url = url or env.get("GPULEDGER_URL", "")
        if not url:
            self._silence("GPULEDGER_URL is not set, so nothing is sent to gpuledger")
            return
        self._server = Server(url, token or env.get("GPULEDGER_TOKEN", ""),
                              read_token or env.get("GPULEDGER_READ_TOKEN", ""), timeout)
        if self._identity is None:
            self._silence("no run is named, so nothing is sent to gpuledger: set GPULEDGER_RUN_ID, or "
                          "GPULEDGER_CLUSTER inside a pod or Slurm job")
            return
        if _identity.rank() > 0 and not all_ranks:
            self._silent, self._quiet = "rank 0 sends", True
            return
        waiting = Spool(folder_for(self._server.url, spool), self._told, most_rows, most_bytes)
        self._sender = Sender(self._server, waiting, self._told, pace)
        _open.add(self)

    def _silence(self, text: str) -> None:
        self._silent = text
        self._told.trouble("silent", text)

    @property
    def run_id(self) -> str:
        """The id of the run; empty if it is named by its pod or job."""
        return self._identity.run_id if self._identity else ""

    @never_raises()
    def checkpoint(self, step: int | None = None, *, duration: float | None = None,
                   at: datetime.datetime | None = None) -> None:
        """Tells that a checkpoint was saved, now or at a time; work until then cannot be lost any more. duration is the
        time in seconds that writing it took."""
        row: dict[str, typing.Any] = dict(self._identity.names) if self._identity else {}
        row["at"] = _times.text(at.timestamp() if at is not None else time.time())
        if step is not None:
            row["step"] = int(step)
            if row["step"] < 0:
                self._refuse("a checkpoint's step must not be negative: %r" % step)
                return
        if duration is not None:
            seconds = round(float(duration), 3)
            if 0 < seconds <= LONGEST_CHECKPOINT:
                row["duration_seconds"] = seconds
            elif seconds != 0:
                self._told.trouble(
                    "duration", "the duration of a checkpoint is left out: %r is not between 0 and %d seconds",
                    duration,
                    LONGEST_CHECKPOINT)
        self._put(Row(CHECKPOINT, row))

    @contextlib.contextmanager
    def saving(self, step: int | None = None) -> typing.Iterator[None]:
        """Surrounds the writing of a checkpoint, and tells it with its duration. If writing raises, there is none."""
        began = time.monotonic()
        yield
        self.checkpoint(step, duration=time.monotonic() - began)

    @never_raises()
    def metric(self, name: str, value: typing.Any, *, baseline: typing.Any = None, threshold: typing.Any = None,
               direction: str | None = None, experiment: str | None = None) -> None:
        """Tells the newest value of a metric of the experiment. Call it as often as you like: it is sent once a minute
        and at the end, and only the newest value counts. direction is higher (the default) or lower."""
        experiment = experiment or self._experiment
        if not experiment:
            self._refuse("metric %s belongs to no experiment: pass experiment= or set GPULEDGER_EXPERIMENT" % name)
            return
        row: dict[str, typing.Any] = {"experiment": str(experiment), "metric": str(name)}
        for key, number in (("value", value), ("baseline", baseline), ("threshold", threshold)):
            if number is None and key != "value":
                continue
            try:
                row[key] = _number(number)
            except (ValueError, TypeError, ArithmeticError):
                self._refuse("%s of metric %s is not a finite number: %r" % (key, name, str(number)[:50]))
                return
        if self.run_id:
            row["run"] = self.run_id
        if direction:
            row["direction"] = str(direction)
        row["at"] = _times.text(time.time())
        self._put(Row(RESULT, row))

    def _put(self, row: Row) -> None:
        if self._sender is not None:
            self._sender.put(row)
        elif not self._quiet:
            self._told.count("dropped")
            if self._silent == CLOSED:
                self._told.trouble("late", "the run is closed: further checkpoints and metrics are dropped")

    def _refuse(self, text: str) -> None:
        self._told.count("refused")
        self._told.trouble("refused here: " + text[:40], "%s", text)

    @never_raises(_cost.Cost("", reason="an error, see the log"))
    def cost(self, wait: float | None = None) -> _cost.Cost:
        """What the run costs so far. It returns the newest answer, and asks for another one in the background at most
        once a minute; only the first call waits, for 2 s at most. wait is the time in seconds to wait for a new one."""
        if self._server is None or self._identity is None:
            return _cost.Cost("", reason=self._silent or "no run is named")
        first = self._cost is None and self._cost_asked == -COST_EVERY
        if wait is None:
            wait = FIRST_WAIT if first else 0.0
        with self._lock:
            due = wait > 0 or self._clock() - self._cost_asked >= COST_EVERY
            if due and not self._asking:
                self._asking, self._cost_asked = True, self._clock()
                self._cost_known.clear()
                threading.Thread(target=self._ask, name="gpuledger-cost", daemon=True).start()
        if wait > 0:
            self._cost_known.wait(wait)
        return self._cost or _cost.Cost(self.run_id, reason="the server has not answered yet")

    def _ask(self) -> None:
        server, identity = self._server, self._identity
        assert server is not None and identity is not None
        try:
            answer = _cost.ask(server, identity)
            if answer.known or self._cost is None or not self._cost.known:
                self._cost = answer
        except (Away, Denied, Refused) as error:
            self._told.trouble("cost", "the cost of the run is not known: %s", error)
            if self._cost is None or not self._cost.known:
                self._cost = _cost.Cost(identity.run_id, reason=str(error))
        except Exception as error:
            self._told.caught("cost", error)
        finally:
            self._asking = False
            self._cost_known.set()

    @property
    def stats(self) -> dict[str, typing.Any]:
        """What became of everything that was told: rows that were sent, refused, dropped, replaced, or wait."""
        counts: dict[str, typing.Any] = self._told.counts()
        counts["waiting"] = self._sender.waiting() if self._sender is not None else self._left
        counts["silent"] = self._silent
        return counts

    @never_raises(False)
    def flush(self, timeout: float = 5.0) -> bool:
        """Sends what waits, and reports whether all of it is stored now."""
        return self._sender.flush(timeout) if self._sender is not None else True

    @never_raises(False)
    def close(self, timeout: float = 3.0) -> bool:
        """Sends what waits once more, for the given seconds at most, and reports whether all of it is stored. Rows that
        are left wait in the file: the next run on this machine sends them, or `python -m gpuledger send`."""
        with self._lock:
            sender, self._sender = self._sender, None
        _open.discard(self)
        if sender is None:
            return True
        sent = sender.close(timeout)
        self._silent = CLOSED
        counts, left = self._told.counts(), sender.waiting()
        self._left = left
        if left or counts["dropped"] or counts["refused"]:
            self._told.trouble("end", "gpuledger: %d sent, %d refused, %d dropped; %d wait for the server",
                               counts["sent"], counts["refused"], counts["dropped"], left)
        return sent

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _forked(self) -> None:
        """In a forked process the sending thread is gone, and locks may be held for ever."""
        self._sender, self._silent, self._quiet = None, "the process that started the run sends", True
        self._lock = threading.Lock()


def _number(value: typing.Any) -> str:
    """A decimal without exponent. Numbers of NumPy, PyTorch and the like are floats here."""
    if isinstance(value, bool):
        raise TypeError("a truth value")
    if isinstance(value, (int, decimal.Decimal, str)):
        number = decimal.Decimal(value)
    else:
        number = decimal.Decimal(repr(float(value)))
    if not number.is_finite():
        raise ValueError("not finite")
    return format(number, "f")


def _close_all() -> None:
    end = time.monotonic() + 3.0
    for run in list(_open):
        run.close(max(end - time.monotonic(), 0.0))


def _after_fork() -> None:
    for run in list(_open):
        run._forked()
    _open.clear()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
