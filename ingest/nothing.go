package ingest

import (
	"cmp"
	"fmt"
	"strings"

	"gpuledger/internal/ledger"
)

// lookedFor describes the files of each source that is not a bill.
var lookedFor = map[string]string{
	SourceSpotEvents: "events of EventBridge (detail-type), audit log entries (protoPayload) or Scheduled Events " +
		"(DocumentIncarnation): docs/connect/spot-events.md",
	SourceSlurm: "rows below a header line of sacct, squeue or scontrol, or a list `jobs`: docs/connect/slurm.md",
	SourceSageMaker: "jobs with TrainingJobArn, ProcessingJobArn or TransformJobArn, single or in an answer of list " +
		"or search: " +
		"docs/connect/attempts.md#sagemaker",
	SourceAttempts: "rows with run_id and started_at or submitted_at, as CSV, JSON lines, a list or `attempts`: " +
		"docs/connect/attempts.md",
	SourceExperiments: "results (experiment, metric, value: docs/connect/experiments.md) or records of runs of MLflow " +
		"and Weights & Biases " +
		"(docs/connect/attempts.md#experiment-trackers)",
	SourceLLMUsage: "calls with request_id and startTime, as LiteLLM_SpendLogs has them: " +
		"docs/connect/attempts.md#llm-gateways",
	SourcePublicPrices: "prices of machine types that the catalogue knows: docs/connect/price-book.md#public-prices",
	SourceBudgets:      "budgets with name, key, period, amount and unit: docs/connect/budgets.md",
	SourceAnnotations:  "annotations with at, kind and text: docs/connect/annotations.md",
	SourceKubernetes: "objects with kind and metadata, such as pods, nodes, jobs, single or in a list: kubectl get " +
		"… -o json",
	SourceOpenMetrics: "samples of series that are read, with their times: docs/reference/series.md",
	SourceNvidiaSMI: "output of nvidia-smi: -q -x, --query-gpu with --format=csv, dmon, pmon, -L or its table: " +
		"docs/connect/exporters.md",
	SourceOTLP: "resourceMetrics with points of metrics that are read: docs/reference/series.md",
}

// billsLookedFor describes the files of each source of bills, and of price books.
var billsLookedFor = map[string]string{
	SourceAWSCUR: "Parquet or CSV with columns of a Cost and Usage Report such as line_item_usage_start_date or " +
		"lineItem/UsageStartDate: docs/connect/aws.md",
	SourceGCPBilling: "Parquet, CSV, JSON or Avro with columns of the Cloud Billing export such as billing_account_id " +
		"and usage_start_time: docs/connect/gcp.md",
	SourceAzureCost: "CSV or Parquet with columns of cost details such as SubscriptionId, Date and " +
		"CostInBillingCurrency: docs/connect/azure.md",
	SourceFOCUS: "Parquet, CSV or JSON with columns of FOCUS such as BilledCost and ChargePeriodStart: " +
		"docs/connect/focus.md",
	SourcePriceBook: "YAML with rates or owned: docs/connect/price-book.md",
}

// expected describes the files of a source; for auto, it lists the sources.
func expected(source string) string {
	if source == SourceAuto {
		return "files of one of " + strings.Join(Sources[1:], ", ")
	}
	return cmp.Or(billsLookedFor[source], lookedFor[source])
}

// nothingOf refuses a request without any file of its source.
func nothingOf(source string, uris []string, files int, skipped []skippedFile) error {
	where := strings.Join(uris, " ")
	if files == 0 {
		return fmt.Errorf("nothing to import: there is no file under %s (files whose names begin with a dot are "+
			"skipped); expected %s", where, expected(source))
	}
	return fmt.Errorf("nothing to import: none of the %d files under %s is of source %s: %s; expected %s", files,
		where, source, skippedText(skipped), expected(source))
}

// nothing refuses an import that accepted no row and learned nothing else: it got the wrong
// input, and "published" would hide that. The error names each file and the expected content.
func (r *run) nothing() error {
	if r.rec.Accepted > 0 {
		return nil
	}
	if r.tally.Faulty() {
		return errRejected
	}
	said := "the file has none"
	if n := r.rec.RowsRead; n > 0 {
		said = fmt.Sprintf("none of its %d rows is one", n)
	}
	for _, f := range r.files {
		err := &ledger.FileError{Rejection: ledger.Rejection{
			File: f.Name, Reason: "nothing to import",
			Detail: "it seems to be " + r.seemsTo(f) + "; looked for " + lookedFor[r.rec.Source] + "; " + said,
		}}
		if err := r.refuse(f.Name, err); err != nil {
			return err
		}
	}
	return errRejected
}

// seemsTo describes the apparent format of an import's file.
func (r *run) seemsTo(f candidateFile) string {
	d, err := Detect(f.File)
	if err != nil || d.Source == r.rec.Source { // of the right kind, and empty
		d.Source = ""
	}
	return skippedFile{f.File, d.Source}.seems()
}

// says reports whether a batch holds any fact.
func says(t *ledger.Telemetry) bool {
	return len(t.Samples)+len(t.Evidence)+len(t.Placements)+len(t.Nodes)+len(t.NodeStates)+len(t.Sources)+len(t.Workloads)+
		len(t.PodStates)+len(t.Devices)+len(t.Objects)+len(t.Segments)+len(t.Events)+len(t.Checkpoints)+len(t.Counters) > 0
}
