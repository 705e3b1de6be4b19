package world

import (
	"fmt"
	"slices"
)

// ExperimentResult is a row of the results file that research keeps.
type ExperimentResult struct {
	Experiment, Run, Metric    string
	Value, Baseline, Threshold string // decimals; empty: none
	Model, Dataset             string // version of the model, and what it was trained on; empty: not recorded
	Size, Unit                 string // of the dataset
	Lower                      bool   // smaller values are better
	At                         int64  // 0: not recorded
}

// pipelineOf names the pipeline of every run except each third: runs of one model, in groups of a hundred.
func pipelineOf(model string, number int) (Label, bool) {
	return Label{"label_gpuledger_io_group", fmt.Sprintf("%s-pipeline-%d", model, number/100)}, number%3 != 0
}

// ExperimentResults are the results of experiments: those in the labels of runs alternate between success and failure,
// in both directions and without a baseline; one is known only by a run's name, and one had no run.
func (w *World) ExperimentResults() []ExperimentResult {
	var out []ExperimentResult
	for i, name := range w.experimentNames() {
		r := NewRNG(w.Config.Seed, 0xE0, uint64(i))
		early, late := w.From+3600*r.Between(1, 9), w.From+3600*r.Between(10, 20)
		add := func(metric, value, baseline, threshold string, lower bool, at int64) {
			out = append(out, ExperimentResult{
				Experiment: name, Metric: metric, Value: value, Baseline: baseline, Threshold: threshold, Lower: lower, At: at,
			})
		}
		switch i % 4 {
		case 0: // reached its threshold at the second attempt
			for n, at := range []int64{early, late} {
				from, to := 22+9*int64(n), 29+7*int64(n)
				add("bleu", fmt.Sprintf("%d.%02d", r.Between(from, to), r.Between(0, 99)), "28.4", "31", false, at)
				last := &out[len(out)-1]
				last.Model, last.Dataset = fmt.Sprintf("v%d", n+1), "news-2026"
				last.Size, last.Unit = fmt.Sprintf("%d", 1_500_000*(n+1)), "sentences"
			}
		case 1: // was good, then got worse
			add("loss", "1.87", "", "2", true, 0)
			add("loss", "1.92", "", "2", true, early)
			add("loss", fmt.Sprintf("2.%02d", r.Between(1, 60)), "", "2", true, late)
		case 2: // faster but not better: of two values of one time the larger counts
			add("accuracy", "0.8125", "0.83", "", false, late)
			add("latency_ms", fmt.Sprintf("%d", r.Between(30, 44)), "45", "", true, late)
			add("latency_ms", "45", "45", "", true, late)
			out[len(out)-1].Run = "benchmark"
		case 3: // nothing to compare with
			add("perplexity", fmt.Sprintf("%d.5", r.Between(5, 12)), "", "", true, late)
		}
	}
	for _, p := range w.Pods { // the first run without a label
		if p.RootKind == "PyTorchJob" && FirstLabel(p.Labels, "label_experiment") == "" && p.Scheduled < w.To {
			out = append(out, ExperimentResult{
				Experiment: "ablation-1", Run: p.RootName, Metric: "bleu", Value: "30.1", Baseline: "28.4", At: w.From + 12*3600,
			})
			break
		}
	}
	return append(out, ExperimentResult{
		Experiment: "on-paper", Metric: "reviews", Value: "2", Threshold: "3", At: w.From + 7*3600,
	})
}

// experimentNames are the labels of runs that exist, in order.
func (w *World) experimentNames() []string {
	seen := map[string]bool{}
	var names []string
	for _, p := range w.Pods {
		if v := FirstLabel(p.Labels, "label_experiment"); v != "" && !seen[v] && p.Scheduled < w.To {
			seen[v] = true
			names = append(names, v)
		}
	}
	slices.Sort(names)
	return names
}
