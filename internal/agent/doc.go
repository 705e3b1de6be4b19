// Package agent is the node agent: it watches the GPUs of its machine through nvidia-smi and pushes their metrics to a
// gpuledger server by remote_write.
//
// It owns the sampling (GPUs, MIG instances, processes and their pods or jobs, the host's CPU and memory), the batches,
// and the buffer on disk that keeps them while the server is away. ingest/nvidiasmi parses nvidia-smi's output, so that
// a captured file and the agent give the same values.
//
// It guarantees that a batch is on disk before it is sent and stays there until the server has acknowledged it: a
// killed agent or server loses nothing that was written, and sending twice changes nothing. The buffer is bounded; when
// it is full the oldest batches go first and are counted. Values that the driver does not report are not sent, never
// sent as 0.
//
// It runs on any machine: without nvidia-smi it logs that, sends the host's values, and tries again. It sends no
// command lines, only the base name of a process that belongs to no pod and no job.
package agent
