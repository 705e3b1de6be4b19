// Package agent is the node agent: it watches the GPUs of the machine it runs
// on through nvidia-smi and pushes what it sees to a gpuledger server by
// remote_write.
//
// It owns the sampling (GPUs, MIG instances, processes and whom they work for,
// the host's CPU and memory), the batches, and the buffer on disk that keeps
// them while the server is away. What nvidia-smi prints is read by
// ingest/nvidiasmi, so that a captured file and the agent say the same.
//
// It guarantees that a batch is on disk before it is sent and stays there
// until the server has acknowledged it: a killed agent or server loses nothing
// that was written, and sending twice changes nothing. The buffer is bounded;
// when it is full the oldest batches go first and are counted. What
// the driver does not tell is not sent; nothing is ever sent as 0 in its place.
//
// It refuses nothing of a machine: without nvidia-smi it says so, sends what the
// host tells, and tries again. It sends no command lines, only the base name of a
// process that belongs to no pod and no job.
package agent
