"""A server that answers as a test tells it to."""

import http.server
import json
import socket
import threading


class Answer:
    def __init__(self, status=200, body=None, content_type="application/json", **headers):
        self.status, self.content_type = status, content_type
        self.body = body if isinstance(body, bytes) else json.dumps({"accepted": 1} if body is None else body).encode()
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def problem(status, title, detail="because", **headers):
    return Answer(status, {"type": "urn:gpuledger:problem:" + title, "status": status, "detail": detail},
                  "application/problem+json", **headers)


class Stub:
    """answer gets (method, path, headers, rows) and returns an Answer, or raises to cut the connection."""

    def __init__(self, answer=lambda *request: Answer()):
        self.answer, self.asked, self.seen = answer, [], threading.Condition()
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                request = (self.command, self.path, dict(self.headers), json.loads(body) if body else None)
                with stub.seen:
                    stub.asked.append(request)
                    stub.seen.notify_all()
                try:
                    answer = stub.answer(*request)
                except ConnectionError:
                    self.connection.close()
                    return
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.content_type)
                self.send_header("Content-Length", str(len(answer.body)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)

            do_GET = do_POST = _any

            def log_message(self, *args):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def wait(self, enough, timeout=10):
        """Waits until the requests so far are enough."""
        with self.seen:
            if not self.seen.wait_for(lambda: enough(self.asked), timeout):
                raise AssertionError("requests so far: %r" % self.asked)

    def rows(self, path):
        """All rows that were sent to a path."""
        return [row for method, at, _, rows in self.asked if method == "POST" and at == path for row in rows]

    def close(self):
        self._server.shutdown()
        self._server.server_close()


class Dripping:
    """A server that sends its answer one byte at a time, for ever."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._socket.getsockname()[1]
        self._end = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._drip, args=(peer,), daemon=True).start()

    def _drip(self, peer):
        with peer:
            try:
                peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
                while not self._end.wait(0.02):
                    peer.sendall(b" ")
            except OSError:
                pass

    def close(self):
        self._end.set()
        self._socket.close()


def dead_url():
    """An address at which nothing listens."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return "http://127.0.0.1:%d" % s.getsockname()[1]
