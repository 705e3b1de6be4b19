"""Ten lines in a training script: the run's checkpoints, its result and what it costs so far."""

import random

import gpuledger

with gpuledger.start(experiment="tokenizer-v3") as run:
    print("at the start:", run.cost())
    for step in range(1, 301):
        loss = 2 / step + random.random() / 100  # a step of training
        run.metric("loss", loss, direction="lower")
        if step % 100 == 0:
            with run.saving(step):
                pass  # torch.save(model.state_dict(), …)
    print("at the end:", run.cost(wait=5))
