"""Times as the API takes them: RFC 3339 in UTC, whole seconds. Texts of this form sort like their times."""

from __future__ import annotations

import datetime

FORM = "%Y-%m-%dT%H:%M:%SZ"


def text(at: float) -> str:
    return datetime.datetime.fromtimestamp(int(at), datetime.timezone.utc).strftime(FORM)


def after(earlier: str) -> str:
    """The next second."""
    return (datetime.datetime.strptime(earlier, FORM) + datetime.timedelta(seconds=1)).strftime(FORM)
