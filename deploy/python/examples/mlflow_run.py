"""MLflow next to gpuledger: MLflow keeps parameters and curves, gpuledger what the run costs. The cost so far becomes a
metric of the MLflow run, so that runs can be compared by it.

Not tried with MLflow itself, only with a stand-in of the functions that it calls. `pip install mlflow-skinny`.
Runs of MLflow can also be imported: `gpuledger import experiments runs.json` reads answers of `runs/search`.
"""

import os

import gpuledger
import mlflow


def main() -> None:
    tags = {}
    if "POD_NAME" in os.environ:  # an imported record of this run is joined to its pod
        tags["kubernetes.pod.name"] = "%s/%s" % (os.environ.get("POD_NAMESPACE", "default"), os.environ["POD_NAME"])
    mlflow.set_experiment("tokenizer-v3")
    with mlflow.start_run(tags=tags), gpuledger.start(experiment="tokenizer-v3") as run:
        mlflow.set_tag("gpuledger.run_id", run.run_id)
        for step in range(1, 301):
            mlflow.log_metric("loss", 2 / step, step=step)
            if step % 100 == 0:
                with run.saving(step):
                    pass  # torch.save(model.state_dict(), …)
                cost = run.cost()
                if cost.amount is not None:  # unknown is not 0
                    mlflow.log_metric("cost_%s" % cost.currency, float(cost.amount), step=step)
        run.metric("bleu", 31.2, baseline=29.8)


if __name__ == "__main__":
    main()
