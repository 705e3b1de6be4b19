"""What reaches the server, and what becomes of rows while it is away, refuses or answers nonsense."""

import datetime
import decimal
import threading
import unittest

from .base import CHECKPOINTS, EXPERIMENTS, Case
from .stub import Answer, Dripping, Stub, dead_url, problem


class Sending(Case):
    def stub(self, *answer):
        stub = Stub(*answer)
        self.addCleanup(stub.close)
        return stub

    def test_checkpoints_and_metrics_arrive_with_token_and_key(self):
        stub = self.stub()
        run = self.run_at(stub.url)
        berlin = datetime.timezone(datetime.timedelta(hours=1))
        run.checkpoint(100, at=datetime.datetime(2026, 11, 1, 13, tzinfo=berlin))
        with run.saving(200):
            pass
        run.metric("bleu", 31.2, baseline=decimal.Decimal("29.80"), threshold=31, direction="higher")
        self.assertTrue(run.flush())
        first, second = stub.rows(CHECKPOINTS)
        self.assertEqual(first, {"run_id": "asr-7", "at": "2026-11-01T12:00:00Z", "step": 100})
        self.assertEqual((second["step"], set(second) - {"duration_seconds"}), (200, {"run_id", "at", "step"}))
        row, = stub.rows(EXPERIMENTS)
        self.assertRegex(row.pop("at"), r"^20\d\d-.*Z$")
        self.assertEqual(row, {"experiment": "e", "metric": "bleu", "value": "31.2", "baseline": "29.80",
                               "threshold": "31", "direction": "higher", "run": "asr-7"})
        for _, _, headers, _ in stub.asked:
            self.assertEqual(headers["Authorization"], "Bearer secret")
            self.assertRegex(headers["Idempotency-Key"], "^[0-9a-f]{32}$")
        self.assertEqual(run.stats, {"sent": 3, "refused": 0, "dropped": 0, "replaced": 0, "waiting": 0, "silent": ""})
        self.assertTrue(run.close())
        self.assertEqual(self.files(), [])
        self.assertEqual(self.said, [])

    def test_only_the_newest_value_of_a_metric_is_sent(self):
        stub = self.stub()
        run = self.run_at(stub.url)
        for step in range(1000):
            run.metric("loss", 2 - step / 1000, direction="lower")
        self.assertTrue(run.close())
        rows = stub.rows(EXPERIMENTS)
        self.assertEqual(rows[-1]["value"], "1.001")
        self.assertEqual(len({row["at"] for row in rows}), len(rows), "two values of one second contradict each other")
        stats = run.stats
        self.assertEqual(stats["sent"] + stats["replaced"], 1000)

    def test_what_a_server_refused_is_sent_when_it_is_back(self):
        for name, bad in {
            "500": problem(500, "internal-error"), "503": problem(503, "service-unavailable", Retry_After="0"),
            "401": problem(401, "not-signed-in"), "403": problem(403, "not-allowed"), "404": problem(404, "not-found"),
            "429": problem(429, "too-many", Retry_After="0.01"),
            "a page": Answer(200, b"<html>sign in</html>", "text/html"),
            "400 of a proxy": Answer(400, b"<html>", "text/html"), "nonsense": Answer(200, b"[1]"),
            "redirect": Answer(302, b"", Location="http://127.0.0.1:1/elsewhere"),
        }.items():
            with self.subTest(name):
                self.said.clear()
                stub = self.stub(lambda *request: bad if len(stub.asked) < 4 else Answer())
                run = self.run_at(stub.url)
                run.checkpoint(1)
                stub.wait(lambda asked: len(asked) >= 4)
                self.assertTrue(run.close())
                self.assertEqual((run.stats["sent"], run.stats["waiting"]), (1, 0))
                self.assertEqual(len(self.said), 1, self.said)
                self.assertEqual(len({headers["Idempotency-Key"] for _, _, headers, _ in stub.asked}), 1)

    def test_a_cut_connection_is_no_answer(self):
        def cut(*request):
            raise ConnectionError
        stub = self.stub(cut)
        run = self.run_at(stub.url)
        run.checkpoint(1)
        self.assertFalse(run.close())
        self.assertEqual(run.stats["sent"], 0)
        self.assertEqual(len(self.files()), 1)

    def test_one_faulty_row_does_not_hold_up_the_others(self):
        here = threading.Event()

        def judge(method, path, headers, rows):
            if not here.is_set():
                return problem(503, "service-unavailable")
            faulty = any(row["step"] == 3 for row in rows)
            return problem(400, "bad-checkpoint", "at is in the future") if faulty else Answer()
        stub = self.stub(judge)
        run = self.run_at(stub.url)
        for step in range(7):
            run.checkpoint(step)
        run.flush()
        here.set()
        self.assertTrue(run.close())
        self.assertEqual((run.stats["sent"], run.stats["refused"]), (6, 1))
        self.assertTrue(any(len(rows) == 7 for _, _, _, rows in stub.asked), "they go out together")
        self.assertTrue(any("at is in the future" in text for text in self.said), self.said)

    def test_what_is_no_number_is_refused_here_and_said_once(self):
        stub = self.stub()
        run = self.run_at(stub.url)
        for value in (float("nan"), float("inf"), None, "many", True, object()):
            run.metric("bleu", value)
        run.checkpoint(-1)
        run.checkpoint("ten")
        self.assertTrue(run.close())
        self.assertEqual(stub.asked, [])
        self.assertEqual(run.stats["refused"], 7)
        self.assertEqual(len([text for text in self.said if "finite" in text]), 1, self.said)

    def test_a_server_that_drips_does_not_hold_up_the_end(self):
        stub = Dripping()
        self.addCleanup(stub.close)
        run = self.run_at(stub.url, timeout=0.2)
        run.checkpoint(1)
        self.assertFalse(run.flush(2.0))
        self.assertEqual(run.stats["waiting"], 1)
        self.assertTrue(any("slowly" in text for text in self.said), self.said)

    def test_a_dead_server_is_said_once(self):
        run = self.run_at(dead_url())
        for step in range(50):
            run.checkpoint(step)
            run.flush(1.0)
        self.assertEqual(len(self.said), 1, self.said)
        self.assertIn(self.spool, self.said[0])
        self.assertFalse(run.close())
        self.assertEqual(len(self.said), 2)
        self.assertIn("50 wait", self.said[1])


if __name__ == "__main__":
    unittest.main()
