"""A pipeline of Kubeflow (kfp 2) whose training step tells gpuledger of its checkpoints. The step names its pod by the
downward API, since labels of kfp cannot hold the id of the pipeline's run; gpuledger takes the group from Kubeflow.

Not tried with kfp itself, only with a stand-in of the functions that it calls. `pip install kfp kfp-kubernetes`, then
`python kubeflow_pipeline.py` writes tokenizer.yaml.
"""

from kfp import compiler, dsl, kubernetes


@dsl.container_component
def train():
    return dsl.ContainerSpec(image="registry.example.com/tokenizer:v3", command=["python", "train.py"])


@dsl.pipeline(name="tokenizer")
def tokenizer():
    step = train()
    step.set_accelerator_type("nvidia.com/gpu").set_accelerator_limit(8)
    kubernetes.use_field_path_as_env(step, env_name="POD_NAME", field_path="metadata.name")
    kubernetes.use_field_path_as_env(step, env_name="POD_NAMESPACE", field_path="metadata.namespace")
    kubernetes.use_secret_as_env(step, secret_name="gpuledger", secret_key_to_env={"token": "GPULEDGER_TOKEN"})
    kubernetes.add_pod_label(step, "team", "speech")
    for name, value in {"GPULEDGER_URL": "https://gpu.example.com", "GPULEDGER_CLUSTER": "train-1",
                        "GPULEDGER_EXPERIMENT": "tokenizer-v3"}.items():
        step.set_env_variable(name, value)


if __name__ == "__main__":
    compiler.Compiler().compile(tokenizer, "tokenizer.yaml")
