"""Which run this process belongs to, from its environment."""

from __future__ import annotations

import os
import typing

NAMESPACE_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"
# Rank of this process among those that train together, the most precise first.
RANKS = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")


class Identity:
    """Names the run, as a checkpoint does: by its id, or by the pod or batch job that it runs in."""

    def __init__(self, **names: str) -> None:
        self.names = {key: value for key, value in names.items() if value}

    @property
    def run_id(self) -> str:
        return self.names.get("run_id", "")

    def filter(self) -> str:
        """The condition of the pod or job, in the grammar of reports."""
        keys = {"cluster": "cluster", "namespace": "namespace", "pod": "pod", "job_id": "pod"}
        return " and ".join("%s = %s" % (keys[key], quoted(value)) for key, value in sorted(self.names.items()))

    def __str__(self) -> str:
        return ", ".join("%s %s" % item for item in sorted(self.names.items()))


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def find(run_id: str | None, cluster: str | None, env: typing.Mapping[str, str] = os.environ) -> Identity | None:
    """Names the run; None if nothing in the environment does. An id beats everything, since it is the same in all
    clusters and for all pods of the run."""
    run_id = run_id or env.get("GPULEDGER_RUN_ID", "")
    if run_id:
        return Identity(run_id=run_id)
    cluster = cluster or env.get("GPULEDGER_CLUSTER", "")
    if not cluster:  # names of pods and numbers of jobs are unique in their cluster only
        return None
    if env.get("SLURM_JOB_ID"):
        return Identity(cluster=cluster, job_id=env["SLURM_JOB_ID"])
    namespace = env.get("POD_NAMESPACE") or _read(NAMESPACE_FILE)
    pod = env.get("POD_NAME") or (env.get("HOSTNAME", "") if namespace else "")
    if pod and namespace:
        return Identity(cluster=cluster, namespace=namespace, pod=pod)
    return None


def rank(env: typing.Mapping[str, str] = os.environ) -> int:
    """The rank of this process; 0 if it trains alone."""
    for name in RANKS:
        text = env.get(name, "")
        if text.isdigit():
            return int(text)
    return 0


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(300).strip()
    except OSError:
        return ""
