// Package nvidiasmi reads what nvidia-smi prints: the XML of -q -x in all its
// schemas (nvsmi_device v11, v12, v13), the tables of --query-gpu and
// --query-compute-apps, the table without arguments with its MIG devices, the
// listing of -L, the GPU instances of mig -lgi, and
// transcripts that hold several of these one after another. For the node agent
// it reads the averages of -q -d UTILIZATION, too.
//
// It owns the formats and nothing of what values mean: a Snapshot is turned
// into the series of the node agent (package ingest/series knows them), so
// that a captured file and an agent's push make the same facts.
//
// It guarantees that values are read by the path or column they stand under,
// that what the tool does not know ("[N/A]", "[Not Supported]", "GPU is lost")
// is absent and never 0, that text between the outputs is counted, and that
// numbers do not pass through floats. Under MIG the memory of a GPU instance
// is counted once, however many compute instances share it, and the parent's
// values stay the parent's.
//
// It refuses devices without a UUID, times that it cannot read, and documents
// that break off. Times have no zone in these formats: the caller names it.
package nvidiasmi
