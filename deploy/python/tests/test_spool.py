"""Rows that wait: they outlive the process, have bounds, and nothing is lost without being counted."""

import json
import os
import signal
import stat
import subprocess
import sys
import unittest

from gpuledger._spool import MOST_BYTES, folder_for

from .base import CHECKPOINTS, EXPERIMENTS, Case
from .stub import Stub, dead_url

ABOVE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def program(text, url, spool, **env):
    """Starts a script that uses the package."""
    return subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, PYTHONPATH=ABOVE, GPULEDGER_URL=url, GPULEDGER_SPOOL=spool,
                                     GPULEDGER_RUN_ID="asr-7", **env))


class Spooling(Case):
    def away(self, **options):
        """A run whose server is not there, and whose address a later server gets."""
        return self.run_at(dead_url(), **options)

    def back(self, url):
        """Moves what waits for an address to that of a new server, as if it were the same."""
        stub = Stub()
        self.addCleanup(stub.close)
        os.rename(folder_for(url, self.spool), folder_for(stub.url, self.spool))
        return stub

    def test_the_next_run_sends_what_the_last_one_could_not(self):
        run = self.away()
        for step in (1, 2):
            run.checkpoint(step)
        run.metric("bleu", 30)
        self.assertFalse(run.close())
        stub = self.back(run._server.url)
        run = self.run_at(stub.url, run_id="asr-8")
        self.assertTrue(run.close())
        self.assertEqual([(row["run_id"], row["step"]) for row in stub.rows(CHECKPOINTS)], [("asr-7", 1), ("asr-7", 2)])
        self.assertEqual([row["run"] for row in stub.rows(EXPERIMENTS)], ["asr-7"])
        self.assertEqual(self.files(), [])

    def test_rows_outlive_a_kill(self):
        url = dead_url()
        p = program("import gpuledger, sys\nrun = gpuledger.start()\nrun.checkpoint(5)\nrun.flush(5)\nprint('kept')\n"
                    "sys.stdout.flush()\nsys.stdin.read()", url, self.spool)
        self.assertEqual(p.stdout.readline(), "kept\n")
        p.send_signal(signal.SIGKILL)
        p.communicate()
        stub = self.back(url)
        run = self.run_at(stub.url)
        self.assertTrue(run.close())
        self.assertEqual([row["step"] for row in stub.rows(CHECKPOINTS)], [5])

    def test_rows_of_a_process_that_runs_are_left_alone(self):
        url = dead_url()
        p = program("import gpuledger, sys\nrun = gpuledger.start()\nrun.checkpoint(5)\nrun.flush(5)\nprint('kept')\n"
                    "sys.stdout.flush()\nsys.stdin.read()", url, self.spool)
        self.assertEqual(p.stdout.readline(), "kept\n")
        stub = self.back(url)
        run = self.run_at(stub.url)
        self.assertTrue(run.close())
        self.assertEqual(stub.asked, [])
        p.communicate()

    def test_a_script_ends_well_and_soon_without_its_server(self):
        p = program("import gpuledger\nwith gpuledger.start() as run:\n    run.checkpoint(1)\n    print(run.cost())",
                    dead_url(), self.spool)
        out, errors = p.communicate(timeout=30)
        self.assertEqual(p.returncode, 0)
        self.assertIn("cost not known yet", out)
        self.assertIn("rows wait in", errors)
        self.assertNotIn("Traceback", errors)

    def test_a_run_that_is_not_closed_is_sent_at_the_end_of_the_program(self):
        stub = Stub()
        self.addCleanup(stub.close)
        p = program("import gpuledger\ngpuledger.start().checkpoint(1)", stub.url, self.spool)
        self.assertEqual((p.communicate()[1], p.returncode), ("", 0))
        self.assertEqual([row["step"] for row in stub.rows(CHECKPOINTS)], [1])

    def test_a_forked_worker_sends_nothing(self):
        stub = Stub()
        self.addCleanup(stub.close)
        p = program("import gpuledger, os\nrun = gpuledger.start()\nif os.fork() == 0:\n    run.checkpoint(2)\n"
                    "    run.metric('x', 1, experiment='e')\n    run.close()\nelse:\n    os.wait()\n"
                    "    run.checkpoint(1)\n"
                    "    run.close()\n    print(run.stats)", stub.url, self.spool)
        out, errors = p.communicate()
        self.assertEqual([row["step"] for row in stub.rows(CHECKPOINTS)], [1], errors)
        self.assertIn("'sent': 1", out)

    def test_the_oldest_rows_are_dropped_beyond_the_bound_and_counted(self):
        run = self.away(most_rows=10)
        for step in range(25):
            run.checkpoint(step)
            run.flush(1.0)
        self.assertEqual((run.stats["dropped"], run.stats["waiting"]), (15, 10))
        self.assertFalse(run.close())
        self.assertIn("15 dropped; 10 wait", self.said[-1])
        name, = self.files()
        with open(name) as file:
            self.assertEqual([json.loads(line)["row"]["step"] for line in file], list(range(15, 25)))

    def test_the_file_is_bounded_in_bytes(self):
        run = self.away(run_id="x" * 400, most_bytes=2000)
        for step in range(20):
            run.checkpoint(step)
            run.flush(1.0)
        self.assertLessEqual(os.path.getsize(self.files()[0]), 2000)
        self.assertEqual(run.stats["dropped"] + run.stats["waiting"], 20)
        self.assertGreater(MOST_BYTES, 2000)

    def test_files_are_private_and_have_no_token(self):
        run = self.away()
        run.checkpoint(1)
        run.flush(1.0)
        name, = self.files()
        self.assertEqual(stat.S_IMODE(os.stat(name).st_mode), 0o600)
        with open(name) as file:
            self.assertNotIn("secret", file.read())

    def test_lines_that_a_kill_cut_are_counted(self):
        folder = folder_for("http://127.0.0.1:1", self.spool)
        os.makedirs(folder)
        good = {"kind": "checkpoint", "row": {"run_id": "asr-7", "at": "2026-11-01T12:00:00Z"}}
        with open(os.path.join(folder, "1-a.jsonl"), "w") as file:
            file.write(json.dumps(good) + '\n{"kind": "other", "row": {}}\n[]\n{"kind": "result", "row": {}}\n'
                       '{"kind": "chec')
        stub = self.back("http://127.0.0.1:1")
        run = self.run_at(stub.url)
        self.assertTrue(run.close())
        self.assertEqual(stub.rows(CHECKPOINTS), [good["row"]])
        self.assertEqual(run.stats["dropped"], 4)

    def test_without_a_folder_rows_wait_in_memory(self):
        blocked = os.path.join(self.spool, "file")
        with open(blocked, "w"):
            pass
        run = self.away(spool=blocked)
        run.checkpoint(1)
        run.flush(1.0)
        self.assertEqual(run.stats["waiting"], 1)
        self.assertTrue(any("in memory alone" in text for text in self.said), self.said)


if __name__ == "__main__":
    unittest.main()
