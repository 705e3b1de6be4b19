"""What the tests have in common: a clean environment, a folder to spool in, and runs that end with their test."""

import logging
import os
import shutil
import tempfile
import unittest
from unittest import mock

from gpuledger._run import Run
from gpuledger._sender import Pace

QUICK = Pace(results=0.0, gather=0.01, first_pause=0.01, longest_pause=0.05)
CHECKPOINTS, EXPERIMENTS = "/api/v1/checkpoints", "/api/v1/experiments"


class Case(unittest.TestCase):
    def setUp(self):
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("GPULEDGER", "SLURM", "POD_")) and name not in ("RANK", "HOSTNAME")}
        patch = mock.patch.dict(os.environ, clean, clear=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.spool = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.spool, ignore_errors=True)  # a thread that still ends may write there
        self.said = []
        handler = logging.Handler()
        handler.emit = lambda record: self.said.append(record.getMessage())
        log = logging.getLogger("gpuledger")
        log.addHandler(handler)
        self.addCleanup(log.removeHandler, handler)

    def run_at(self, url, run_id="asr-7", **options):
        options = dict(dict(experiment="e", token="secret", read_token=None, cluster=None, spool=self.spool,
                            all_ranks=False, timeout=2.0, pace=QUICK), **options)
        run = Run(run_id, url=url, **options)
        self.addCleanup(run.close, 0.0)
        return run

    def files(self):
        """The files that wait in the spool, without locks."""
        return sorted(os.path.join(at, name) for at, _, names in os.walk(self.spool) for name in names
                      if not name.endswith(".lock"))
