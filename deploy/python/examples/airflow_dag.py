"""An Airflow DAG whose training pod is one run of gpuledger: the label joins all tries of the task, and the variables
let the script in the pod tell of its checkpoints.

Not tried with Airflow itself, only with a stand-in of the names that it imports. It is written for Airflow 3 with
apache-airflow-providers-cncf-kubernetes. Without the label, gpuledger derives the run from the pod, and takes the
group from Airflow's own labels.
"""

import datetime

from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from airflow.sdk import dag
from kubernetes.client import models as k8s

RUN_ID = "tokenizer-{{ ts_nodash }}"  # a label's value: Airflow's own run id has colons


@dag(schedule="@weekly", start_date=datetime.datetime(2026, 11, 1, tzinfo=datetime.timezone.utc), catchup=False)
def train_tokenizer():
    KubernetesPodOperator(
        task_id="train",
        image="registry.example.com/tokenizer:v3",
        cmds=["python", "train.py"],
        labels={"gpuledger.io/run-id": RUN_ID, "team": "speech", "experiment": "tokenizer-v3"},
        env_vars={"GPULEDGER_URL": "https://gpu.example.com", "GPULEDGER_RUN_ID": RUN_ID,
                  "GPULEDGER_EXPERIMENT": "tokenizer-v3"},
        secrets=[],  # GPULEDGER_TOKEN, from a Secret of Kubernetes
        container_resources=k8s.V1ResourceRequirements(limits={"nvidia.com/gpu": "8"}),
        retries=3,
    )


train_tokenizer()
