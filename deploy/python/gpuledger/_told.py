"""What happened to rows, counted, and trouble, logged once per kind."""

from __future__ import annotations

import collections
import logging
import threading
import typing

log = logging.getLogger("gpuledger")

# What is counted, with its meaning. Every row that is handed over ends as sent, refused, dropped or replaced, or waits.
COUNTS = {
    "sent": "stored by the server",
    "refused": "faulty, so the server or this package refused them",
    "dropped": "lost, because too many waited or they could not be kept",
    "replaced": "a newer value of the same metric was sent instead",
}


class Told:
    """Counters, and a memory of what was logged. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: set[str] = set()
        self._counts: collections.Counter[str] = collections.Counter()

    def count(self, what: str, n: int = 1) -> None:
        with self._lock:
            self._counts[what] += n

    def counts(self) -> dict[str, int]:
        with self._lock:
            return {name: self._counts[name] for name in COUNTS}

    def trouble(self, kind: str, text: str, *args: object) -> None:
        """Logs a warning, the first time of its kind."""
        with self._lock:
            if kind in self._said:
                return
            self._said.add(kind)
        log.warning(text, *args)

    def caught(self, where: str, error: BaseException) -> None:
        """Logs an error of this package itself, which must not reach the training script."""
        self.trouble("caught " + where, "%s failed and is ignored: %s: %s", where, type(error).__name__, error)


F = typing.TypeVar("F", bound=typing.Callable[..., typing.Any])


def never_raises(fallback: object = None) -> typing.Callable[[F], F]:
    """Makes a method of an object with a Told return fallback instead of raising. KeyboardInterrupt passes."""

    def wrap(method: F) -> F:
        def guarded(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            try:
                return method(self, *args, **kwargs)
            except Exception as error:
                self._told.caught(method.__name__, error)
                return fallback

        guarded.__name__, guarded.__doc__ = method.__name__, method.__doc__
        return typing.cast(F, guarded)

    return wrap
