"""python -m gpuledger send: sends the rows that wait on this machine, for example from the login node of a cluster
whose GPU nodes have no network."""

from __future__ import annotations

import argparse
import os
import sys

from ._http import Server
from ._sender import Sender
from ._spool import Spool, folder_for
from ._told import Told


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m gpuledger", description=__doc__)
    parser.add_argument("command", choices=["send"], help="send the rows that wait")
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds to try (30)")
    options = parser.parse_args()
    url = os.environ.get("GPULEDGER_URL", "")
    if not url:
        print("GPULEDGER_URL is not set", file=sys.stderr)
        return 2
    told = Told()
    try:
        server = Server(url, os.environ.get("GPULEDGER_TOKEN", ""))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    sender = Sender(server, Spool(folder_for(server.url), told), told)
    sent = sender.close(options.timeout)
    counts = told.counts()
    print("%d sent, %d refused, %d dropped, %d wait" % (counts["sent"], counts["refused"], counts["dropped"],
                                                        sender.waiting()))
    return 0 if sent else 1


if __name__ == "__main__":
    sys.exit(main())
