"""Which run is told about, what its cost is, and that a training loop never notices."""

import decimal
import os
import time
import unittest
from unittest import mock

import gpuledger
from gpuledger import _identity
from gpuledger._sender import Pace

from .base import CHECKPOINTS, Case
from .stub import Answer, Stub, dead_url, problem

COST = {"run_id": "asr-7", "currency": "USD", "effective_cost": "1234.565", "lost_cost": "0", "gpu_hours": "98.5",
        "budget": None, "state": "provisional"}


class Runs(Case):
    def stub(self, *answer):
        stub = Stub(*answer)
        self.addCleanup(stub.close)
        return stub

    def test_the_cost_is_exact_and_asked_with_the_reading_token(self):
        stub = self.stub(lambda *request: Answer(200, {"data": [COST]}))
        run = self.run_at(stub.url, run_id="it's", read_token="reader")
        cost = run.cost()
        self.assertEqual((cost.amount, cost.currency, cost.known), (decimal.Decimal("1234.565"), "USD", True))
        self.assertEqual(str(cost), "1,234.57 USD so far, provisional (98.50 GPU-hours)")
        method, path, headers, _ = stub.asked[0]
        self.assertEqual((method, path), ("GET", "/api/v1/runs?filter=run_id+%3D+%27it%27%27s%27&limit=100"))
        self.assertEqual(headers["Authorization"], "Bearer reader")
        for _ in range(100):
            run.cost()
        self.assertEqual(len(stub.asked), 1, "a loop that asks each step asks the server once a minute")

    def test_two_currencies_are_not_added(self):
        rows = [COST, dict(COST, currency="EUR", effective_cost="7")]
        cost = self.run_at(self.stub(lambda *request: Answer(200, {"data": rows})).url).cost()
        self.assertIsNone(cost.amount)
        self.assertEqual(str(cost), "1,234.57 USD + 7.00 EUR so far, provisional")

    def test_an_unknown_cost_is_not_zero(self):
        for name, answer, reason in (
                ("no run", Answer(200, {"data": []}), "no run asr-7 yet"),
                ("no price", Answer(200, {"data": [dict(COST, effective_cost=None, currency=None)]}),
                 "no price covers"),
                ("no right", problem(403, "not-allowed", "role ingest does not have the right read"), "right read"),
                ("no dataset", Answer(200, {"rows": []}), "not answered")):
            with self.subTest(name):
                cost = self.run_at(self.stub(lambda *request: answer).url).cost(wait=5)
                self.assertEqual((cost.known, cost.amount), (False, None))
                self.assertIn(reason, str(cost))

    def test_a_pod_is_told_about_by_its_name_and_its_run_is_looked_up(self):
        def answer(method, path, headers, rows):
            return Answer(200, {"data": [{"run": "derived/1"}, {"run": None}] if "/costs" in path else [COST]})
        stub = self.stub(answer)
        with mock.patch.dict(os.environ, POD_NAME="asr-7-0", POD_NAMESPACE="speech"):
            run = self.run_at(stub.url, run_id=None, cluster="train-1")
        self.assertTrue(run.cost().known)
        run.checkpoint(1)
        self.assertTrue(run.close())
        row, = stub.rows(CHECKPOINTS)
        self.assertEqual((row["cluster"], row["namespace"], row["pod"]), ("train-1", "speech", "asr-7-0"))
        self.assertIn("derived%2F1", stub.asked[1][1])

    def test_which_run_it_is(self):
        for env, want in (
                ({}, None), ({"POD_NAME": "p", "POD_NAMESPACE": "n"}, None), ({"SLURM_JOB_ID": "7"}, None),
                ({"GPULEDGER_RUN_ID": "r", "GPULEDGER_CLUSTER": "c"}, {"run_id": "r"}),
                ({"GPULEDGER_CLUSTER": "c"}, None),
                ({"GPULEDGER_CLUSTER": "c", "SLURM_JOB_ID": "7"}, {"cluster": "c", "job_id": "7"}),
                ({"GPULEDGER_CLUSTER": "c", "HOSTNAME": "laptop"}, None),
                ({"GPULEDGER_CLUSTER": "c", "HOSTNAME": "p", "POD_NAMESPACE": "n"},
                 {"cluster": "c", "namespace": "n", "pod": "p"})):
            found = _identity.find(None, None, env)
            self.assertEqual(found.names if found else None, want, env)
        for env, want in (({}, 0), ({"RANK": "3"}, 3), ({"RANK": "0", "SLURM_PROCID": "2"}, 0),
                          ({"SLURM_PROCID": "2"}, 2),
                          ({"RANK": "x"}, 0)):
            self.assertEqual(_identity.rank(env), want, env)

    def test_another_rank_sends_nothing_and_says_nothing(self):
        stub = self.stub()
        with mock.patch.dict(os.environ, RANK="1"):
            run = self.run_at(stub.url)
        run.checkpoint(1)
        run.metric("x", 1)
        self.assertTrue(run.close())
        self.assertEqual((stub.asked, self.said, run.stats["dropped"]), ([], [], 0))
        with mock.patch.dict(os.environ, RANK="1"):
            run = self.run_at(stub.url, all_ranks=True)
        run.checkpoint(1)
        self.assertTrue(run.close())
        self.assertEqual(len(stub.asked), 1)

    def test_without_a_server_or_a_run_it_says_so_once_and_counts(self):
        for url, run_id in (("", "r"), ("http://127.0.0.1:1", None), ("gpu.example.com", "r"),
                            ("file:///etc/passwd", "r")):
            with self.subTest(url=url, run_id=run_id):
                self.said.clear()
                run = self.run_at(url, run_id=run_id)
                for step in range(10):
                    run.checkpoint(step)
                run.metric("x", 1)
                self.assertFalse(run.cost().known)
                self.assertTrue(run.close())
                self.assertEqual(run.stats["dropped"], 11)
                self.assertEqual(len(self.said), 1, self.said)

    def test_nothing_raises(self):
        run = self.run_at(self.stub().url)
        for call in (lambda: run.checkpoint(object()), lambda: run.checkpoint(1, duration="long"),
                     lambda: run.checkpoint(1, at="yesterday"), lambda: run.metric(object(), 1),
                     lambda: run.cost(wait="x"),
                     lambda: run.flush("x"), lambda: run.metric("x", 1, baseline=[])):
            call()
        with self.assertRaises(ZeroDivisionError):  # what the script itself does wrong is not hidden
            with run.saving(1):
                1 / 0
        self.assertFalse(any("step" in str(row) for row in run._sender._checkpoints))
        run.close()
        run.checkpoint(1)
        self.assertTrue(any("is closed" in text for text in self.said), self.said)

    def test_a_step_of_the_loop_takes_microseconds_also_without_a_server(self):
        run = self.run_at(dead_url(), pace=Pace())
        run.cost()
        began = time.perf_counter()
        for step in range(2000):
            run.checkpoint(step)
            run.metric("loss", 1.0)
            run.cost()
        took = (time.perf_counter() - began) / 2000
        self.assertLess(took, 0.002)  # some 15 µs on an idle machine

    def test_it_begins_in_two_lines(self):
        stub = self.stub(lambda *request: Answer(200, {"data": [COST]}))
        with mock.patch.dict(os.environ, GPULEDGER_URL=stub.url, GPULEDGER_RUN_ID="asr-7", GPULEDGER_SPOOL=self.spool):
            self.assertTrue(str(gpuledger.start().cost()).startswith("1,234.57 USD so far"))


if __name__ == "__main__":
    unittest.main()
