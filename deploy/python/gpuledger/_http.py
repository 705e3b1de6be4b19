"""One request to the server: bounded in time and size, without redirects."""

from __future__ import annotations

import hashlib
import http.client
import json
import time
import typing
import urllib.error
import urllib.parse
import urllib.request

from ._version import VERSION

LARGEST_ANSWER = 1 << 20  # bytes
LONGEST_PAUSE = 300.0  # seconds; what Retry-After may ask


class Away(Exception):
    """The server did not answer, or asked to come back: the same request may succeed later."""

    def __init__(self, text: str, after: float = 0.0) -> None:
        super().__init__(text)
        self.after = after


class Denied(Exception):
    """The server answers, but not to us: a wrong token or address, which a person has to correct."""


class Refused(Exception):
    """The server will never take this request."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could carry the token to another host, and turns a POST into a GET."""

    def redirect_request(self, *args: object, **kwargs: object) -> None:
        return None


class Server:
    """The REST API of a gpuledger server."""

    def __init__(self, url: str, token: str = "", read_token: str = "", timeout: float = 5.0) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("the address of the server must look like https://gpu.example.com, not %r" % url[:100])
        self.url, self.timeout = url.rstrip("/"), timeout
        self._token, self._read_token = token, read_token or token
        self._opener = urllib.request.build_opener(_NoRedirects())

    def post(self, path: str, rows: list[dict[str, typing.Any]]) -> dict[str, typing.Any]:
        """Sends rows. The key is a digest of them, so that the same rows are stored once, however often they are
        sent."""
        body = json.dumps(rows, separators=(",", ":"), sort_keys=True).encode()
        key = hashlib.sha256(path.encode() + b"\0" + body).hexdigest()[:32]
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        return self._ask(self._request(path, self._token, body, headers))

    def get(self, path: str, **options: object) -> dict[str, typing.Any]:
        query = urllib.parse.urlencode(options)
        return self._ask(self._request(path + "?" + query, self._read_token))

    def _request(self, path: str, token: str, body: bytes | None = None,
                 headers: dict[str, str] | None = None) -> urllib.request.Request:
        request = urllib.request.Request(self.url + path, data=body, headers=headers or {})
        request.add_header("Accept", "application/json")
        request.add_header("User-Agent", "gpuledger-python/" + VERSION)
        if token:
            request.add_header("Authorization", "Bearer " + token)
        return request

    def _ask(self, request: urllib.request.Request) -> dict[str, typing.Any]:
        try:
            with self._opener.open(request, timeout=self.timeout) as answer:
                return self._object(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise self._fault(error) from None
        except (OSError, http.client.HTTPException) as error:  # URLError, timeouts and TLS are OSErrors
            reason = getattr(error, "reason", None) or error
            raise Away("%s does not answer: %s" % (self.url, reason or type(error).__name__)) from None

    def _object(self, answer: typing.Any) -> dict[str, typing.Any]:
        """Reads a JSON object. Anything else is not an answer of gpuledger, for example a proxy's sign-in page."""
        try:
            value = json.loads(self._read(answer))
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise Denied("%s answers something else than gpuledger does: check GPULEDGER_URL" % self.url)
        return value

    def _read(self, answer: typing.Any) -> bytes:
        """Reads a body. The timeout of a socket begins again with each byte, so a slow one is cut by the clock here."""
        end, parts, size = time.monotonic() + self.timeout, [], 0
        while True:
            part = answer.read1(65536)
            if not part:
                return b"".join(parts)
            parts.append(part)
            size += len(part)
            if size > LARGEST_ANSWER:
                raise Away("%s answers more than %d bytes" % (self.url, LARGEST_ANSWER))
            if time.monotonic() > end:
                raise Away("%s answers too slowly" % self.url)

    def _fault(self, error: urllib.error.HTTPError) -> Exception:
        problem: dict[str, typing.Any] = {}
        try:
            problem = self._object(error)
        except (Denied, Away, OSError, http.client.HTTPException):
            pass
        detail = str(problem.get("detail") or error.reason)[:500]
        text = "%s answers %d: %s" % (self.url, error.code, detail)
        if error.code in (408, 409, 425, 429) or error.code >= 500:
            return Away(text, _seconds(error.headers.get("Retry-After")))
        if error.code in (400, 413, 415, 422) and str(problem.get("type", "")).startswith("urn:gpuledger:"):
            return Refused(detail)
        if 300 <= error.code < 400:
            text = "%s redirects to %s: set GPULEDGER_URL to the right address" % (
                self.url, str(error.headers.get("Location"))[:200])
        return Denied(text)


def _seconds(text: str | None) -> float:
    """Reads Retry-After; 0 without one, or if it is a date."""
    try:
        return min(max(float(text or 0), 0.0), LONGEST_PAUSE)
    except ValueError:
        return 0.0
