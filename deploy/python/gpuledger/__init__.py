"""Tells gpuledger about a training run, and says what the run costs so far.

    import gpuledger

    with gpuledger.start(experiment="tokenizer-v3") as run:
        for step in range(1000):
            ...
            if step % 100 == 0:
                with run.saving(step):
                    ...                      # write the checkpoint
        run.metric("bleu", 31.2, baseline=29.8)
        print(run.cost())

The run and the server come from the environment (see README.md). Nothing here raises into the training loop or waits
for the network: a background thread sends, rows that cannot be sent wait in a file, and each kind of trouble is logged
once.
"""

from ._cost import Cost
from ._run import Run, start
from ._version import VERSION as __version__

__all__ = ["Cost", "Run", "start", "__version__"]
