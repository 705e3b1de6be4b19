"""The examples run. MLflow, Airflow and Kubeflow are stand-ins here, so this shows only that our part of them works."""

import contextlib
import io
import os
import runpy
import sys
import types
import unittest
from unittest import mock

from .base import CHECKPOINTS, EXPERIMENTS, Case
from .stub import Answer, Stub

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples")
COST = {"run_id": "asr-7", "currency": "USD", "effective_cost": "12.5", "lost_cost": "0", "gpu_hours": "1",
        "budget": None, "state": "open"}


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    return made


class Examples(Case):
    def setUp(self):
        super().setUp()
        self.stub = Stub(lambda method, *rest: Answer(200, {"data": [COST]}) if method == "GET" else Answer())
        self.addCleanup(self.stub.close)
        patch = mock.patch.dict(os.environ, GPULEDGER_URL=self.stub.url, GPULEDGER_RUN_ID="asr-7",
                                GPULEDGER_SPOOL=self.spool)
        patch.start()
        self.addCleanup(patch.stop)

    def example(self, name, **modules):
        said = io.StringIO()
        with mock.patch.dict(sys.modules, modules), contextlib.redirect_stdout(said):
            runpy.run_path(os.path.join(EXAMPLES, name), run_name="__main__")
        return said.getvalue()

    def test_train(self):
        out = self.example("train.py")
        self.assertIn("at the start: 12.50 USD so far, open", out)
        self.assertEqual({row["step"] for row in self.stub.rows(CHECKPOINTS)}, {100, 200, 300})
        self.assertEqual({row["metric"] for row in self.stub.rows(EXPERIMENTS)}, {"loss"})

    def test_mlflow(self):
        mlflow = mock.MagicMock()
        with mock.patch.dict(os.environ, POD_NAME="p", POD_NAMESPACE="n"):
            self.example("mlflow_run.py", mlflow=mlflow)
        mlflow.start_run.assert_called_once_with(tags={"kubernetes.pod.name": "n/p"})
        mlflow.set_tag.assert_called_once_with("gpuledger.run_id", "asr-7")
        self.assertIn(mock.call("cost_USD", 12.5, step=300), mlflow.log_metric.mock_calls)
        self.assertEqual({row["step"] for row in self.stub.rows(CHECKPOINTS)}, {100, 200, 300})

    def test_airflow(self):
        operator, client = mock.MagicMock(), mock.MagicMock()
        self.example("airflow_dag.py", **{
            "airflow": module("airflow"), "airflow.sdk": module("airflow.sdk", dag=lambda **settings: lambda f: f),
            "airflow.providers": module("p"), "airflow.providers.cncf": module("c"),
            "airflow.providers.cncf.kubernetes": module("k"),
            "airflow.providers.cncf.kubernetes.operators": module("o"),
            "airflow.providers.cncf.kubernetes.operators.pod": module("pod", KubernetesPodOperator=operator),
            "kubernetes": module("kubernetes"), "kubernetes.client": module("client", models=client)})
        options = operator.call_args.kwargs
        self.assertEqual(options["labels"]["gpuledger.io/run-id"], options["env_vars"]["GPULEDGER_RUN_ID"])

    def test_kubeflow(self):
        kfp = mock.MagicMock()
        kfp.dsl.container_component = lambda f: mock.MagicMock(side_effect=lambda: kfp.step)
        kfp.dsl.pipeline = lambda **settings: lambda f: f
        kfp.compiler.Compiler().compile = lambda pipeline, file: pipeline()
        self.example("kubeflow_pipeline.py", kfp=kfp)
        set_to = {call.args[0] for call in kfp.step.set_env_variable.mock_calls}
        set_to |= {call.kwargs["env_name"] for call in kfp.kubernetes.use_field_path_as_env.mock_calls}
        self.assertLessEqual({"GPULEDGER_URL", "GPULEDGER_CLUSTER", "POD_NAME", "POD_NAMESPACE"}, set_to)


if __name__ == "__main__":
    unittest.main()
