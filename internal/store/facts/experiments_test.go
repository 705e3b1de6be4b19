package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func measured(experiment, run, metric, value, threshold string, hour float64) ledger.ExperimentResult {
	e := ledger.ExperimentResult{
		Experiment: experiment, Run: run, Metric: metric, Value: money.MustParse(value), At: storetest.At(0, hour),
	}
	if threshold != "" {
		limit := money.MustParse(threshold)
		e.Threshold = &limit
	}
	e.ID = ledger.NewID("experiment result", experiment, run, metric, fmt.Sprint(int64(e.At)))
	return e
}

// Results merge in any order, and loading them twice changes nothing.
func TestResultsOfExperimentsMerge(t *testing.T) {
	for _, turned := range []bool{false, true} {
		s := storetest.SmallLedger(t)
		low, high := measured("e", "", "bleu", "30", "31", 1), measured("e", "", "bleu", "32", "31", 1)
		if turned {
			low, high = high, low
		}
		for i, c := range []struct {
			results []ledger.ExperimentResult
			changed int64
		}{{[]ledger.ExperimentResult{low}, 1}, {[]ledger.ExperimentResult{high}, map[bool]int64{false: 1}[turned]},
			{[]ledger.ExperimentResult{low, high, low}, 0}, {nil, 0}} {
			changed, err := s.PublishResults(t.Context(), ledger.NewID("import", "e"), c.results)
			if err != nil || changed != c.changed {
				t.Errorf("load %d: %d changed, want %d: %v", i, changed, c.changed, err)
			}
		}
		row := storetest.RowWith(t, storetest.Table(t, s, "experiments", metrics.Options{}), "experiment", "e")
		storetest.Wants(t, row, map[string]string{
			"metric": "bleu", "value": "32", "threshold": "31", "direction": "higher",
			"successful": "true", "runs": "0", "effective_cost": "", "currency": "",
		})
	}
}

// Results on two datasets are two rows, whose experiment costs once; the newest version of the model counts, and of two
// sizes the larger, in whatever order they come.
func TestResultsOnTwoDatasets(t *testing.T) {
	s := storetest.SmallLedger(t)
	on := func(version, dataset, size string, hour float64) ledger.ExperimentResult {
		e := measured("named", "train", "bleu", "30", "", hour)
		e.ModelVersion, e.Dataset = version, dataset
		if size != "" {
			n := money.MustParse(size)
			e.DatasetSize, e.DatasetUnit = &n, "tokens"
		}
		e.ID = ledger.NewID("experiment result", version, dataset, fmt.Sprint(hour))
		return e
	}
	for _, load := range [][]ledger.ExperimentResult{
		{on("v2", "wmt", "200", 2), on("v1", "wmt", "100", 1), on("v1", "flores", "", 1)},
		{on("v2", "wmt", "", 2)}, {on("v2", "wmt", "50", 2)}, {on("v1", "flores", "7", 1)},
	} {
		if _, err := s.PublishResults(t.Context(), ledger.NewID("import", "e"), load); err != nil {
			t.Fatal(err)
		}
	}
	rows := storetest.Table(t, s, "experiments", metrics.Options{Filter: "experiment = named and currency = USD"})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, storetest.RowWith(t, rows, "result_dataset", "wmt"), map[string]string{
		"result_model_version": "v2", "dataset_size": "200", "dataset_unit": "tokens"})
	storetest.Wants(t, storetest.RowWith(t, rows, "result_dataset", "flores"), map[string]string{
		"result_model_version": "v1", "dataset_size": "7", "effective_cost": rows[0]["effective_cost"]})
	all := storetest.RowWith(t, storetest.Table(t, s, "experiments", metrics.Options{GroupBy: "team",
		Filter: "experiment = named"}), "currency", "USD")
	storetest.Wants(t, all, map[string]string{"experiments": "1", "effective_cost": rows[0]["effective_cost"]})
}

