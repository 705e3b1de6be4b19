package ingest

import (
	"fmt"

	"gpuledger/internal/ledger"
)

// lookedFor says of each source that is no bill what its files hold.
var lookedFor = map[string]string{
	SourceSpotEvents: "events of EventBridge (detail-type), audit log entries (protoPayload) or Scheduled Events (DocumentIncarnation): docs/sources-events.md",
	SourceSlurm:      "rows below a header line of sacct, squeue or scontrol, or a list `jobs`: docs/sources-slurm.md",
	SourceSageMaker: "jobs with TrainingJobArn, ProcessingJobArn or TransformJobArn, single or in an answer of list or search: " +
		"docs/sources-attempts.md#sagemaker",
	SourceAttempts: "rows with run_id and started_at or submitted_at, as CSV, JSON lines, a list or `attempts`: docs/sources-attempts.md",
	SourceExperiments: "results (experiment, metric, value: docs/sources-experiments.md) or records of runs of MLflow and Weights & Biases " +
		"(docs/sources-attempts.md#experiment-trackers)",
	SourceLLMUsage:     "calls with request_id and startTime, as LiteLLM_SpendLogs has them: docs/sources-attempts.md#llm-gateways",
	SourcePublicPrices: "prices of machine types that the catalogue knows: docs/price-book.md#public-prices",
	SourceKubernetes:   "objects with kind and metadata, such as pods, nodes, jobs, single or in a list: kubectl get … -o json",
	SourceOpenMetrics:  "samples of series that are read, with their times: docs/series.md",
	SourceNvidiaSMI:    "output of nvidia-smi: -q -x, --query-gpu with --format=csv, dmon, pmon, -L or its table: docs/sources-telemetry.md",
	SourceOTLP:         "resourceMetrics with points of metrics that are read: docs/series.md",
}

// nothing refuses an import that took not one row and learned nothing else: it
// was given the wrong thing, and "published" would say otherwise. Each file is
// named, with what was looked for.
func (r *run) nothing() error {
	if r.rec.Accepted > 0 {
		return nil
	}
	if r.tally.Faulty() {
		return errRejected
	}
	said := "it holds nothing of that kind"
	if n := r.rec.RowsRead; n > 0 {
		said = fmt.Sprintf("none of %d rows read is one", n)
	}
	for _, f := range r.files {
		err := &ledger.FileError{Rejection: ledger.Rejection{
			File: f.Name, Reason: "nothing to import", Detail: "looked for " + lookedFor[r.rec.Source] + "; " + said,
		}}
		if err := r.refuse(f.Name, err); err != nil {
			return err
		}
	}
	return errRejected
}

// says reports whether a batch of facts holds any.
func says(t *ledger.Telemetry) bool {
	return len(t.Samples)+len(t.Evidence)+len(t.Placements)+len(t.Nodes)+len(t.NodeStates)+len(t.Sources)+len(t.Workloads)+
		len(t.PodStates)+len(t.Devices)+len(t.Objects)+len(t.Segments)+len(t.Events)+len(t.Checkpoints)+len(t.Counters) > 0
}
