package fleetsim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// experimentResult is a row of the file that research keeps of its experiments.
type experimentResult struct {
	experiment, run, metric    string
	value, baseline, threshold string // decimals; empty: none
	lower                      bool   // smaller values are better
	at                         int64  // 0: nobody wrote it down
}

// pipelineOf names the pipeline of every run but each third: of one model, a
// hundred runs of the fleet long.
func pipelineOf(model string, number int) (label, bool) {
	return label{"label_gpuledger_io_group", fmt.Sprintf("%s-pipeline-%d", model, number/100)}, number%3 != 0
}

// experimentResults says what experiments came to: those that runs have as a
// label take turns at succeeding and not, at both directions and with nothing to
// compare with; one is known by a run's name alone, and one had no run.
func (w *world) experimentResults() []experimentResult {
	var out []experimentResult
	for i, name := range w.experimentNames() {
		r := newRNG(w.cfg.Seed, 0xE0, uint64(i))
		early, late := w.from+3600*r.between(1, 9), w.from+3600*r.between(10, 20)
		add := func(metric, value, baseline, threshold string, lower bool, at int64) {
			out = append(out, experimentResult{experiment: name, metric: metric, value: value, baseline: baseline, threshold: threshold, lower: lower, at: at})
		}
		switch i % 4 {
		case 0: // reached its threshold at the second attempt
			add("bleu", fmt.Sprintf("%d.%02d", r.between(22, 29), r.between(0, 99)), "28.4", "31", false, early)
			add("bleu", fmt.Sprintf("%d.%02d", r.between(31, 36), r.between(0, 99)), "28.4", "31", false, late)
		case 1: // was good, and is no more
			add("loss", "1.87", "", "2", true, 0)
			add("loss", "1.92", "", "2", true, early)
			add("loss", fmt.Sprintf("2.%02d", r.between(1, 60)), "", "2", true, late)
		case 2: // quicker, and no better: of two values of one time the larger counts
			add("accuracy", "0.8125", "0.83", "", false, late)
			add("latency_ms", fmt.Sprintf("%d", r.between(30, 44)), "45", "", true, late)
			add("latency_ms", "45", "45", "", true, late)
			out[len(out)-1].run = "benchmark"
		case 3: // nothing to compare with
			add("perplexity", fmt.Sprintf("%d.5", r.between(5, 12)), "", "", true, late)
		}
	}
	for _, p := range w.pods { // the first run without a label
		if p.rootKind == "PyTorchJob" && first(p.labels, "label_experiment") == "" && p.scheduled < w.to {
			out = append(out, experimentResult{experiment: "ablation-1", run: p.rootName, metric: "bleu", value: "30.1", baseline: "28.4", at: w.from + 12*3600})
			break
		}
	}
	return append(out, experimentResult{experiment: "on-paper", metric: "reviews", value: "2", threshold: "3", at: w.from + 7*3600})
}

// experimentNames are the labels of runs that came to be, in order.
func (w *world) experimentNames() []string {
	seen := map[string]bool{}
	var names []string
	for _, p := range w.pods {
		if v := first(p.labels, "label_experiment"); v != "" && !seen[v] && p.scheduled < w.to {
			seen[v] = true
			names = append(names, v)
		}
	}
	slices.Sort(names)
	return names
}

// writeExperiments writes what the experiments of the cluster came to.
func (w *world) writeExperiments(dir string, m *Manifest) error {
	var body strings.Builder
	body.WriteString("experiment,run,metric,value,baseline,threshold,direction,at\n")
	for _, e := range w.experimentResults() {
		direction, at := "higher", ""
		if e.lower {
			direction = "lower"
		}
		if e.at != 0 {
			at = isoSecond(e.at)
		}
		body.WriteString(strings.Join([]string{e.experiment, e.run, e.metric, e.value, e.baseline, e.threshold, direction, at}, ",") + "\n")
	}
	m.Experiments = "experiments.csv"
	if err := os.WriteFile(filepath.Join(dir, m.Experiments), []byte(body.String()), 0o644); err != nil {
		return fmt.Errorf("write results of experiments: %w", err)
	}
	return nil
}