// An equal result at another time was read in another time zone: the later import wins.
func TestAResultMovesToAnotherZone(t *testing.T) {
	s := storetest.New(t)
	e := measured("e", "", "bleu", "30", "", 1)
	at := func() string { return storetest.Dump(t, s, "select at::text from experiment_results") }
	for i, shift := range []period.Second{0, 3600, 0} {
		moved := e
		moved.At += shift
		if changed, err := s.PublishResults(t.Context(), ledger.NewID("import", fmt.Sprint(i)),
			[]ledger.ExperimentResult{moved}); err != nil || changed != 1 || !strings.Contains(at(),
			moved.At.Time().Format("15:04")) {
			t.Errorf("import %d: %d changed, at %s: %v", i, changed, at(), err)
		}
		if changed, err := s.PublishResults(t.Context(), ledger.NewID("again", fmt.Sprint(i)),
			[]ledger.ExperimentResult{moved}); err != nil || changed != 0 {
			t.Errorf("import %d again: %d changed, %v", i, changed, err)
		}
	}
}

func TestExperimentsAndWhatTheyCost(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update owners set experiment = 'labelled' where team = 'research'`)
	whole := storetest.Table(t, s, "runs", metrics.Options{Filter: "run_id = prod/ml/train"})[0]
	rows := storetest.Table(t, s, "experiments", metrics.Options{})
	if len(rows) != 2 { // the queued run has no cost and no currency
		t.Fatalf("a label alone: %v", rows)
	}
	storetest.Wants(t, storetest.RowWith(t, rows, "currency", "USD"),
		map[string]string{"experiment": "labelled", "metric": "", "successful": "", "value": "", "runs": "1",
			"completed_runs": "1",
			"effective_cost": whole["effective_cost"], "list_cost": whole["list_cost"],
			"gpu_hours": whole["gpu_hours"], "state": whole["state"]})

	lower := measured("named", "train", "loss", "0.9", "", 2)
	better := money.MustParse("1")
	lower.Baseline, lower.Lower = &better, true
	if _, err := s.PublishResults(t.Context(), ledger.NewID("import", "e"), []ledger.ExperimentResult{
		lower, measured("named", "", "accuracy", "0.7", "0.8", 2), measured("named", "", "accuracy", "0.9", "0.8", 1),
		measured("named", "", "silent", "1", "", 1), measured("lost", "", "bleu", "1", "2", 1),
	}); err != nil {
		t.Fatal(err)
	}
	rows = storetest.Table(t, s, "experiments", metrics.Options{Filter: "experiment = named"})
	storetest.Wants(t, storetest.RowWith(t, rows, "metric", "loss"), map[string]string{
		"successful": "true", "direction": "lower", "result_run": "train", "effective_cost": whole["effective_cost"],
	})
	// the newest wins
	storetest.Wants(t, storetest.RowWith(t, rows, "metric", "accuracy"), map[string]string{
		"successful": "false", "value": "0.7", "effective_cost": whole["effective_cost"],
	})
	// no baseline to compare with
	storetest.Wants(t, storetest.RowWith(t, rows, "metric", "silent"), map[string]string{"successful": ""})

	all := storetest.RowWith(t, storetest.Table(t, s, "experiments", metrics.Options{GroupBy: "currency"}), "currency",
		"USD")
	storetest.Wants(t, all, map[string]string{"effective_cost": whole["effective_cost"], "experiments": "1",
		"successful_experiments": "1", "runs": "1",
		"cost_per_successful_experiment": all["cost_per_experiment"], "gpu_hours": whole["gpu_hours"]})
	none := storetest.RowWith(t,
		storetest.Table(t, s, "experiments", metrics.Options{GroupBy: "currency", Filter: "experiment != named"}),
		"currency", "")
	storetest.Wants(t, none, map[string]string{"cost_per_successful_experiment": "", "successful_experiments": "0"})
	if rows := storetest.Table(t, s, "experiments", metrics.Options{
		To: "2026-10-01", Filter: "experiment != labelled",
	}); len(rows) != 0 {
		t.Errorf("before anything: %v", rows)
	}
}
