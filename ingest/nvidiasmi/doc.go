// Package nvidiasmi reads the output of nvidia-smi: the XML of -q -x in all its schemas
// (nvsmi_device v11, v12, v13), the tables of --query-gpu and --query-compute-apps, the table
// without arguments with its MIG devices, the listing of -L, the GPU instances of mig -lgi, and
// transcripts that contain several of these one after another. For the node agent it also reads
// the averages of -q -d UTILIZATION.
//
// It owns the formats, but does not interpret values: a Snapshot is turned into the node
// agent's series (defined in package ingest/series), so that a captured file and an agent's
// push make the same facts.
//
// Values are read by their path or column. Values that the tool does not know ("[N/A]", "[Not
// Supported]", "GPU is lost") are absent and never 0, text between the outputs is counted, and
// numbers do not pass through floats. Under MIG the memory of a GPU instance is counted once,
// however many compute instances share it, and the parent's values stay the parent's.
//
// It refuses devices without a UUID, unreadable times, and truncated documents. Times have no
// zone in these formats: the caller gives it.
package nvidiasmi
